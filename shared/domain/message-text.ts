/** What the messages about alarms and about reports have in common (shared/domain/alarm/EVALUATION.md#messages). */
import { isoTime } from './calendar/iso-time.ts';
import { localTimeAt } from './calendar/local-time.ts';
import { openTimeZone } from './calendar/time-zone.ts';

/** Most characters of a subject line of an e-mail: SNS takes fewer than 100 ASCII characters. */
const maxSubjectLength = 99;

/**
 * Returns a text as a part of one line, so that a name or a unit cannot look like a line of the message: white space and control characters
 * become a blank. Marks of direction that would turn the text after them around are left out.
 */
export function oneLine(text: string): string {
	return text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[\s\p{Cc}]+/gu, ' ');
}

/**
 * Returns the subject of an e-mail: ASCII in one line, at most 99 characters. Letters lose their accents. Where the subject would be
 * too long, the name is cut.
 * @example emailSubject({ start: 'CRITICAL alarm in plant_a: ', name: 'Depósito nº 2', end: '' }); // '… in plant_a: Deposito no 2'
 */
export function emailSubject(parts: { readonly start: string; readonly name: string; readonly end: string }): string {
	const [start, name, end] = [asciiOf(parts.start), asciiOf(parts.name), asciiOf(parts.end)];
	const length = maxSubjectLength - start.length - end.length;
	const shortName = name.length <= length ? name : `${name.slice(0, Math.max(0, length - 3))}...`;
	return `${start}${shortName}${end}`.slice(0, maxSubjectLength);
}

/**
 * Returns a time on the clocks of a plant, as people write it: `2026-11-20 06:30:00`.
 * @param time epoch milliseconds
 * @param timeZone an IANA name; null: UTC
 */
export function clockTime(time: number, timeZone: string | null = null): string {
	const zone = timeZone === null ? null : openTimeZone(timeZone);
	return isoTime(zone === null ? time : localTimeAt(time, zone))
		.slice(0, '2026-11-20T06:30:00'.length)
		.replace('T', ' ');
}

/** Characters that Unicode does not take apart into ASCII, and in the same place what resembles each. */
const unlike = 'ßæÆœŒøØłŁđĐðÐıμ°–—‐−·×⁄≤≥‘’“”«»€';
const resembling = `saAoOoOlLdDdDiuo----.x/<>''""""E`;

/**
 * Returns a text in ASCII, with a question mark for what resembles nothing there. NFKD takes characters apart: `é` into `e` and its accent,
 * which is a mark (\p{M}), `³` into `3`, `…` into three dots. Characters without width (\p{Cf}) are left out.
 */
function asciiOf(text: string): string {
	return oneLine(text)
		.normalize('NFKD')
		.replace(/[\p{M}\p{Cf}]/gu, '')
		.replace(/[^\x20-\x7e]/gu, (character) => resembling[unlike.indexOf(character)] ?? '?');
}
