import * as v from 'valibot';
import { DomainError } from '#domain/errors.ts';
import {
	idOfRow,
	isOfKind,
	type ListedKind,
	maxPageBytes,
	type RowKey,
	type RowKinds,
	type RowPage,
	type SchemaReader,
} from '#domain/ports/schema-store.ts';
import { variableKey } from '#domain/transaction/read-set.ts';
import { checkIdCount, distinctIds, idSchema, integerFrom } from '#domain/validation/field.ts';
import { messageFor, parse } from '#domain/validation/parse.ts';
import { problem } from '#domain/validation/problem.ts';
import { type ApiResponse, ok } from './api-response.ts';
import type { ApiEvent } from './event.ts';
import { RequestError } from './request-error.ts';
import { queryOf } from './sent-input.ts';

/** The rows of a complete listing, of one page, or of some ids. */
export interface Listing<Kind extends ListedKind> {
	readonly rows: readonly RowKinds[Kind][];
	/** Of a page: the `after` of the next one, null on the last. */
	readonly next?: number | null;
	/** The ids that were asked for; absent in a complete listing and in a page. */
	readonly ids?: readonly number[];
}

/** An entry of a listing as it is sent, with the id of its row. */
export interface ListingEntry {
	readonly id: number;
	readonly json: object;
}

/** Most rows of a page. */
export const maxPageRows = 1000;

/** Most ids that a listing is asked for: the rows of one BatchGetItem. */
export const maxListedIds = 100;

/** Most rows that one read of a complete listing returns. */
const maxRowsPerRead = 10_000;

/** Most pages of `maxPageBytes` that a complete listing holds in memory. Even compressed, more would rarely fit into a response. */
const maxCompletePages = 6;

/** Most bytes of a complete listing in memory. */
const maxListingBytes = maxCompletePages * maxPageBytes;

/** A parameter of a query that is a whole number. A minus sign passes, so that the check that follows names the range. */
export const queryIntegerSchema = v.pipe(
	v.string(),
	v.regex(/^-?\d+$/, messageFor(problem('not_whole_number', 'Must be a whole number.'))),
	v.transform(Number),
);

/** A parameter of a query that is a whole number from 1 on, such as the id of something stored. */
export const queryPositiveSchema = v.pipe(queryIntegerSchema, integerFrom(1, Number.MAX_SAFE_INTEGER));

const listingSchema = v.object({
	limit: v.optional(v.pipe(queryIntegerSchema, integerFrom(1, maxPageRows))),
	after: v.optional(v.pipe(queryIntegerSchema, idSchema)),
	ids: v.optional(distinctIds(maxListedIds, v.pipe(queryIntegerSchema, idSchema))),
});

/** The remedy for a complete listing that is too large. */
const inPages = 'ask for pages: ?limit=500, then &after= with the value of next';

/** The rules of a listing that differ from those of the others. */
interface ListingRules<Kind extends ListedKind> {
	/** Reads all rows. Left out: in pages of the store. */
	readonly readAll?: (() => Promise<readonly RowKinds[Kind][]>) | undefined;
	/** Selects the rows that are listed. Left out: all. */
	readonly isListed?: (row: RowKinds[Kind]) => boolean;
}

/**
 * Reads the rows that the query of a listing asks for: those of `?ids=` that exist, in that order, a page with `?limit=&after=`, else all
 * rows by ascending id.
 * @throws DomainError `invalid` for a wrong parameter, `too_large` for too many ids
 * @throws RequestError 413 when all rows are too large to be held together
 */
export async function readListing<Kind extends ListedKind>(
	event: ApiEvent,
	store: SchemaReader,
	schema: string,
	kind: Kind,
	{ readAll = () => readAllPages(store, schema, kind), isListed }: ListingRules<Kind> = {},
): Promise<Listing<Kind>> {
	const { ids, limit, after } = listingQueryOf(event);
	const listedOf = (rows: readonly RowKinds[Kind][]) => (isListed === undefined ? rows : rows.filter(isListed));
	if (ids !== undefined) return { rows: listedOf(await readByKey(store, schema, kind, ids)), ids };
	if (limit === undefined && after === undefined) return { rows: listedOf(await readAll()) };
	const page = { after: after ?? 0, limit: limit ?? maxPageRows };
	return isListed === undefined ? store.page(schema, kind, page) : readFilteredPage(store, schema, kind, page, isListed);
}

/** Reads a page of the rows that a filter lets pass. It is shorter than `limit`, or empty, only where no further row passes. */
async function readFilteredPage<Kind extends ListedKind>(
	store: SchemaReader,
	schema: string,
	kind: Kind,
	{ after, limit }: { readonly after: number; readonly limit: number },
	isListed: (row: RowKinds[Kind]) => boolean,
): Promise<RowPage<Kind>> {
	const rows: RowKinds[Kind][] = [];
	let readUntil: number | null = after;
	// One row more than the page holds shows that another page follows.
	while (readUntil !== null && rows.length <= limit) {
		const page: RowPage<Kind> = await store.page(schema, kind, { after: readUntil, limit: maxPageRows });
		rows.push(...page.rows.filter(isListed));
		readUntil = page.next;
	}
	const last = rows[limit - 1];
	if (rows.length <= limit || last === undefined) return { rows, next: null };
	return { rows: rows.slice(0, limit), next: idOfRow(last) };
}

async function readByKey<Kind extends ListedKind>(
	store: SchemaReader,
	schema: string,
	kind: Kind,
	ids: readonly number[],
): Promise<readonly RowKinds[Kind][]> {
	// No row has the id 0. Under that key of variables the metadata of the schema is stored.
	const keys = ids.filter((id) => id > 0).map((id): RowKey => (kind === 'variable' ? variableKey(id) : { kind, id }));
	const rows = await store.get(schema, keys);
	return rows.filter((row) => row !== null && isOfKind(kind, row));
}

async function readAllPages<Kind extends ListedKind>(
	store: SchemaReader,
	schema: string,
	kind: Kind,
): Promise<readonly RowKinds[Kind][]> {
	const rows: RowKinds[Kind][] = [];
	let after: number | null = 0;
	for (let pages = 1; after !== null; pages += 1) {
		if (pages > maxCompletePages)
			throw new RequestError(
				413,
				'request',
				'listing_too_large',
				`The listing is larger than ${maxListingBytes / 1e6} MB: ${inPages}.`,
				{ params: { limit: maxListingBytes } },
			);
		const page: RowPage<Kind> = await store.page(schema, kind, { after, limit: maxRowsPerRead });
		rows.push(...page.rows);
		after = page.next;
	}
	return rows.sort((a, b) => idOfRow(a) - idOfRow(b));
}

/**
 * Returns the response of a listing. A page ends before the entry that would make it larger than `maxPageBytes`.
 * @param more returns further fields of the body for the entries that it holds
 */
export function listingResponse<Entry extends ListingEntry>(
	{ next, ids }: Pick<Listing<ListedKind>, 'next' | 'ids'>,
	entries: readonly Entry[],
	more: (listed: readonly Entry[]) => Readonly<Record<string, unknown>> = () => ({}),
): ApiResponse {
	const data = (listed: readonly Entry[]) => ({ data: listed.map(({ json }) => json) });
	if (next === undefined)
		return { ...ok({ ...data(entries), ...more(entries) }), remedy: ids === undefined ? inPages : 'ask for fewer ids' };
	const count = countWithin(entries);
	const listed = entries.slice(0, count);
	return ok({ ...data(listed), next: count < entries.length ? listed.at(-1)?.id : next, ...more(listed) });
}

/** Returns how many entries fit into a page of `maxPageBytes`: at least the first. */
function countWithin(entries: readonly ListingEntry[]): number {
	let bytes = 0;
	for (const [index, { json }] of entries.entries()) {
		// Lambda sends the body as a JSON string, with every quote escaped.
		bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(json)));
		if (index > 0 && bytes > maxPageBytes) return index;
	}
	return entries.length;
}

/** Parses the query of a listing. The ids are counted before they are parsed. */
function listingQueryOf(event: ApiEvent): v.InferOutput<typeof listingSchema> {
	const { ids: text, ...page } = queryOf(event, Object.keys(listingSchema.entries));
	const list = text === '' ? [] : text?.split(',');
	checkIdCount(list, maxListedIds);
	const query = parse(listingSchema, { ...page, ids: list });
	if (query.ids !== undefined && (query.limit !== undefined || query.after !== undefined))
		throw new DomainError('invalid', {
			issues: [{ path: 'ids', ...problem('ids_and_page', 'Send ids, or limit and after, not both.') }],
		});
	return query;
}
