import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dispatch } from '#domain/alarm/dispatch.ts';
import { evaluateSchemas } from '#domain/alarm/evaluate-schemas.ts';
import { DomainError } from '#domain/errors.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { makeTickPlant, plantStart, sqliteStores } from '#test/support/alarms/tick-plant.ts';
import { makeSampledTimeSeries } from '#test/support/fakes/sampled-time-series.ts';

const minuteMs = 60_000;
const tenants = 1000;
const deadlineMs = 8000;

/** Ten databases that answer after the deadline of a read, which ends with an error then. */
const isSlow = (database: string): boolean => Number(database.slice(2)) % 100 === 0;

beforeEach(() => {
	vi.useFakeTimers({ now: plantStart, toFake: ['setTimeout', 'Date'] });
});
afterEach(() => {
	vi.useRealTimers();
});

test('ten slow databases of 1,000 keep no other tenant behind', { timeout: 60_000 }, async () => {
	const stores = sqliteStores();
	const plant = makeTickPlant(stores);
	for (let tenant = 0; tenant < tenants; tenant += 1) {
		const each = makeTickPlant(stores, `t${tenant}`);
		each.clock.now = Date.now();
		await each.saveVariable(1);
		await each.saveAlarm(11, { varId: 1 }, `db${tenant}`);
	}
	const { timeSeries: fast } = makeSampledTimeSeries(new Map());
	const timeSeries: TimeSeries = {
		read: async (database, ...parameters) => {
			if (!isSlow(database)) return fast.read(database, ...parameters);
			await new Promise((resolve) => setTimeout(resolve, deadlineMs));
			throw new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'slow' });
		},
	};
	const deps = { ...plant.deps, timeSeries, now: Date.now };
	const lags: number[] = [];
	for (let minute = 0; minute < 5; minute += 1) {
		const workers: Promise<unknown>[] = [];
		const start = async (names: readonly string[]): Promise<void> => {
			workers.push(evaluateSchemas(deps, names));
		};
		await dispatch({ ...deps, alarms: stores.alarms, workers: { start }, metrics: { gauge: () => undefined } });
		await vi.advanceTimersByTimeAsync(minuteMs);
		await Promise.all(workers);
		const all = await stores.alarms.evaluatedSchemas();
		for (const { schema, progress } of all)
			if (Number(schema.slice(1)) % 100 !== 0) lags.push(Date.now() - (progress.evaluatedUntil ?? progress.createdAt));
	}
	expect(lags).toHaveLength(5 * 990);
	expect(Math.max(...lags)).toBeLessThan(120_000);
});
