import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxBadLines, parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { canonicalTags, type FieldValue, maxTimeNs, minTimeNs, type Point } from '#infra/local/adapters/line-protocol/point.ts';
import { type Precision, precisions } from '#infra/local/adapters/line-protocol/value.ts';
import vectors from '#test/vectors/line-protocol.json' with { type: 'json' };

const nowNs = BigInt(vectors.nowNs);
const asPrecision = (text: string) => text as Precision;
const readable = ({ measurement, tags, field, value, timeNs }: Point) => ({
	measurement,
	tags: JSON.parse(tags),
	field,
	kind: value.kind,
	value: String(value.value),
	timeNs: String(timeNs),
});

describe('good lines', () => {
	test.each(vectors.good)('$reason: $text', ({ text, precision, points }) => {
		const parsed = parseLineProtocol(text, { precision: asPrecision(precision), nowNs });
		expect(parsed.badLines).toEqual([]);
		expect(parsed.points.map(readable)).toEqual(points);
	});
});

describe('bad lines', () => {
	test.each(vectors.bad)('$reason', ({ text, precision, badLines, kept }) => {
		const parsed = parseLineProtocol(text, { precision: asPrecision(precision), nowNs });
		expect(parsed.badLines.map(({ line }) => line)).toEqual(badLines.map(({ line }) => line));
		for (const [index, { says }] of badLines.entries()) expect(parsed.badLines[index]?.message).toContain(says);
		expect(parsed.points.map(({ measurement }) => measurement)).toEqual(kept);
	});

	test('are named up to one more than the limit, and the text is not read further', () => {
		const parsed = parseLineProtocol(`${'x\n'.repeat(maxBadLines + 5)}m f=1`, { precision: 'ns', nowNs });
		expect(parsed.badLines.map(({ line }) => line)).toEqual(Array.from({ length: maxBadLines + 1 }, (_, index) => index + 1));
		expect(parsed.points).toEqual([]);
	});

	test('repeat at most 200 characters of the line', () => {
		const { badLines } = parseLineProtocol(`m f=${'x'.repeat(1_000_000)}\r\nm f=1 5\r`, { precision: 'ns', nowNs });
		expect(badLines[0]?.message).toMatch(/^unable to parse 'm f=x{196}…': .{0,100} \(the line ends with CR LF: send LF alone\)$/);
		expect(badLines[1]?.message).toBe('unable to parse \'m f=1 5\r\': invalid timestamp "5\\r"');
	});

	test('bad lines with a quote each are parsed in linear time', () => {
		const parsed = parseLineProtocol('",b="\\" a="\n'.repeat(100_000), { precision: 'ns', nowNs });
		expect(parsed.points.length + parsed.badLines.length).toBeGreaterThan(0);
	});
});

// The character after a backslash decides whether it escapes. So line protocol cannot write a name that ends in a backslash, or that
// has one before a character that needs an escape.
const name = fc
	.array(
		fc.oneof(fc.constantFrom(',', '=', ' ', '"', '#', '/', '\\x', 'é', '💧'), fc.string({ unit: 'grapheme', maxLength: 3 })),
		{
			minLength: 1,
			maxLength: 6,
		},
	)
	.map((parts) =>
		parts
			.join('')
			.replace(/[\n\r]/g, '')
			.replace(/\\(?=[,= "\\]|$)/g, '/')
			.replace(/^[#\t ]/, 'm'),
	)
	.filter((text) => text !== '');
const fieldValue: fc.Arbitrary<FieldValue> = fc.oneof(
	fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ kind: 'float' as const, value })),
	fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ kind: 'int' as const, value })),
	fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => ({ kind: 'uint' as const, value })),
	fc.boolean().map((value) => ({ kind: 'bool' as const, value })),
	fc
		.array(fc.constantFrom('"', '\\', '\n', '\r\n', ',', ' ', '=', '#', 'a', '💧'), { maxLength: 8 })
		.map((parts) => ({ kind: 'string' as const, value: parts.join('') })),
);
const lineArbitrary = fc.record({
	measurement: name,
	tags: fc.uniqueArray(fc.tuple(name, name), { selector: ([key]) => key, maxLength: 4 }),
	fields: fc.array(fc.tuple(name, fieldValue), { minLength: 1, maxLength: 4 }),
	time: fc.option(fc.bigInt({ min: minTimeNs, max: maxTimeNs })),
});
type Line = typeof lineArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

const escaped = (text: string, pattern: RegExp): string => text.replace(pattern, '\\$&');
const suffixes = { float: '', int: 'i', uint: 'u', bool: '', string: '' };
const printValue = ({ kind, value }: FieldValue): string =>
	kind === 'string' ? `"${escaped(value, /["\\]/g)}"` : `${Object.is(value, -0) ? '-0' : value}${suffixes[kind]}`;
const print = ({ measurement, tags, fields, time }: Line, unitNs: bigint): string => {
	const head = [
		escaped(measurement, /[, ]/g),
		...tags.map(([key, value]) => `${escaped(key, /[,= ]/g)}=${escaped(value, /[,= ]/g)}`),
	];
	const body = fields.map(([key, value]) => `${escaped(key, /[,= ]/g)}=${printValue(value)}`);
	return `${head.join()} ${body.join()}${time === null ? '' : ` ${time / unitNs}`}`;
};

test('parses printed lines back, at every precision', () => {
	const precision = fc.constantFrom<Precision>('ns', 'us', 'ms', 's');
	fc.assert(
		fc.property(fc.array(lineArbitrary, { maxLength: 5 }), precision, fc.constantFrom('\n', '\n\n# "\n'), (lines, unit, end) => {
			const unitNs = precisions[unit];
			const parsed = parseLineProtocol(lines.map((line) => print(line, unitNs)).join(end), { precision: unit, nowNs });
			expect(parsed.badLines).toEqual([]);
			expect(parsed.points).toEqual(
				lines.flatMap(({ measurement, tags, fields, time }) =>
					fields.map(([field, value]) => ({
						measurement,
						tags: canonicalTags(tags),
						field,
						value,
						timeNs: ((time ?? nowNs) / unitNs) * unitNs,
					})),
				),
			);
		}),
		{ numRuns: 500 },
	);
});

test('parses any text without an exception, and reports each line at most once', () => {
	const piece = fc.constantFrom('m', ',', '=', ' ', '"', '\\', '\n', '\r', '#', '1', 'i', 't', '\t', '-', '💧', '\ud83d');
	fc.assert(
		fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
			const text = parts.join('');
			const { badLines } = parseLineProtocol(text, { precision: 'ns', nowNs });
			const lines = badLines.map(({ line }) => line);
			expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
			expect(lines.at(-1) ?? 1).toBeLessThanOrEqual(text.split('\n').length);
		}),
		{ numRuns: 2000 },
	);
});
