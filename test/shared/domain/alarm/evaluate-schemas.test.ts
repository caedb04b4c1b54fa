import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { evaluateSchemas } from '#domain/alarm/evaluate-schemas.ts';
import { DomainError } from '#domain/errors.ts';
import type { TimeSeries } from '#domain/ports/time-series.ts';
import { makeTickPlant, plantStart, sqliteStores } from '#test/support/alarms/tick-plant.ts';

beforeEach(() => {
	vi.useFakeTimers({ now: plantStart, toFake: ['setTimeout', 'Date'] });
});
afterEach(() => {
	vi.useRealTimers();
});

test('a worker runs 10 ticks at a time, starts none after 40 s, and names those that it did not start', async () => {
	const stores = sqliteStores();
	const names = Array.from({ length: 70 }, (_, index) => `t${index}`);
	for (const name of names) {
		const plant = makeTickPlant(stores, name);
		await plant.saveVariable(1);
		await plant.saveAlarm(11, { varId: 1 }, name);
	}
	let running = 0;
	let most = 0;
	const timeSeries: TimeSeries = {
		read: async (_, keys) => {
			const isNewest = keys[0]?.read === 'newest';
			if (isNewest) running += 1;
			most = Math.max(most, running);
			await new Promise((resolve) => setTimeout(resolve, 8000));
			if (isNewest) running -= 1;
			throw new DomainError('dependency_slow', { dependency: 'tsdb', cause: 'slow' });
		},
	};
	const working = evaluateSchemas({ ...makeTickPlant(stores).deps, timeSeries, now: Date.now }, names);
	await vi.advanceTimersByTimeAsync(58_000);
	const { results, notStarted, failed } = await working;
	// Ticks begin at 0, 8, 16, 24, 32 and 40 s.
	expect(results.map(({ schema, outcome }) => [schema, outcome])).toEqual(names.slice(0, 60).map((name) => [name, 'behind']));
	expect(notStarted).toEqual(names.slice(60));
	expect([most, failed.size]).toEqual([10, 0]);
});

test('a tick that fails as a whole keeps no other from running', async () => {
	const stores = sqliteStores();
	for (const name of ['a', 'b']) await makeTickPlant(stores, name).saveAlarm(11, {}, null);
	const { deps } = makeTickPlant(stores);
	const alarms = {
		...deps.alarms,
		acquireLease: (schema: string, lease: string, now: number) =>
			schema === 'a' ? Promise.reject(new Error('down')) : deps.alarms.acquireLease(schema, lease, now),
	};
	const { results, failed } = await evaluateSchemas({ ...deps, alarms }, ['a', 'b']);
	expect(results).toMatchObject([{ schema: 'b', outcome: 'done' }]);
	expect([...failed]).toMatchObject([['a', { message: 'down' }]]);
});
