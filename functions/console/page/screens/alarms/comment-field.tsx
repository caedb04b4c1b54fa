import type { Signal } from '@preact/signals';
import { Field } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { alarmText } from './texts.ts';

/** Properties of CommentField. */
export interface CommentFieldProps {
	readonly comment: Signal<string>;
	readonly disabled?: boolean;
}

/** The comment of an acknowledgement, which may stay empty. */
export function CommentField({ comment, disabled = false }: CommentFieldProps) {
	return (
		<Field label={alarmText().comment}>
			{(ties) => (
				<TextInput
					{...ties}
					maxLength={500}
					value={comment.value}
					disabled={disabled}
					onText={(typed) => {
						comment.value = typed;
					}}
				/>
			)}
		</Field>
	);
}
