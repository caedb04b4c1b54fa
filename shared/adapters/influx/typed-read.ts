import { QueryError } from '../influx-common/query-client.ts';
import type { KnownType } from './known-types.ts';

/** The results of one request. */
export interface TypedBatch<Result, Type = KnownType> {
	/** One for each key, in their order. */
	readonly results: Result[];
	/** The types of the series that have to be read again, because they were read as another type; by position. */
	readonly misread: ReadonlyMap<number, Type>;
}

/** Returns what is known about the type of the series at a position of the request. */
export type TypeAt<Type = KnownType> = (position: number) => Type | undefined;

/**
 * Reads a batch with at most 3 requests. One is enough when the types are known or float. When the server refuses it because of types, a
 * second one reads only the types. Series that were read as a wrong type, or only for their type, are read again
 * (shared/adapters/influx/README.md#types).
 * @param onlyTypes the type of a series of which a request reads only the types
 * @param request sends one request
 */
export async function readTyped<Key, Result, Type = KnownType>(
	keys: readonly Key[],
	typeOf: (key: Key) => Type | undefined,
	onlyTypes: Type,
	request: (keys: readonly Key[], typeAt: TypeAt<Type>) => Promise<TypedBatch<Result, Type>>,
): Promise<readonly Result[]> {
	const recordedTypes = keys.map(typeOf);
	const { results, misread } = await request(keys, (position) => recordedTypes[position]).catch((error: unknown) => {
		if (error instanceof QueryError && error.kind === 'types') return request(keys, () => onlyTypes);
		throw error;
	});
	if (misread.size === 0) return results;
	const positions = [...misread.keys()];
	const types = [...misread.values()];
	// `slice` instead of an index, whose type would include undefined.
	const misreadKeys = positions.flatMap((position) => keys.slice(position, position + 1));
	const again = await request(misreadKeys, (index) => types[index]);
	for (const [index, position] of positions.entries()) {
		const result = again.results[index];
		if (result !== undefined) results[position] = result;
	}
	return results;
}
