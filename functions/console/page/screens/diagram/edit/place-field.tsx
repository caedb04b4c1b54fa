import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatExact } from '#page/format/number.ts';
import { Field } from '#page/parts/field.tsx';
import { NumberInput } from '#page/parts/number-input.tsx';
import { editText } from './texts.ts';

interface PlaceFieldProps {
	readonly label: string;
	readonly value: number;
	/** The least and the greatest number; without them, any number. */
	readonly range?: readonly [least: number, most: number] | undefined;
	readonly onValue: (value: number) => void;
}

/** A number of the drawing. What is typed changes the drawing while it is in range; until then it stays in the field with what is wrong. */
export function PlaceField({ label, value, range = [0, 1], onValue }: PlaceFieldProps) {
	const wrong = useSignal<{ readonly typed: number | null | 'unreadable' } | null>(null);
	useEffect(() => {
		wrong.value = null;
	}, [value]);
	const [least, most] = range;
	const sentence = Number.isFinite(least) ? editText().outOfRange(formatExact(least), formatExact(most)) : editText().notANumber;
	return (
		<Field label={label} error={wrong.value === null ? null : sentence}>
			{(ties) => (
				<NumberInput<'unreadable'>
					ties={ties}
					value={wrong.value === null ? value : wrong.value.typed}
					wrong="unreadable"
					disabled={false}
					onValue={(typed) => {
						const isRight = typeof typed === 'number' && typed >= least && typed <= most;
						wrong.value = isRight ? null : { typed };
						if (isRight) onValue(typed);
					}}
				/>
			)}
		</Field>
	);
}

/** The range of a number that may be any. */
export const anyNumber = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
