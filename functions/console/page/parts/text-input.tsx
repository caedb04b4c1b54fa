import type { InputHTMLAttributes, Ref } from 'preact';
import type { FieldTies } from './field.tsx';
import { Icon, type IconName } from './icon.tsx';

/** Properties of TextInput. `onText` gets what is typed. The ties come from Field; without one, `aria-label` is needed. */
export interface TextInputProps
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
	readonly type?: 'text' | 'email' | 'password' | 'search' | undefined;
	readonly icon?: IconName | undefined;
	readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** One line of text. */
export function TextInput({ value, onText, type = 'text', icon, inputRef = null, ...rest }: TextInputProps) {
	const input = (
		<input
			type={type}
			ref={inputRef}
			class="input"
			autocomplete="off"
			value={value}
			onInput={(event) => onText(event.currentTarget.value)}
			{...rest}
		/>
	);
	if (icon === undefined) return input;
	return (
		<span class="input-box">
			<Icon name={icon} />
			{input}
		</span>
	);
}
