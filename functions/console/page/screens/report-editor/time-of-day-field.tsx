import { useState } from 'preact/hooks';
import { parseTimeOfDay } from '#page/format/typed-time.ts';
import { TextField } from '#page/parts/text-input.tsx';

interface TimeOfDayFieldProps {
	readonly label: string;
	/** `06:30`; empty if nothing is typed. Text that is not a time of day is kept as it was typed. */
	readonly value: string;
	readonly error: string | null;
	readonly disabled: boolean;
	readonly onTime: (time: string) => void;
}

/**
 * A field for a time of day in 24 hours. The browser's own field may use 12 hours. The typed time is completed when the focus leaves the
 * field.
 */
export function TimeOfDayField({ label, value, error, disabled, onTime }: TimeOfDayFieldProps) {
	const [typed, setTyped] = useState<string | null>(null);
	return (
		<TextField
			label={label}
			value={typed !== null && (parseTimeOfDay(typed) ?? typed.trim()) === value ? typed : value}
			error={error}
			disabled={disabled}
			inputMode="numeric"
			onText={(text) => {
				setTyped(text);
				onTime(parseTimeOfDay(text) ?? text.trim());
			}}
			onBlur={() => setTyped(null)}
		/>
	);
}
