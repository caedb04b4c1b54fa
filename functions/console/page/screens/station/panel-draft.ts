import { parsePanel } from '#domain/panel/panel.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Panel, Variable } from '#page/core/definitions.ts';
import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { withMoved } from '#page/core/moved-item.ts';
import { type Binding, bindingProblems } from '#page/core/reference-problems.ts';

/** The two lists of a panel. */
export const listNames = ['pumps', 'states'] as const;

export type ListName = (typeof listNames)[number];

/** A pump or a state while it is edited. */
export interface PanelItemDraft extends Binding {
	/** Identifies the item within its list. */
	readonly id: number;
	readonly name: string;
}

/** A panel while it is edited. */
export interface PanelDraft {
	readonly title: string;
	readonly pumps: readonly PanelItemDraft[];
	readonly states: readonly PanelItemDraft[];
}

/** Identifies an item of a draft by its list and its id. */
export interface ItemPlace {
	readonly list: ListName;
	readonly id: number;
}

/** Returns the draft of a stored panel; an empty one before the first save. */
export function panelDraftOf(panel: Omit<Panel, 'version'> | null): PanelDraft {
	const itemsOf = (items: readonly (Schemas['Pump'] | Schemas['State'])[]): readonly PanelItemDraft[] =>
		items.map(({ id, name, varId, bit }) => ({ id, name, varId, bit: bit ?? null }));
	return { title: panel?.title ?? '', pumps: itemsOf(panel?.pumps ?? []), states: itemsOf(panel?.states ?? []) };
}

/** Returns the body that saves a panel. `panelProblems` reports a choice that is missing. */
export function panelBodyOf({ title, pumps, states }: PanelDraft): Schemas['PanelInput'] {
	return {
		title,
		pumps: pumps.map((item) => ({ ...sentItemOf(item), type: 'pump' })),
		states: states.map((item) => ({ ...sentItemOf(item), type: 'status' })),
	};
}

/**
 * Checks a draft by the service's own rules and by the variables.
 * @returns the problems by the path of the field as the service names it: `pumps.2.varId`
 */
export function panelProblems(
	draft: PanelDraft,
	variables: ReadonlyMap<number, Variable> | undefined,
): ReadonlyMap<string, FieldError> {
	const problems = checkInput(parsePanel, panelBodyOf(draft));
	for (const list of listNames)
		for (const [index, item] of draft[list].entries())
			for (const [field, problem] of bindingProblems(item, variables)) problems.set(`${list}.${index}.${field}`, problem);
	return problems;
}

/** Returns an item of a draft; undefined when the draft has no such item. */
export function itemAt(draft: PanelDraft, { list, id }: ItemPlace): PanelItemDraft | undefined {
	return draft[list].find((item) => item.id === id);
}

/** Returns the draft with a new item at the end of a list, and its place. */
export function withNewItem(
	draft: PanelDraft,
	list: ListName,
	item: Omit<PanelItemDraft, 'id'>,
): readonly [PanelDraft, ItemPlace] {
	const id = Math.max(0, ...draft[list].map((each) => each.id)) + 1;
	return [
		{ ...draft, [list]: [...draft[list], { ...item, id }] },
		{ list, id },
	];
}

/** Returns the draft with a changed item. */
export function withItem(draft: PanelDraft, { list, id }: ItemPlace, part: Partial<Omit<PanelItemDraft, 'id'>>): PanelDraft {
	return { ...draft, [list]: draft[list].map((item) => (item.id === id ? { ...item, ...part } : item)) };
}

/** Returns the draft without an item. */
export function withoutItem(draft: PanelDraft, { list, id }: ItemPlace): PanelDraft {
	return { ...draft, [list]: draft[list].filter((item) => item.id !== id) };
}

/** Returns the draft with an item moved in its list by `step` places; the same draft at an end. */
export function withItemMoved(draft: PanelDraft, { list, id }: ItemPlace, step: -1 | 1): PanelDraft {
	const index = draft[list].findIndex((item) => item.id === id);
	const items = withMoved(draft[list], index, step);
	return items === draft[list] ? draft : { ...draft, [list]: items };
}

/** Returns the draft with an item moved to the end of a list, and the item's new place. */
export function withItemInList(draft: PanelDraft, place: ItemPlace, list: ListName): readonly [PanelDraft, ItemPlace] {
	const item = itemAt(draft, place);
	return item === undefined || list === place.list ? [draft, place] : withNewItem(withoutItem(draft, place), list, item);
}

/**
 * Returns an item as a save sends it. No variable has the id 0, so the check refuses an item without one. A bit is sent only if one is
 * chosen: null means the whole value, and `bindingProblems` reports a bit that must still be chosen.
 */
function sentItemOf({ id, name, varId, bit }: PanelItemDraft) {
	return { id, name, varId: varId ?? 0, ...(typeof bit === 'number' ? { bit } : {}) };
}

/** The words for comparing two versions of a panel, in the present language. */
export interface PanelWords {
	readonly title: string;
	readonly lists: Readonly<Record<ListName, string>>;
	readonly order: Readonly<Record<ListName, string>>;
	readonly binding: (item: PanelItemDraft) => string;
}

/** Returns the fields by which two versions are compared. */
export function panelFields(versions: DraftVersions<PanelDraft>, words: PanelWords): readonly DraftField<PanelDraft>[] {
	return [
		fieldOf<PanelDraft>(['title'], words.title, ({ title }) => title),
		...listNames.flatMap((list) =>
			listFields<PanelDraft, PanelItemDraft>(
				{
					key: list,
					itemsOf: (draft) => draft[list],
					withItems: (draft, items) => ({ ...draft, [list]: withOwnIds(items) }),
					// Two people may give one new id to two items.
					nameOf: ({ id, name }) => (versions.base[list].some((item) => item.id === id) ? id : `+ ${name}`),
					labelOf: ({ name }) => `${words.lists[list]} ${name}`,
					textOf: (item) => `${item.name}: ${words.binding(item)}`,
					order: { label: words.order[list], textOf: ({ name }) => name },
				},
				versions,
			),
		),
	];
}

/** Gives an item whose id an earlier one has an id of its own. */
function withOwnIds(items: readonly PanelItemDraft[]): readonly PanelItemDraft[] {
	let lastId = Math.max(0, ...items.map(({ id }) => id));
	return items.map((item, index) => {
		const isTaken = items.findIndex(({ id }) => id === item.id) < index;
		if (isTaken) lastId += 1;
		return isTaken ? { ...item, id: lastId } : item;
	});
}
