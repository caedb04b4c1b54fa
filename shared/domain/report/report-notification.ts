import { isoTime } from '../calendar/iso-time.ts';
import { clockTime, emailSubject, oneLine } from '../message-text.ts';
import { hourMs } from '../milliseconds.ts';
import type { NotifiedNumber, NotifiedRise, ReportNotification } from '../ports/notifier.ts';
import { isAtMost, roundedTo, shownValue } from '../totals/shown-number.ts';
import { provisionalMs } from './provisional.ts';

/** Most characters of a text message. A longer one is sent in parts. */
const maxSmsLength = 140;

/**
 * Returns the first line of a message.
 * @example 'plant_a, Daily report, 2026-11-20, provisional'
 */
export function reportHeadline(notification: ReportNotification): string {
	const { start, name, end } = headlineParts(notification);
	return `${start}${name}${end}`;
}

/** Returns the headline as the subject of an e-mail: ASCII in one line, at most 99 characters. */
export function reportSubject(notification: ReportNotification): string {
	return emailSubject(headlineParts(notification));
}

/** Returns the message in at most 140 characters. */
export function reportSms(notification: ReportNotification): string {
	const headline = reportHeadline(notification);
	return headline.length <= maxSmsLength ? headline : `${headline.slice(0, maxSmsLength - 1)}…`;
}

/** Returns the text of a message for people. Lines are short, so that a phone shows them whole. */
export function reportText(notification: ReportNotification): string {
	const { timeZone, from, to, isRepeated, numbers, raised = [] } = notification;
	const parts: string[] = [];
	for (const [index, number] of numbers.entries()) {
		if (number.group !== null && number.group !== numbers[index - 1]?.group) parts.push('', oneLine(number.group).toUpperCase());
		parts.push(...linesOfNumber(number));
	}
	return [
		reportHeadline(notification),
		...timesOf(from, to, timeZone),
		...(isRepeated ? ['You may have this message already.'] : []),
		...(raised.length === 0 ? [] : ['', ...raised.map(riseText)]),
		// A group begins with an empty line of its own.
		...(numbers[0]?.group === null ? [''] : []),
		...parts,
		'',
		`Provisional: the numbers are final ${provisionalMs / hourMs} hours after the day.`,
	].join('\n');
}

/** Returns the message for programs. Times are ISO 8601. */
export function reportJson({ from, to, ...notification }: ReportNotification) {
	return { kind: 'report' as const, state: 'provisional' as const, ...notification, from: isoTime(from), to: isoTime(to) };
}

function headlineParts({ schema, title, date, isRepeated, raised = [] }: ReportNotification): Parameters<typeof emailSubject>[0] {
	return {
		start: `${schema}, `,
		name: oneLine(title),
		end: `, ${date}, ${raised.length === 0 ? '' : 'night flow rose, '}provisional${isRepeated ? ', repeated' : ''}`,
	};
}

/** Returns the line that tells of a rise: `Night flow rose: 3 nights since 2026-11-18`. */
const riseText = ({ name, since, nights, certain }: NotifiedRise): string =>
	`${oneLine(name)} rose: ${nights === 1 ? '1 night' : `${nights} nights`} since ${since}${certain ? '' : ', as far as is known'}`;

/** Returns the lines that say when the day begins and ends, in its time zone and in UTC. */
function timesOf(from: number, to: number, timeZone: string): readonly string[] {
	const times = (zone: string | null): string => `${minuteOf(from, zone)} to ${minuteOf(to, zone)}`;
	const utc = `${times(null)} UTC`;
	return timeZone === 'UTC' ? [utc] : [times(timeZone), `in ${timeZone}`, `(${utc})`];
}

/** Returns a time as `2026-11-20 06:30`. */
const minuteOf = (time: number, zone: string | null): string => clockTime(time, zone).slice(0, '2026-11-20 06:30'.length);

/** Returns the lines of one number: its value, its bounds where it is not exact, and the share of the time that is known. */
function linesOfNumber(number: NotifiedNumber): readonly string[] {
	const { name, unit, function: lineFunction, decimals, value, low, high, known } = number;
	const format = new Intl.NumberFormat('en', {
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
		signDisplay: 'negative',
	});
	const withUnit = (number: string): string => (unit === '' ? number : `${number} ${oneLine(unit)}`);
	// Bounds are rounded outwards, so that the truth lies between them.
	const text = (bound: number | null, outwards: (bound: number) => number): string =>
		bound === null ? 'unknown' : format.format(roundedTo(bound, decimals, outwards));
	const shown = (known: number): string =>
		isAtMost({ ...number, expected: 1 }, lineFunction)
			? `at most ${text(high, Math.ceil)}`
			: format.format(shownValue(known, lineFunction, decimals));
	const isExact = value !== null && value === low && value === high;
	return [
		`${oneLine(name)}: ${value === null ? 'no data' : withUnit(shown(value))}`,
		...(isExact ? [] : [`  from ${text(low, Math.floor)} to ${withUnit(text(high, Math.ceil))}`]),
		...(known === null || known === 1 ? [] : [`  data available: ${tenthsOfPercent(known)} %`]),
	];
}

/** Returns a share in percent with one decimal. It is rounded down, so that 100.0 means all. */
const tenthsOfPercent = (share: number): string => (Math.floor(share * 1000) / 10).toFixed(1);
