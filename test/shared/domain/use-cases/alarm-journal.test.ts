import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { toolOrigin } from '#domain/changes/change-entry.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { SchemaStore } from '#domain/ports/schema-store.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { boardsPerCommit, deleteVariable } from '#domain/use-cases/delete-variable.ts';
import { type SaveAlarmDeps, saveAlarm } from '#domain/use-cases/save-alarm.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { makeAlarmBody, makeVariable } from '#test/support/builders/builders.ts';
import { findAll, repairAll } from '#test/support/builders/damage.ts';
import { testOrigin } from '#test/support/builders/origin.ts';

const author = { schema: 's', database: 'plant' };

describe('the journal of alarms', () => {
	let store: SchemaStore;
	let alarms: AlarmStore;
	let deps: SaveAlarmDeps;
	let clock: number;
	let varId: number;
	beforeEach(async () => {
		const database = openDatabase(':memory:');
		store = createSqliteSchemaStore(database);
		alarms = createSqliteAlarmStore(database, 30, () => clock);
		clock = 1_000_000;
		deps = { store, alarms, pause: async () => undefined, now: () => clock++, origin: testOrigin };
		varId = (await saveVariable(deps, 's', makeVariable({ unit: 'm3/h' }))).variable.id;
		clock = 1_000_000;
	});

	const alarm = (overrides: Readonly<Record<string, unknown>> = {}) =>
		boardOf('alarm', parseBoard('alarm', makeAlarmBody({ varId, ...overrides })));
	const chart = () => boardOf('chart', parseBoard('chart', { id: 0, title: 'C', series: [{ varId }] }));
	const journal = async () => {
		const page = { start: 0, end: 9_000_000, alarmId: null, limit: 2000, after: null };
		return (await alarms.events('s', page)).events.toReversed();
	};

	test('tells of each save, with the alarm as it is saved', async () => {
		const { board } = await saveAlarm(deps, author, alarm());
		const { id } = board.content;
		await saveAlarm({ ...deps, origin: toolOrigin('tool') }, author, alarm({ id, threshold: 0, severity: 'critical' }));
		const common = { alarmId: id, kind: 'changed', occurrence: 0, cause: null, value: null, quality: null, inputs: [] };
		const content = { name: 'High flow', message: 'Close the valve.', condition: '>', unit: 'm3/h' };
		expect(await journal()).toEqual([
			{
				...common,
				time: 1_000_000,
				recordedAt: 1_000_000,
				origin: { writer: 'definition', number: 1 },
				user: testOrigin.actor,
				comment: null,
				alarm: { ...content, severity: 'warning', threshold: 10, version: 1 },
			},
			{
				...common,
				time: 1_000_002,
				recordedAt: 1_000_002,
				origin: { writer: 'definition', number: 2 },
				user: null,
				comment: null,
				alarm: { ...content, severity: 'critical', threshold: 0, version: 2 },
			},
		]);
	});

	test('says that a save moves an alarm to the database of another token', async () => {
		const row = await saveAlarm(deps, author, alarm());
		expect(row.database).toBe('plant');
		const { id } = row.board.content;
		const moved = await saveAlarm(deps, { ...author, database: 'other' }, alarm({ id }));
		expect(moved.database).toBe('other');
		expect(await store.get('s', [{ kind: 'alarm', id }])).toEqual([moved]);
		expect(await saveAlarm(deps, { ...author, database: 'other' }, alarm({ id }))).toEqual(moved);
		expect((await journal()).map(({ comment }) => comment)).toEqual([
			null,
			'From now on it is evaluated on the database other instead of plant.',
		]);
	});

	test('says that a save binds an alarm from before alarms were evaluated', async () => {
		const { board, database } = await saveBoard(deps, 's', alarm());
		expect([database, await journal()]).toEqual([undefined, []]);
		expect((await saveAlarm(deps, author, alarm({ id: board.content.id }))).database).toBe('plant');
		expect((await journal()).map(({ comment }) => comment)).toEqual(['From now on it is evaluated on the database plant.']);
	});

	test('tells of a deleted alarm as it was, and of no other board', async () => {
		const { id } = (await saveAlarm(deps, author, alarm())).board.content;
		const other = (await saveBoard(deps, 's', chart())).board.content.id;
		expect(await deleteBoard(deps, 's', { kind: 'chart', id: other })).toBe(true);
		expect(await deleteBoard(deps, 's', { kind: 'alarm', id })).toBe(true);
		expect(await deleteBoard(deps, 's', { kind: 'alarm', id })).toBe(false);
		const [changed, ...deleted] = await journal();
		expect(deleted).toEqual([
			{
				...changed,
				time: expect.any(Number),
				recordedAt: expect.any(Number),
				kind: 'deleted',
				origin: { writer: 'definition', number: 2 },
			},
		]);
	});

	test.each([
		['fit into one commit', boardsPerCommit],
		['need several commits', 2 * boardsPerCommit + 7],
	])('tells of each alarm of a deleted variable once, where they %s', async (_, count) => {
		const ids: number[] = [];
		for (let index = 0; index < count; index += 1) {
			if (index % 3 === 0) await saveBoard(deps, 's', chart());
			else ids.push((await saveBoard(deps, 's', alarm())).board.content.id);
		}
		let commits = 0;
		const sizes: number[] = [];
		const interrupted: SchemaStore = {
			...store,
			commit: async (schema, rows, record, journals = {}) => {
				commits += 1;
				const { events = [], changes = [] } = journals;
				sizes.push(rows.length + events.length + changes.length);
				const outcome = await store.commit(schema, rows, record, journals);
				if (commits === 2) throw new Error('interrupted after a commit');
				return outcome;
			},
		};
		await deleteVariable({ ...deps, store: interrupted }, 's', varId).catch(() => undefined);
		await deleteVariable({ ...deps, store: interrupted }, 's', varId);
		const events = await journal();
		expect(events.map(({ alarmId }) => alarmId).sort((a, b) => a - b)).toEqual(ids);
		for (const event of events)
			expect(event).toMatchObject({
				kind: 'deleted',
				origin: { writer: 'definition', number: 2 },
				user: testOrigin.actor,
				comment: 'Its variable was deleted.',
				alarm: { unit: 'm3/h' },
			});
		expect(Math.max(...sizes)).toBeLessThanOrEqual(98);
		expect(await store.list('s', 'alarm')).toEqual([]);
	});

	test('tells of an alarm that a repair deletes, because its variable does not exist', async () => {
		const { id } = (await saveBoard(deps, 's', alarm())).board.content;
		const [row] = await store.get('s', [{ kind: 'variable', id: varId }]);
		await store.commit('s', [{ key: { kind: 'variable', id: varId }, expected: row?.rowVersion ?? null, put: null }]);
		expect(await findAll(deps, 's')).toMatchObject([{ kind: 'missing_variable', board: `alarm#${id}` }]);
		await repairAll(deps, 's');
		expect(await journal()).toMatchObject([
			{ kind: 'deleted', alarmId: id, user: null, comment: 'Its variable does not exist.' },
		]);
	});

	test('starts with the first valid save of an alarm, before it is committed', async () => {
		await expect(saveAlarm(deps, author, alarm({ varId: 99 }))).rejects.toMatchObject({ code: 'invalid' });
		expect(await alarms.progress('s')).toBeNull();
		const commit = async () => {
			expect(await alarms.progress('s')).toMatchObject({ createdAt: 1_000_000 });
			throw new Error('the commit fails');
		};
		await expect(saveAlarm({ ...deps, store: { ...store, commit } }, author, alarm())).rejects.toThrow('the commit fails');
		await saveAlarm(deps, author, alarm());
		expect(await alarms.progress('s')).toMatchObject({ createdAt: 1_000_000, evaluatedUntil: null });
	});
});
