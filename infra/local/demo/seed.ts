import { boardKinds, boardOf, parseBoard } from '#domain/board/board.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import type { Row, RowKey, SchemaStore } from '#domain/ports/schema-store.ts';
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
import { demoBoards } from './plant/boards.ts';
import { demoPanel, demoVariables } from './plant/definitions.ts';

/** Registers the operators of both demo tenants. */
export function seedUsers(users: Users, notes: KeyValueStore): Promise<void> {
	return once(notes, 'seeded-users', async () => {
		for (const { userId, email, firstName, lastName, clientId } of demoTenants)
			await users.put({ id: userId, email, firstName, lastName, clientId });
	});
}

/** Gives plant_a its demo variables, boards and panel, in one commit; a plant_a that was ever written to is left as it is. */
export function seedPlant(store: SchemaStore, notes: KeyValueStore): Promise<void> {
	return once(notes, 'seeded-plant', async () => {
		if ((await store.revision(plantA.schema)) > 0) return;
		const rows = (await draftRows()).map((row) => ({ key: keyOf(row), expected: null, put: row }));
		const last = Math.max(...rows.map(({ key }) => (key.kind === 'panel' ? 0 : key.id)));
		for (let id = 0; id < last; ) id = await store.nextId(plantA.schema);
		const outcome = await store.commit(plantA.schema, rows);
		if (outcome !== 'committed') throw new Error(`The demo could not be stored: ${outcome}`);
	});
}

/** Does `work` once in the life of a state, whatever was deleted since. */
async function once(notes: KeyValueStore, name: string, work: () => Promise<void>): Promise<void> {
	if (notes.get(name) === true) return;
	await work();
	notes.set(name, true);
}

/** The demo's rows, as saving them one by one into an empty schema leaves them. */
async function draftRows(): Promise<readonly Row[]> {
	const { schema } = plantA;
	const store = createSqliteSchemaStore(openDatabase(':memory:'));
	const deps = { store, pause: async () => undefined };
	for (const variable of demoVariables) await saveVariable(deps, schema, parseVariable({ ...variable, id: 0 }));
	for (const { kind, content } of demoBoards)
		await saveBoard(deps, schema, boardOf(kind, parseBoard(kind, { ...content, id: 0 })));
	const panel = await savePanel(deps, schema, parsePanel(demoPanel));
	const lists = await Promise.all([store.list(schema, 'variable'), ...boardKinds.map((kind) => store.list(schema, kind))]);
	return [...lists.flat(), panel];
}

function keyOf(row: Row): RowKey {
	if (row.kind === 'variable') return variableKey(row.variable.id);
	return row.kind === 'panel' ? panelKey : { kind: row.kind, id: row.board.content.id };
}
