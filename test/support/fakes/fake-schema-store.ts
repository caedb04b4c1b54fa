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

interface FakeSchema {
	/** The rows that reads outside transactions return. */
	readonly visible: Map<string, Row>;
	visibleRevision: number;
	/** The rows after every committed transaction. */
	readonly committed: Map<string, Row>;
	revision: number;
	variables: number;
	visibleVariables: number;
	lastId: number;
	/** The items of committed transactions that are not visible yet. */
	readonly inFlight: Set<string>;
}

interface FakeClaim {
	token: string;
	fingerprint: string;
	until: number;
	response: string | null;
}

/** The item that holds the revision and the counters. */
const metadataItem = 'metadata';

/**
 * Creates a store in memory that behaves like DynamoDB: the items of a commit become visible to reads one by one, the metadata at any
 * place among them; only a snapshot is consistent. A transaction conflicts with another one that changes the same items. A key with an
 * id below 1 is a RangeError: under it, DynamoDB holds the schema's metadata.
 * @param step called between any two steps that others can observe
 * @param random decides the order in which items become visible
 */
export function createFakeStore(
	step: () => Promise<void>,
	random: () => number,
): { store: SchemaStore; idempotency: Idempotency; committed: (schema: string) => ReadonlyMap<string, Row> } {
	const schemas = new Map<string, FakeSchema>();
	const claims = new Map<string, FakeClaim>();

	const schemaOf = (name: string): FakeSchema => {
		const known = schemas.get(name);
		if (known !== undefined) return known;
		const created: FakeSchema = {
			visible: new Map(),
			visibleRevision: 0,
			committed: new Map(),
			revision: 0,
			variables: 0,
			visibleVariables: 0,
			lastId: 0,
			inFlight: new Set(),
		};
		schemas.set(name, created);
		return created;
	};

	const storeRecord = ({ claim, response, keepUntil }: IdempotencyRecord): boolean => {
		const found = claims.get(claim.key);
		if (found === undefined || found.token !== claim.token || found.response !== null) return false;
		claims.set(claim.key, { ...found, response, until: keepUntil });
		return true;
	};

	const makeVisible = (schema: FakeSchema, text: string): void => {
		if (text === metadataItem) {
			schema.visibleRevision = schema.revision;
			schema.visibleVariables = schema.variables;
		} else {
			const row = schema.committed.get(text);
			if (row === undefined) schema.visible.delete(text);
			else schema.visible.set(text, row);
		}
		schema.inFlight.delete(text);
	};

	const store: SchemaStore = {
		revision: async (name) => {
			await step();
			return schemaOf(name).visibleRevision;
		},
		get: async <Key extends RowKey>(name: string, keys: readonly Key[]) => {
			const rows: (RowOf<Key> | null)[] = [];
			for (const key of keys) {
				await step();
				if (key.kind !== 'panel') checkId(key.id);
				const kind: Key['kind'] = key.kind;
				const row = schemaOf(name).visible.get(keyText(key));
				rows.push(row !== undefined && isOfKind(kind, row) ? row : null);
			}
			return rows;
		},
		list: async <Kind extends ListedKind>(name: string, kind: Kind) => {
			await step();
			const rows: RowKinds[Kind][] = [];
			for (const row of schemaOf(name).visible.values()) if (isOfKind(kind, row)) rows.push(row);
			return rows;
		},
		snapshot: async (name, ids) => {
			const schema = schemaOf(name);
			if (ids !== 'all') ids.forEach(checkId);
			await step();
			while (schema.inFlight.size > 0) await step();
			const rows = [...schema.committed.values()].flatMap((row) => (row.kind === 'variable' ? [row] : []));
			const requested = ids === 'all' ? rows : rows.filter(({ variable }) => ids.includes(variable.id));
			return { revision: schema.revision, variables: new Map(requested.map((row) => [row.variable.id, row])) };
		},
		nextId: async (name) => {
			await step();
			const schema = schemaOf(name);
			schema.lastId += 1;
			return schema.lastId;
		},
		commit: async (name, rows: readonly RowCommit[], record) => {
			const schema = schemaOf(name);
			await step();
			const texts = rows.map(({ key }) => keyText(key));
			const changed = rows.filter(({ put }) => put !== undefined);
			const touched = changed.length > 0 ? [metadataItem, ...texts] : texts;
			if (touched.some((text) => schema.inFlight.has(text))) return 'conflict';
			if (rows.some(({ key, expected }) => (schema.committed.get(keyText(key))?.rowVersion ?? null) !== expected))
				return 'conflict';
			if (schema.committed.size >= maxVariables) return 'full';
			if (record !== undefined && !storeRecord(record)) return 'claim_lost';
			for (const { key, put } of changed) {
				if (put === null || put === undefined) schema.committed.delete(keyText(key));
				else schema.committed.set(keyText(key), put);
			}
			if (changed.length > 0) schema.revision += 1;
			schema.variables += growthOf(rows);
			const pending = changed.length > 0 ? [metadataItem, ...changed.map(({ key }) => keyText(key))] : [];
			for (const text of pending) schema.inFlight.add(text);
			while (pending.length > 0) {
				await step();
				const [text] = pending.splice(Math.floor(random() * pending.length), 1);
				if (text !== undefined) makeVisible(schema, text);
			}
			return 'committed';
		},
		schemaMetadata: async (name) => {
			await step();
			const { visibleRevision, visibleVariables, lastId } = schemaOf(name);
			return { revision: visibleRevision, variables: visibleVariables, lastId };
		},
		correctMetadata: async (name, { expectedRevision, variables, lastId }) => {
			await step();
			const schema = schemaOf(name);
			if (schema.inFlight.has(metadataItem) || schema.revision !== expectedRevision) return 'conflict';
			schema.variables = variables;
			schema.visibleVariables = variables;
			schema.lastId = Math.max(schema.lastId, lastId);
			return 'committed';
		},
	};

	const idempotency: Idempotency = {
		claim: async ({ key, token }, fingerprint, now) => {
			await step();
			const found = claims.get(key);
			if (found === undefined || found.until <= now) {
				claims.set(key, { token, fingerprint, until: now + claimMs, response: null });
				return { state: 'claimed' };
			}
			if (found.fingerprint !== fingerprint) return { state: 'other_request' };
			return found.response === null ? { state: 'running' } : { state: 'done', response: found.response };
		},
		release: async ({ key, token }) => {
			await step();
			const found = claims.get(key);
			if (found?.token === token && found.response === null) claims.delete(key);
		},
	};
	return { store, idempotency, committed: (name) => schemaOf(name).committed };
}

function checkId(id: number): void {
	if (id < 1) throw new RangeError(`A row with the id ${id} was read.`);
}
