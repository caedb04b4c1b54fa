/**
 * Parses a time of day as people type it: `6:30`, `0630`, `06:30`, or the hour alone.
 * @returns the form that the service accepts, `06:30`; null when the text is not a time of day
 */
export function parseTimeOfDay(typed: string): string | null {
	const [, hour, minute = '00'] = /^(\d{1,2})(?:[:.]|[:.]?([0-5]\d))?$/.exec(typed.trim()) ?? [];
	return hour === undefined || Number(hour) > 23 ? null : `${hour.padStart(2, '0')}:${minute}`;
}
