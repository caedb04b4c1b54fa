import type { SelectHTMLAttributes } from 'preact';
import type { FieldTies } from './field.tsx';

/** One choice of a Select or of a Segmented. */
export interface Choice<Value extends string> {
	readonly value: Value;
	readonly label: string;
	readonly disabled?: boolean | undefined;
}

/** The ties come from Field. A select without a Field needs `aria-label`. */
interface SelectProps<Value extends string>
	extends Partial<FieldTies>,
		Pick<SelectHTMLAttributes, 'aria-label' | 'disabled' | 'name' | 'required'> {
	readonly value: Value;
	readonly choices: readonly Choice<Value>[];
	readonly onChoose: (value: Value) => void;
}

/** A native select. */
export function Select<Value extends string>({ value, choices, onChoose, ...rest }: SelectProps<Value>) {
	return (
		<select
			class="input"
			value={value}
			onChange={(event) => {
				const chosen = choices[event.currentTarget.selectedIndex];
				if (chosen !== undefined) onChoose(chosen.value);
			}}
			{...rest}
		>
			{choices.map((choice) => (
				<option key={choice.value} value={choice.value} disabled={choice.disabled}>
					{choice.label}
				</option>
			))}
		</select>
	);
}
