import type { Board } from '#domain/board/board.ts';
import type { BoardRow, Row, RowKey, SchemaStore, VariableRow } from '#domain/ports/schema-store.ts';
import { keyText, panelKey, variableKey } from '#domain/transaction/read-set.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBitsBody } from './builders.ts';

/** Changes, makes or drops (null) one row as no request could: nothing else is looked at. */
export const damage = async <Key extends RowKey>(
	store: SchemaStore,
	schema: string,
	key: Key,
	change: (row: Row | null) => Row | null,
): Promise<void> => {
	const [row = null] = await store.get(schema, [key]);
	const put = change(row);
	const outcome = await store.commit(schema, [{ key, expected: row?.rowVersion ?? null, put }]);
	if (outcome !== 'committed') throw new Error(`The damage to ${keyText(key)} came to ${outcome}.`);
};

export const drop = (store: SchemaStore, schema: string, key: RowKey): Promise<void> => damage(store, schema, key, () => null);

/** Changes a variable's row. */
export const damageVariable = (
	store: SchemaStore,
	schema: string,
	id: number,
	change: (row: VariableRow) => Partial<VariableRow>,
): Promise<void> =>
	damage(store, schema, variableKey(id), (row) => {
		if (row?.kind !== 'variable') throw new Error(`There is no variable ${id} to damage.`);
		return { ...row, ...change(row), rowVersion: row.rowVersion + 1 };
	});

/** Changes who uses a variable, as its row has it; null: nobody of that key. */
export const damageUser = (
	store: SchemaStore,
	schema: string,
	id: number,
	text: string,
	bits: readonly number[] | null,
): Promise<void> =>
	damageVariable(store, schema, id, ({ referencedBy }) => {
		const next = new Map(referencedBy);
		if (bits === null) next.delete(text);
		else next.set(text, bits);
		return { referencedBy: next };
	});

/** Leaves a variable with these bits. */
export const leaveBits = (store: SchemaStore, schema: string, id: number, ...bits: readonly number[]): Promise<void> =>
	damageVariable(store, schema, id, () => ({
		variable: parseVariable(makeBitsBody({ id, bits: bits.map((bit) => ({ id: bit, name: `bit ${bit}`, bit })) })),
	}));

/** Stores a board that no variable knows of. */
export const addBoard = (store: SchemaStore, schema: string, board: Board): Promise<void> =>
	damage(store, schema, { kind: board.kind, id: board.content.id }, () => {
		const row: BoardRow = { kind: board.kind, version: 1, rowVersion: 1, board };
		return row;
	});

/** Everything of a schema, for comparing. */
export const contentsOf = async (store: SchemaStore, schema: string) => {
	const [variables, charts, diagrams, alarms, panel, head] = await Promise.all([
		store.list(schema, 'variable'),
		store.list(schema, 'chart'),
		store.list(schema, 'diagram'),
		store.list(schema, 'alarm'),
		store.get(schema, [panelKey]),
		store.schemaMetadata(schema),
	]);
	return { variables, charts, diagrams, alarms, panel, head };
};
