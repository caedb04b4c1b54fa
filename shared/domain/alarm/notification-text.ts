import { isoTime } from '../calendar/iso-time.ts';
import type { Notification, NotificationKind, NotifiedAlarm } from '../ports/notifier.ts';

/** Most alarms that a message lists. The others are counted. With the lengths below, a message fits into the 256 KB of a topic. */
const maxListed = 20;
/** Most characters of a name or an instruction. */
const maxNameLength = 200;
const maxInstructionLength = 500;
/** Most characters of a subject line of an e-mail: SNS takes fewer than 100 ASCII characters. */
const maxSubjectLength = 99;
/** Most characters of a text message, and of its parts that precede and follow the name. The name gets the rest. */
const maxSmsLength = 140;
const maxSmsSchemaLength = 30;
const maxSmsReadingLength = 50;

const kindWords: Readonly<Record<NotificationKind, string>> = { raised: 'alarm', reminder: 'still active', cleared: 'cleared' };

/**
 * Returns the first line of a message: the first alarm, which is the worst, and how many others there are.
 * @example 'CRITICAL alarm in plant_a: Network tank low, and 3 more'
 */
export function headlineOf({ schema, alarms }: Notification): string {
	const [worst] = alarms;
	if (worst === undefined) return schema;
	const others = alarms.length - 1;
	return `${wordsOf(worst)} in ${schema}: ${shorten(oneLine(worst.name), maxNameLength)}${others === 0 ? '' : `, and ${others} more`}`;
}

/** Returns the headline as the subject of an e-mail: ASCII in one line, at most 99 characters. */
export function subjectOf(notification: Notification): string {
	return emailSubject(headlineOf(notification));
}

/** Returns a line as the subject of an e-mail: at most 99 characters. A character that is not ASCII becomes a question mark. */
export function emailSubject(line: string): string {
	const ascii = line.replace(/[^\x20-\x7e]/gu, '?');
	return ascii.length <= maxSubjectLength ? ascii : `${ascii.slice(0, maxSubjectLength - 3)}...`;
}

/** Returns the text of a message for people: the headline, then the alarms in their order. */
export function textOf(notification: Notification): string {
	const { alarms } = notification;
	const more = alarms.length - maxListed;
	return [
		headlineOf(notification),
		...alarms.slice(0, maxListed).map(paragraphOf),
		...(more > 0 ? [`and ${more} more`] : []),
	].join('\n\n');
}

/**
 * Returns the message in at most 140 characters: the worst alarm with its value, and how many others there are. A long name is cut.
 * @example 'CRITICAL plant_a: Network tank low, 1.82 m (< 2 m), +3 more'
 */
export function smsOf({ schema, alarms }: Notification): string {
	const [worst] = alarms;
	if (worst === undefined) return shorten(schema, maxSmsLength);
	const end = alarms.length === 1 ? '' : `, +${alarms.length - 1} more`;
	// 'CRITICAL alarm' becomes 'CRITICAL', to save characters.
	const start = `${wordsOf(worst).replace(/ alarm$/, '')} ${shorten(schema, maxSmsSchemaLength)}: `;
	const facts = `, ${shorten(readingOf(worst), maxSmsReadingLength)}`;
	return `${start}${shorten(oneLine(worst.name), maxSmsLength - start.length - facts.length - end.length)}${facts}${end}`;
}

/** Returns the message for programs. Times are ISO 8601. `more` counts the alarms that are left out. */
export function jsonOf({ schema, kind, severity, alarms }: Notification) {
	return {
		schema,
		kind,
		severity,
		alarms: alarms.slice(0, maxListed).map((alarm) => ({
			...alarm,
			name: shorten(alarm.name, maxNameLength),
			message: shorten(alarm.message, maxInstructionLength),
			since: isoTime(alarm.since),
		})),
		more: Math.max(0, alarms.length - maxListed),
	};
}

/** The severity and what happened: `CRITICAL alarm`. */
function wordsOf({ severity, kind, cause }: NotifiedAlarm): string {
	return `${severity.toUpperCase()} ${kind === 'raised' && cause === null ? 'raised and cleared' : kindWords[kind]}`;
}

function paragraphOf(alarm: NotifiedAlarm): string {
	const { name, message, raises } = alarm;
	return [
		`${wordsOf(alarm)}: ${shorten(oneLine(name), maxNameLength)}`,
		`  ${readingOf(alarm)}`,
		`  ${shorten(oneLine(message), maxInstructionLength)}`,
		`  ${stateOf(alarm)}${raises > 1 ? `, raised ${raises} times since the last message` : ''}`,
	].join('\n');
}

/** The value against the threshold: `1.82 m (< 2 m)`. */
function readingOf({ value, condition, threshold, unit, cause }: NotifiedAlarm): string {
	const withUnit = (number: number): string => (unit === null || unit === '' ? String(number) : `${number} ${unit}`);
	const noValue = cause === 'no_data' ? 'no data' : 'no usable value';
	return `${value === null ? noValue : withUnit(value)} (${condition} ${withUnit(threshold)})`;
}

/** Whether the alarm is active, and since when: `active since 2026-03-01 10:00:00 UTC`. */
function stateOf({ cause, since }: NotifiedAlarm): string {
	const time = `${isoTime(since).slice(0, 19).replace('T', ' ')} UTC`;
	return cause === null ? `cleared at ${time}` : `active since ${time}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

/** Cuts text to a number of UTF-16 units. Of a character of two units, the first one is not left alone at the end. */
function shorten(text: string, maxLength: number): string {
	if (text.length <= maxLength) return text;
	return `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
