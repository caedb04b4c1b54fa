import { ConfigError } from '#shared/config.ts';

/** Parses the text of a cell. Returns null when it does not have the format, or names a day or an hour that does not exist. */
export type ClockTimeReader = (cell: string) => ClockTime | null;

/** A date and a time of day, and perhaps the offset from UTC that stands beside them. */
export interface ClockTime {
	/** The epoch milliseconds that the same date and time of day have in UTC. */
	readonly utcMs: number;
	/** How far the clock is ahead of UTC in milliseconds; null where the text does not say it. */
	readonly offsetMs: number | null;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond' | 'half' | 'offset';

interface TimeToken {
	readonly part: Part;
	readonly pattern: string;
	/** The number that the matched text stands for. */
	readonly read: (text: string) => number;
}

const monthNames = [
	'january',
	'february',
	'march',
	'april',
	'may',
	'june',
	'july',
	'august',
	'september',
	'october',
	'november',
	'december',
];

const half: TimeToken = { part: 'half', pattern: '[AaPp][Mm]', read: (text) => (/^p/i.test(text) ? 12 : 0) };

/** The tokens of Day.js by their text. Two digits of a year are those from 1969 to 2068, as there. */
const tokens: ReadonlyMap<string, TimeToken> = new Map([
	['YYYY', { part: 'year', pattern: '\\d{4}', read: Number }],
	['YY', { part: 'year', pattern: '\\d\\d', read: (text) => Number(text) + (Number(text) > 68 ? 1900 : 2000) }],
	['MMMM', { part: 'month', pattern: monthNames.join('|'), read: monthOfName }],
	['MMM', { part: 'month', pattern: monthNames.map((name) => name.slice(0, 3)).join('|'), read: monthOfName }],
	...numberTokens('M', 'month'),
	...numberTokens('D', 'day'),
	...numberTokens('H', 'hour'),
	...numberTokens('h', 'hour'),
	...numberTokens('m', 'minute'),
	...numberTokens('s', 'second'),
	['SSS', { part: 'millisecond', pattern: '\\d{3}', read: Number }],
	['SS', { part: 'millisecond', pattern: '\\d\\d', read: (text) => Number(text) * 10 }],
	['S', { part: 'millisecond', pattern: '\\d', read: (text) => Number(text) * 100 }],
	['A', half],
	['a', half],
	['Z', { part: 'offset', pattern: 'Z|[+-]\\d\\d:\\d\\d', read: offsetOf }],
	['ZZ', { part: 'offset', pattern: 'Z|[+-]\\d{4}', read: offsetOf }],
]);

/** A bracketed text, a run of one letter, or any other character. */
const pieces = /\[([^\]]*)\]|([A-Za-z])\2*|./gsu;

/**
 * Creates a reader for a format in the tokens of Day.js, such as `DD/MM/YY HH`. Unlike Day.js it takes whole cells only, and rolls
 * nothing over: 31/02 does not exist. Names of months are English.
 * @throws ConfigError for a format that cannot be read, or that names no day
 */
export function createTimeReader(format: string): ClockTimeReader {
	const used: TimeToken[] = [];
	let pattern = '';
	for (const [piece, bracketed] of format.matchAll(pieces)) {
		const token = tokens.get(piece);
		if (token === undefined && /^[A-Za-z]/.test(piece))
			throw formatError(format, `${piece} is none of ${[...tokens.keys()].join(' ')}; text stands in [brackets]`);
		if (token !== undefined) used.push(token);
		pattern += token === undefined ? escaped(bracketed ?? piece) : `(${token.pattern})`;
	}
	const parts = used.map(({ part }) => part);
	const repeated = parts.find((part, index) => parts.indexOf(part) < index);
	if (repeated !== undefined) throw formatError(format, `it has the ${repeated} twice`);
	for (const needed of ['year', 'month', 'day'] as const)
		if (!parts.includes(needed)) throw formatError(format, `it has no ${needed}`);
	const isHalfDay = /h/.test(format.replace(/\[[^\]]*\]/g, ''));
	if (isHalfDay !== parts.includes('half')) throw formatError(format, 'h and hh go with A or a, and H and HH without');

	const whole = new RegExp(`^${pattern}$`, 'i');
	return (cell) => {
		const texts = whole.exec(cell.trim());
		if (texts === null) return null;
		const values = new Map(used.map(({ part, read }, index) => [part, read(texts[index + 1] ?? '')]));
		return clockTimeOf(values, isHalfDay);
	};
}

/** Parses an offset from UTC: `Z`, `+01`, `+0130` or `+01:30`. Returns milliseconds; NaN for one that no clock has. */
export function offsetOf(text: string): number {
	if (/^z$/i.test(text)) return 0;
	const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
	if (hours > 14 || minutes > 59) return Number.NaN;
	return (text.startsWith('-') ? -1 : 1) * (60 * hours + minutes) * 60_000;
}

function clockTimeOf(values: ReadonlyMap<Part, number>, isHalfDay: boolean): ClockTime | null {
	const numberOf = (part: Part): number => values.get(part) ?? 0;
	const [year, month, day] = [numberOf('year'), numberOf('month'), numberOf('day')];
	const [shown, minute, second] = [numberOf('hour'), numberOf('minute'), numberOf('second')];
	if (isHalfDay && (shown < 1 || shown > 12)) return null;
	const hour = isHalfDay ? (shown % 12) + numberOf('half') : shown;
	const date = new Date(0);
	date.setUTCFullYear(year, month - 1, day);
	// A day that does not exist rolls over to another month.
	if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return null;
	const offsetMs = values.get('offset') ?? null;
	if (Number.isNaN(offsetMs)) return null;
	return { utcMs: date.setUTCHours(hour, minute, second, numberOf('millisecond')), offsetMs };
}

function numberTokens(letter: string, part: Part): readonly [string, TimeToken][] {
	return [
		[letter, { part, pattern: '\\d\\d?', read: Number }],
		[letter.repeat(2), { part, pattern: '\\d\\d', read: Number }],
	];
}

function monthOfName(text: string): number {
	return monthNames.findIndex((name) => name.startsWith(text.toLowerCase())) + 1;
}

function escaped(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function formatError(format: string, problem: string): ConfigError {
	return new ConfigError(`The time format ${JSON.stringify(format)} cannot be used: ${problem}.`);
}
