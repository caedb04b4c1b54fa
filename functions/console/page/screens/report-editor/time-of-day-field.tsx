import { Field } from '#page/parts/field.tsx';

interface TimeOfDayFieldProps {
	readonly label: string;
	readonly hint?: string;
	/** `06:30`; empty where nothing is typed. */
	readonly value: string;
	readonly error: string | null;
	readonly disabled: boolean;
	readonly onTime: (time: string) => void;
}

/** A time of day in the browser's own field. */
export function TimeOfDayField({ label, hint, value, error, disabled, onTime }: TimeOfDayFieldProps) {
	return (
		<Field label={label} hint={hint} error={error}>
			{(ties) => (
				<input
					{...ties}
					class="input"
					type="time"
					value={value}
					disabled={disabled}
					onInput={(event) => onTime(event.currentTarget.value)}
				/>
			)}
		</Field>
	);
}
