const dayMs = 86_400_000;

const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Madrid' });

/** Returns the date of an instant in Madrid, where the pages of tests and the reports of the demo are: `2026-11-29`. */
export const localDate = (timeMs: number): string => format.format(timeMs);

/** Returns the date in Madrid so many days ago, whatever the lengths of the days between. */
export const dateAgo = (days: number): string =>
	new Date(Date.parse(localDate(Date.now())) - days * dayMs).toISOString().slice(0, '2026-11-29'.length);
