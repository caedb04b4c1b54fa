import { boardName } from '../board/board.ts';
import type { Change, ChangeEntry, ChangeKey, ChangeOrigin, ItemKey, ReplacedItem } from '../changes/change-entry.ts';
import type { Row, RowKey } from '../ports/schema-store.ts';
import { toJson } from '../variable/variable.ts';

/** A row before and after a commit; null where there is none. */
export interface RowChange {
	readonly key: RowKey;
	readonly before: Row | null;
	readonly after: Row | null;
}

/** The facts that an entry records beside the row. */
export interface ChangeContext {
	readonly origin: ChangeOrigin;
	/** Epoch milliseconds. */
	readonly at: number;
	/** The entry of the deletion that causes the other changes of the commit. */
	readonly cause?: ChangeKey | undefined;
	/** The commit brings back what was deleted. */
	readonly restores?: boolean | undefined;
}

/** Returns the key under which the journal holds the changes of a row. */
export function itemKeyOf(key: RowKey): ItemKey {
	return key.kind === 'panel' ? { kind: 'panel', itemId: 0 } : { kind: key.kind, itemId: key.id };
}

/** Returns the key of the row whose changes the journal holds under a key; null for people, machines, grants and sessions, which are no rows of the store. */
export function rowKeyOf({ kind, itemId }: ItemKey): RowKey | null {
	if (kind === 'panel') return { kind };
	return kind === 'person' || kind === 'machine' || kind === 'grant' || kind === 'session' || typeof itemId === 'string'
		? null
		: { kind, id: itemId };
}

/** Returns the content of a row as clients see it, as JSON, without the references to it. */
export function contentOfRow(row: Row): ReplacedItem {
	if (row.unread !== undefined) return { version: row.version, content: row.unread.content };
	switch (row.kind) {
		case 'variable':
			return { version: row.version, content: toJson(row.variable) };
		case 'panel':
			return { version: row.version, content: row.panel };
		default:
			return {
				version: row.version,
				content: row.board.content,
				...(row.database === undefined ? {} : { database: row.database }),
			};
	}
}

/**
 * Whether two rows of an item are the same to clients, but for their versions. A save that would change nothing stores nothing. One that
 * replaces a row that cannot be read always changes it.
 */
export function isSameContent(a: Row, b: Row): boolean {
	return (a.unread === undefined) === (b.unread === undefined) && jsonWithoutVersion(a) === jsonWithoutVersion(b);
}

/**
 * Returns the entry that tells of a change of a row; none where clients see no difference: another `referencedBy`, and the steps of a
 * deletion after the one that hid the variable.
 */
export function changeOfRow(
	{ key, before, after }: RowChange,
	{ origin, at, cause, restores }: ChangeContext,
): readonly Change[] {
	const [old, next] = [visible(before), visible(after)];
	const newest = next ?? old;
	if (newest === null || (old !== null && next !== null && !differ(old, next))) return [];
	const replaced = old === null ? null : contentOfRow(old);
	const entryKey = { ...itemKeyOf(key), rowVersion: after?.rowVersion ?? newest.rowVersion + 1 };
	const entry: ChangeEntry = {
		...entryKey,
		...origin,
		at,
		action: actionOf(old, next, { restores }),
		name: nameOfRow(newest),
		version: next?.version ?? newest.version + 1,
		replaced: replaced?.version ?? null,
		fields: next === null || replaced === null ? [] : changedFields(replaced.content, contentOfRow(next).content),
		...(cause === undefined || isSame(cause, entryKey) ? {} : { cause }),
	};
	const keepsFields = next !== null && replaced !== null;
	return [{ entry, before: keepsFields ? withoutKept(replaced, contentOfRow(next), entryKey) : replaced }];
}

/** A field of as many characters of JSON is left out of what a change replaced, where the change keeps it. */
const largeFieldLength = 4096;

/** Every so many row versions an entry holds all fields, so that a reader finds a field that was left out within as many entries. */
const wholeEvery = 100;

/** Returns what a change replaced without the large fields that it kept: 100 saves of a title do not store a background 100 times. */
function withoutKept(replaced: ReplacedItem, next: ReplacedItem, { rowVersion }: ChangeKey): ReplacedItem {
	if (rowVersion % wholeEvery === 0) return replaced;
	const fieldsAfter = fieldsOf(next.content);
	const kept = [...fieldsOf(replaced.content)].flatMap(([field, json]) =>
		json.length >= largeFieldLength && fieldsAfter.get(field) === json ? [field] : [],
	);
	if (kept.length === 0) return replaced;
	const rest = Object.entries(Object(replaced.content)).filter(([field]) => !kept.includes(field));
	return { ...replaced, content: Object.fromEntries(rest), kept };
}

function actionOf(old: Row | null, next: Row | null, { restores }: Pick<ChangeContext, 'restores'>): ChangeEntry['action'] {
	if (next === null) return 'deleted';
	if (old !== null) return 'changed';
	return restores ? 'restored' : 'created';
}

/** Returns the names of the fields in which two JSON objects differ. */
export function changedFields(before: unknown, after: unknown): string[] {
	const [old, next] = [fieldsOf(before), fieldsOf(after)];
	return [...new Set([...old.keys(), ...next.keys()])].filter((field) => old.get(field) !== next.get(field));
}

/** Returns the fields of a JSON object, each with its value as text. */
const fieldsOf = (json: unknown): ReadonlyMap<string, string> =>
	new Map(Object.entries(Object(json)).map(([field, value]) => [field, JSON.stringify(value)]));

const jsonWithoutVersion = (row: Row): string => JSON.stringify({ ...contentOfRow(row), version: 0 });

/** Returns the row as clients see it: null for a variable that is being deleted. */
const visible = (row: Row | null): Row | null => (row?.kind === 'variable' && row.deleting ? null : row);

const differ = (old: Row, next: Row): boolean => old.version !== next.version || !isSameContent(old, next);

const isSame = (a: ChangeKey, b: ChangeKey): boolean =>
	a.kind === b.kind && a.itemId === b.itemId && a.rowVersion === b.rowVersion;

function nameOfRow(row: Row): string {
	switch (row.kind) {
		case 'variable':
			return row.variable.name;
		case 'panel':
			return row.panel.title;
		default:
			return boardName(row.board);
	}
}
