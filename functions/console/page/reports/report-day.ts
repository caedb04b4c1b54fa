import { formatOf } from '#page/format/time.ts';

/** Formats the day at an instant in the time zone of a report, which may be another one than that of the view: `Sat 21 Nov`. */
export function formatReportDay(timeMs: number, timeZone: string): string {
	return formatOf('weekday', { weekday: 'short', day: 'numeric', month: 'short' }, timeZone).format(timeMs);
}
