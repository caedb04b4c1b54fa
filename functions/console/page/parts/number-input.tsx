import { useState } from 'preact/hooks';
import { formatExact } from '#page/format/number.ts';
import { parseTyped } from '#page/format/typed-number.ts';
import type { FieldTies } from './field.tsx';
import { TextInput } from './text-input.tsx';

/**
 * `value` is null when the field is empty, and `wrong` when the typed text is not a number. A `wrong` of null is for forms in which both
 * mean that the number is missing.
 */
interface NumberInputProps<Wrong> {
	readonly ties: FieldTies;
	readonly value: number | null | Wrong;
	readonly wrong: Wrong;
	readonly disabled?: boolean;
	readonly placeholder?: string;
	readonly onValue: (value: number | null | Wrong) => void;
}

/** A field for a number. The typed text stays as it is until the value is changed from outside. */
export function NumberInput<Wrong extends null | 'unreadable'>({
	ties,
	value,
	wrong,
	disabled = false,
	placeholder = '',
	onValue,
}: NumberInputProps<Wrong>) {
	const shown = typeof value === 'number' ? formatExact(value) : '';
	/** The typed text, and the value that was made of it. */
	const [typed, setTyped] = useState({ text: shown, value });
	const parse = (text: string): number | null | Wrong => (text.trim() === '' ? null : (parseTyped(text) ?? wrong));
	// The text stays only while the value is the one that was made of it. The same text is another number after a change of the decimal sign.
	const isOwn = Object.is(typed.value, value) && (typeof value !== 'number' || parse(typed.text) === value);
	return (
		<TextInput
			{...ties}
			inputMode="decimal"
			disabled={disabled}
			placeholder={placeholder}
			value={isOwn ? typed.text : shown}
			onText={(text) => {
				const next = parse(text);
				setTyped({ text, value: next });
				onValue(next);
			}}
		/>
	);
}
