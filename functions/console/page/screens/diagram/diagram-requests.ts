import { api, resultOf } from '#page/core/api.ts';
import { type DraftRequests, titleProblems } from '#page/core/draft-editor.ts';
import { type DiagramDraft, inputOf, storedDraftOf } from './diagram-draft.ts';

/** Checks, saves and reads a diagram. */
export const diagramRequests: DraftRequests<DiagramDraft> = {
	check: ({ title }) => titleProblems(title),
	storedOf: inputOf,
	save: async (draft, header) => {
		const result = await resultOf(api.POST('/saveDiagram', { params: { header }, body: inputOf(draft) }));
		return result.ok ? { ...result, data: storedDraftOf(result.data.data) } : result;
	},
	read: async ({ id }) => {
		const result = await resultOf(api.GET('/getDiagrams'));
		if (!result.ok) return result;
		const stored = result.data.data.find((diagram) => diagram.id === id);
		return { ...result, data: stored === undefined ? null : storedDraftOf(stored) };
	},
};
