import { variables } from '#page/core/definitions.ts';
import { type DraftField, type DraftVersions, fieldOf, listFields } from '#page/core/draft-fields.ts';
import { formatExact } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import type { DiagramDraft, DraftItem } from './diagram-draft.ts';
import { labelOf } from './item-content.tsx';

/** Returns the fields by which two versions are compared. */
export function diagramVersionFields(versions: DraftVersions<DiagramDraft>): readonly DraftField<DiagramDraft>[] {
	const labelIn = (item: DraftItem): string => labelOf(item, variables.rows.value?.get(item.varId));
	return [
		fieldOf<DiagramDraft>(['title'], commonText().title, ({ title }) => title),
		...listFields<DiagramDraft, DraftItem>(
			{
				key: 'item',
				itemsOf: ({ items }) => items,
				// Items of two versions may have the same key.
				withItems: (draft, items) => ({ ...draft, items: items.map((item, key) => ({ ...item, key })) }),
				nameOf: ({ varId, bit }) => `${varId} ${bit}`,
				labelOf: labelIn,
				textOf: (item) =>
					`${labelIn(item)} (${bindingWords(item, variables.rows.value)}): ${formatExact(item.x)} · ${formatExact(item.y)}`,
			},
			versions,
		),
	];
}
