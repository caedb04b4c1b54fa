import { describe, expect, test } from 'vitest';
import { ns } from '../time-series/feed.ts';
import { boundsAt, plainAggregates, type SpanFeed, span } from './span-feed.ts';

const oneHour = boundsAt('2024-03-15T11:00:00Z', '2024-03-15T12:00:00Z');
const sixtyDays = boundsAt('2024-01-15T12:00:00Z', '2024-03-01T00:00:00Z', '2024-03-15T12:00:00Z');

/** Tests of what each aggregate makes of each type of samples. */
export const spanValueCases = ({ newTopic, write, readSpan }: SpanFeed): void => {
	/** Writes values at 11:00, 11:01, … to a new topic and returns the topic. */
	const written = async (values: readonly string[]): Promise<string> => {
		const topic = newTopic();
		await write(
			topic,
			values.map((value, index) => [ns(oneHour[0] ?? 0) + BigInt(index) * 60_000_000_000n, value]),
		);
		return topic;
	};

	describe('values', () => {
		test.each([
			['floats', ['2.5', '-1', '0'], { mean: 0.5, min: -1, max: 2.5, first: 2.5, last: 0, count: 3 }],
			['the largest floats', ['-1e300', '1e300', '1e300', '-1e300'], { min: -1e300, max: 1e300, first: -1e300, last: -1e300 }],
			['a zero', ['0'], { mean: 0, min: 0, max: 0, first: 0, last: 0, count: 1 }],
			['integers', ['4i', '-1i', '0i'], { mean: 1, min: -1, max: 4, first: 4, last: 0, count: 3 }],
			['integers with a fraction as mean', ['3i', '0i', '0i', '0i'], { mean: 0.75, min: 0, max: 3, first: 3, last: 0 }],
			['unsigned integers', ['4u', '1u', '1u'], { mean: 2, min: 1, max: 4, first: 4, last: 1, count: 3 }],
			['booleans', ['true', 'false', 'false', 'false'], { mean: 0.25, min: 0, max: 1, first: 1, last: 0, count: 4 }],
			['booleans that are all true', ['true', 'true'], { mean: 1, min: 1, max: 1, first: 1, last: 1, count: 2 }],
			['booleans that are all false', ['false', 'false'], { mean: 0, min: 0, max: 0, first: 0, last: 0, count: 2 }],
			['2^53', ['9007199254740992i', '0i'], { mean: 2 ** 52, min: 0, max: 2 ** 53, first: 2 ** 53, last: 0, count: 2 }],
			['2^53 + 1', ['9007199254740993i', '1i'], { min: 1, max: 'precision', first: 'precision', last: 1, count: 2 }],
			['2^53 + 1 after 2^53', ['9007199254740992i', '9007199254740993i'], { min: 2 ** 53, max: 'precision', count: 2 }],
			['2^53 + 1 before 2^53', ['9007199254740993i', '9007199254740992i'], { min: 2 ** 53, max: 'precision', count: 2 }],
			[
				'-2^53 - 1',
				['-9007199254740993i', '-9007199254740992i'],
				{ min: 'precision', max: -(2 ** 53), first: 'precision', last: -(2 ** 53) },
			],
			[
				'2^63 - 1',
				['9223372036854775807i', '9223372036854775807i'],
				{ mean: 'precision', min: 'precision', max: 'precision', first: 'precision', last: 'precision', count: 2 },
			],
			[
				'2^64 - 1',
				['18446744073709551615u', '18446744073709551615u'],
				{ mean: 'precision', min: 'precision', max: 'precision', first: 'precision', last: 'precision', count: 2 },
			],
			['2^63 - 1 and 3', ['9223372036854775807i', '3i'], { mean: 'precision', min: 3, max: 'precision', last: 3, count: 2 }],
		] as const)('reads every aggregate of %s', async (_, values, expected) => {
			const result = await readSpan(span(await written(values), oneHour));
			expect(Object.keys(result ?? {}).sort()).toEqual([...plainAggregates, 'newestAt'].sort());
			expect(result).toMatchObject(Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, [value]])));
		});

		test('never answers an infinite mean: it is the true one, or a fault where the sum overflows', async () => {
			const result = await readSpan(span(await written(['1.5e308', '1.5e308']), oneHour, ['mean', 'max']));
			expect([{ mean: [1.5e308] }, { mean: ['precision'] }]).toContainEqual({ mean: result?.['mean'] });
			expect(result).toMatchObject({ max: [1.5e308] });
		});

		test.each([...plainAggregates, 'slots'] as const)('reads text as a fault of the series: %s', async (aggregate) => {
			expect(await readSpan(span(await written(['"29"', '"30"']), oneHour, [aggregate], 60_000))).toEqual({
				fault: 'not_numeric',
			});
		});
	});

	describe('types that change', () => {
		test.each(['count', 'slots'] as const)('are a fault of %s, too', async (aggregate) => {
			const topic = newTopic();
			await write(topic, [[ns('2024-02-15T11:30:00Z'), '1']]);
			await write(topic, [[ns('2024-03-15T11:30:00Z'), 'true']]);
			expect(await readSpan(span(topic, sixtyDays, [aggregate], 60_000))).toEqual({ fault: 'type_changed' });
		});

		test.each([
			['1', '2i'],
			['1i', '2'],
			['1i', '2u'],
			['1u', '2'],
		])('reads numbers whose type changed from %s to %s together', async (old, recent) => {
			const topic = newTopic();
			await write(topic, [[ns('2024-02-15T11:30:00Z'), old]]);
			await write(topic, [[ns('2024-03-15T11:30:00Z'), recent]]);
			// In two windows, and in one that the change divides.
			const whole = span(topic, boundsAt('2024-02-14T12:00:00Z', '2024-03-15T12:00:00Z'));
			expect(await readSpan(whole)).toMatchObject({ mean: [1.5], min: [1], max: [2], first: [1], last: [2], count: [2] });
			const parts = span(
				topic,
				boundsAt('2024-02-14T12:00:00Z', '2024-03-01T00:00:00Z', '2024-03-15T12:00:00Z'),
				['mean', 'slots'],
				60_000,
			);
			expect(await readSpan(parts)).toMatchObject({ mean: [1, 2], slots: [1, 1] });
		});

		test('reads numbers of two tag sets and types in different windows', async () => {
			const topic = newTopic();
			await write(topic, [[ns('2024-02-15T11:30:00Z'), '1', 'site=a']]);
			await write(topic, [[ns('2024-03-15T11:30:00Z'), '2i', 'site=b']]);
			expect(await readSpan(span(topic, sixtyDays))).toMatchObject({ mean: [1, 2] });
			const whole = { ...span(topic, sixtyDays), bounds: [sixtyDays[0] ?? 0, sixtyDays.at(-1) ?? 0] };
			expect(await readSpan(whole)).toMatchObject({ mean: ['several_series'] });
		});
	});
};
