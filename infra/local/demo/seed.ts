import { boardKinds, boardOf, parseBoard } from '#domain/board/board.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import { idOfRow, type RowCommit } from '#domain/ports/schema-store.ts';
import type { Users } from '#domain/ports/users.ts';
import { panelKey, variableKey } from '#domain/transaction/read-set.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '../adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '../adapters/sqlite/sqlite-schema-store.ts';
import type { KeyValueStore } from '../wiring/state.ts';
import type { Stores } from '../wiring/stores.ts';
import { demoTenants, plantA } from './idp.ts';
import demo from './plant-a.json' with { type: 'json' };
import alarmDemo from './plant-a-alarms.json' with { type: 'json' };
import { seedAlarmStates } from './seed-alarm-states.ts';

const usersSeeded = 'seeded-users';

/** Registers the operators of both demo tenants. With `flags`, it does so once only: a deleted operator stays deleted. */
export async function seedUsers(users: Users, flags?: KeyValueStore): Promise<void> {
	if ((await flags?.get(usersSeeded)) === true) return;
	for (const { userId, email, firstName, lastName, clientId } of demoTenants)
		await users.put({ id: userId, email, firstName, lastName, clientId });
	await flags?.set(usersSeeded, true);
}

/**
 * Stores the demo in one commit: the variables, boards and panel of `plant-a.json`, then the variables and alarms of
 * `plant-a-alarms.json`. Does nothing if plant_a was ever written to.
 * @param now epoch milliseconds
 */
export async function seedPlant({ store, alarms }: Pick<Stores, 'store' | 'alarms'>, now: number): Promise<void> {
	const { schema } = plantA;
	if ((await store.revision(schema)) > 0) return;
	const rows = await demoRows();
	for (const { key } of rows) if (key.kind !== 'panel') await store.nextId(schema);
	await alarms.startEvaluation(schema, now);
	const outcome = await store.commit(schema, rows);
	if (outcome !== 'committed') throw new Error(`The demo could not be stored: ${outcome}`);
	await seedAlarmStates(alarms, rows, now);
}

/** Binds the alarms of the demo tenants that a version without evaluation stored to the database of their tenant. */
export async function bindDemoAlarms({ store, alarms }: Pick<Stores, 'store' | 'alarms'>, now: number): Promise<void> {
	for (const { schema, database } of demoTenants) {
		const unbound = (await store.list(schema, 'alarm')).filter((row) => row.database === undefined);
		if (unbound.length > 0) await alarms.startEvaluation(schema, now);
		for (const row of unbound) {
			const put = { ...row, rowVersion: row.rowVersion + 1, database };
			// Refused: somebody saves the alarm at this moment, which binds it.
			await store.commit(schema, [{ key: { kind: row.kind, id: idOfRow(row) }, expected: row.rowVersion, put }]);
		}
	}
}

/** Returns the rows that result from saving everything into an empty schema. Ids follow the order in the files. */
async function demoRows(): Promise<readonly RowCommit[]> {
	const { schema, database } = plantA;
	const store = createSqliteSchemaStore(openDatabase(':memory:'));
	const deps = { store, pause: async () => undefined };
	const save = async (variables: readonly object[], boards: Partial<typeof demo.boards>): Promise<void> => {
		for (const variable of variables) await saveVariable(deps, schema, parseVariable({ ...variable, id: 0 }));
		for (const kind of boardKinds)
			for (const board of boards[kind] ?? []) await saveBoard(deps, schema, boardOf(kind, parseBoard(kind, { ...board, id: 0 })));
	};
	await save(demo.variables, demo.boards);
	const panel = await savePanel(deps, schema, parsePanel(demo.panel));
	await save(alarmDemo.variables, { alarm: alarmDemo.alarms });
	const variables = await store.list(schema, 'variable');
	const boards = await Promise.all(boardKinds.map((kind) => store.list(schema, kind)));
	return [
		...variables.map((row) => ({ key: variableKey(row.variable.id), expected: null, put: row })),
		...boards.flat().map((row) => ({
			key: { kind: row.kind, id: row.board.content.id },
			expected: null,
			put: row.kind === 'alarm' ? { ...row, database } : row,
		})),
		{ key: panelKey, expected: null, put: panel },
	];
}
