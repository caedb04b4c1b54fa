import type { InputHTMLAttributes, TargetedInputEvent } from 'preact';
import { Field, type FieldProps, type FieldTies } from './field.tsx';
import { Icon, type IconName } from './icon.tsx';

/** `onText` gets the typed text. The ties come from Field; without them, `aria-label` is needed. */
interface TextInputProps
	extends Partial<FieldTies>,
		Pick<
			InputHTMLAttributes,
			| 'aria-label'
			| 'autocomplete'
			| 'autofocus'
			| 'disabled'
			| 'inputMode'
			| 'maxLength'
			| 'name'
			| 'onBlur'
			| 'onFocus'
			| 'onKeyDown'
			| 'placeholder'
			| 'readOnly'
			| 'required'
			| 'spellcheck'
		> {
	readonly value: string;
	readonly onText: (text: string) => void;
	readonly type?: 'text' | 'email' | 'password' | undefined;
	/** A symbol in the field. Only a field of type `text` without `list` draws it. */
	readonly icon?: IconName | undefined;
	/** The id of a `datalist` with suggestions. Any other text may be typed, too. */
	readonly list?: string | undefined;
}

/** A field for one line of text. */
export function TextInput({ value, onText, type = 'text', icon, list, ...rest }: TextInputProps) {
	const attributes = {
		class: 'input',
		autocomplete: 'off',
		value,
		onInput: (event: TargetedInputEvent<HTMLInputElement>) => onText(event.currentTarget.value),
		...rest,
	} as const;
	if (type === 'password') return <input type="password" {...attributes} />;
	if (type === 'email') return <input type="email" {...attributes} />;
	if (list !== undefined) return <input type="text" list={list} {...attributes} />;
	if (icon === undefined) return <input type="text" {...attributes} />;
	return (
		<span class="input-box">
			<Icon name={icon} />
			<input type="text" {...attributes} />
		</span>
	);
}

interface TextFieldProps extends Omit<TextInputProps, keyof FieldTies>, Omit<FieldProps, 'children'> {}

/** A field for one line of text, below its label. */
export function TextField({ label, hint, error, ...input }: TextFieldProps) {
	return (
		<Field label={label} hint={hint} error={error}>
			{(ties) => <TextInput {...ties} {...input} />}
		</Field>
	);
}
