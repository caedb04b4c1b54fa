import { jitteredPause } from '#adapters/jittered-pause.ts';
import type { EvaluationProgress } from '#domain/alarm-rows/alarm-rows.ts';
import { referencesOf } from '#domain/board/board.ts';
import { type BoardKind, boardKinds, boardPlurals } from '#domain/board/board-kinds.ts';
import { readStoredSchema, type StoredSchema } from '#domain/integrity/stored-schema.ts';
import { type AlarmRows, noRows } from '#domain/ports/alarm-store.ts';
import { type BoardRow, idOfRow, type PanelRow, type VariableRow } from '#domain/ports/schema-store.ts';
import { boardRowWithout } from '#domain/transaction/referenced-by.ts';
import { panelToJson, variableToJson } from '#http/serialize.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';

/** The contents of an export (infra/tools/schema/README.md#what-an-export-holds). */
export interface SchemaContents {
	readonly schema: string;
	readonly revision: number;
	readonly lastId: number;
	/** By ascending id. None has an unfinished deletion. */
	readonly variables: readonly VariableRow[];
	/** By kind, then by ascending id. */
	readonly boards: readonly BoardRow[];
	readonly panel: PanelRow | null;
	/** How far the alarms are evaluated; null: they are not. */
	readonly progress: EvaluationProgress | null;
	/** The rows of alarms by their ids. Alarms without rows are absent. */
	readonly alarmRows: ReadonlyMap<number, AlarmRows>;
}

/** The name of a kind's list in an export: `charts`. */
export function listName<Kind extends BoardKind>(kind: Kind) {
	return boardPlurals[kind];
}

/** The stores that hold the contents of a schema. */
export type ContentStores = Pick<Stores, 'store' | 'imports' | 'alarms'>;

/**
 * Reads the contents of a schema: its rows as they are at one revision, and then the states of its alarms, without leases. A variable with an
 * unfinished deletion is left out, and the boards are as its deletion will leave them. So is a row that cannot be read. A state that cannot be
 * parsed is left out; `check` names it.
 * @returns the contents, and the rows that they were made from
 * @throws ConfigError when an import into the schema is not finished
 * @throws DomainError `write_contention` when the schema is written to all the time
 */
export async function readContents(
	{ store, imports, alarms }: ContentStores,
	schema: string,
): Promise<{ readonly contents: SchemaContents; readonly stored: StoredSchema }> {
	const stored = await readStoredSchema({ store, pause: jitteredPause }, schema);
	if ((await imports.current(schema)) !== null)
		throw new ConfigError(`An import into schema ${schema} is not finished: finish it by the same command and the same file.`);
	return { contents: await contentsOf(alarms, schema, stored), stored };
}

/**
 * Adds the states of its alarms to the rows of a schema, and leaves out rows that cannot be read and variables whose deletion is not finished,
 * with the references to them, and the entries of reports that are left out or deleted.
 */
export async function contentsOf(
	alarms: ContentStores['alarms'],
	schema: string,
	{ variables, boards, panel, metadata }: StoredSchema,
): Promise<SchemaContents> {
	const isKept = ({ deleting, unread }: VariableRow): boolean => !deleting && unread === undefined;
	const keptVariables = variables.filter(isKept);
	const leftOutIds = variables.filter((row) => !isKept(row)).map(idOfRow);
	const readBoards = boards.filter(({ unread }) => unread === undefined);
	const reportIds = new Set(readBoards.flatMap(({ board }) => (board.kind === 'report' ? [board.content.id] : [])));
	const keptBoards = readBoards.flatMap((row) => {
		// A deleted report does not come back from an export, and neither do its entries.
		const isOrphan = row.board.kind === 'entry' && !reportIds.has(row.board.content.reportId);
		return isOrphan ? [] : (withoutVariables(row, leftOutIds) ?? []);
	});
	const alarmIds = new Set(keptBoards.flatMap(({ kind, board }) => (kind === 'alarm' ? [board.content.id] : [])));
	const [progress, { rows }] = await Promise.all([alarms.progress(schema), alarms.rows(schema)]);
	return {
		schema,
		revision: metadata.revision,
		lastId: metadata.lastId,
		variables: keptVariables,
		boards: keptBoards,
		panel: panel?.unread === undefined ? panel : null,
		progress: progress === null ? null : { ...progress, lease: null, leaseUntil: 0 },
		alarmRows: new Map([...rows].filter(([id]) => alarmIds.has(id))),
	};
}

/** Returns contents as the JSON of an export. */
export function exportOf(contents: SchemaContents): Readonly<Record<string, unknown>> {
	const { schema, revision, lastId, variables, boards, panel, progress, alarmRows } = contents;
	const ofKind = (kind: BoardKind) => boards.filter((row) => row.kind === kind);
	const lists = boardKinds.map((kind) => [listName(kind), ofKind(kind).map(exportedBoard)] as const);
	return {
		schema,
		revision,
		lastId,
		variables: variables.map((row) => ({ ...variableToJson(row), rowVersion: row.rowVersion })),
		...Object.fromEntries(lists),
		panel: panel === null ? null : { ...panelToJson(panel), rowVersion: panel.rowVersion },
		evaluation: {
			progress,
			alarms: ofKind('alarm').map(({ board, database = null }) => {
				const { id } = board.content;
				return { id, database, ...(alarmRows.get(id) ?? noRows) };
			}),
		},
	};
}

/** Returns the text of an export. */
export function exportText(contents: SchemaContents): string {
	return `${JSON.stringify(exportOf(contents), null, '\t')}\n`;
}

/** Returns a board as it is exported. The database of an alarm is exported with its state instead. */
function exportedBoard(row: BoardRow): Record<string, unknown> {
	const { kind, board, version, rowVersion, database } = row;
	return { ...board.content, version, rowVersion, ...(kind === 'alarm' || database === undefined ? {} : { database }) };
}

/** Returns a board as the deletion of variables will leave it; null when it will be deleted with one of them. */
function withoutVariables(board: BoardRow, deletedIds: readonly number[]): BoardRow | null {
	if (deletedIds.length === 0) return board;
	const referencedIds = new Set(referencesOf(board.board).map(({ varId }) => varId));
	let left: BoardRow | null = board;
	for (const id of deletedIds) if (left !== null && referencedIds.has(id)) left = boardRowWithout(left, id);
	return left;
}
