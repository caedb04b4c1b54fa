/** Returns a list with an item moved by `step` places; the same list where the item would pass an end. */
export function withMoved<Item>(items: readonly Item[], from: number, step: -1 | 1): readonly Item[] {
	const [item, other] = [items[from], items[from + step]];
	return item === undefined || other === undefined ? items : items.with(from, other).with(from + step, item);
}
