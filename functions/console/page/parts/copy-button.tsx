import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { messages } from '#page/i18n/i18n.ts';
import { Button } from './button.tsx';

/** The texts of a button that copies. */
export const copyText = messages({
	en: {
		copy: 'Copy',
		copied: 'Copied.',
	},
	es: {
		copy: 'Copiar',
		copied: 'Copiado.',
	},
});

interface CopyButtonProps {
	/** What is copied. */
	readonly value: string;
	/** The words of the button; without them it says `Copy`. */
	readonly children?: ComponentChildren;
}

/** A button that copies a text, and says so beside it. Without HTTPS a page has no clipboard: then the person copies by hand. */
export function CopyButton({ value, children }: CopyButtonProps) {
	const text = copyText();
	const isCopied = useSignal(false);
	const note = (): void => {
		isCopied.value = true;
	};
	return (
		<>
			<Button disabled={!isSecureContext} onClick={() => void navigator.clipboard.writeText(value).then(note, () => undefined)}>
				{children ?? text.copy}
			</Button>{' '}
			<span role="status">{isCopied.value && text.copied}</span>{' '}
		</>
	);
}
