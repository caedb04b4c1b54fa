/** A field of a draft, or an item of one of its lists. It is the smallest part that can be compared and chosen. */
export interface DraftField<Content> {
	/** Identifies the field: `name`, `input Flow A`. */
	readonly key: string;
	readonly label: string;
	/** Whether the text is a formula, in which every character matters. */
	readonly isCode?: boolean | undefined;
	/** Returns the field of a version in words; empty where the version has nothing there. */
	readonly textOf: (content: Content) => string;
	/** Returns `content` with this field replaced by that of `other`. */
	readonly take: (content: Content, other: Content) => Content;
}

/** A field in which two versions differ, in words. An empty text stands for nothing. */
export interface FieldDifference {
	readonly key: string;
	readonly label: string;
	readonly isCode: boolean;
	readonly theirs: string;
	readonly mine: string;
	/** Whether my text is chosen at first, because I changed the field. */
	readonly isMine: boolean;
}

/** The three versions of a conflict: the one that the person began to edit, the one that somebody else stored meanwhile, and the draft. */
export interface DraftVersions<Content> {
	readonly base: Content;
	readonly theirs: Content;
	readonly mine: Content;
}

/** Compares two versions field by field. */
export function differencesOf<Content>(
	fields: readonly DraftField<Content>[],
	{ base, theirs, mine }: DraftVersions<Content>,
): readonly FieldDifference[] {
	return fields.flatMap(({ key, label, isCode = false, textOf }) => {
		const [baseText, theirText, myText] = [textOf(base), textOf(theirs), textOf(mine)];
		return theirText === myText ? [] : [{ key, label, isCode, theirs: theirText, mine: myText, isMine: myText !== baseText }];
	});
}

/**
 * Returns their version with the fields for which mine was chosen. What I removed goes last: a list may drop what refers to a missing item, such
 * as the pipes of a symbol, so what stands in its place must be there first. It goes from the last to the first, because items of one name are
 * numbered anew.
 */
export function mergedDraft<Content>(
	fields: readonly DraftField<Content>[],
	{ theirs, mine }: Pick<DraftVersions<Content>, 'theirs' | 'mine'>,
	myKeys: ReadonlySet<string>,
): Content {
	const taken = fields.filter(({ key }) => myKeys.has(key));
	const isRemoved = ({ textOf }: DraftField<Content>): boolean => textOf(mine) === '';
	const inOrder = [...taken.filter((field) => !isRemoved(field)), ...taken.filter(isRemoved).toReversed()];
	return inOrder.reduce((content, { take }) => take(content, mine), theirs);
}

/** Returns a field that consists of several properties. The first one is its key. */
export function fieldOf<Content extends object>(
	[key, ...more]: readonly [keyof Content & string, ...(keyof Content)[]],
	label: string,
	textOf: (content: Content) => string,
): DraftField<Content> {
	const take = (content: Content, other: Content): Content => ({
		...content,
		...Object.fromEntries([key, ...more].map((name) => [name, other[name]])),
	});
	return { key, label, textOf, take };
}

/** A list of a draft, each item of which is a field. */
export interface DraftList<Content, Item> {
	/** The keys of all items begin with this word. */
	readonly key: string;
	readonly itemsOf: (content: Content) => readonly Item[];
	readonly withItems: (content: Content, items: readonly Item[]) => Content;
	/**
	 * Returns the name by which an item is found in another version. If several items have one name, the first of each version are
	 * compared, then the second.
	 */
	readonly nameOf: (item: Item) => string | number;
	readonly labelOf: (item: Item) => string;
	readonly textOf: (item: Item) => string;
	/** Makes the order of the items a field of its own. Without it, their order is taken. */
	readonly order?: { readonly label: string; readonly textOf: (item: Item) => string };
}

/**
 * Returns the fields of a list: their items in their order, then the items that only I have, and finally the order of the items that both
 * have.
 */
export function listFields<Content, Item>(
	list: DraftList<Content, Item>,
	{ theirs, mine }: Pick<DraftVersions<Content>, 'theirs' | 'mine'>,
): readonly DraftField<Content>[] {
	const [theirItems, myItems] = [itemsByName(list, theirs), itemsByName(list, mine)];
	const onlyMine = [...myItems].filter(([name]) => !theirItems.has(name));
	// An item that both have is labelled as theirs is.
	const fields = [...theirItems, ...onlyMine].map(([name, item]) => itemField(list, name, list.labelOf(item)));
	const order = orderField(list, theirItems, new Set(myItems.keys()));
	return order === null ? fields : [...fields, order];
}

/** Returns the field that is the item with a name. Taking it from a version without the item removes the item. */
function itemField<Content, Item>(list: DraftList<Content, Item>, name: string, label: string): DraftField<Content> {
	return {
		key: `${list.key} ${name}`,
		label,
		textOf: (content) => {
			const item = itemsByName(list, content).get(name);
			return item === undefined ? '' : list.textOf(item);
		},
		take: (content, other) => {
			const [items, taken] = [itemsByName(list, content), itemsByName(list, other).get(name)];
			if (taken === undefined) items.delete(name);
			else items.set(name, taken);
			return list.withItems(content, [...items.values()]);
		},
	};
}

/** Returns the field that is the order of the items that both versions have; null for a list whose order is no field. */
function orderField<Content, Item>(
	list: DraftList<Content, Item>,
	theirItems: ReadonlyMap<string, Item>,
	myNames: ReadonlySet<string>,
): DraftField<Content> | null {
	const { order } = list;
	if (order === undefined) return null;
	// The words of an item are always theirs, so that the texts of two versions differ only by the order. Items with the same words are told
	// apart by their names.
	const words = [...theirItems.values()].map(order.textOf);
	const wordsOf = (name: string, item: Item): string => {
		const text = order.textOf(item);
		return words.filter((each) => each === text).length > 1 ? `${text} (${name})` : text;
	};
	return {
		key: `${list.key} order`,
		label: order.label,
		textOf: (content) =>
			[...itemsByName(list, content).keys()]
				.filter((name) => myNames.has(name))
				.flatMap((name) => {
					const item = theirItems.get(name);
					return item === undefined ? [] : [wordsOf(name, item)];
				})
				.join(', '),
		take: (content, other) => {
			const items = itemsByName(list, content);
			const inOtherOrder = [...itemsByName(list, other).keys()].flatMap((name) => items.get(name) ?? []);
			// Items that only `content` has come last. The set keeps each item once.
			return list.withItems(content, [...new Set([...inOtherOrder, ...items.values()])]);
		},
	};
}

/** Returns the items of a version by name, in their order. A second item of one name has a number: `Flow A 2`. */
export function itemsByName<Content, Item>({ itemsOf, nameOf }: DraftList<Content, Item>, content: Content): Map<string, Item> {
	const items = new Map<string, Item>();
	for (const item of itemsOf(content)) {
		let name = String(nameOf(item));
		for (let count = 2; items.has(name); count += 1) name = `${nameOf(item)} ${count}`;
		items.set(name, item);
	}
	return items;
}
