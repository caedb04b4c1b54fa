import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fluxQueryOf } from '#adapters/influx/flux-query.ts';
import { fluxString } from '#adapters/influx/flux-string.ts';
import { parseMs, subMsOf } from '#adapters/influx/rfc3339.ts';
import { planStreams } from '#adapters/influx/streams.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { day, days, history, hour, minute, months, newest, noon, trailing } from '#test/contract/time-series/feed.ts';

const place = { topicColumn: '_measurement' };
const float = () => 'float' as const;
const plan = (keys: readonly SeriesKey[]) => planStreams(keys, noon + 1234, float);

describe('strings', () => {
	test.each([
		['a b', '"a b"'],
		['"', '"\\x22"'],
		['\\', '"\\x5c"'],
		['\u0024{x}', '"\\x24{x}"'],
		['\0\n', '"\\x00\\x0a"'],
		['\u007f', '"\\x7f"'],
		['cañería 💧', '"cañería 💧"'],
	])('%j is %s', (text, expected) => {
		expect(fluxString(text)).toBe(expected);
	});

	test('nothing leaves its string', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => {
				expect(fluxString(text).slice(1, -1)).toMatch(/^(?:[^"\\$\p{Cc}]|\\x[0-9a-f]{2}|[\u0080-\u009f])*$/u);
			}),
		);
	});
});

describe('streams', () => {
	test.each([
		[1, 1],
		[40, 1],
		[41, 2],
		[500, 13],
	])('%d series of one kind are %d', (count, expected) => {
		expect(plan(Array.from({ length: count }, (_, index) => newest(`t${index}`)))).toHaveLength(expected);
	});

	test('series of other lookbacks, periods, aggregates or kinds of read are apart', () => {
		const keys = [
			newest('t'),
			newest('t', day),
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

	test('the same series asked for twice is read once, for both', () => {
		const [stream, ...others] = plan([newest('t'), newest('u'), newest('t')]);
		expect(others).toEqual([]);
		expect(stream?.fields.get('value')).toEqual(
			new Map([
				['t', [0, 2]],
				['u', [1]],
			]),
		);
	});

	test('a name that is not well-formed is not asked for', () => {
		expect(plan([newest('\ud800')])).toEqual([]);
	});
});

describe('scripts', () => {
	const textOf = (keys: readonly SeriesKey[], topicPlace: Parameters<typeof fluxQueryOf>[2] = place) =>
		fluxQueryOf('b', plan(keys), topicPlace).text;

	test('a trailing read ends its windows now; a calendar one does not shift them', () => {
		expect(textOf([trailing('t', hour, minute)])).toContain('aggregateWindow(every: 60000ms, offset: 1234ms, fn: mean');
		expect(textOf([trailing('t', months(1), months(1))])).toContain('aggregateWindow(every: 1mo, fn: mean');
	});

	test('a mean is given to storage only where its type is known to be a float', () => {
		const key = [history('t', hour, minute)];
		const shapeOf = (known: Parameters<typeof planStreams>[2]) => fluxQueryOf('b', planStreams(key, noon, known), place).text;
		expect(shapeOf(float)).not.toContain('toFloat');
		expect(shapeOf(() => 'number')).toMatch(/\|> toFloat\(\) \|> aggregateWindow/);
		expect(shapeOf(() => 'number')).not.toContain('isType');
		for (const known of [undefined, 'text', 'mixed', 'careful'] as const) expect(shapeOf(() => known)).toMatch(/isType.*toFloat/);
	});

	test('topics of a tag are those of its measurement', () => {
		const text = textOf([newest('t')], { topicColumn: 'topic', measurement: 'mqtt_consumer' });
		expect(text).toContain('r["_measurement"] == "mqtt_consumer" and r["topic"] == "t" and r["_field"] == "value"');
	});

	test('the sentinel sorts behind every name', () => {
		expect(fluxQueryOf('b', plan([newest('t')]), place).sentinel).toBe('\u{10ffff}');
		expect(fluxQueryOf('b', plan([newest('\u{10ffff}\u{10ffff}z')]), place).sentinel).toBe('\u{10ffff}'.repeat(3));
	});
});

describe('times', () => {
	test.each([
		['2024-02-29T23:59:59Z', Date.UTC(2024, 1, 29, 23, 59, 59), 0],
		['2024-02-29T23:59:59.5Z', Date.UTC(2024, 1, 29, 23, 59, 59, 500), 0],
		['2024-02-29T23:59:59.999999999Z', Date.UTC(2024, 1, 29, 23, 59, 59, 999), 999_999],
		['2024-02-29T23:59:59.0000001Z', Date.UTC(2024, 1, 29, 23, 59, 59), 100],
		['1969-12-31T23:59:59.999Z', -1, 0],
	])('%s', (text, ms, subMs) => {
		expect([parseMs(text), subMsOf(text)]).toEqual([ms, subMs]);
	});

	test.each(['', '2024-02-29', 'yesterday', '2024-02-29T23:59:59'])('%j is none', (text) => {
		expect(parseMs(text)).toBeNaN();
	});

	test('as Date.parse has them', () => {
		fc.assert(
			fc.property(fc.date({ min: new Date('1700-01-01'), max: new Date('2200-01-01'), noInvalidDate: true }), (date) => {
				expect(parseMs(date.toISOString())).toBe(date.getTime());
			}),
		);
	});
});
