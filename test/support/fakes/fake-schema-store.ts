import { growthOf } from '#adapters/stored-row.ts';
import { claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import {
	type IdempotencyRecord,
	isOfKind,
	type ListedKind,
	maxVariables,
	type Row,
	type RowCommit,
	type RowKey,
	type RowKinds,
	type RowOf,
	type SchemaStore,
} from '#domain/ports/schema-store.ts';
import { keyText } from '#domain/transaction/read-set.ts';

interface Schema {
	/** What plain reads see. */
	readonly visible: Map<string, Row>;
	visibleRevision: number;
	/** What transactions have decided. */
	readonly decided: Map<string, Row>;
	revision: number;
	variables: number;
	visibleVariables: number;
	lastId: number;
	/** Items of transactions that are decided and not yet visible as a whole. */
	readonly inFlight: Set<string>;
}

interface Kept {
	token: string;
	fingerprint: string;
	until: number;
	response: string | null;
}

const head = 'head';

/**
 * A store in memory whose commits become visible to plain reads item by item, the revision first or last or in between, as
 * DynamoDB's do; only snapshots are of one moment. A transaction that meets another one's items conflicts.
 * @param step called between any two steps that others can see
 * @param random decides the order in which items become visible
 */
export const createFakeStore = (
	step: () => Promise<void>,
	random: () => number,
): { store: SchemaStore; idempotency: Idempotency; decided: (schema: string) => ReadonlyMap<string, Row> } => {
	const schemas = new Map<string, Schema>();
	const kept = new Map<string, Kept>();

	const of = (name: string): Schema => {
		const known = schemas.get(name);
		if (known !== undefined) return known;
		const made: Schema = {
			visible: new Map(),
			visibleRevision: 0,
			decided: new Map(),
			revision: 0,
			variables: 0,
			visibleVariables: 0,
			lastId: 0,
			inFlight: new Set(),
		};
		schemas.set(name, made);
		return made;
	};

	const keepReceipt = ({ claim, response, keepUntil }: IdempotencyRecord): boolean => {
		const found = kept.get(claim.key);
		if (found === undefined || found.token !== claim.token || found.response !== null) return false;
		kept.set(claim.key, { ...found, response, until: keepUntil });
		return true;
	};

	const show = (schema: Schema, text: string): void => {
		if (text === head) {
			schema.visibleRevision = schema.revision;
			schema.visibleVariables = schema.variables;
		} else {
			const row = schema.decided.get(text);
			if (row === undefined) schema.visible.delete(text);
			else schema.visible.set(text, row);
		}
		schema.inFlight.delete(text);
	};

	const store: SchemaStore = {
		revision: async (name) => {
			await step();
			return of(name).visibleRevision;
		},
		get: async <Key extends RowKey>(name: string, keys: readonly Key[]) => {
			const rows: (RowOf<Key> | null)[] = [];
			for (const key of keys) {
				await step();
				const kind: Key['kind'] = key.kind;
				const row = of(name).visible.get(keyText(key));
				rows.push(row !== undefined && isOfKind(kind, row) ? row : null);
			}
			return rows;
		},
		list: async <Kind extends ListedKind>(name: string, kind: Kind) => {
			await step();
			const rows: RowKinds[Kind][] = [];
			for (const row of of(name).visible.values()) if (isOfKind(kind, row)) rows.push(row);
			return rows;
		},
		snapshot: async (name, ids) => {
			const schema = of(name);
			await step();
			while (schema.inFlight.size > 0) await step();
			const rows = [...schema.decided.values()].flatMap((row) => (row.kind === 'variable' ? [row] : []));
			const asked = ids === 'all' ? rows : rows.filter(({ variable }) => ids.includes(variable.id));
			return { revision: schema.revision, variables: new Map(asked.map((row) => [row.variable.id, row])) };
		},
		nextId: async (name) => {
			await step();
			const schema = of(name);
			schema.lastId += 1;
			return schema.lastId;
		},
		commit: async (name, rows: readonly RowCommit[], receipt) => {
			const schema = of(name);
			await step();
			const texts = rows.map(({ key }) => keyText(key));
			const changed = rows.filter(({ put }) => put !== undefined);
			const touched = changed.length > 0 ? [head, ...texts] : texts;
			if (touched.some((text) => schema.inFlight.has(text))) return 'conflict';
			if (rows.some(({ key, expected }) => (schema.decided.get(keyText(key))?.rowVersion ?? null) !== expected))
				return 'conflict';
			if (schema.decided.size >= maxVariables) return 'full';
			if (receipt !== undefined && !keepReceipt(receipt)) return 'claim_lost';
			for (const { key, put } of changed) {
				if (put === null || put === undefined) schema.decided.delete(keyText(key));
				else schema.decided.set(keyText(key), put);
			}
			if (changed.length > 0) schema.revision += 1;
			schema.variables += growthOf(rows);
			const toShow = changed.length > 0 ? [head, ...changed.map(({ key }) => keyText(key))] : [];
			for (const text of toShow) schema.inFlight.add(text);
			while (toShow.length > 0) {
				await step();
				const [text] = toShow.splice(Math.floor(random() * toShow.length), 1);
				if (text !== undefined) show(schema, text);
			}
			return 'committed';
		},
		schemaMetadata: async (name) => {
			await step();
			const { visibleRevision, visibleVariables, lastId } = of(name);
			return { revision: visibleRevision, variables: visibleVariables, lastId };
		},
		correctMetadata: async (name, { expectedRevision, variables, lastId }) => {
			await step();
			const schema = of(name);
			if (schema.inFlight.has(head) || schema.revision !== expectedRevision) return 'conflict';
			schema.variables = variables;
			schema.visibleVariables = variables;
			schema.lastId = Math.max(schema.lastId, lastId);
			return 'committed';
		},
	};

	const idempotency: Idempotency = {
		claim: async ({ key, token }, fingerprint, now) => {
			await step();
			const found = kept.get(key);
			if (found === undefined || found.until <= now) {
				kept.set(key, { token, fingerprint, until: now + claimMs, response: null });
				return { state: 'claimed' };
			}
			if (found.fingerprint !== fingerprint) return { state: 'other_request' };
			return found.response === null ? { state: 'running' } : { state: 'done', response: found.response };
		},
		release: async ({ key, token }) => {
			await step();
			const found = kept.get(key);
			if (found?.token === token && found.response === null) kept.delete(key);
		},
	};
	return { store, idempotency, decided: (name) => of(name).decided };
};
