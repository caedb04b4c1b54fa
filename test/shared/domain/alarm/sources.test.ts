import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backtest } from '#domain/alarm/backtest.ts';
import { type AlarmDefinition, fold, neverEvaluated } from '#domain/alarm/fold.ts';
import { observe } from '#domain/alarm/observe.ts';
import { observedInputsOf, readPiece } from '#domain/alarm/piece.ts';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { openSqliteTimeSeries, type SqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { type OracleSource, sourceCases } from '#test/support/totals/source-oracle.ts';

const start = 1_764_000_000_000;
const end = start + 90_000;
const cases = casesOf(200);

const definition: AlarmDefinition = {
	alarm: {
		id: 1,
		name: 'A',
		varId: 1,
		severity: 'info',
		message: 'M',
		condition: '>',
		threshold: 1,
		deadband: 0,
		onDelaySeconds: 0,
		offDelaySeconds: 10,
		noDataSeconds: null,
		bit: undefined,
	},
	alarmVersion: 1,
	variable: parseVariable({ ...makeBody(), id: 1 }),
	variableVersion: 1,
};
const zone = openTimeZone('UTC');
const secondOf = (at: number) => start + 1000 * at;

describe('alarms on several sources', () => {
	let series: SqliteTimeSeries;
	beforeAll(async () => {
		series = await openSqliteTimeSeries({ file: ':memory:', topicColumn: '_measurement' });
	});
	afterAll(() => series.close());

	/** Writes the samples of sources, each 300 ms into its second, and returns an alarm of their topic. */
	let topics = 0;
	const written = async (sources: readonly OracleSource[], lookbackSeconds: number): Promise<AlarmDefinition> => {
		topics += 1;
		const lines = sources.flatMap(({ tags, samples }, index) =>
			samples.map(({ at, value }) => {
				const name = [`t${topics}`, ...Object.entries(tags).map((tag) => tag.join('='))].join();
				return `${name} value=${value ?? 0} ${secondOf(at) + 300 + index}`;
			}),
		);
		await series.write('d', parseLineProtocol(lines.join('\n'), { precision: 'ms', nowNs: 0n }).points);
		const query = makeQuery({
			calc_topic: `t${topics}`,
			calc_field: 'value',
			calc_time: lookbackSeconds,
			calc_unit: 's',
			calc_period: 1,
		});
		return { ...definition, variable: parseVariable({ ...makeBody({ varsTsdb: { Flow: query } }), id: 1 }) };
	};
	const readsOf = ({ variable }: AlarmDefinition, from: number, to: number) =>
		readPiece(series, 'd', observedInputsOf(variable), { from, to, stepMs: 1000 });

	test(`are judged only by what a single source says, live as in a back-test: ${cases} cases`, {
		timeout: 60_000 + 200 * cases,
	}, async () => {
		let [several, raised] = [0, 0];
		await fc.assert(
			fc.asyncProperty(sourceCases, fc.uniqueArray(fc.integer({ min: 1, max: 89 }), { maxLength: 4 }), async (drawn, cuts) => {
				const alarm = await written(drawn.sources, drawn.holdMs);
				const piece = { from: start, to: end, stepMs: 1000 };
				const reads = await readsOf(alarm, start, end);
				for (const { at, value, quality } of observe(alarm.alarm, alarm.variable, reads, piece)) {
					// A sample counts from the end of its second, for the lookback.
					const second = (at - start) / 1000 - 1;
					const known = drawn.sources.flatMap(({ samples }) => {
						const newest = samples.findLast((sample) => sample.at <= second);
						return newest === undefined || second >= newest.at + drawn.holdMs ? [] : [newest.value ?? 0];
					});
					if (known.length > 1) several += 1;
					expect([value, quality]).toEqual(
						known.length === 1 ? [known[0], 'good'] : [null, known.length === 0 ? 'no_data' : 'bad'],
					);
				}
				const whole = fold(alarm, neverEvaluated, reads, piece, { maxEvents: Number.POSITIVE_INFINITY });
				let state: Parameters<typeof fold>[1] = neverEvaluated;
				const events = [];
				const bounds = [start, ...cuts.sort((a, b) => a - b).map(secondOf), end];
				for (const [index, to] of bounds.slice(1).entries()) {
					const from = bounds[index] ?? start;
					const live = fold(alarm, state, await readsOf(alarm, from, to), { from, to, stepMs: 1000 }, { maxEvents: 1000 });
					state = live.state;
					events.push(...live.events);
				}
				expect(events).toEqual(whole.events);
				raised += events.length;
				if (zone === null) throw new Error('There is UTC.');
				expect(backtest(alarm, reads, piece, zone).events).toEqual(whole.events);
			}),
			{ numRuns: cases, seed: firstSeed },
		);
		expect(several).toBeGreaterThan(cases);
		expect(raised).toBeGreaterThan(cases / 4);
	});

	const toldTags = async (alarm: AlarmDefinition) => {
		const reads = await readsOf(alarm, start, end);
		return backtest(alarm, reads, { from: start, to: end, stepMs: 1000 }, zone ?? expect.unreachable()).tags;
	};

	test('do not flap between two meters, and go on a lookback after a gateway was replaced', async () => {
		const every = (from: number, to: number, value: number) =>
			Array.from({ length: to - from }, (_, index) => ({ at: from + index, value }));
		const meters = await written(
			[
				{ tags: { host: 'a' }, samples: every(0, 80, 2) },
				{ tags: { host: 'b' }, samples: every(0, 80, 0) },
			],
			5,
		);
		expect(await toldTags(meters)).toEqual([{ name: 'host', values: ['a', 'b'] }]);
		expect(
			fold(meters, neverEvaluated, await readsOf(meters, start, end), { from: start, to: end, stepMs: 1000 }).events,
		).toEqual([]);
		const gateway = await written(
			[
				{ tags: { host: 'a' }, samples: every(0, 30, 0) },
				{ tags: { host: 'b' }, samples: every(30, 80, 2) },
			],
			5,
		);
		const { events } = fold(gateway, neverEvaluated, await readsOf(gateway, start, end), { from: start, to: end, stepMs: 1000 });
		// The last sample of the old one counts from second 30, for five seconds.
		expect(events[0]).toMatchObject({ kind: 'raised', time: secondOf(35), value: 2 });
	});
});
