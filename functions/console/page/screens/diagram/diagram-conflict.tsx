import type { Variable } from '#page/core/definitions.ts';
import type { DraftEditor } from '#page/core/draft-editor.ts';
import { fieldOf, listFields } from '#page/core/draft-fields.ts';
import { formatExact } from '#page/format/number.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-fields.tsx';
import { ConflictDialog } from '#page/parts/conflict-dialog.tsx';
import type { DiagramDraft, DraftItem } from './diagram-draft.ts';
import { labelOf } from './item-content.tsx';

/** Properties of DiagramConflict. `onDrop` is called when somebody else deleted it, and the draft is given up. */
export interface DiagramConflictProps {
	readonly editor: DraftEditor<DiagramDraft>;
	readonly variables: ReadonlyMap<number, Variable>;
	readonly onDrop: () => void;
}

/** What somebody else did to the diagram meanwhile. Nothing is shown without that. */
export function DiagramConflict({ editor, variables, onDrop }: DiagramConflictProps) {
	const labelIn = (item: DraftItem): string => labelOf(item, variables.get(item.varId));
	return (
		<ConflictDialog
			kind="diagram"
			editor={editor}
			fieldsOf={(versions) => [
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
							`${labelIn(item)} (${bindingWords(item, variables)}): ${formatExact(item.x)} · ${formatExact(item.y)}`,
					},
					versions,
				),
			]}
			onDrop={onDrop}
		/>
	);
}
