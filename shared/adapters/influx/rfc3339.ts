/** Times as InfluxDB answers them: RFC 3339, UTC, with as many of nine digits of a second as are not zero. */

const secondMs = 1000;

const minuteMs = 60_000;

const hourMs = 3_600_000;

/** Where the fraction begins: after `2024-03-15T11:59:59.`. */
const fractionAt = 20;

const zero = 48;

let knownDay = '';

let knownDayMs = 0;

/**
 * Epoch milliseconds, rounded down; NaN for what is no such time. Rows follow each other by the hour or the minute, so the last
 * day is kept: this costs a tenth of `Date.parse`.
 */
export function parseMs(text: string): number {
	if (text.charCodeAt(text.length - 1) !== 90 || text.charCodeAt(10) !== 84) return Number.NaN;
	const day = text.slice(0, 10);
	if (day !== knownDay) {
		knownDayMs = Date.parse(`${day}T00:00:00Z`);
		knownDay = day;
	}
	const time = twoDigits(text, 11) * hourMs + twoDigits(text, 14) * minuteMs + twoDigits(text, 17) * secondMs;
	return knownDayMs + time + (text.length > fractionAt ? fraction(text, fractionAt, 3) : 0);
}

/** The nanoseconds beyond the whole millisecond. */
export function subMsOf(text: string): number {
	return text.length > fractionAt + 4 ? fraction(text, fractionAt + 3, 6) : 0;
}

const twoDigits = (text: string, at: number): number => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;

/** A fraction's digits from `at`, as a number of `count` digits. */
function fraction(text: string, at: number, count: number): number {
	let value = 0;
	for (let index = at; index < at + count; index += 1) {
		const digit = text.charCodeAt(index) - zero;
		value = value * 10 + (digit >= 0 && digit <= 9 ? digit : 0);
	}
	return value;
}
