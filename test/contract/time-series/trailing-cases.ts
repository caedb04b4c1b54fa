import { describe, expect, test } from 'vitest';
import { at, day, days, type Feed, hour, months, noon, nothing, ns, trailing } from './feed.ts';

/** Tests of the newest window, and of types of a field within a range. */
export const trailingCases = ({ newTopic, write, readOne }: Feed): void => {
	describe('trailing', () => {
		test('reads whole periods that end now: an hourly mean covers the last hour', async () => {
			const topic = newTopic();
			const now = noon + 60_000;
			await write(topic, [
				[ns('2024-03-15T11:01:00Z', -1n), '99'],
				[ns('2024-03-15T11:01:00Z'), '1'],
				[ns('2024-03-15T12:00:30Z'), '2'],
			]);
			expect(await readOne(trailing(topic, hour, hour), now)).toEqual({
				points: [['2024-03-15T12:01:00.000Z', 1.5]],
				newestAt: '2024-03-15T12:00:30.000Z',
			});
		});

		test('reads the newest window that is not empty, with the time of its end', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns('2024-03-15T09:30:00Z'), '1'],
				[ns('2024-03-15T09:40:00Z'), '3'],
			]);
			expect(await readOne(trailing(topic, { ms: 3 * hour.ms }, hour))).toEqual({
				points: [['2024-03-15T10:00:00.000Z', 2]],
				newestAt: '2024-03-15T09:40:00.000Z',
			});
			expect(await readOne(trailing(topic, { ms: 2 * hour.ms }, hour))).toEqual(nothing);
		});

		test('reads nothing before the lookback: the oldest window is clipped, and a longer period reads the lookback', async () => {
			const topic = newTopic();
			await write(topic, [
				[ns(noon - 1.5 * hour.ms, -1n), '99'],
				[ns(noon - 1.5 * hour.ms), '1'],
				[ns(noon - hour.ms, -1n), '3'],
			]);
			const older = { points: [['2024-03-15T11:00:00.000Z', 2]], newestAt: '2024-03-15T10:59:59.999Z' };
			expect(await readOne(trailing(topic, { ms: 1.5 * hour.ms }, hour))).toEqual(older);
			expect(await readOne(trailing(topic, { ms: 1.5 * hour.ms }, day))).toEqual({
				...older,
				points: [['2024-03-15T12:00:00.000Z', 2]],
			});
			expect(await readOne(trailing(topic, { ms: 1.5 * hour.ms }, months(1)))).toMatchObject({
				points: [['2024-03-15T12:00:00.000Z', 2]],
			});
			expect(await readOne(trailing(topic, hour, day))).toEqual(nothing);
		});

		test('counts months back from now: from 31 March to 29 February, and from there to 31 January', async () => {
			const [topic, now] = [newTopic(), at('2024-03-31T10:00:00Z')];
			await write(topic, [
				[ns('2024-01-31T10:00:00Z', -1n), '99'],
				[ns('2024-01-31T10:00:00Z'), '1'],
				[ns('2024-02-29T10:00:00Z', -1n), '3'],
			]);
			const key = trailing(topic, months(2), months(1));
			const february = [['2024-02-29T10:00:00.000Z', 2]];
			expect(await readOne(key, now)).toEqual({ points: february, newestAt: '2024-02-29T09:59:59.999Z' });
			expect(await readOne(trailing(topic, months(1), months(1)), now)).toEqual(nothing);
			await write(topic, [[ns('2024-02-29T10:00:00Z'), '7']]);
			expect(await readOne(key, now)).toMatchObject({ points: [['2024-03-31T10:00:00.000Z', 7]] });
		});
	});

	test.each([
		['1', '2i'],
		['1i', '2'],
		['1i', '2u'],
		['1u', '2'],
	])('reads numbers whose type changed from %s to %s in one window', async (old, recent) => {
		const topic = newTopic();
		await write(topic, [
			[ns('2024-02-15T11:30:00Z'), old],
			[ns('2024-03-15T11:30:00Z'), recent],
		]);
		for (const _ of ['types unknown', 'types known'])
			for (const [by, value] of [
				['last', 2],
				['mean', 1.5],
			] as const)
				expect(await readOne(trailing(topic, days(60), days(60), by))).toMatchObject({
					points: [['2024-03-15T12:00:00.000Z', value]],
				});
	});
};
