import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';
import utc from 'dayjs/plugin/utc.js';
import { minuteMs } from '#domain/milliseconds.ts';
import { ConfigError } from '#shared/config.ts';

/** Parses the text of a cell. Returns null when it does not have the format, or names a day or an hour that does not exist. */
export type ClockTimeReader = (cell: string) => ClockTime | null;

/** A date and a time of day, and perhaps the offset from UTC that stands beside them. */
export interface ClockTime {
	/** The epoch milliseconds that the same date and time of day have in UTC. */
	readonly utcMs: number;
	/** The offset of the clock from UTC, in milliseconds; null when the text does not contain it. */
	readonly offsetMs: number | null;
}

dayjs.extend(utc);
dayjs.extend(customParseFormat);

/**
 * The tokens of formats. Each has its part of the time, the pattern of its text, and a wide token. A text is widened before Day.js parses
 * it: `5` of S becomes `500` of SSS. Day.js is strict only with texts of full width. `half` is the half of the day, before or after noon.
 */
const tokens: Readonly<Record<string, readonly [part: string, pattern: string, wide: string]>> = {
	YYYY: ['year', '\\d{4}', 'YYYY'],
	YY: ['year', '\\d\\d', 'YY'],
	MMMM: ['month', '[a-z]+', 'MMMM'],
	MMM: ['month', '[a-z]{3}', 'MMM'],
	MM: ['month', '\\d\\d', 'MM'],
	M: ['month', '\\d\\d?', 'MM'],
	DD: ['day', '\\d\\d', 'DD'],
	D: ['day', '\\d\\d?', 'DD'],
	HH: ['hour', '\\d\\d', 'HH'],
	H: ['hour', '\\d\\d?', 'HH'],
	hh: ['hour', '\\d\\d', 'hh'],
	h: ['hour', '\\d\\d?', 'hh'],
	mm: ['minute', '\\d\\d', 'mm'],
	m: ['minute', '\\d\\d?', 'mm'],
	ss: ['second', '\\d\\d', 'ss'],
	s: ['second', '\\d\\d?', 'ss'],
	SSS: ['millisecond', '\\d{3}', 'SSS'],
	SS: ['millisecond', '\\d\\d', 'SSS'],
	S: ['millisecond', '\\d', 'SSS'],
	A: ['half', '[ap]m', 'a'],
	a: ['half', '[ap]m', 'a'],
	Z: ['offset', 'z|[+-]\\d\\d:\\d\\d', ''],
	ZZ: ['offset', 'z|[+-]\\d{4}', ''],
};

/** A bracketed text, a run of one letter, or any other character. */
const pieces = /\[([^\]]*)\]|([A-Za-z])\2*|./gsu;

/** Characters that a regular expression takes literally only after a backslash. */
const specialInPatterns = /[\\^$.*+?()[\]{}|/-]/g;

/** Whether Day.js refuses a text that it would have to guess at. */
const isStrict = true;

/**
 * Creates a reader for a format in the tokens of Day.js, such as `DD/MM/YY HH`. The whole cell must have the format; upper and lower case
 * are equal. A day that does not exist, such as 31/02, is refused. Names of months are English.
 * @throws ConfigError for a format that cannot be read, or that names no day
 */
export function createTimeReader(format: string): ClockTimeReader {
	const wideByPart = new Map<string, string>();
	let pattern = '';
	for (const [piece, bracketed] of format.matchAll(pieces)) {
		const token = Object.hasOwn(tokens, piece) ? tokens[piece] : undefined;
		if (token === undefined) {
			if (/^[A-Za-z]/.test(piece))
				throw formatError(format, `${piece} is none of ${Object.keys(tokens).join(' ')}; text stands in [brackets]`);
			const literalText = bracketed ?? piece;
			pattern += literalText.replace(specialInPatterns, '\\$&');
			continue;
		}
		const [part, text, wide] = token;
		if (wideByPart.has(part)) throw formatError(format, `it has the ${part} twice`);
		wideByPart.set(part, wide);
		pattern += `(?<${part}>${text})`;
	}
	for (const needed of ['year', 'month', 'day']) if (!wideByPart.has(needed)) throw formatError(format, `it has no ${needed}`);
	if ((wideByPart.get('hour') === 'hh') !== wideByPart.has('half'))
		throw formatError(format, 'h and hh go with A or a, and H and HH without');

	const shape = new RegExp(`^${pattern}$`, 'i');
	const wideFormat = [...wideByPart.values()].join(' ');
	return (cell) => {
		const texts = shape.exec(cell.trim())?.groups;
		if (texts === undefined) return null;
		const wideText = [...wideByPart].map(([part, wide]) => widened(texts[part] ?? '', wide)).join(' ');
		const utcMs = dayjs.utc(wideText, wideFormat, isStrict).valueOf();
		const offsetMs = texts['offset'] === undefined ? null : offsetOf(texts['offset']);
		return Number.isNaN(utcMs) || Number.isNaN(offsetMs) ? null : { utcMs, offsetMs };
	};
}

/** The largest offset that a clock has: that of Kiribati. */
const maxOffsetHours = 14;

const hourMinutes = 60;

/** Parses an offset from UTC: `Z`, `+01`, `+0130` or `+01:30`. Returns milliseconds; NaN for one that no clock has. */
export function offsetOf(text: string): number {
	if (/^z$/i.test(text)) return 0;
	const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(3).replace(':', ''))];
	if (hours > maxOffsetHours || minutes >= hourMinutes) return Number.NaN;
	const sign = text.startsWith('-') ? -1 : 1;
	return sign * (hours * hourMinutes + minutes) * minuteMs;
}

/** Converts a text of a cell to the full width of a token. The offset has no wide token, because strict Day.js does not parse foreign offsets. */
function widened(text: string, wide: string): string {
	if (wide === '') return '';
	if (wide === 'a') return text.toLowerCase();
	if (wide.startsWith('MMM')) return text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase();
	return wide === 'SSS' ? text.padEnd(3, '0') : text.padStart(wide.length, '0');
}

function formatError(format: string, problem: string): ConfigError {
	return new ConfigError(`The time format ${JSON.stringify(format)} cannot be used: ${problem}.`);
}
