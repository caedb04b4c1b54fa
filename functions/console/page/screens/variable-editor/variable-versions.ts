import { parseVariable } from '#domain/variable/variable.ts';
import { createItemVersions, draftOfChecked } from '#page/core/item-versions.ts';
import { type Draft, draftOf, storedDraftOf, variableBodyOf } from './draft.ts';
import { variableVersionFields } from './variable-fields.ts';
import { editorRequests, sendTrial } from './variable-requests.ts';

/** Compares and saves versions of variables. */
export const versions = createItemVersions<Draft>({
	draftOf: draftOfChecked(parseVariable, draftOf),
	fieldsOf: variableVersionFields,
	requests: {
		read: async ({ id }) => {
			const result = await editorRequests.read(id);
			return result.ok ? { ...result, data: result.data === null ? null : storedDraftOf(result.data) } : result;
		},
		save: async (draft, header) => {
			const result = await editorRequests.save(variableBodyOf(draft), header);
			return result.ok ? { ...result, data: storedDraftOf(result.data) } : result;
		},
	},
	tryOut: async (draft) => {
		const result = await sendTrial(variableBodyOf(draft));
		return result.ok ? result.data.reading : null;
	},
});
