import { type FieldValue, maxTimeNs, minTimeNs } from './point.ts';

/** Timestamp precisions of InfluxDB's write API, and those of InfluxDB 1.x beside them, each with its length in nanoseconds. */
export const precisions = {
	ns: 1n,
	us: 1_000n,
	ms: 1_000_000n,
	s: 1_000_000_000n,
	n: 1n,
	u: 1_000n,
	m: 60_000_000_000n,
	h: 3_600_000_000_000n,
} as const;

/** The unit of a request's timestamps. */
export type Precision = keyof typeof precisions;

const booleans: ReadonlyMap<string, FieldValue> = new Map<string, FieldValue>([
	...['t', 'T', 'true', 'True', 'TRUE'].map((text) => [text, { kind: 'bool', value: true }] as const),
	...['f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, { kind: 'bool', value: false }] as const),
]);

/** No digit can match two parts of this expression, so a long malformed text is rejected in linear time. */
const floatForm = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const integerForm = /^-?\d+$/;

/**
 * A 64-bit integer has at most 20 digits; this leaves room for a sign and leading zeros. Longer texts are rejected before the costly
 * conversion to a bigint.
 */
const maxIntegerLength = 24;

/** Integers of at most this many characters are exact as numbers. Converting a number to a bigint is faster than converting a text. */
const maxExactLength = 15;

const integerKinds = {
	i: { kind: 'int', min: -(2n ** 63n), max: 2n ** 63n - 1n, name: 'a 64-bit integer' },
	u: { kind: 'uint', min: 0n, max: 2n ** 64n - 1n, name: 'an unsigned 64-bit integer' },
} as const;

/** Parses a field's value that is not in quotes. Returns an error message when it is malformed. */
export function parseValue(text: string): FieldValue | string {
	if (text === '') return 'missing field value';
	const suffix = text.at(-1);
	if (suffix === 'i' || suffix === 'u') {
		const { kind, min, max, name } = integerKinds[suffix];
		const value = parseInteger(text.slice(0, -1), min, max);
		if (typeof value === 'bigint') return { kind, value };
		return value === 'out_of_range' ? `${quote(text)} is out of range for ${name}` : `invalid field value ${quote(text)}`;
	}
	if (!floatForm.test(text)) return booleans.get(text) ?? `invalid field value ${quote(text)}`;
	const value = Number(text);
	return Number.isFinite(value) ? { kind: 'float', value } : `${quote(text)} is out of range for a float`;
}

/** Parses a timestamp into nanoseconds. Returns an error message when it is malformed or out of range. */
export function parseTime(text: string, precision: Precision): bigint | string {
	const unitNs = precisions[precision];
	const time = parseInteger(text, minTimeNs / unitNs, maxTimeNs / unitNs);
	if (typeof time === 'bigint') return time * unitNs;
	return time === 'out_of_range' ? `timestamp ${quote(text)} is out of range` : `invalid timestamp ${quote(text)}`;
}

function parseInteger(text: string, min: bigint, max: bigint): bigint | 'malformed' | 'out_of_range' {
	if (!integerForm.test(text)) return 'malformed';
	if (text.length > maxIntegerLength) return 'out_of_range';
	const value = BigInt(text.length <= maxExactLength ? Number(text) : text);
	return value < min || value > max ? 'out_of_range' : value;
}

/** Most characters of a malformed text that an error message repeats. */
const maxQuotedLength = 40;

/** Quotes the beginning of a malformed text for an error message. */
function quote(text: string): string {
	return JSON.stringify(text.length > maxQuotedLength ? `${text.slice(0, maxQuotedLength)}…` : text);
}
