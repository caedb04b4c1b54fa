import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatExact } from '#page/format/number.ts';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { editText } from './texts.ts';

interface PlaceFieldProps {
	readonly label: string;
	readonly value: number;
	/** The least and the greatest number; those of a place, 0 and 1, if they are left out. */
	readonly range?: readonly [least: number, most: number] | undefined;
	readonly onValue: (value: number) => void;
}

/**
 * A field for a number of the drawing. A typed number that is in range changes the drawing. Any other text stays in the field, with an
 * error below it.
 */
export function PlaceField({ label, value, range = [0, 1], onValue }: PlaceFieldProps) {
	/** What was typed while it is not in range; null while the number of the drawing is shown. */
	const refused = useSignal<{ readonly typed: number | null | 'unreadable' } | null>(null);
	useEffect(() => {
		refused.value = null;
	}, [value]);
	const [least, most] = range;
	// Every number is in an infinite range, so there only an empty field or a text that is not a number is refused.
	const sentence = Number.isFinite(least) ? editText().outOfRange(formatExact(least), formatExact(most)) : editText().notANumber;
	return (
		<Field label={label} error={refused.value === null ? null : sentence}>
			{(ties) => (
				<NumberInput<'unreadable'>
					ties={ties}
					value={refused.value === null ? value : refused.value.typed}
					wrong="unreadable"
					onValue={(typed) => {
						const isRight = typeof typed === 'number' && typed >= least && typed <= most;
						refused.value = isRight ? null : { typed };
						if (isRight) onValue(typed);
					}}
				/>
			)}
		</Field>
	);
}

/** The range of a field that accepts any number. */
export const anyNumber = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
