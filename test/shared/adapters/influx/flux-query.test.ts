import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fluxQueryOf } from '#adapters/influx/flux-query.ts';
import { fluxString, maxQueryBytes } from '#adapters/influx/flux-script.ts';
import { planStreams } from '#adapters/influx/streams.ts';
import type { TypeAt } from '#adapters/influx/typed-read.ts';
import { parseMs, subMsOf } from '#adapters/influx-common/rfc3339.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { day, days, history, hour, minute, months, newest, noon, trailing } from '#test/contract/time-series/feed.ts';

const place = { topicColumn: '_measurement' };
const float = () => 'float' as const;
const plan = (keys: readonly SeriesKey[]) => planStreams(keys, noon + 1234, float);

describe('fluxString', () => {
	test.each([
		['a b', '"a b"'],
		['"', '"\\x22"'],
		['\\', '"\\x5c"'],
		['\u0024{x}', '"\\x24{x}"'],
		['\0\n', '"\\x00\\x0a"'],
		['\u007f', '"\\x7f"'],
		['cañería 💧', '"cañería 💧"'],
	])('writes %j as %s', (text, expected) => {
		expect(fluxString(text)).toBe(expected);
	});

	test('escapes every character that could end the string', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(fluxString(text).slice(1, -1)).toMatch(/^(?:[^"\\$\p{Cc}]|\\x[0-9a-f]{2}|[\u0080-\u009f])*$/u);
			}),
		);
	});
});

describe('planStreams', () => {
	test.each([
		[1, 1],
		[40, 1],
		[41, 2],
		[500, 13],
	])('groups %d series of one kind into %d streams', (count, expected) => {
		expect(plan(Array.from({ length: count }, (_, index) => newest(`t${index}`)))).toHaveLength(expected);
	});

	test('separates series of different lookbacks, periods, aggregates or kinds of read', () => {
		const keys = [
			newest('t'),
			newest('t', day),
			newest('t', days(15)),
			history('t', day, hour),
			history('t', day, minute),
			history('t', day, hour, 'last'),
			trailing('t', day, hour),
			history('t', days(31), days(31)),
			history('t', months(1), days(31)),
			history('t', months(1), months(1)),
		];
		expect(plan([...keys, ...keys])).toHaveLength(keys.length);
	});

	test('reads newest values of one class of lookbacks in one stream, over the longest of them', () => {
		const [stream, ...others] = plan([newest('t', minute), newest('u', { ms: 10 * minute.ms }), newest('t', { ms: 1 })]);
		expect(others).toEqual([]);
		expect(stream?.range).toEqual({ start: noon + 1234 - 10 * minute.ms, stop: noon + 1234 });
	});

	test('reads 500 newest values of any lookbacks and types in at most 5 streams more than 40 in each need', () => {
		const lookbacks = [1, 600_000, 600_001, hour.ms, 2 * hour.ms, day.ms, days(14).ms, days(300).ms, days(4000).ms];
		const types = ['float', 'mixed', 'text', undefined] as const;
		const keys = Array.from({ length: 500 }, (_, index) => newest(`t${index}`, { ms: lookbacks[index % lookbacks.length] ?? 1 }));
		const streams = planStreams(keys, noon, (position) => types[position % types.length]);
		expect(streams.length).toBeLessThanOrEqual(Math.ceil(500 / 40) + 5);
	});

	test('reads a series once when it is requested twice', () => {
		const [stream, ...others] = plan([newest('t'), newest('u'), newest('t')]);
		expect(others).toEqual([]);
		expect(stream?.fields.get('value')).toEqual(
			new Map([
				['t', { topic: 't', tags: undefined, positions: [0, 2] }],
				['u', { topic: 'u', tags: undefined, positions: [1] }],
			]),
		);
	});

	test('reads series with tags in streams of their own, whose filters and rows have these tags', () => {
		const keys: readonly SeriesKey[] = [
			newest('t'),
			{ ...newest('t'), tags: { site: 'a', unit: '' } },
			{ ...newest('t'), tags: { host: 'b' } },
		];
		const { text } = fluxQueryOf('db', plan(keys), place);
		const lines = text.split('\n').filter((line) => /^f\d|^union/.test(line));
		expect(lines.map((line) => line.replace(/.*(filter.*)/, '$1'))).toEqual([
			'f0 = (r) => r["_measurement"] == "t" and r["_field"] == "value"',
			'filter(fn: f0) |> last() |> keep(columns: ["_time", "_value", "_field", "_measurement"]), end]) |> yield(name: "data0")',
			'f1 = (r) => ((r["_measurement"] == "t" and r["site"] == "a") or (r["_measurement"] == "t" and r["host"] == "b")) and r["_field"] == "value"',
			'filter(fn: f1) |> last() |> keep(columns: ["_time", "_value", "_field", "_measurement", "host", "site", "unit"]), end]) |> yield(name: "data1")',
		]);
	});

	test('skips a name that is not well-formed Unicode', () => {
		expect(plan([newest('\ud800')])).toEqual([]);
	});
});

describe('fluxQueryOf', () => {
	const textOf = (keys: readonly SeriesKey[], topicPlace: Parameters<typeof fluxQueryOf>[2] = place) =>
		fluxQueryOf('b', plan(keys), topicPlace).text;

	test('shifts the windows of a trailing read to end now', () => {
		expect(textOf([trailing('t', hour, minute)])).toContain('aggregateWindow(every: 60000ms, offset: 1234ms, fn: mean');
	});

	test('reads a trailing mean by the calendar in one run for each length of its windows', () => {
		const text = textOf([trailing('t', months(12), months(1))]);
		expect(text).not.toContain('every: 1mo');
		// To 15 March 2024: 31 d, 30, 31, 30, 2 x 31, 30, 31, 30, 2 x 31. The last window of 29 d joins the run before it.
		expect(text.match(/aggregateWindow/g)).toHaveLength(9);
		expect(text).toContain('range(start: 2023-03-15T12:00:01.234Z, stop: 2023-04-15T12:00:01.234Z)');
	});

	test('clips a trailing window that is longer than the lookback', () => {
		expect(textOf([trailing('t', hour, day)])).toContain(
			'range(start: 2024-03-15T11:00:01.234Z, stop: 2024-03-15T12:00:01.234Z)',
		);
	});

	test('contains no test of types and no location, whatever the types', () => {
		const keys = [newest('t'), history('t', day, hour), trailing('t', months(3), months(1)), history('t', day, hour, 'last')];
		for (const type of [undefined, 'float', 'integer', 'boolean', 'mixed', 'text'] as const)
			expect(
				fluxQueryOf(
					'b',
					planStreams(keys, noon, () => type),
					place,
				).text,
			).not.toMatch(/isType|location|\btypes\b/);
	});

	test('lets the storage make the mean of floats and of an unknown type, converts other numbers, and reads no windows of text', () => {
		const key = [history('t', hour, minute)];
		const textFor = (typeAt: TypeAt) => fluxQueryOf('b', planStreams(key, noon, typeAt), place).text;
		for (const type of [undefined, 'float'] as const) expect(textFor(() => type)).not.toContain('toFloat');
		for (const type of ['integer', 'boolean', 'mixed'] as const)
			expect(textFor(() => type)).toMatch(/\|> toFloat\(\) \|> aggregateWindow/);
		expect(textFor(() => 'text')).not.toContain('aggregateWindow');
	});

	test('reads topics in a tag from their measurement only', () => {
		const text = textOf([newest('t')], { topicColumn: 'topic', measurement: 'mqtt_consumer' });
		expect(text).toContain('r["_measurement"] == "mqtt_consumer" and r["topic"] == "t" and r["_field"] == "value"');
	});

	test('chooses a sentinel that sorts after every name', () => {
		expect(fluxQueryOf('b', plan([newest('t')]), place).sentinel).toBe('\u{10ffff}');
		expect(fluxQueryOf('b', plan([newest('\u{10ffff}\u{10ffff}z')]), place).sentinel).toBe('\u{10ffff}'.repeat(3));
	});
});

describe('parseMs and subMsOf', () => {
	test.each([
		['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59), 0],
		['2024-02-29T23:59:59.5Z', Date.UTC(2024, 1, 29, 23, 59, 59, 500), 0],
		['2024-02-29T23:59:59.999999999Z', Date.UTC(2024, 1, 29, 23, 59, 59, 999), 999_999],
		['2024-02-29T23:59:59.0000001Z', Date.UTC(2024, 1, 29, 23, 59, 59), 100],
		['1969-12-31T23:59:59.999Z', -1, 0],
	])('read %s', (text, ms, subMs) => {
		expect([parseMs(text), subMsOf(text)]).toEqual([ms, subMs]);
	});

	test.each(['', '2024-02-29', 'yesterday', '2024-02-29T23:59:59'])('reject %j', (text) => {
		expect(parseMs(text)).toBeNaN();
	});

	test('agree with Date.parse', () => {
		fc.assert(
			fc.property(fc.date({ min: new Date('1700-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
				expect(parseMs(date.toISOString())).toBe(date.getTime());
			}),
		);
	});
});

describe('a script of more than 4 MB', () => {
	/** Series that each need a stream of their own, with topics of `length` characters. */
	const seriesOf = (count: number, length: number) =>
		Array.from({ length: count }, (_, index) => history('é'.repeat(length), hour, { ms: 60_000 + index }, 'last'));
	const bytesOf = (keys: readonly SeriesKey[]): number => Buffer.byteLength(fluxQueryOf('b', plan(keys), place).text);

	test('is refused, and one of at most 4 MB is built', () => {
		const count = 1000;
		const base = bytesOf(seriesOf(count, 1));
		// Each character more takes 2 bytes in every stream: its filter is written once.
		const longest = 1 + Math.floor((maxQueryBytes - base) / (2 * count));
		expect(bytesOf(seriesOf(count, longest))).toBeLessThanOrEqual(maxQueryBytes);
		expect(() => bytesOf(seriesOf(count, longest + 1))).toThrow(
			expect.objectContaining({
				code: 'too_large',
				payload: expect.objectContaining({ field: 'request', limit: 4_000_000 }),
			}),
		);
	});

	test('is not built much further than the limit', () => {
		expect(() => bytesOf(seriesOf(12_800, 1000))).toThrow(
			expect.objectContaining({
				payload: expect.objectContaining({ actual: expect.toSatisfy((bytes: number) => bytes < 4_010_000) }),
			}),
		);
	});
});
