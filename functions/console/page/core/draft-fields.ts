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
		const [before, their, my] = [textOf(base), textOf(theirs), textOf(mine)];
		return their === my ? [] : [{ key, label, isCode, theirs: their, mine: my, isMine: my !== before }];
	});
}

/** Returns their version with the fields for which mine was chosen. */
export function mergedDraft<Content>(
	fields: readonly DraftField<Content>[],
	{ theirs, mine }: Pick<DraftVersions<Content>, 'theirs' | 'mine'>,
	myKeys: ReadonlySet<string>,
): Content {
	return fields.filter(({ key }) => myKeys.has(key)).reduce((content, { take }) => take(content, mine), theirs);
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
	{ key, itemsOf, withItems, nameOf, labelOf, textOf, order }: DraftList<Content, Item>,
	{ theirs, mine }: Pick<DraftVersions<Content>, 'theirs' | 'mine'>,
): readonly DraftField<Content>[] {
	const named = (content: Content): Map<string, Item> => byName(itemsOf(content), nameOf);
	const [their, my] = [named(theirs), named(mine)];
	// Their items come first, then those that only I have. An item that both have is labelled as theirs is.
	const all = new Map([...their, ...[...my].filter(([name]) => !their.has(name))]);
	const fields = [...all].map(
		([name, item]): DraftField<Content> => ({
			key: `${key} ${name}`,
			label: labelOf(item),
			textOf: (content) => {
				const found = named(content).get(name);
				return found === undefined ? '' : textOf(found);
			},
			take: (content, other) => {
				const [items, taken] = [named(content), named(other).get(name)];
				if (taken === undefined) items.delete(name);
				else items.set(name, taken);
				return withItems(content, [...items.values()]);
			},
		}),
	);
	if (order === undefined) return fields;
	const orderOf = (content: Content): string =>
		[...named(content).keys()]
			.filter((name) => my.has(name))
			.flatMap((name) => their.get(name) ?? [])
			.map(order.textOf)
			.join(', ');
	const take = (content: Content, other: Content): Content => {
		const items = named(content);
		const first = [...named(other).keys()].flatMap((name) => items.get(name) ?? []);
		return withItems(content, [...new Set([...first, ...items.values()])]);
	};
	return [...fields, { key: `${key} order`, label: order.label, textOf: orderOf, take }];
}

function byName<Item>(items: readonly Item[], nameOf: (item: Item) => string | number): Map<string, Item> {
	const found = new Map<string, Item>();
	for (const item of items) {
		let name = String(nameOf(item));
		for (let count = 2; found.has(name); count += 1) name = `${nameOf(item)} ${count}`;
		found.set(name, item);
	}
	return found;
}
