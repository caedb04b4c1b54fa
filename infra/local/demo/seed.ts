import { boardKinds, boardOf, parseBoard } from '#domain/board/board.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import type { RowCommit, SchemaStore } from '#domain/ports/schema-store.ts';
import type { Users } from '#domain/ports/users.ts';
import { panelKey, variableKey } from '#domain/transaction/read-set.ts';
import { saveBoard } from '#domain/use-cases/save-board.ts';
import { savePanel } from '#domain/use-cases/save-panel.ts';
import { saveVariable } from '#domain/use-cases/save-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { openDatabase } from '../adapters/sqlite/sqlite-database.ts';
import { createSqliteSchemaStore } from '../adapters/sqlite/sqlite-schema-store.ts';
import type { KeyValueStore } from '../wiring/state.ts';
import { demoTenants, plantA } from './idp.ts';
import demo from './plant-a.json' with { type: 'json' };

const usersSeeded = 'seeded-users';

/** Registers the operators of both demo tenants. With `flags`, it does so once only: a deleted operator stays deleted. */
export async function seedUsers(users: Users, flags?: KeyValueStore): Promise<void> {
	if ((await flags?.get(usersSeeded)) === true) return;
	for (const { userId, email, firstName, lastName, clientId } of demoTenants)
		await users.put({ id: userId, email, firstName, lastName, clientId });
	await flags?.set(usersSeeded, true);
}

/** Stores the variables, boards and panel of `plant-a.json` in one commit. Does nothing if plant_a was ever written to. */
export async function seedPlant(store: SchemaStore): Promise<void> {
	const { schema } = plantA;
	if ((await store.revision(schema)) > 0) return;
	const rows = await demoRows();
	for (const { key } of rows) if (key.kind !== 'panel') await store.nextId(schema);
	const outcome = await store.commit(schema, rows);
	if (outcome !== 'committed') throw new Error(`The demo could not be stored: ${outcome}`);
}

/** Returns the rows that result from saving everything into an empty schema. Ids follow the order in the file. */
async function demoRows(): Promise<readonly RowCommit[]> {
	const { schema } = plantA;
	const store = createSqliteSchemaStore(openDatabase(':memory:'));
	const deps = { store, pause: async () => undefined };
	for (const variable of demo.variables) await saveVariable(deps, schema, parseVariable({ ...variable, id: 0 }));
	for (const kind of boardKinds)
		for (const board of demo.boards[kind]) await saveBoard(deps, schema, boardOf(kind, parseBoard(kind, { ...board, id: 0 })));
	const panel = await savePanel(deps, schema, parsePanel(demo.panel));
	const variables = await store.list(schema, 'variable');
	const boards = await Promise.all(boardKinds.map((kind) => store.list(schema, kind)));
	return [
		...variables.map((row) => ({ key: variableKey(row.variable.id), expected: null, put: row })),
		...boards.flat().map((row) => ({ key: { kind: row.kind, id: row.board.content.id }, expected: null, put: row })),
		{ key: panelKey, expected: null, put: panel },
	];
}
