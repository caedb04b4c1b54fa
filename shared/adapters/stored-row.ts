import * as v from 'valibot';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import { parsePanel } from '#domain/panel/panel.ts';
import {
	idOfRow,
	isOfKind,
	type ListedKind,
	maxPageBytes,
	type Row,
	type RowCommit,
	type RowKinds,
	type RowPage,
} from '#domain/ports/schema-store.ts';
import { parseVariable, toJson } from '#domain/variable/variable.ts';

/** The fields of every stored row. */
const versioned = { version: v.number(), stamp: v.number(), content: v.unknown() };

/**
 * A stored row. `stamp` is its rowVersion, `usedBy` its referencedBy, `going` its deleting
 * (shared/adapters/dynamo/README.md#rows-and-their-versions and shared/domain/transaction/README.md#references). The names differ because
 * they are the format of rows already stored: changing them would make those rows invalid. `deletedAs` and `database` are absent from rows
 * of earlier releases, and from rows that need none (shared/domain/ports/schema-store.ts).
 */
const storedSchema = v.variant('kind', [
	v.object({
		kind: v.literal('variable'),
		...versioned,
		usedBy: v.array(v.tuple([v.string(), v.array(v.number())])),
		going: v.boolean(),
		deletedAs: v.optional(v.number()),
	}),
	v.object({ kind: v.literal('panel'), ...versioned }),
	v.object({ kind: v.picklist(boardKinds), ...versioned, database: v.optional(v.string()) }),
]);

/** Parses a stored row of a kind. Throws an Error that is no DomainError: an invalid row is never the client's fault. */
export function rowOfKind<Kind extends keyof RowKinds>(kind: Kind, text: string): RowKinds[Kind] {
	try {
		const row = parseRow(text);
		if (isOfKind(kind, row)) return row;
		throw new TypeError(`A row of kind ${row.kind} is stored where a ${kind} should be.`);
	} catch (cause) {
		throw new Error('A stored row is invalid.', { cause });
	}
}

/** Serializes a row as JSON, the form in which it is stored. */
export function serializeRow(row: Row): string {
	const { kind, version, rowVersion: stamp } = row;
	switch (kind) {
		case 'variable': {
			const { variable, referencedBy, deleting: going, deletedAs } = row;
			const usedBy = [...referencedBy];
			return JSON.stringify({ kind, version, stamp, content: toJson(variable), usedBy, going, deletedAs });
		}
		case 'panel':
			return JSON.stringify({ kind, version, stamp, content: row.panel });
		default:
			return JSON.stringify({ kind, version, stamp, content: row.board.content, database: row.database });
	}
}

/**
 * Builds a page of at most `limit` rows and `maxPageBytes`, but at least one row. Takes one body more than it returns rows, if there
 * is one, to know whether a page follows.
 * @param bodies of stored rows, in the order of the listing
 */
export function pageOf<Kind extends ListedKind>(kind: Kind, limit: number, bodies: Iterable<string>): RowPage<Kind> {
	const rows: RowKinds[Kind][] = [];
	let bytes = 0;
	let next = 0;
	for (const body of bodies) {
		bytes += Buffer.byteLength(body);
		if (rows.length > 0 && (rows.length === limit || bytes > maxPageBytes)) return { rows, next };
		const row = rowOfKind(kind, body);
		rows.push(row);
		next = idOfRow(row);
	}
	return { rows, next: null };
}

/** Whether a commit changes any row, and with it the schema's revision. */
export function changesRows(rows: readonly RowCommit[]): boolean {
	return rows.some(({ put }) => put !== undefined);
}

function parseRow(text: string): Row {
	const stored = v.parse(storedSchema, JSON.parse(text));
	const { version, stamp: rowVersion, content } = stored;
	switch (stored.kind) {
		case 'variable': {
			const { kind, usedBy, going: deleting, deletedAs } = stored;
			const row = { kind, version, rowVersion, variable: parseVariable(content), referencedBy: new Map(usedBy), deleting };
			return deletedAs === undefined ? row : { ...row, deletedAs };
		}
		case 'panel':
			return { kind: stored.kind, version, rowVersion, panel: parsePanel(content) };
		default: {
			const { kind, database } = stored;
			const board = boardOf(kind, parseBoard(kind, content));
			return { kind, version, rowVersion, board, ...(database === undefined ? {} : { database }) };
		}
	}
}
