import { instantOf } from '#domain/calendar/local-time.ts';
import { currentTime } from '#page/core/clock.ts';
import { localDateAt, viewZone } from '#page/core/time-zone.ts';
import { zoneName } from '#page/format/time.ts';
import { commonText } from '#page/i18n/common.ts';
import { Field } from './field.tsx';

interface LocalTimeFieldProps {
	readonly label: string;
	/** The typed text. A complete one has the form that `localText` returns. */
	readonly value: string;
	readonly error: string | null;
	readonly onInput: (value: string) => void;
}

/** A field for a day and a time in the time zone of the view. */
export function LocalTimeField({ label, value, error, onInput }: LocalTimeFieldProps) {
	return (
		<Field label={label} hint={commonText().timesOf(zoneName(parseLocalText(value) ?? currentTime()))} error={error}>
			{(ties) => (
				<input
					{...ties}
					class="input"
					type="datetime-local"
					value={value}
					onInput={(event) => onInput(event.currentTarget.value)}
				/>
			)}
		</Field>
	);
}

/** Formats a time (epoch milliseconds) in the form of the field: `2026-11-21T16:12`. */
export function localText(time: number): string {
	return localDateAt(time).toISOString().slice(0, 16);
}

/** Parses the text of the field; null when it is not a time. */
export function parseLocalText(text: string): number | null {
	// The text is read as a time in UTC, which `instantOf` takes for the local time of the zone.
	const local = new Date(`${text}Z`).getTime();
	return Number.isNaN(local) ? null : instantOf(local, viewZone());
}
