import { useSignal } from '@preact/signals';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { defaultScale } from '../symbols/symbol-art.tsx';
import type { SymbolPartProps } from './symbol-part.ts';
import { editText } from './texts.ts';

/**
 * The fields for the values at which a tank is empty and full. They change the drawing only if the full value is greater than the empty
 * one.
 */
export function ScaleFields({ symbol: { varId, scale }, change, variables }: SymbolPartProps) {
	const text = editText();
	const [empty, full] = scale ?? defaultScale;
	const typed = useSignal<readonly [number | null | 'unreadable', number | null | 'unreadable'] | null>(null);
	const shown = typed.value ?? [empty, full];
	const unit = (varId === null ? undefined : variables.get(varId)?.unit) ?? '';
	const type = (next: readonly [number | null | 'unreadable', number | null | 'unreadable']): void => {
		const [low, high] = next;
		const isRight = typeof low === 'number' && typeof high === 'number' && high > low;
		typed.value = isRight ? null : next;
		if (isRight) change({ scale: [low, high] });
	};
	const input = (label: string, index: 0 | 1, error: string | null) => (
		<Field label={label} error={error}>
			{(ties) => (
				<NumberInput<'unreadable'>
					ties={ties}
					value={shown[index]}
					wrong="unreadable"
					disabled={false}
					onValue={(value) => type(index === 0 ? [value, shown[1]] : [shown[0], value])}
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
