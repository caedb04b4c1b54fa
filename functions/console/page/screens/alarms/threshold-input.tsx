import { useState } from 'preact/hooks';
import { language } from '#page/core/preferences.ts';
import { formatExact } from '#page/format/number.ts';
import type { FieldTies } from '#page/parts/field.tsx';
import { TextInput } from '#page/parts/text-input.tsx';
import { parseTyped } from './typed-number.ts';

/** Properties of ThresholdInput. `value` is null where what is typed is no number. */
export interface ThresholdInputProps {
	readonly ties: FieldTies;
	readonly value: number | null;
	readonly disabled: boolean;
	readonly onValue: (value: number | null) => void;
}

/** A number as people type it. What is typed stays as it is, until the value is changed from outside. */
export function ThresholdInput({ ties, value, disabled, onValue }: ThresholdInputProps) {
	const [typed, setTyped] = useState({ text: value === null ? '' : formatExact(value), value });
	const isOwn = Object.is(typed.value, value) && (value === null || parseTyped(typed.text, language.value) === value);
	return (
		<TextInput
			{...ties}
			inputMode="decimal"
			disabled={disabled}
			value={isOwn ? typed.text : value === null ? '' : formatExact(value)}
			onText={(text) => {
				const next = parseTyped(text, language.value);
				setTyped({ text, value: next });
				onValue(next);
			}}
		/>
	);
}
