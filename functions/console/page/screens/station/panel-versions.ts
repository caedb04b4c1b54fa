import { parsePanel } from '#domain/panel/panel.ts';
import { type Panel, variables } from '#page/core/definitions.ts';
import type { DraftField, DraftVersions } from '#page/core/draft-fields.ts';
import { createItemVersions, draftOfChecked } from '#page/core/item-versions.ts';
import { commonText } from '#page/i18n/common.ts';
import { bindingWords } from '#page/parts/binding-words.ts';
import { type PanelDraft, panelDraftOf, panelFields } from './panel-draft.ts';
import { panelRequests } from './panel-requests.ts';
import { stationText } from './texts.ts';

/** Compares and saves versions of the panel. */
export const versions = createItemVersions<PanelDraft>({
	draftOf: draftOfChecked(parsePanel, (row: Panel) => panelDraftOf(row)),
	fieldsOf: panelVersionFields,
	requests: panelRequests,
});

/** Returns the fields by which two versions are compared, in the words of the editor. */
function panelVersionFields(versions: DraftVersions<PanelDraft>): readonly DraftField<PanelDraft>[] {
	const text = stationText();
	return panelFields(versions, {
		title: commonText().title,
		lists: text.lists,
		order: text.order,
		binding: (each) => bindingWords(each, variables.rows.value),
	});
}
