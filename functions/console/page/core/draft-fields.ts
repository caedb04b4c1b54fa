/** A field of a draft, or an item of one of its lists: what is compared, and chosen, as one. */
export interface DraftField<Content> {
	/** Names it: `name`, `input Flow A`. */
	readonly key: string;
	readonly label: string;
	/** Whether it is a formula, every sign of which counts. */
	readonly isCode?: boolean | undefined;
	/** What a version has there, in words; empty where it has nothing. */
	readonly textOf: (content: Content) => string;
	/** Returns `content` with this field of `other`. */
	readonly take: (content: Content, other: Content) => Content;
}

/** A field in which two versions differ, in words. An empty text stands for nothing. */
export interface FieldDifference {
	readonly key: string;
	readonly label: string;
	readonly isCode: boolean;
	readonly theirs: string;
	readonly mine: string;
	/** Whether mine is chosen at first: where I changed it. */
	readonly isMine: boolean;
}

/** What the typing began from, what somebody else stored meanwhile, and what is typed. */
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

/** Returns their version with those fields of mine that were chosen. */
export function mergedDraft<Content>(
	fields: readonly DraftField<Content>[],
	{ theirs, mine }: Pick<DraftVersions<Content>, 'theirs' | 'mine'>,
	myKeys: ReadonlySet<string>,
): Content {
	return fields.filter(({ key }) => myKeys.has(key)).reduce((content, { take }) => take(content, mine), theirs);
}

/** Returns a field that consists of these properties. The first one is its key. */
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
	/** Begins the keys of the items. */
	readonly key: string;
	readonly itemsOf: (content: Content) => readonly Item[];
	readonly withItems: (content: Content, items: readonly Item[]) => Content;
	/** Names an item in every version. Of items with one name, the first in each version belong together, then the second. */
	readonly nameOf: (item: Item) => string | number;
	readonly labelOf: (item: Item) => string;
	readonly textOf: (item: Item) => string;
	/** The order as a field of its own. Without it, the order is theirs. */
	readonly order?: { readonly label: string; readonly textOf: (item: Item) => string };
}

/** Returns the items of a list as fields: theirs in their order, those that only I have, and the order of what both have. */
export function listFields<Content, Item>(
	{ key, itemsOf, withItems, nameOf, labelOf, textOf, order }: DraftList<Content, Item>,
	{ theirs, mine }: Pick<DraftVersions<Content>, 'theirs' | 'mine'>,
): readonly DraftField<Content>[] {
	const named = (content: Content): Map<string, Item> => byName(itemsOf(content), nameOf);
	const [their, my] = [named(theirs), named(mine)];
	// The order is theirs, then mine; where both have an item, the label is of theirs.
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
