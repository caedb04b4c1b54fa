import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** `title` and `text` count seconds. `announcement` does not, and screen readers read it once instead. */
interface LostBandProps {
	/** The accessible name of the band. */
	readonly label: string;
	readonly announcement: string;
	readonly title: string;
	readonly text: string;
	readonly tryText: string;
	readonly onTry: () => void;
}

/** The band that is shown while the connection is lost. Its button takes the focus only if no other element has it. */
export function LostBand({ label, announcement, title, text, tryText, onTry }: LostBandProps) {
	const button = useRef<HTMLButtonElement>(null);
	useLayoutEffect(() => {
		if (document.activeElement === null || document.activeElement === document.body) button.current?.focus();
	}, []);
	return (
		<section class="lost-band" aria-label={label}>
			<Icon name="i-lost" />
			<div>
				<span class="sr" role="alert">
					{announcement}
				</span>
				<b>{title}</b>
				<span>{text}</span>
			</div>
			<button ref={button} type="button" class="btn" onClick={onTry}>
				{tryText}
			</button>
		</section>
	);
}
