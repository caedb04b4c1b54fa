import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Packs } from '#domain/ports/packs.ts';
import type { Definition, Pack, PackedRevision } from '#domain/ports/schema-store.ts';
import { toJson } from '#domain/variable/variable.ts';
import { rowOfJson } from '../stored-row.ts';
import type { Dynamo } from './dynamo-client.ts';
import { getItems, type ItemReading } from './get-items.ts';
import type { ItemAddress, SchemaTables } from './items.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { sendOrFail } from './send.ts';

/**
 * Packs in the table of variables (shared/adapters/dynamo/README.md#packs): item -2 is the head, item -1000 - n the part with the definitions
 * of the ids from 64 · n to 64 · n + 63.
 */
const headId = -2;
const firstPartId = -1000;
const idsPerPart = 64;
/** Most bytes of a part: an item has at most 400 KB. */
const maxPartBytes = 390_000;
/** The default, 11, takes 150 times as long for a fifth less: 10,000 formulas would keep all others waiting for a minute. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const format = 1;
/** The format of a head that nobody reads. */
const noFormat = 0;

type PackTables = Pick<SchemaTables, 'variables'>;
type Definitions = ReadonlyMap<number, Definition>;

/**
 * `parts`: the number of each part, and the revision that it was written at. `format`: a release that reads another one ignores the pack. It is
 * raised with each field that variables get, because an earlier release, after a rollback, packs what it knows.
 */
const headSchema = v.object({
	format: v.literal(format),
	revision: v.number(),
	listed: v.number(),
	mark: v.number(),
	parts: v.array(v.tuple([v.number(), v.number()])),
});

const partSchema = v.object({ id: v.number(), revision: v.number(), body: v.instance(Uint8Array) });

/**
 * The text of a part: id, version, whether it is being deleted, and the variable. Of a row that cannot be read: id, version and the row as
 * it is stored, so that a release that can read the row reads the same from the pack.
 */
const definitionsSchema = v.array(
	v.union([
		v.strictTuple([v.number(), v.number(), v.boolean(), v.unknown()]),
		v.strictTuple([v.number(), v.number(), v.record(v.string(), v.unknown())]),
	]),
);

type PackHead = v.InferOutput<typeof headSchema>;

/**
 * `SchemaReader.packed`. A part that is not of the revision that the head names was written by a run that is not over, or it has not come to
 * the replica that was asked.
 */
export async function readPack(
	dynamo: Dynamo,
	tables: PackTables,
	schema: string,
	ids: readonly number[] | 'all',
): Promise<Pack | null> {
	// Parts never change under the revision that the head names, so reads need not be strongly consistent.
	const reading = { consistent: false };
	const head = await readHead(dynamo, tables, schema, reading);
	if (head === null) return null;
	const asked = ids === 'all' ? null : new Set(ids.map(partOf));
	const wanted = head.parts.filter(([part]) => asked === null || asked.has(part));
	const parts = await readParts(dynamo, tables, schema, wanted, reading);
	const definitions = new Map<number, Definition>();
	for (const [part] of wanted) {
		const read = parts.get(part);
		if (read === undefined) return null;
		for (const [id, definition] of read) definitions.set(id, definition);
	}
	return { revision: head.revision, listed: head.listed, mark: head.mark, definitions };
}

/** `Packs` in DynamoDB. A writer reads strongly consistent: it must not build on what a replica still lacks. */
export function createDynamoPacks(dynamo: Dynamo, tables: PackTables): Packs {
	const put = (schema: string, id: number, attributes: Readonly<Record<string, unknown>>) =>
		sendOrFail(dynamo, new PutCommand({ TableName: tables.variables, Item: { schema, id, ...attributes } }));
	const putParts = (schema: string, revision: number, parts: ReadonlyMap<number, Definitions>) =>
		mapConcurrently([...parts], ([part, definitions]) =>
			put(schema, firstPartId - part, { revision, body: packedText(definitions) }),
		);
	// Readers find new parts by the head only, so it is written last.
	const putHead = (schema: string, head: PackedRevision, parts: ReadonlyMap<number, number>) =>
		put(schema, headId, { format, ...head, parts: [...parts] });
	const forget = async (schema: string) => {
		await put(schema, headId, { format: noFormat });
	};

	return {
		packedRevision: (schema) => readHead(dynamo, tables, schema, { consistent: true }),
		forget,
		replace: async (schema, to, definitions) => {
			const parts = new Map(
				[...Map.groupBy(definitions, ([id]) => partOf(id))].map(([part, entries]) => [part, new Map(entries)]),
			);
			// Where this run ends early, the next one replaces the pack again.
			await forget(schema);
			await putParts(schema, to.revision, parts);
			await putHead(schema, to, new Map([...parts.keys()].map((part) => [part, to.revision])));
		},
		advance: async (schema, from, to, changed) => {
			const head = await readHead(dynamo, tables, schema, { consistent: true });
			if (head?.revision !== from.revision || head.mark !== from.mark) return false;
			const affected = Map.groupBy(changed, ([id]) => partOf(id));
			const stored = head.parts.filter(([part]) => affected.has(part));
			const old = await readParts(dynamo, tables, schema, stored, { consistent: true });
			if (old.size < stored.length) return false;
			const listed = new Map(head.parts);
			const fresh = new Map<number, Definitions>();
			for (const [part, entries] of affected) {
				const definitions = new Map(old.get(part));
				for (const [id, definition] of entries)
					if (definition === null) definitions.delete(id);
					else definitions.set(id, definition);
				fresh.set(part, definitions);
				listed.set(part, to.revision);
			}
			await putParts(schema, to.revision, fresh);
			await putHead(schema, to, listed);
			return true;
		},
	};
}

function partOf(id: number): number {
	return Math.floor(id / idsPerPart);
}

const addressOf = ({ variables }: PackTables, schema: string, id: number): ItemAddress => ({
	TableName: variables,
	Key: { schema, id },
});

async function readHead(dynamo: Dynamo, tables: PackTables, schema: string, reading: ItemReading): Promise<PackHead | null> {
	const [item] = await getItems(dynamo, [addressOf(tables, schema, headId)], reading);
	const head = v.safeParse(headSchema, item);
	return head.success ? head.output : null;
}

/** Reads parts. Those that are missing, of another revision, or that this release cannot read are left out. */
async function readParts(
	dynamo: Dynamo,
	tables: PackTables,
	schema: string,
	wanted: PackHead['parts'],
	reading: ItemReading,
): Promise<ReadonlyMap<number, Definitions>> {
	const revisions = new Map(wanted);
	const addresses = wanted.map(([part]) => addressOf(tables, schema, firstPartId - part));
	const parts = new Map<number, Definitions>();
	for (const item of await getItems(dynamo, addresses, reading)) {
		const stored = v.safeParse(partSchema, item);
		if (!stored.success) continue;
		const { id, revision, body } = stored.output;
		const part = firstPartId - id;
		const definitions = revision === revisions.get(part) ? definitionsIn(schema, body) : null;
		if (definitions !== null) parts.set(part, definitions);
	}
	return parts;
}

/** Returns the text of a part; an empty one, which nobody can read, where an item cannot hold it. */
function packedText(definitions: Definitions): Uint8Array {
	const rows = [...definitions].map(([id, { variable, version, deleting, unread }]) =>
		unread === undefined ? [id, version, deleting, toJson(variable)] : [id, version, unread],
	);
	const text = brotliCompressSync(JSON.stringify(rows), quality);
	return text.length > maxPartBytes ? new Uint8Array() : text;
}

/**
 * Returns the definitions of a part, each parsed as a row of the table is; null where a newer release wrote the part in another form, or it is
 * not what was written.
 */
function definitionsIn(schema: string, body: Uint8Array): Definitions | null {
	try {
		const rows = v.parse(definitionsSchema, JSON.parse(brotliDecompressSync(body).toString()));
		return new Map(
			rows.map(([id, version, ...row]) => {
				const [going, content] = row;
				const json =
					typeof going === 'boolean' ? { kind: 'variable', version, stamp: version, content, usedBy: [], going } : going;
				return [id, rowOfJson('variable', { schema, id, stamp: version }, json)];
			}),
		);
	} catch {
		return null;
	}
}
