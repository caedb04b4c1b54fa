/** Returns an instant as ISO-8601 in UTC: `2026-11-20T10:00:00.000Z`. @param time epoch milliseconds */
export function isoTime(time: number): string {
	return new Date(time).toISOString();
}
