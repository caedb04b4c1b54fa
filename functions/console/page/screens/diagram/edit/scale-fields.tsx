import { useSignal } from '@preact/signals';
import type { TypedNumber } from '#page/format/typed-number.ts';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { scaleOf } from '../symbols/symbol-state.ts';
import type { SymbolPartProps } from './symbol-part.ts';
import { editText } from './texts.ts';

/** The fields for the values at which a tank is empty and full. They change the drawing only while the full value is the greater one. */
export function ScaleFields({ symbol: { varId, scale }, change, variables }: SymbolPartProps) {
	const text = editText();
	/** What was typed while it is no valid scale; null when the scale of the symbol is shown. */
	const typed = useSignal<readonly [TypedNumber, TypedNumber] | null>(null);
	const unit = (varId === null ? undefined : variables.get(varId)?.unit) ?? '';
	const drawn = scaleOf(scale, unit);
	const [shownEmpty, shownFull] = typed.value ?? drawn ?? [null, null];
	/** Whether a first scale lacks one of its values, or both. */
	const isMissing = drawn === null && (shownEmpty === null || shownFull === null);
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
				hint={isMissing ? text.noScale : undefined}
				error={typed.value === null || isMissing ? null : text.scaleWrong}
				value={shownFull}
				onValue={(value) => takeTyped(shownEmpty, value)}
			/>
		</div>
	);
}

interface LimitFieldProps {
	readonly label: string;
	readonly hint?: string | undefined;
	readonly error?: string | null;
	readonly value: TypedNumber;
	readonly onValue: (value: TypedNumber) => void;
}

/** The field for one end of a scale. */
function LimitField({ label, hint, error = null, value, onValue }: LimitFieldProps) {
	return (
		<Field label={label} hint={hint} error={error}>
			{(ties) => <NumberInput<'unreadable'> ties={ties} value={value} wrong="unreadable" onValue={onValue} />}
		</Field>
	);
}
