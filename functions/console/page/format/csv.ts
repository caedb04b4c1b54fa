/**
 * Writes rows as CSV (RFC 4180). The mark at the start tells spreadsheets that the text is UTF-8. A text that a spreadsheet would take
 * for a formula begins with an apostrophe; numbers are none, whatever their sign.
 */
export function csvText(rows: readonly (readonly string[])[]): string {
	return `\ufeff${rows.map((row) => `${row.map(field).join()}\r\n`).join('')}`;
}

/** Returns the local time with its offset: `2026-11-21T16:12:00+01:00`. */
export function localIso(time: number): string {
	const offsetMinutes = -new Date(time).getTimezoneOffset();
	const local = new Date(time + offsetMinutes * 60_000).toISOString().slice(0, 19);
	const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
	const two = (number: number): string => String(number).padStart(2, '0');
	return `${local}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

function field(text: string): string {
	const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
