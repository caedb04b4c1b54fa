import { expect, test } from 'vitest';
import { createSavedAlarms } from '#domain/alarm/saved-alarms.ts';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { chunksOf } from '#domain/chunks-of.ts';
import type { RowCommit } from '#domain/ports/schema-store.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { createHandler as getAlarms } from '#functions/getAlarms/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import {
	eventTime,
	makeAlarmEvent,
	makeEvaluatorState,
	makeOperatorState,
	makeOutbox,
} from '#test/support/builders/alarm-rows.ts';
import { makeAlarmBody, makeBoardRow, makeVariableRow } from '#test/support/builders/builders.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { units as counted } from '#test/support/cost/units.ts';
import { makeTimeSeries } from '#test/support/fakes/fake-time-series.ts';
import { type Consumed, consumedBy } from '#test/support/servers/consumed-capacity.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

describeDynamo('capacity that the store of alarms consumes', () => {
	test('is one request each, and half of a transaction for one row alone', { timeout: 60_000 }, async () => {
		const { alarms, store, dynamo } = await openAdapters();
		const consumed: Record<string, Consumed> = {};
		const measure = async (name: string, work: () => Promise<unknown>) => {
			consumed[name] = await consumedBy(dynamo, work);
		};
		const ids = Array.from({ length: 40 }, (_, index) => index + 1);
		const create = (row: NonNullable<RowCommit['put']>, key: RowCommit['key']): RowCommit => ({ key, expected: null, put: row });
		await store.commit(
			's',
			ids.map((id) => create({ ...makeBoardRow('alarm', id), database: 'plant' }, { kind: 'alarm', id })),
		);
		await store.commit('s', [create(makeVariableRow(1), { kind: 'variable', id: 1 })]);
		const put = (rowVersion: number) => ({
			expected: rowVersion === 1 ? null : rowVersion - 1,
			put: makeEvaluatorState({ rowVersion }),
		});
		for (const alarmId of ids) await alarms.commit('s', { alarmId, state: put(1) });

		await measure('start', () => alarms.startEvaluation('s', eventTime));
		await measure('list schemas', () => alarms.evaluatedSchemas());
		await measure('progress', () => alarms.progress('s'));
		await measure('lease', () => alarms.acquireLease('s', 'tick', eventTime));
		await measure('alarms', () => alarms.alarms('s'));
		await measure('rows', () => alarms.rows('s'));
		await measure('rows of one', () => alarms.rowsOf('s', [7]));
		await measure('state', () => alarms.commit('s', { alarmId: 7, state: put(2) }));
		await measure('state, event, outbox', () =>
			alarms.commit('s', {
				alarmId: 7,
				state: put(3),
				outbox: { expected: null, put: makeOutbox() },
				checks: [
					{ key: { kind: 'alarm', id: 7 }, expected: 1 },
					{ key: { kind: 'variable', id: 1 }, expected: 1 },
				],
				events: [makeAlarmEvent()],
			}),
		);
		const step = { lease: 'tick', expected: null, evaluatedUntil: eventTime, failing: 0, urgentSince: null, release: true };
		await measure('progress and release', () => alarms.updateProgress('s', step));
		const page = { start: 0, end: eventTime + 1, alarmId: null, limit: 100, after: null };
		await measure('page of events', () => alarms.events('s', page));
		console.table(consumed);

		for (const { requests } of Object.values(consumed)) expect(requests).toBe(1);
		const units = Object.fromEntries(Object.entries(consumed).map(([name, each]) => [name, each.units]));
		// 40 alarms have less than 16 KB, and so do their states: 4 KB a unit.
		expect(units).toEqual({
			start: 1,
			'list schemas': 1,
			progress: 1,
			lease: 1,
			alarms: expect.toSatisfy((each: number) => each <= 4),
			rows: expect.toSatisfy((each: number) => each <= 4),
			// AWS counts rows that do not exist, too: 3.
			'rows of one': 1,
			state: 1,
			// Five items, twice each, and more for the checks.
			'state, event, outbox': expect.toSatisfy((each: number) => each <= 16),
			'progress and release': 1,
			'page of events': 1,
		});
		dynamo.close();
	});

	test('of a poll of 100 alarms is states, progress and revision only, until a row changes', { timeout: 60_000 }, async () => {
		const { alarms, store, dynamo } = await openAdapters();
		const ids = Array.from({ length: 100 }, (_, index) => index + 2);
		const save = (id: number, message: string): RowCommit => {
			const { board, ...row } = makeBoardRow('alarm', id);
			const content = makeAlarmBody({ id, message });
			return {
				key: { kind: 'alarm', id },
				expected: null,
				put: { ...row, board: boardOf('alarm', parseBoard('alarm', content)) },
			};
		};
		const message = 'The level of the tank is high. Close the inlet valve and call the operator on duty.';
		for (const chunk of chunksOf(50, ids))
			await store.commit(
				's',
				chunk.map((id) => save(id, message)),
			);
		await store.commit('s', [{ key: { kind: 'variable', id: 1 }, expected: null, put: makeVariableRow(1) }]);
		await alarms.startEvaluation('s', eventTime);
		// Every alarm was raised, told and acknowledged once.
		for (const alarmId of ids)
			await alarms.commit('s', {
				alarmId,
				state: { expected: null, put: makeEvaluatorState() },
				operator: { expected: null, put: makeOperatorState() },
				outbox: { expected: null, put: makeOutbox() },
			});
		let now = eventTime;
		const poll = getAlarms({
			log: silentLog,
			now: () => now,
			settleMs: 15_000,
			store,
			alarms,
			savedAlarms: createSavedAlarms(store),
			definitions: createDefinitionCache(store),
			timeSeries: makeTimeSeries(new Map()).timeSeries,
		});
		const pollAfter = async (ms: number): Promise<Consumed> => {
			now += ms;
			return consumedBy(dynamo, async () => {
				const { statusCode, body } = await poll(makeEvent('GET /getAlarms'));
				expect([statusCode, JSON.parse(body ?? '').data.length]).toEqual([200, ids.length]);
			});
		};
		const consumed = { first: await pollAfter(0), second: await pollAfter(60_000), third: await pollAfter(30_000) };
		const states = await consumedBy(dynamo, () => alarms.rows('s'));
		const definitions = await consumedBy(dynamo, () => alarms.alarms('s'));
		console.table({ ...consumed, states, definitions });
		// The cost by schemas is computed from these.
		expect(states.units).toBeLessThanOrEqual(counted.states);
		expect(definitions.units).toBeLessThanOrEqual(counted.alarms);
		// The revision is read for the alarms, and for the definitions of their variables.
		const others = counted.progress + 2 * counted.revision;
		expect(consumed.third).toEqual({ requests: 4, units: states.units + others });
		expect(consumed.second).toEqual({ requests: 5, units: states.units + definitions.units + others });
		dynamo.close();
	});
});
