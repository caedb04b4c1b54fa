import * as v from 'valibot';
import { boardOf, parseStoredBoard, standInContent } from '#domain/board/board.ts';
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
import { text } from '#domain/validation/field.ts';
import { maxNameLength } from '#domain/validation/input-limits.ts';
import { plainObject } from '#domain/validation/parse.ts';
import { parseVariable, toJson, variableStandIn } from '#domain/variable/variable.ts';
import { tellInvalidRow } from './invalid-row.ts';

/** The fields of every stored row. */
const versioned = { version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), stamp: v.number(), content: v.unknown() };

const usedBySchema = v.array(v.tuple([v.string(), v.array(v.number())]));

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
		usedBy: usedBySchema,
		going: v.boolean(),
		deletedAs: v.optional(v.number()),
	}),
	v.object({ kind: v.literal('panel'), ...versioned }),
	v.object({ kind: v.picklist(boardKinds), ...versioned, database: v.optional(v.string()) }),
]);

/** Where a row is stored, and its `rowVersion`, which the store keeps beside the text of the row. */
export interface StoredAt {
	readonly schema: string;
	/** 0 for the panel. */
	readonly id: number;
	readonly stamp: number;
}

/** Parses the stored text of a row of a kind, as `rowOfJson` does. */
export function rowOfKind<Kind extends keyof RowKinds>(kind: Kind, at: StoredAt, text: string): RowKinds[Kind] {
	return rowOfJson(kind, at, jsonOf(text));
}

/**
 * Returns the row that is stored as JSON. A row that cannot be read is returned as its stand-in, and the log names it
 * (shared/domain/integrity/README.md#rows-that-cannot-be-read). This is the only place where rows are parsed.
 */
export function rowOfJson<Kind extends keyof RowKinds>(kind: Kind, at: StoredAt, json: unknown): RowKinds[Kind] {
	const row = readRow(at, json);
	if (row !== null && isOfKind(kind, row)) return row;
	tellInvalidRow(at.schema, kind === 'panel' ? kind : `${kind}#${at.id}`);
	const standIn = standInOf(kind, at, json);
	if (isOfKind(kind, standIn)) return standIn;
	throw new RangeError(`The stand-in of a ${kind} is of another kind.`);
}

/** Serializes a row as JSON, the form in which it is stored. */
export function serializeRow(row: Row): string {
	const { kind, version, rowVersion: stamp, unread } = row;
	switch (kind) {
		case 'variable': {
			const { variable, referencedBy, deleting: going, deletedAs } = row;
			const content = unread?.content ?? toJson(variable);
			return JSON.stringify({ ...unread, kind, version, stamp, content, usedBy: [...referencedBy], going, deletedAs });
		}
		case 'panel':
			return JSON.stringify({ ...unread, kind, version, stamp, content: unread?.content ?? row.panel });
		default:
			return JSON.stringify({
				database: row.database,
				...unread,
				kind,
				version,
				stamp,
				content: unread?.content ?? row.board.content,
			});
	}
}

/** The stored text of a row. */
export interface StoredText extends StoredAt {
	readonly body: string;
}

/**
 * Builds a page of at most `limit` rows and `maxPageBytes`, but at least one row. Takes one text more than it returns rows, if there
 * is one, to know whether a page follows.
 * @param texts of stored rows, in the order of the listing
 */
export function pageOf<Kind extends ListedKind>(kind: Kind, limit: number, texts: Iterable<StoredText>): RowPage<Kind> {
	const rows: RowKinds[Kind][] = [];
	let bytes = 0;
	let next = 0;
	for (const { body, ...at } of texts) {
		bytes += Buffer.byteLength(body);
		if (rows.length > 0 && (rows.length === limit || bytes > maxPageBytes)) return { rows, next };
		rows.push(rowOfKind(kind, at, body));
		next = at.id;
	}
	return { rows, next: null };
}

/** Whether a commit changes any row, and with it the schema's revision. */
export function changesRows(rows: readonly RowCommit[]): boolean {
	return rows.some(({ put }) => put !== undefined);
}

/** Returns the JSON of a text; the text itself where it is none. */
function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Parses a row; null where it cannot be read, or is the row of another id. Whatever parsing throws, only this row cannot be read. */
function readRow({ id, stamp }: StoredAt, json: unknown): Row | null {
	try {
		const row = { ...parseRow(json), rowVersion: stamp };
		return row.kind === 'panel' || idOfRow(row) === id ? row : null;
	} catch {
		return null;
	}
}

function parseRow(json: unknown): Row {
	const stored = v.parse(storedSchema, json);
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
			const board = boardOf(kind, parseStoredBoard(kind, content));
			return { kind, version, rowVersion, board, ...(database === undefined ? {} : { database }) };
		}
	}
}

const objectSchema = v.custom<Readonly<Record<string, unknown>>>((value) => v.is(plainObject, value));

const nameSchema = text(maxNameLength);

/** What can be read of the fields of a row that cannot be read as a whole. */
const fieldsSchema = v.object({
	version: v.fallback(v.optional(versioned.version), undefined),
	usedBy: v.fallback(usedBySchema, []),
	going: v.fallback(v.boolean(), false),
	deletedAs: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))), undefined),
});

/** Returns the row that stands in for one that cannot be read. */
function standInOf(kind: keyof RowKinds, { id, stamp }: StoredAt, json: unknown): Row {
	const stored = v.is(objectSchema, json) ? json : { content: json };
	const content = v.is(objectSchema, stored['content']) ? stored['content'] : { text: textOf(stored['content']) };
	const { version = stamp, usedBy, going, deletedAs } = v.parse(fieldsSchema, stored);
	// Saves are among the changes, so a version beyond their number is damaged.
	const row = { version: Math.min(version, stamp), rowVersion: stamp, unread: { ...stored, content } };
	const names = [content['name'], content['title'], content['reason']];
	const name = names.find((each): each is string => v.is(nameSchema, each)) ?? (kind === 'panel' ? kind : `${kind} ${id}`);
	switch (kind) {
		case 'variable': {
			const variable = { ...row, kind, variable: variableStandIn(id, name), referencedBy: new Map(usedBy), deleting: going };
			return deletedAs === undefined ? variable : { ...variable, deletedAs };
		}
		case 'panel':
			return { ...row, kind, panel: { title: name, pumps: [], states: [] } };
		default:
			return { ...row, kind, board: boardOf(kind, standInContent(kind, id, name)) };
	}
}

const textOf = (json: unknown): string => (typeof json === 'string' ? json : JSON.stringify(json ?? null));
