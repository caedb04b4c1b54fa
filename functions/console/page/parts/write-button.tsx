import { canWrite } from '#page/core/poll.ts';
import { commonText } from '#page/i18n/common.ts';
import { Button, type ButtonProps } from './button.tsx';

/** A button that stores or deletes something. While that cannot work the button is disabled, and a sentence beside it says why. */
export function WriteButton({ disabled = false, ...rest }: ButtonProps) {
	const state = canWrite.value;
	return (
		<>
			{!state.ok && <span class="muted">{commonText().cannotWrite[state.code]}</span>}
			<Button {...rest} disabled={disabled || !state.ok} />
		</>
	);
}
