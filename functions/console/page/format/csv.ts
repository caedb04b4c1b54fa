import { localTimeAt } from '#domain/calendar/local-time.ts';
import type { TimeZone } from '#domain/calendar/time-zone.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { viewZone } from '#page/core/time-zone.ts';
import { formatExact } from './number.ts';

/** A cell of a table: text, a number with all of its digits, or nothing. */
export type CsvCell = string | number | null;

/** Most characters of all subjects together in the name of a file. */
const maxSubject = 100;

/** Characters that some system forbids in the name of a file, and control characters. */
const forbiddenInNames = /[\\/:*?"<>|\p{Cc}]+/gu;

/** The byte order mark: it says that the text is UTF-8. */
const utf8Mark = '\ufeff';

/**
 * Writes rows as CSV (RFC 4180), as a spreadsheet of the region reads it: where numbers have a decimal comma, semicolons separate cells. A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay as they are.
 */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
	const separator = numberSigns.value.decimal === ',' ? ';' : ',';
	const cellText = (cell: CsvCell): string => (typeof cell === 'number' ? formatExact(cell) : quoted(cell ?? ''));
	return `${utf8Mark}${rows.map((row) => `${row.map(cellText).join(separator)}\r\n`).join('')}`;
}

/**
 * Returns the name of a file with a table, from its subjects and its range: `Flow, Level 2026-11-20 1612 - 2026-11-21 1612.csv`. It has
 * only characters that every system accepts.
 * @param subjects for example names of variables; those for which there is no room are counted
 */
export function csvFileName(subjects: readonly string[], start: number, end: number): string {
	return fileName(subjects, [start, end], 'csv');
}

/**
 * Returns the name of a file with entries of a journal. Null without entries: there is nothing to save.
 * @param times the times of the entries as ISO strings, newest first
 */
export function journalFileName(subject: string, times: readonly string[]): string | null {
	const [newest, oldest] = [times[0], times.at(-1)];
	return newest === undefined || oldest === undefined ? null : csvFileName([subject], Date.parse(oldest), Date.parse(newest));
}

/** Returns the name of a file from its subjects and its times, by the same rules: `Plant overview 2026-11-21 1612.svg`. */
export function fileName(subjects: readonly string[], times: readonly number[], extension: string): string {
	const clean = subjects.map((subject) => subject.replaceAll(forbiddenInNames, '-').trim()).filter((subject) => subject !== '');
	let named = clean.length;
	while (named > 1 && clean.slice(0, named).join(', ').length > maxSubject) named -= 1;
	const [first = ''] = clean;
	// A single subject may be too long. It is cut between characters, never within one.
	const names = named === 1 ? [...first].slice(0, maxSubject).join('') : clean.slice(0, named).join(', ');
	const more = clean.length > named ? ` +${clean.length - named}` : '';
	return `${names}${more} ${times.map(stampOf).join(' - ')}.${extension}`.trim();
}

/** Formats an instant as local time with its offset: `2026-11-21T16:12:00+01:00`. The zone is that of the view by default. */
export function localIso(time: number, zone: TimeZone = viewZone()): string {
	const local = new Date(localTimeAt(time, zone));
	const offsetMinutes = Math.round((local.getTime() - time) / 60_000);
	const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
	const two = (number: number): string => String(number).padStart(2, '0');
	return `${local.toISOString().slice(0, 19)}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

/** Writes a time without characters that a name may not have: `2026-11-21 1612`. */
function stampOf(time: number): string {
	return localIso(time).slice(0, 16).replace('T', ' ').replace(':', '');
}

/** The first characters by which spreadsheets recognise a formula. */
const formulaStart = /^[=+\-@\t\r]/;

/** Writes a text as a cell: harmless for spreadsheets, and in quotes where it contains a separator, a quote or the end of a line. */
function quoted(text: string): string {
	const safe = formulaStart.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
	return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
