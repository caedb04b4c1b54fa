import * as v from 'valibot';
import { type Board, type BoardKind, boardKinds, parseBoard } from '#domain/board/board.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import { isOfKind, type Row, type RowCommit, type RowKinds } from '#domain/ports/schema-store.ts';
import { parseVariable, toJson } from '#domain/variable/variable.ts';

const versioned = { version: v.number(), stamp: v.number(), content: v.unknown() };

const storedSchema = v.variant('kind', [
	v.object({
		kind: v.literal('variable'),
		...versioned,
		usedBy: v.array(v.tuple([v.string(), v.array(v.number())])),
		going: v.boolean(),
	}),
	v.object({ kind: v.literal('panel'), ...versioned }),
	v.object({ kind: v.picklist(boardKinds), ...versioned }),
]);

/** A row that is not as it should be. Nobody who asks is to blame: it is a fault, whatever is wrong with it. */
class StoredRowError extends Error {
	override readonly name = 'StoredRowError';
}

/** A stored row of a kind. Throws where another kind of row is stored. */
export function rowOfKind<Kind extends keyof RowKinds>(kind: Kind, text: string): RowKinds[Kind] {
	const row = rowFromText(text);
	if (!isOfKind(kind, row)) throw new TypeError(`A row of kind ${row.kind} is stored where a ${kind} should be.`);
	return row;
}

/** A row as the text that is stored: JSON, in which any name is safe. */
export function serializeRow(row: Row): string {
	const { kind, version, rowVersion: stamp } = row;
	switch (kind) {
		case 'variable': {
			const { variable, referencedBy: usedBy, deleting: going } = row;
			return JSON.stringify({ kind, version, stamp, content: toJson(variable), usedBy: [...usedBy], going });
		}
		case 'panel':
			return JSON.stringify({ kind, version, stamp, content: row.panel });
		default:
			return JSON.stringify({ kind, version, stamp, content: row.board.content });
	}
}

/** How many variables a commit adds, less those that it deletes. */
export function growthOf(rows: readonly RowCommit[]): number {
	let growth = 0;
	for (const { key, expected, put } of rows) {
		if (key.kind !== 'variable' || put === undefined) continue;
		if (expected === null && put !== null) growth += 1;
		if (expected !== null && put === null) growth -= 1;
	}
	return growth;
}

/** Whether a commit changes any row, and so the schema's revision. */
export function changesRows(rows: readonly RowCommit[]): boolean {
	return rows.some(({ put }) => put !== undefined);
}

/** A stored row, from what `rowText` made of it. Parsed like any input. */
function rowFromText(text: string): Row {
	try {
		return parsedRow(text);
	} catch (cause) {
		throw new StoredRowError('A stored row is not as it should be.', { cause });
	}
}

function parsedRow(text: string): Row {
	const stored = v.parse(storedSchema, JSON.parse(text));
	const { version, stamp, content } = stored;
	switch (stored.kind) {
		case 'variable': {
			const { kind, usedBy, going } = stored;
			return {
				kind,
				version,
				rowVersion: stamp,
				variable: parseVariable(content),
				referencedBy: new Map(usedBy),
				deleting: going,
			};
		}
		case 'panel':
			return { kind: stored.kind, version, rowVersion: stamp, panel: parsePanel(content) };
		default:
			return { kind: stored.kind, version, rowVersion: stamp, board: boardOf(stored.kind, content) };
	}
}

const boardOf = <Kind extends BoardKind>(kind: Kind, content: unknown): Board<Kind> => ({
	kind,
	content: parseBoard(kind, content),
});
