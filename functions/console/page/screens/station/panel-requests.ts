import { api, resultOf } from '#page/core/api.ts';
import { panel, variables } from '#page/core/definitions.ts';
import type { DraftRequests } from '#page/core/draft-editor.ts';
import { type PanelDraft, panelBodyOf, panelDraftOf, panelProblems } from './panel-draft.ts';

/** Checks, saves and reads the panel. */
export const panelRequests: DraftRequests<PanelDraft> = {
	check: (draft) => panelProblems(draft, variables.rows.value),
	save: async (draft, header) => {
		const result = await resultOf(api.POST('/bombs', { params: { header }, body: panelBodyOf(draft) }));
		if (!result.ok) return result;
		const saved = result.data.data;
		return { ...result, data: { content: panelDraftOf(saved), version: saved.version } };
	},
	read: async () => {
		await panel.load();
		const failure = panel.failure.value;
		if (failure !== null) return { ok: false, failure };
		const stored = panel.rows.value ?? null;
		return {
			ok: true,
			data: stored === null ? null : { content: panelDraftOf(stored), version: stored.version },
			// `panel` keeps no ETag. The version says the same.
			etag: null,
		};
	},
};
