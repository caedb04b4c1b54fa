/**
 * Calls `work` for each item in order, at most `limit` calls at a time. Once a call has failed, no further call starts. When the
 * running calls have ended, the returned promise rejects with the error of a failed call.
 */
export async function inParallel<Item>(
	limit: number,
	items: readonly Item[],
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const entries = items.values();
	let hasFailed = false;
	const worker = async (): Promise<void> => {
		for (const item of entries) {
			if (hasFailed) return;
			try {
				await work(item);
			} catch (error) {
				hasFailed = true;
				throw error;
			}
		}
	};
	const ended = await Promise.allSettled(Array.from({ length: Math.min(limit, items.length) }, worker));
	for (const each of ended) if (each.status === 'rejected') throw each.reason;
}
