import { useSignal } from '@preact/signals';
import type { TypedNumber } from '#page/format/typed-number.ts';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { defaultScale } from '../symbols/symbol-art.tsx';
import type { SymbolPartProps } from './symbol-part.ts';
import { editText } from './texts.ts';

/** The fields for the values at which a tank is empty and full. They change the drawing only while the full value is the greater one. */
export function ScaleFields({ symbol: { varId, scale }, change, variables }: SymbolPartProps) {
	const text = editText();
	const [empty, full] = scale ?? defaultScale;
	/** What was typed while it is no valid scale; null when the scale of the symbol is shown. */
	const typed = useSignal<readonly [TypedNumber, TypedNumber] | null>(null);
	const shown = typed.value ?? [empty, full];
	const unit = (varId === null ? undefined : variables.get(varId)?.unit) ?? '';
	const takeTyped = (low: TypedNumber, high: TypedNumber): void => {
		const isValid = typeof low === 'number' && typeof high === 'number' && high > low;
		typed.value = isValid ? null : [low, high];
		if (isValid) change({ scale: [low, high] });
	};
	const input = (label: string, index: 0 | 1, error: string | null) => (
		<Field label={label} error={error}>
			{(ties) => (
				<NumberInput<'unreadable'>
					ties={ties}
					value={shown[index]}
					wrong="unreadable"
					disabled={false}
					onValue={(value) => (index === 0 ? takeTyped(value, shown[1]) : takeTyped(shown[0], value))}
				/>
			)}
		</Field>
	);
	return (
		<div class="columns">
			{input(text.emptyAt(unit), 0, null)}
			{input(text.fullAt(unit), 1, typed.value === null ? null : text.scaleWrong)}
		</div>
	);
}
