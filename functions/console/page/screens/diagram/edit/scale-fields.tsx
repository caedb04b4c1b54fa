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
	/** What was typed while it is no valid scale; null when the scale of the symbol is shown. */
	const typed = useSignal<readonly [TypedNumber, TypedNumber] | null>(null);
	const [shownEmpty, shownFull] = typed.value ?? scale ?? defaultScale;
	const unit = (varId === null ? undefined : variables.get(varId)?.unit) ?? '';
	const takeTyped = (empty: TypedNumber, full: TypedNumber): void => {
		const isValid = typeof empty === 'number' && typeof full === 'number' && full > empty;
		typed.value = isValid ? null : [empty, full];
		if (isValid) change({ scale: [empty, full] });
	};
	return (
		<div class="columns">
			<LimitField label={text.emptyAt(unit)} value={shownEmpty} onValue={(value) => takeTyped(value, shownFull)} />
			<LimitField
				label={text.fullAt(unit)}
				error={typed.value === null ? null : text.scaleWrong}
				value={shownFull}
				onValue={(value) => takeTyped(shownEmpty, value)}
			/>
		</div>
	);
}

interface LimitFieldProps {
	readonly label: string;
	readonly error?: string | null;
	readonly value: TypedNumber;
	readonly onValue: (value: TypedNumber) => void;
}

/** The field for one end of a scale. */
function LimitField({ label, error = null, value, onValue }: LimitFieldProps) {
	return (
		<Field label={label} error={error}>
			{(ties) => <NumberInput<'unreadable'> ties={ties} value={value} wrong="unreadable" onValue={onValue} />}
		</Field>
	);
}
