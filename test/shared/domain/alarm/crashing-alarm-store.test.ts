import { expect, test } from 'vitest';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { eventTime, makeEvaluatorState } from '#test/support/builders/alarm-rows.ts';
import { type Crash, crashingAlarmStore, EvaluatorEnded } from '#test/support/fakes/crashing-alarm-store.ts';

/** Four writes, with reads between them. */
const evaluate = async (alarms: AlarmStore) => {
	await alarms.startEvaluation('s', eventTime);
	await alarms.acquireLease('s', 'tick', eventTime);
	const { rows } = await alarms.rows('s');
	await alarms.commit('s', {
		alarmId: 7,
		state: { expected: rows.get(7)?.state?.rowVersion ?? null, put: makeEvaluatorState() },
	});
	await alarms.updateProgress('s', { lease: 'tick', expected: null, evaluatedUntil: eventTime, release: true });
};

/** Number of the four writes that a store shows. */
const writesIn = async (alarms: AlarmStore): Promise<number> => {
	const progress = await alarms.progress('s');
	if (progress === null) return 0;
	if (progress.evaluatedUntil !== null) return 4;
	return (await alarms.rows('s')).rows.has(7) ? 3 : progress.lease === null ? 1 : 2;
};

const run = async (crash: Crash | null) => {
	const store = createSqliteAlarmStore(openDatabase(':memory:'));
	const crashing = crashingAlarmStore(store, { crash });
	const error = await evaluate(crashing.alarms).then(
		() => null,
		(thrown: unknown) => thrown,
	);
	return { store, error, ...crashing };
};

test('does everything without a crash, and counts the writes', async () => {
	const { store, error, writes, ended } = await run(null);
	expect([error, writes(), ended(), await writesIn(store)]).toEqual([null, 4, false, 4]);
});

test.each([0, 1, 2, 3])('ends at write %i, before it or after it, and every later call fails', async (write) => {
	for (const kind of ['dies before', 'dies after'] as const) {
		const { store, alarms, error, ended } = await run({ write, kind });
		expect(error).toBeInstanceOf(EvaluatorEnded);
		expect([ended(), await writesIn(store)]).toEqual([true, kind === 'dies before' ? write : write + 1]);
		await expect(alarms.rows('s')).rejects.toThrow(EvaluatorEnded);
		await expect(alarms.commit('s', { alarmId: 1 })).rejects.toThrow(EvaluatorEnded);
	}
});

test.each([
	[0, 'store_failed'],
	[1, 'store_failed'],
	[2, 'outcome_unknown'],
	[3, 'store_failed'],
])('loses the answer to write %i, and goes on', async (write, code) => {
	const { store, alarms, error, ended } = await run({ write, kind: 'answer lost' });
	expect(error).toMatchObject({ code });
	expect([ended(), await writesIn(store)]).toEqual([false, write + 1]);
	expect(await alarms.progress('s')).toEqual(await store.progress('s'));
});
