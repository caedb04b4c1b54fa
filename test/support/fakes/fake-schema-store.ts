import { pageOf, serializeRow } from '#adapters/stored-row.ts';
import { type AlarmEvent, alarmEventKey } from '#domain/alarm-rows/alarm-event.ts';
import { boardKinds } from '#domain/board/board-kinds.ts';
import type { Change } from '#domain/changes/change-entry.ts';
import { changeKeyText } from '#domain/changes/change-key.ts';
import { claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import {
	type IdempotencyRecord,
	idOfRow,
	isOfKind,
	type ListedKind,
	maxRows,
	minListedRevisions,
	type Pack,
	type Row,
	type RowCommit,
	type RowKey,
	type RowKinds,
	type RowOf,
	type SchemaMetadata,
	type SchemaStore,
} from '#domain/ports/schema-store.ts';
import { changedDefinitions, growthOf } from '#domain/transaction/growth.ts';
import { keyText } from '#domain/transaction/read-set.ts';

type FakeMetadata = Omit<SchemaMetadata, 'lastId'>;

interface FakeSchema {
	/** The rows that reads outside transactions return. */
	readonly visible: Map<string, Row>;
	visibleMetadata: FakeMetadata;
	/** The rows after every committed transaction. */
	readonly committed: Map<string, Row>;
	metadata: FakeMetadata;
	/** What a pack may hold: the definitions at each of the last revisions. */
	readonly packs: Pack[];
	lastId: number;
	/** The journal of alarms, by the keys of its events. */
	readonly events: Map<string, AlarmEvent>;
	/** The journal of changes, by the keys of its entries. */
	readonly changeEntries: Map<string, Change>;
	/** The items of committed transactions that are not visible yet. */
	readonly inFlight: Set<string>;
}

interface FakeClaim {
	token: string;
	fingerprint: string;
	until: number;
	response: string | null;
}

const emptyMetadata: FakeMetadata = {
	revision: 0,
	variables: 0,
	boards: { chart: 0, diagram: 0, alarm: 0, correction: 0, report: 0, entry: 0 },
	listed: 0,
	changes: [],
	marks: [],
};

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
): {
	store: SchemaStore;
	idempotency: Idempotency;
	committed: (schema: string) => ReadonlyMap<string, Row>;
	events: (schema: string) => readonly AlarmEvent[];
	/** The journal of changes, in the order of its commits. */
	changes: (schema: string) => readonly Change[];
} {
	const schemas = new Map<string, FakeSchema>();
	const claims = new Map<string, FakeClaim>();

	const schemaOf = (name: string): FakeSchema => {
		const known = schemas.get(name);
		if (known !== undefined) return known;
		const created: FakeSchema = {
			visible: new Map(),
			visibleMetadata: emptyMetadata,
			committed: new Map(),
			metadata: emptyMetadata,
			packs: [],
			lastId: 0,
			events: new Map(),
			changeEntries: new Map(),
			inFlight: new Set(),
		};
		schemas.set(name, created);
		return created;
	};

	/** Stores the response of a claimed key. Returns whether the claim still held. */
	const storeRecord = ({ claim, response, keepUntil }: IdempotencyRecord): boolean => {
		const found = claims.get(claim.key);
		if (found === undefined || found.token !== claim.token || found.response !== null) return false;
		claims.set(claim.key, { ...found, response, until: keepUntil });
		return true;
	};

	/** Lets reads outside transactions see an item of a committed one. */
	const makeVisible = (schema: FakeSchema, text: string): void => {
		if (text === metadataItem) {
			schema.visibleMetadata = schema.metadata;
		} else {
			const row = schema.committed.get(text);
			if (row === undefined) schema.visible.delete(text);
			else schema.visible.set(text, row);
		}
		schema.inFlight.delete(text);
	};

	/** Keeps the definitions of the last four revisions. A pack of any of them may be read, or none. */
	const keepPack = ({ committed, metadata: { revision, listed, marks }, packs }: FakeSchema): void => {
		const definitions = [...committed.values()].flatMap((row) =>
			row.kind === 'variable' ? [[row.variable.id, row] as const] : [],
		);
		packs.push({ revision, listed, mark: marks.at(-1) ?? 0, definitions: new Map(definitions) });
		if (packs.length > 4) packs.shift();
	};

	const store: SchemaStore = {
		revision: async (name) => {
			await step();
			return schemaOf(name).visibleMetadata;
		},
		packed: async (name) => {
			await step();
			const { packs } = schemaOf(name);
			return packs[Math.floor(random() * (packs.length + 1))] ?? null;
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
		page: async (name, kind, { after, limit }) => {
			const rows = await store.list(name, kind);
			// Boards are sorted as text.
			const sortKeyOf = (id: number) => (kind === 'variable' ? id : String(id));
			const later = rows.filter((row) => sortKeyOf(idOfRow(row)) > sortKeyOf(after));
			const sorted = later.sort((a, b) => (sortKeyOf(idOfRow(a)) < sortKeyOf(idOfRow(b)) ? -1 : 1));
			const texts = sorted.map((row) => ({ schema: name, id: idOfRow(row), stamp: row.rowVersion, body: serializeRow(row) }));
			return pageOf(kind, limit, texts);
		},
		snapshot: async (name, ids) => {
			const schema = schemaOf(name);
			if (ids !== 'all') ids.forEach(checkId);
			await step();
			while (schema.inFlight.size > 0) await step();
			const rows = [...schema.committed.values()].flatMap((row) => (row.kind === 'variable' ? [row] : []));
			const requested = ids === 'all' ? rows : rows.filter(({ variable }) => ids.includes(variable.id));
			const { revision, listed, changes, marks } = schema.metadata;
			return { revision, listed, changes, marks, variables: new Map(requested.map((row) => [row.variable.id, row])) };
		},
		nextId: async (name) => {
			await step();
			const schema = schemaOf(name);
			schema.lastId += 1;
			return schema.lastId;
		},
		commit: async (name, rows: readonly RowCommit[], record, { events = [], changes: newEntries = [] } = {}) => {
			const schema = schemaOf(name);
			await step();
			const texts = rows.map(({ key }) => keyText(key));
			const changed = rows.filter(({ put }) => put !== undefined);
			const touched = changed.length > 0 ? [metadataItem, ...texts] : texts;
			if (touched.some((text) => schema.inFlight.has(text))) return 'conflict';
			if (rows.some(({ key, expected }) => (schema.committed.get(keyText(key))?.rowVersion ?? null) !== expected))
				return 'conflict';
			if (events.some((event) => schema.events.has(alarmEventKey(event)))) return 'conflict';
			if (newEntries.some(({ entry }) => schema.changeEntries.has(changeKeyText(entry)))) return 'conflict';
			const growth = growthOf(rows);
			const { revision, variables, boards, listed, changes, marks } = schema.metadata;
			const counts = { variable: variables, ...boards };
			for (const kind of ['variable', ...boardKinds] as const)
				if (growth[kind] > 0 && (counts[kind] ?? 0) + growth[kind] > maxRows[kind]) return 'full';
			if (record !== undefined && !storeRecord(record)) return 'claim_lost';
			for (const event of events) schema.events.set(alarmEventKey(event), event);
			for (const change of newEntries) schema.changeEntries.set(changeKeyText(change.entry), change);
			for (const { key, put } of changed) {
				if (put === null || put === undefined) schema.committed.delete(keyText(key));
				else schema.committed.set(keyText(key), put);
			}
			if (changed.length > 0)
				schema.metadata = {
					revision: revision + 1,
					variables: variables + growth.variable,
					boards: {
						chart: (boards.chart ?? 0) + growth.chart,
						diagram: (boards.diagram ?? 0) + growth.diagram,
						alarm: (boards.alarm ?? 0) + growth.alarm,
						correction: (boards.correction ?? 0) + growth.correction,
						report: (boards.report ?? 0) + growth.report,
						entry: (boards.entry ?? 0) + growth.entry,
					},
					listed: listed + 1,
					changes: [...changes, changedDefinitions(rows)].slice(-minListedRevisions),
					marks: [...marks, 1 + Math.floor(random() * 2 ** 40)].slice(-minListedRevisions),
				};
			if (changed.length > 0) keepPack(schema);
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
			const { visibleMetadata, lastId } = schemaOf(name);
			return { ...visibleMetadata, lastId };
		},
		correctMetadata: async (name, { expectedRevision, variables, boards, lastId }) => {
			await step();
			const schema = schemaOf(name);
			if (schema.inFlight.has(metadataItem) || schema.metadata.revision !== expectedRevision) return 'conflict';
			schema.metadata = { ...schema.metadata, variables, boards: boards ?? schema.metadata.boards };
			schema.visibleMetadata = schema.metadata;
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
	return {
		store,
		idempotency,
		committed: (name) => schemaOf(name).committed,
		events: (name) => [...schemaOf(name).events.values()],
		changes: (name) => [...schemaOf(name).changeEntries.values()],
	};
}

function checkId(id: number): void {
	if (id < 1) throw new RangeError(`A row with the id ${id} was read.`);
}
