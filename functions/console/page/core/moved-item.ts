/** Returns a list with the item at `index` moved by one place; the same list where the item would pass an end. */
export function withMoved<Item>(items: readonly Item[], index: number, step: -1 | 1): readonly Item[] {
	const [item, neighbour] = [items[index], items[index + step]];
	return item === undefined || neighbour === undefined ? items : items.with(index, neighbour).with(index + step, item);
}
