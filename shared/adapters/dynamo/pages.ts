/** Where a page of a query or a scan starts. */
export type PageStart = Readonly<Record<string, unknown>>;

/** A page of a query or a scan: at most 1 MB, however few items. */
interface Page {
	readonly Items?: readonly unknown[] | undefined;
	/** Where the next page starts; absent on the last. */
	readonly LastEvaluatedKey?: PageStart | undefined;
}

/** The items of all pages, until there are `limit`. `read` is given where to start: nothing, for the first page. */
export async function allPages(
	read: (start: { readonly ExclusiveStartKey?: PageStart }) => Promise<Page>,
	limit = Number.POSITIVE_INFINITY,
): Promise<readonly unknown[]> {
	const items: unknown[] = [];
	let next: PageStart | undefined;
	do {
		const page = await read(next === undefined ? {} : { ExclusiveStartKey: next });
		items.push(...(page.Items ?? []));
		next = page.LastEvaluatedKey;
	} while (next !== undefined && items.length < limit);
	return items.slice(0, limit);
}
