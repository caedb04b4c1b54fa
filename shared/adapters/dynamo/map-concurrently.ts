/** Most calls that run at the same time. */
const maxConcurrent = 8;

/** Maps values by an asynchronous function, 8 at a time. Rejects with the first failure. */
export async function mapConcurrently<Value, Result>(
	values: readonly Value[],
	map: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
	const results: Result[] = [];
	const entries = values.entries();
	// All workers take from one iterator, so each value is mapped once.
	const worker = async (): Promise<void> => {
		for (const [index, value] of entries) results[index] = await map(value);
	};
	await Promise.all(Array.from({ length: maxConcurrent }, worker));
	return results;
}
