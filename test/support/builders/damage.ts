import { type Board, boardOf } from '#domain/board/board.ts';
import type { Diagram } from '#domain/board/diagram.ts';
import { findInconsistencies, type Inconsistency } from '#domain/integrity/find-inconsistencies.ts';
import { type Repair, rebuild } from '#domain/integrity/rebuild.ts';
import { readStoredSchema } from '#domain/integrity/stored-schema.ts';
import type { BoardRow, Row, RowKey, SchemaStore, VariableRow } from '#domain/ports/schema-store.ts';
import { keyText, panelKey, variableKey } from '#domain/transaction/read-set.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBitsBody } from './builders.ts';

/** Changes, creates or deletes (null) one row, bypassing all checks. */
export const damage = async <Key extends RowKey>(
	store: SchemaStore,
	schema: string,
	key: Key,
	change: (row: Row | null) => Row | null,
): Promise<void> => {
	const [row = null] = await store.get(schema, [key]);
	const put = change(row);
	const outcome = await store.commit(schema, [{ key, expected: row?.rowVersion ?? null, put }]);
	if (outcome !== 'committed') throw new Error(`Damaging ${keyText(key)} ended with ${outcome}.`);
};

/** Deletes a row and nothing else. */
export const deleteRow = (store: SchemaStore, schema: string, key: RowKey): Promise<void> =>
	damage(store, schema, key, () => null);

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

/** Changes one entry of a variable's `referencedBy`; null deletes it. */
export const damageReference = (
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

/** Stores a variable with only these bits. */
export const leaveBits = (store: SchemaStore, schema: string, id: number, ...bits: readonly number[]): Promise<void> =>
	damageVariable(store, schema, id, () => ({
		variable: parseVariable(makeBitsBody({ id, bits: bits.map((bit) => ({ id: bit, name: `bit ${bit}`, bit })) })),
	}));

/** Stores a background with a diagram, past the check of saves: an earlier release may have accepted it. */
export const leaveBackground = (store: SchemaStore, schema: string, id: number, background: string): Promise<void> =>
	damage(store, schema, { kind: 'diagram', id }, (row) => {
		if (row?.kind !== 'diagram' || row.board.kind !== 'diagram') throw new Error(`There is no diagram ${id} to damage.`);
		const content = { ...row.board.content, background };
		return { ...row, rowVersion: row.rowVersion + 1, board: boardOf('diagram', content) };
	});

/** Saves a diagram as a release before the journal of changes did: without an entry. */
export const saveAsEarlier = (store: SchemaStore, schema: string, id: number, content: Partial<Diagram>): Promise<void> =>
	damage(store, schema, { kind: 'diagram', id }, (row) => {
		if (row?.kind !== 'diagram' || row.board.kind !== 'diagram') throw new Error(`There is no diagram ${id} to save.`);
		const board = boardOf('diagram', { ...row.board.content, ...content });
		return { ...row, version: row.version + 1, rowVersion: row.rowVersion + 1, board };
	});

/** Stores a board without recording its references. */
export const addBoard = (store: SchemaStore, schema: string, board: Board): Promise<void> =>
	damage(store, schema, { kind: board.kind, id: board.content.id }, () => {
		const row: BoardRow = { kind: board.kind, version: 1, rowVersion: 1, board };
		return row;
	});

/** All rows and metadata of a schema, for comparison. */
export const contentsOf = async (store: SchemaStore, schema: string) => {
	const [variables, charts, diagrams, alarms, corrections, reports, entries, panel, metadata] = await Promise.all([
		store.list(schema, 'variable'),
		store.list(schema, 'chart'),
		store.list(schema, 'diagram'),
		store.list(schema, 'alarm'),
		store.list(schema, 'correction'),
		store.list(schema, 'report'),
		store.list(schema, 'entry'),
		store.get(schema, [panelKey]),
		store.schemaMetadata(schema),
	]);
	return { variables, charts, diagrams, alarms, corrections, reports, entries, panel, metadata };
};

/** Finds the inconsistencies of a schema. */
export const findAll = async (deps: WriteDeps, schema: string): Promise<readonly Inconsistency[]> =>
	findInconsistencies(await readStoredSchema(deps, schema));

/** Finds the inconsistencies of a schema and repairs them. */
export const repairAll = async (deps: WriteDeps, schema: string): Promise<readonly Repair[]> =>
	repairThese(deps, schema, await findAll(deps, schema));

/** Repairs inconsistencies that were found before. */
export const repairThese = async (
	deps: WriteDeps,
	schema: string,
	inconsistencies: readonly Inconsistency[],
): Promise<readonly Repair[]> => {
	const repairs: Repair[] = [];
	for await (const repair of rebuild(deps, schema, inconsistencies)) repairs.push(repair);
	return repairs;
};
