/** Maps values by an asynchronous function, at most `limit` at a time. The first failure is the whole's. */
export async function mapConcurrently<Value, Result>(
	limit: number,
	values: readonly Value[],
	work: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
	const results: Result[] = [];
	const entries = values.entries();
	const lane = async (): Promise<void> => {
		for (const [index, value] of entries) results[index] = await work(value);
	};
	await Promise.all(Array.from({ length: Math.min(limit, values.length) }, lane));
	return results;
}

/** Cuts values into pieces of at most `size`, in their order. */
export function chunksOf<Value>(size: number, values: readonly Value[]): readonly (readonly Value[])[] {
	return Array.from({ length: Math.ceil(values.length / size) }, (_, index) => values.slice(index * size, (index + 1) * size));
}
