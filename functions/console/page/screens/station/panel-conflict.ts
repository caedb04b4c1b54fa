import type { ConflictField } from '#page/parts/conflict-dialog.tsx';
import { type ListName, listNames, type PanelDraft, type PanelItemDraft } from './panel-draft.ts';

/** The words of a comparison, in the language of the person. */
export interface PanelWords {
	readonly title: string;
	readonly lists: Readonly<Record<ListName, string>>;
	readonly order: Readonly<Record<ListName, string>>;
	readonly binding: (item: PanelItemDraft) => string;
}

/** Compares what somebody else stored with what is edited. `base` is what the editing began from. */
export function panelDifferences(
	base: PanelDraft,
	theirs: PanelDraft,
	mine: PanelDraft,
	words: PanelWords,
): readonly ConflictField[] {
	const fields: ConflictField[] = [];
	const compare = (key: string, label: string, before: string, their: string, my: string): void => {
		if (their !== my) fields.push({ key, label, theirs: their, mine: my, isMine: my !== before });
	};
	compare('title', words.title, base.title, theirs.title, mine.title);
	for (const list of listNames) {
		for (const id of idsOf(theirs[list], mine[list])) {
			const [before, their, my] = [base, theirs, mine].map((draft) => draft[list].find((item) => item.id === id));
			const textOf = (item: PanelItemDraft | undefined): string =>
				item === undefined ? '' : `${item.name}: ${words.binding(item)}`;
			const label = `${words.lists[list]} ${their?.name ?? my?.name ?? ''}`;
			compare(keyOf(list, id), label, textOf(before), textOf(their), textOf(my));
		}
		const isShared = ({ id }: PanelItemDraft): boolean =>
			[theirs, mine].every((draft) => draft[list].some((item) => item.id === id));
		const orderOf = (draft: PanelDraft): string => {
			const shared = draft[list].filter(isShared);
			return shared.map(({ id }) => theirs[list].find((item) => item.id === id)?.name ?? '').join(', ');
		};
		compare(`${list} order`, words.order[list], orderOf(base), orderOf(theirs), orderOf(mine));
	}
	return fields;
}

/** Returns their panel with those differences of mine that were chosen. */
export function mergedPanel(theirs: PanelDraft, mine: PanelDraft, myKeys: ReadonlySet<string>): PanelDraft {
	const merge = (list: ListName): readonly PanelItemDraft[] => {
		const [first, second] = myKeys.has(`${list} order`) ? [mine, theirs] : [theirs, mine];
		return idsOf(first[list], second[list]).flatMap((id) => {
			const chosen = myKeys.has(keyOf(list, id)) ? mine : theirs;
			const item = chosen[list].find((each) => each.id === id);
			return item === undefined ? [] : [item];
		});
	};
	return { title: (myKeys.has('title') ? mine : theirs).title, pumps: merge('pumps'), states: merge('states') };
}

function idsOf(...lists: readonly (readonly PanelItemDraft[])[]): readonly number[] {
	return [...new Set(lists.flat().map(({ id }) => id))];
}

function keyOf(list: ListName, id: number): string {
	return `${list} ${id}`;
}
