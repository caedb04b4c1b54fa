import { boardKinds } from '../board/board.ts';
import { type BoardKey, isOfKind, type Row, type RowKey, type RowOf, type SchemaStore } from '../ports/schema-store.ts';

/** A row's key as text: `variable#7`, `chart#3`, `panel`. What `usedBy` names boards by. */
export function keyText(key: RowKey): string {
	return key.kind === 'panel' ? key.kind : `${key.kind}#${key.id}`;
}

/** The key of a board from its text. Throws RangeError on any other text: only what `keyText` wrote is ever read. */
export function boardKeyOf(text: string): BoardKey {
	const [name, id] = text.split('#');
	const kind = boardKinds.find((each) => each === name);
	if (kind === undefined || !Number.isSafeInteger(Number(id))) throw new RangeError(`${text} is no board's key.`);
	return { kind, id: Number(id) };
}

export function variableKey(id: number) {
	return { kind: 'variable', id } as const;
}

export const panelKey = { kind: 'panel' } as const;

/** The rows that a decision relies on, as they were read. */
export class ReadSet {
	readonly #rows = new Map<string, { readonly key: RowKey; readonly row: Row | null }>();

	/** Notes a row as read; null where there is none. What was noted before stays: a decision relies on what it first saw. */
	add(key: RowKey, row: Row | null): void {
		const text = keyText(key);
		if (!this.#rows.has(text)) this.#rows.set(text, { key, row });
	}

	/** Reads the keys that were not read yet. */
	async read(store: SchemaStore, schema: string, keys: readonly RowKey[]): Promise<void> {
		const missing = new Map(keys.map((key) => [keyText(key), key]));
		for (const text of this.#rows.keys()) missing.delete(text);
		if (missing.size === 0) return;
		const unread = [...missing.values()];
		const rows = await store.get(schema, unread);
		for (const [index, key] of unread.entries()) this.add(key, rows[index] ?? null);
	}

	/** The row of `key`, null where there is none. Asking for one that was not read is a bug and throws RangeError. */
	get<Key extends RowKey>(key: Key): RowOf<Key> | null {
		const found = this.#rows.get(keyText(key));
		if (found === undefined) throw new RangeError(`The row ${keyText(key)} was not read.`);
		const kind: Key['kind'] = key.kind;
		return found.row !== null && isOfKind(kind, found.row) ? found.row : null;
	}

	/** Everything that was read. */
	all(): readonly { readonly key: RowKey; readonly row: Row | null }[] {
		return [...this.#rows.values()];
	}
}
