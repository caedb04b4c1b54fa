import { useState } from 'preact/hooks';
import { parseTimeOfDay } from '#page/format/typed-time.ts';
import { TextField } from '#page/parts/text-input.tsx';

interface TimeOfDayFieldProps {
	readonly label: string;
	/** `06:30`; empty where nothing is typed. Text that is no time of day stays as it is. */
	readonly value: string;
	readonly error: string | null;
	readonly disabled: boolean;
	readonly onTime: (time: string) => void;
}

/** A time of day in 24 hours, whatever the browser's own field would ask for. What is typed is written out when it is left. */
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
