import type { KnownType } from './known-types.ts';
import { QueryError } from './query-client.ts';

/** The results of one request. */
export interface TypedBatch<Result> {
	/** One for each key, in their order. */
	readonly results: Result[];
	/** The types of the series that have to be read again, because they were read as another type; by position. */
	readonly misread: ReadonlyMap<number, KnownType>;
}

/** Returns what is known about the type of the series at a position of the request. */
export type TypeAt = (position: number) => KnownType | undefined;

/**
 * Reads a batch with at most 3 requests. One is enough when the types are known or float. When the server refuses it because of types, a
 * second one reads only the types. Series that were read as a wrong type, or only for their type, are read again
 * (shared/adapters/influx/README.md#types).
 * @param request sends one request; it reads no windows of a series of the type `text`
 */
export async function readTyped<Key, Result>(
	keys: readonly Key[],
	typeOf: (key: Key) => KnownType | undefined,
	request: (keys: readonly Key[], typeAt: TypeAt) => Promise<TypedBatch<Result>>,
): Promise<readonly Result[]> {
	const known = keys.map(typeOf);
	const { results, misread } = await request(keys, (position) => known[position]).catch((error: unknown) => {
		if (error instanceof QueryError && error.kind === 'types') return request(keys, () => 'text');
		throw error;
	});
	const found = [...misread];
	if (found.length === 0) return results;
	const again = await request(
		found.flatMap(([position]) => keys.slice(position, position + 1)),
		(index) => found[index]?.[1],
	);
	for (const [index, [position]] of found.entries()) results.splice(position, 1, ...again.results.slice(index, index + 1));
	return results;
}
