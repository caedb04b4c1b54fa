import { api, resultOf } from '#page/core/api.ts';
import { type DraftRequests, foundIn, titleProblems } from '#page/core/draft-editor.ts';
import { type DiagramDraft, inputOf, storedDraftOf } from './diagram-draft.ts';

/** Checks, saves and reads a diagram. */
export const diagramRequests: DraftRequests<DiagramDraft> = {
	check: ({ title }) => titleProblems(title),
	storedOf: inputOf,
	save: async (draft, header) => {
		const result = await resultOf(api.POST('/saveDiagram', { params: { header }, body: inputOf(draft) }));
		return result.ok ? { ...result, data: storedDraftOf(result.data.data) } : result;
	},
	read: async ({ id }) =>
		foundIn(await resultOf(api.GET('/getDiagrams', { params: { query: { ids: [id] } } })), id, storedDraftOf),
};
