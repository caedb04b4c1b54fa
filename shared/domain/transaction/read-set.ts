import { boardKinds } from '../board/board-kinds.ts';
import { type BoardKey, isOfKind, type Row, type RowKey, type RowOf, type SchemaReader } from '../ports/schema-store.ts';

/** The key of the panel row. */
export const panelKey = { kind: 'panel' } as const;

/** The key of a variable's row. */
export function variableKey(id: number) {
	return { kind: 'variable', id } as const;
}

/** The key of a row as text: `variable#7`, `chart#3`, `panel`. `referencedBy` names boards by this text. */
export function keyText(key: RowKey): string {
	return key.kind === 'panel' ? key.kind : `${key.kind}#${key.id}`;
}

/**
 * Parses the key of a board. Returns null for a text that `keyText` did not write: a damaged `referencedBy` may hold such text, and that of a
 * row of a newer release boards of another kind.
 */
export function parseBoardKey(text: string): BoardKey | null {
	const id = Number(text.split('#')[1]);
	if (!Number.isSafeInteger(id) || id < 1) return null;
	return boardKinds.map((kind) => ({ kind, id })).find((key) => keyText(key) === text) ?? null;
}

/** Whether a text is the key of a board of a kind that only a newer release knows. */
export function isNewerBoardKey(text: string): boolean {
	const [kind] = /^[a-z]+(?=#[1-9]\d{0,14}$)/.exec(text) ?? [];
	return kind !== undefined && ![...boardKinds, 'variable', 'panel'].includes(kind);
}

/** The rows that a decision relies on, as the transaction first read them (shared/domain/transaction/README.md#commits). */
export class ReadSet {
	readonly #rows = new Map<string, { readonly key: RowKey; readonly row: Row | null }>();

	/** Reads the rows that were not read before. The first read of a row stays: the decision may already rely on it. */
	async read(store: SchemaReader, schema: string, keys: readonly RowKey[]): Promise<void> {
		// A key that is given twice is read once.
		const unread = [...new Map(keys.map((key) => [keyText(key), key]))].flatMap(([text, key]) =>
			this.#rows.has(text) ? [] : key,
		);
		if (unread.length === 0) return;
		const rows = await store.get(schema, unread);
		for (const [index, key] of unread.entries()) {
			const text = keyText(key);
			// Another read that ran at the same time may have come first.
			if (!this.#rows.has(text)) this.#rows.set(text, { key, row: rows[index] ?? null });
		}
	}

	/**
	 * Returns the row of `key`, null when it does not exist.
	 * @throws RangeError when the row was not read, which is a bug of the caller
	 */
	get<Key extends RowKey>(key: Key): RowOf<Key> | null {
		const found = this.#rows.get(keyText(key));
		if (found === undefined) throw new RangeError(`The row ${keyText(key)} was not read.`);
		const kind: Key['kind'] = key.kind;
		return found.row !== null && isOfKind(kind, found.row) ? found.row : null;
	}

	/** Every row that was read. */
	all(): readonly { readonly key: RowKey; readonly row: Row | null }[] {
		return [...this.#rows.values()];
	}
}
