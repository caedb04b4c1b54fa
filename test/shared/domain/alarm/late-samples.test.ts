import { describe, expect, test } from 'vitest';
import type { SeriesKey, TimeSeries } from '#domain/ports/time-series.ts';
import { makeTickPlant, plantStart } from '#test/support/alarms/tick-plant.ts';
import { type FedSample, makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A source: when it samples, and when a sample of a time arrives in the database. */
interface Source {
	readonly everyMs: number;
	readonly arrivesAt: (sampledAt: number) => number;
	/** How far the source's clock is behind. */
	readonly behindMs?: number;
}

/** Runs ticks over a source whose value is 11 in [from, to) of the plant's real time, and 9 elsewhere. */
const run = async ({ everyMs, arrivesAt, behindMs = 0 }: Source, from: number, to: number, noDataSeconds: number) => {
	const plant = makeTickPlant();
	await plant.saveVariable(1, { varsTsdb: { V1: query(Math.max(4 * everyMs, 4 * minuteMs)) } });
	await plant.saveAlarm(11, { varId: 1, condition: '>', threshold: 10, noDataSeconds });
	const samples: { readonly sample: FedSample; readonly at: number }[] = [];
	for (let at = plantStart - 4 * hourMs; at < plantStart + 4 * hourMs; at += everyMs)
		samples.push({ sample: [at - behindMs, at >= from && at < to ? 11 : 9], at: arrivesAt(at) });
	const timeSeries: TimeSeries = {
		read: async (database: string, keys: readonly SeriesKey[], now: number) => {
			const arrived = samples.filter(({ at }) => at <= plant.clock.now).map(({ sample }) => sample);
			return makeSampledTimeSeries(new Map([['topic-1', arrived]])).timeSeries.read(database, keys, now);
		},
	};
	await plant.runUntil(plantStart + 3 * hourMs, { timeSeries });
	return (await plant.events()).map(({ kind, cause, time }) => ({ kind, cause, time }));
};

const query = (lookbackMs: number) => ({
	...{ calc_topic: 'topic-1', calc_field: 'value', calc_time: lookbackMs, calc_unit: 'ms' },
	...{ calc_period: 1, calc_unit_period: 's', calc_type_period: 'last' },
});

const batch = (everyMs: number) => (sampledAt: number) => Math.ceil((sampledAt + 1) / everyMs) * everyMs;

describe('an excursion that is longer than a batch is raised, and cleared', () => {
	test.each([
		['of a source of 10 s that is flushed every 30 s', { everyMs: 10_000, arrivesAt: batch(30_000) }, 90_000, 120],
		['of a logger of 15 min that sends every hour', { everyMs: 15 * minuteMs, arrivesAt: batch(hourMs) }, 75 * minuteMs, 7200],
		[
			'of a source whose clock is 2 min behind',
			{ everyMs: 10_000, arrivesAt: (at: number) => at, behindMs: 2 * minuteMs },
			3 * minuteMs,
			300,
		],
	] as const)('%s', async (_, source, lengthMs, noDataSeconds) => {
		for (let offset = 0; offset < 2; offset += 1) {
			const from = plantStart + 40 * minuteMs + offset * 7000;
			const events = await run(source, from, from + lengthMs, noDataSeconds);
			expect(
				events.map(({ kind, cause }) => [kind, cause]),
				`offset ${offset}`,
			).toEqual([
				['raised', 'condition'],
				['cleared', 'condition'],
			]);
		}
	});

	test('while the source has no data for longer than allowed, that is raised instead', async () => {
		const source = { everyMs: 15 * minuteMs, arrivesAt: batch(hourMs) };
		const events = await run(source, plantStart + hourMs, plantStart + hourMs, 1800);
		expect(new Set(events.map(({ cause }) => cause))).toEqual(new Set(['no_data']));
		expect(events.length).toBeGreaterThan(2);
	});
});
