import { expect, test } from 'vitest';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { alarmStoreContract } from '#test/contract/alarm-store.ts';
import { eventTime, makeAlarmEvent, makeEvaluatorState } from '#test/support/builders/alarm-rows.ts';

alarmStoreContract('SQLite', async () => {
	const database = openDatabase(':memory:');
	return {
		alarms: createSqliteAlarmStore(database),
		store: createSqliteSchemaStore(database),
		idempotency: createSqliteIdempotency(database),
		damage: async (schema, what, id) => {
			if (what === 'alarm')
				database.prepare("UPDATE row SET body = '{' WHERE schema = ? AND kind = 'alarm' AND id = ?").run(schema, id);
			else
				database.prepare("UPDATE alarm_row SET body = '{}' WHERE schema = ? AND kind = ? AND alarm_id = ?").run(schema, what, id);
		},
		damageProgress: async (schema) => {
			database.prepare("UPDATE evaluation SET body = '{}' WHERE schema = ?").run(schema);
		},
	};
});

test('rows of a kind that only a newer release knows hide no other rows', async () => {
	const database = openDatabase(':memory:');
	const alarms = createSqliteAlarmStore(database);
	const state = makeEvaluatorState();
	await alarms.commit('s', { alarmId: 7, state: { expected: null, put: state } });
	database.exec("INSERT INTO alarm_row VALUES ('s', 7, 'escalation', 1, '{}')");
	for (const { rows, unreadable } of [await alarms.rows('s'), await alarms.rowsOf('s', [7])]) {
		expect(rows.get(7)?.state).toEqual(state);
		expect(unreadable.size).toBe(0);
	}
});

test('keeps events for the days of the setting, and deletes older ones with the next commit', async () => {
	const dayMs = 86_400_000;
	let now = eventTime;
	const alarms = createSqliteAlarmStore(openDatabase(':memory:'), 30, () => now);
	const add = (day: number) => {
		const time = eventTime + day * dayMs;
		return alarms.commit('s', { alarmId: 7, events: [makeAlarmEvent({ time, recordedAt: time })] });
	};
	const days = async () => {
		const page = { start: 0, end: eventTime + 100 * dayMs, alarmId: null, limit: 9, after: null };
		return (await alarms.events('s', page)).events.map(({ time }) => (time - eventTime) / dayMs);
	};
	for (const day of [0, 1, 29]) await add(day);
	expect(await days()).toEqual([29, 1, 0]);
	await add(30);
	expect(await days()).toEqual([30, 29, 1]);
	now = eventTime + 31 * dayMs;
	expect(await days()).toEqual([30, 29]);
});
