import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { type ListName, listNames, type PanelDraft, type PanelItemDraft } from './panel-draft.ts';

/** The words of a comparison, in the language of the person. */
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
					withItems: (draft, items) => ({ ...draft, [list]: items }),
					nameOf: ({ id }) => id,
					labelOf: ({ name }) => `${words.lists[list]} ${name}`,
					textOf: (item) => `${item.name}: ${words.binding(item)}`,
					order: { label: words.order[list], textOf: ({ name }) => name },
				},
				versions,
			),
		),
	];
}
