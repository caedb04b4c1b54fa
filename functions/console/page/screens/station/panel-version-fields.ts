import { variables } from '#page/core/definitions.ts';
import type { DraftField, DraftVersions } from '#page/core/draft-fields.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { type PanelDraft, panelFields } from './panel-draft.ts';
import { stationText } from './texts.ts';

/** Returns the fields by which two versions are compared, in the words of the editor. */
export function panelVersionFields(versions: DraftVersions<PanelDraft>): readonly DraftField<PanelDraft>[] {
	const text = stationText();
	return panelFields(versions, {
		title: commonText().title,
		lists: text.lists,
		order: text.order,
		binding: (each) => bindingWords(each, variables.rows.value),
	});
}
