import { localIsoTime } from '#domain/calendar/local-time.ts';
import type { TimeZone } from '#domain/calendar/time-zone.ts';
import { type CsvCell, csvText as writeCsv } from '#domain/csv.ts';
import { numberSigns } from '#page/core/number-signs.ts';
import { viewZone } from '#page/core/time-zone.ts';

/** Most characters of all subjects together in the name of a file. */
const maxSubject = 100;

/** Characters that some system forbids in the name of a file, and control characters. */
const forbiddenInNames = /[\\/:*?"<>|\p{Cc}]+/gu;

/** Writes rows as CSV, with the signs of the preferences. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
	return writeCsv(rows, { decimal: numberSigns.value.decimal, hasMark: true });
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
	return localIsoTime(time, zone);
}

/** Writes a time without characters that a name may not have: `2026-11-21 1612`. */
function stampOf(time: number): string {
	return localIso(time).slice(0, 16).replace('T', ' ').replace(':', '');
}
