import { type FieldValue, maxTimeNs, minTimeNs } from './point.ts';

/** Timestamp precisions of InfluxDB's write API, each with its length in nanoseconds. */
export const precisions = { ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n } as const;

export type Precision = keyof typeof precisions;

const booleans: ReadonlyMap<string, FieldValue> = new Map<string, FieldValue>([
	...['t', 'T', 'true', 'True', 'TRUE'].map((text) => [text, { kind: 'bool', value: true }] as const),
	...['f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, { kind: 'bool', value: false }] as const),
]);

/** Written so that no digit can be matched by two parts: the time to refuse a long text stays linear. */
const floatForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

const integerForm = /^[+-]?\d+$/;

/** Digits of a 64-bit integer are at most 20; a longer text is not worth a big number. */
const maxIntegerLength = 24;

/** Integers of so few characters are exact as numbers, which is the faster way to a bigint. */
const exactLength = 15;

const integerKinds = {
	i: { kind: 'int', min: -(2n ** 63n), max: 2n ** 63n - 1n, words: 'a 64-bit integer' },
	u: { kind: 'uint', min: 0n, max: 2n ** 64n - 1n, words: 'an unsigned 64-bit integer' },
} as const;

/** Parses a field's value that is not in quotes. @returns what is wrong, as text, where it is none */
export function parseValue(text: string): FieldValue | string {
	if (text === '') return 'missing field value';
	const last = text.at(-1);
	if (last === 'i' || last === 'u') {
		const { kind, min, max, words } = integerKinds[last];
		const value = parseInteger(text.slice(0, -1), min, max);
		if (typeof value === 'bigint') return { kind, value };
		return value === 'out_of_range' ? `${shown(text)} is out of range for ${words}` : `invalid field value ${shown(text)}`;
	}
	const boolean = booleans.get(text);
	if (boolean !== undefined) return boolean;
	if (!floatForm.test(text)) return `invalid field value ${shown(text)}`;
	const value = Number(text);
	return Number.isFinite(value) ? { kind: 'float', value } : `${shown(text)} is out of range for a float`;
}

/** Parses a timestamp into nanoseconds. @returns what is wrong, as text, where it is none */
export function parseTime(text: string, precision: Precision): bigint | string {
	const unitNs = precisions[precision];
	const time = parseInteger(text, minTimeNs / unitNs, maxTimeNs / unitNs);
	if (typeof time === 'bigint') return time * unitNs;
	return time === 'out_of_range' ? `timestamp ${shown(text)} is out of range` : `invalid timestamp ${shown(text)}`;
}

function parseInteger(text: string, min: bigint, max: bigint): bigint | 'malformed' | 'out_of_range' {
	if (!integerForm.test(text)) return 'malformed';
	if (text.length > maxIntegerLength) return 'out_of_range';
	// BigInt takes no plus sign.
	const unsigned = text.startsWith('+') ? text.slice(1) : text;
	const value = BigInt(unsigned.length <= exactLength ? Number(unsigned) : unsigned);
	return value < min || value > max ? 'out_of_range' : value;
}

/** How much of a wrong value a message shows. */
const shown = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
