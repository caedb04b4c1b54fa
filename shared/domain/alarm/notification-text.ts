import { isActive } from '../board/condition.ts';
import { isoTime } from '../calendar/iso-time.ts';
import { isolatedName } from '../isolated-name.ts';
import { clockTime, emailSubject, oneLine } from '../message-text.ts';
import type { Notification, NotificationKind, NotifiedAlarm } from '../ports/notifier.ts';
import { decimalsOfSize, roundedDecimals } from '../variable/usual-decimals.ts';

/** Most alarms that a message lists. The others are counted. With the lengths below, a message fits into the 256 KB of a topic. */
const maxListed = 20;
/** Most characters of a name or an instruction. */
const maxNameLength = 200;
const maxInstructionLength = 500;
/** Most characters of a text message, and of its parts that precede and follow the name. The name gets the rest. */
const maxSmsLength = 140;
const maxSmsSchemaLength = 30;
const maxSmsReadingLength = 50;
/** The marks around a name that is written from right to left. */
const isolationLength = 2;

const kindWords: Readonly<Record<NotificationKind, string>> = {
	raised: 'alarm',
	reminder: 'still active',
	cleared: 'cleared',
	acknowledged: 'acknowledged',
};

/**
 * Returns the first line of a message: the first alarm, which is the worst, and how many others there are.
 * @example 'CRITICAL alarm in plant_a: Network tank low, and 3 more'
 */
export function headlineOf(notification: Notification): string {
	const { start, name, end } = headlineParts(notification);
	return `${start}${name}${end}`;
}

/** Returns the headline as the subject of an e-mail: ASCII in one line, at most 99 characters. */
export function subjectOf(notification: Notification): string {
	return emailSubject(headlineParts(notification));
}

/** Returns the text of a message for people: the headline, then the alarms in their order. */
export function textOf(notification: Notification): string {
	const { alarms, timeZone } = notification;
	const more = alarms.length - maxListed;
	return [
		headlineOf(notification),
		...alarms.slice(0, maxListed).map((alarm) => paragraphOf(alarm, timeZone)),
		...(more > 0 ? [`and ${more} more`] : []),
	].join('\n\n');
}

/**
 * Returns the message in at most 140 characters: the worst alarm with its value, and how many others there are. A long name is cut.
 * @example 'CRITICAL plant_a: Network tank low, 1.82 m (alarm if < 2 m), +3 more'
 */
export function smsOf({ schema, alarms }: Notification): string {
	const [worst] = alarms;
	if (worst === undefined) return shorten(schema, maxSmsLength);
	const end = alarms.length === 1 ? '' : `, +${alarms.length - 1} more`;
	// 'CRITICAL alarm' becomes 'CRITICAL', to save characters.
	const start = `${wordsOf(worst).replace(/ alarm$/, '')} ${shorten(schema, maxSmsSchemaLength)}: `;
	const facts = `, ${shorten(readingOf(worst), maxSmsReadingLength)}`;
	const room = maxSmsLength - start.length - facts.length - end.length - isolationLength;
	return `${start}${isolatedName(shorten(oneLine(worst.name), room))}${facts}${end}`;
}

/** Returns the message for programs. Times are ISO 8601. `more` counts the alarms that are left out. */
export function jsonOf({ schema, kind, severity, alarms }: Notification) {
	return {
		schema,
		kind,
		severity,
		alarms: alarms.slice(0, maxListed).map(({ remindedFrom: _, ...alarm }) => ({
			...alarm,
			name: shorten(alarm.name, maxNameLength),
			message: shorten(alarm.message, maxInstructionLength),
			since: isoTime(alarm.since),
		})),
		more: Math.max(0, alarms.length - maxListed),
	};
}

function headlineParts({ schema, alarms }: Notification): Parameters<typeof emailSubject>[0] {
	const [worst] = alarms;
	if (worst === undefined) return { start: '', name: schema, end: '' };
	const name = shorten(oneLine(worst.name), maxNameLength);
	return { start: `${wordsOf(worst)} in ${schema}: `, name, end: alarms.length === 1 ? '' : `, and ${alarms.length - 1} more` };
}

/** The severity and what happened: `CRITICAL alarm`. */
function wordsOf({ severity, kind, cause }: NotifiedAlarm): string {
	return `${severity.toUpperCase()} ${kind === 'raised' && cause === null ? 'raised and cleared' : kindWords[kind]}`;
}

function paragraphOf(alarm: NotifiedAlarm, timeZone: string | null): string {
	const { name, message, raises } = alarm;
	return [
		`${wordsOf(alarm)}: ${shorten(oneLine(name), maxNameLength)}`,
		`  ${readingOf(alarm)}`,
		`  ${shorten(oneLine(message), maxInstructionLength)}`,
		`  ${stateOf(alarm, timeZone)}${raises > 1 ? `, raised ${raises} times since the last message` : ''}`,
	].join('\n');
}

/**
 * The value, and when the alarm is raised: `1.82 m (alarm if < 2 m)`. `no longer`: it is still active, by its deadband or its off delay.
 * Where it was raised for lack of data and has a value again, its cause stands beside the value.
 */
function readingOf({ value, condition, threshold, unit, cause }: NotifiedAlarm): string {
	const withUnit = (number: number): string => (unit === null || unit === '' ? String(number) : `${number} ${oneLine(unit)}`);
	const noValue = cause === 'no_data' ? 'no data' : 'no usable value';
	const rule = `alarm if ${condition} ${withUnit(threshold)}`;
	if (value === null) return `${noValue} (${rule})`;
	const isOver = cause !== null && !isActive({ condition, threshold }, value);
	const isForNoData = isOver && cause === 'no_data';
	return `${withUnit(shownValue(value, threshold))} (${isForNoData ? 'raised because there was no data' : `${rule}${isOver ? ', no longer' : ''}`})`;
}

/** Most decimals that tell two numbers apart: those of a double between 0.1 and 1. */
const mostDecimals = 17;

/**
 * Rounds a value to the decimals that the console shows a value of its size with, or to as many more as it needs to be on its own side of
 * the threshold: 64.6 for 64.59909999999999, 70.004 for 70.0041 above 70.
 */
function shownValue(value: number, threshold: number): number {
	for (
		let decimals = Math.max(decimalsOfSize(Math.abs(value)), roundedDecimals(value));
		decimals <= mostDecimals;
		decimals += 1
	) {
		const rounded = Number(value.toFixed(decimals));
		if (Math.sign(rounded - threshold) === Math.sign(value - threshold)) return rounded;
	}
	return value;
}

/** Whether the alarm is active, and since when: `active since 2026-03-01 11:00:00 in Europe/Madrid (2026-03-01 10:00:00 UTC)`. */
function stateOf({ cause, since }: NotifiedAlarm, timeZone: string | null): string {
	const utc = `${clockTime(since)} UTC`;
	const time = timeZone === null ? utc : `${clockTime(since, timeZone)} in ${timeZone} (${utc})`;
	return cause === null ? `cleared at ${time}` : `active since ${time}`;
}

/** Cuts text to a number of UTF-16 units. Of a character of two units, the first one is not left alone at the end. */
function shorten(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	return `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
