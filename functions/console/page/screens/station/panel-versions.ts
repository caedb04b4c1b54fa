import { parsePanel } from '#domain/panel/panel.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Panel } from '#page/core/definitions.ts';
import { createItemVersions } from '#page/core/item-versions.ts';
import { type PanelDraft, panelDraftOf } from './panel-draft.ts';
import { panelRequests } from './panel-requests.ts';
import { panelVersionFields } from './panel-version-fields.ts';

/** Compares and saves versions of the panel. */
export const versions = createItemVersions<PanelDraft>({
	draftOf: ({ content, version }) => {
		const row = { ...content, version };
		return isPanel(row) ? panelDraftOf(row) : null;
	},
	fieldsOf: panelVersionFields,
	requests: panelRequests,
});

function isPanel(row: unknown): row is Panel {
	return checkInput(parsePanel, row).size === 0;
}
