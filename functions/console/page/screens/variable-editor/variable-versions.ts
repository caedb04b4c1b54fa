import { parseVariable } from '#domain/variable/variable.ts';
import type { Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import { createItemVersions, type ItemVersion } from '#page/core/item-versions.ts';
import { type Draft, draftOf, storedDraftOf, variableBodyOf } from './draft.ts';
import { editorRequests, sendTrial } from './variable-requests.ts';
import { variableVersionFields } from './variable-version-fields.ts';

/** Compares and saves versions of variables. */
export const versions = createItemVersions<Draft>({
	draftOf: draftOfVersion,
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

/** Returns the draft of a version; null where its content is not a variable. */
function draftOfVersion({ content, version }: ItemVersion): Draft | null {
	const row = { ...content, version };
	return isVariable(row) ? draftOf(row) : null;
}

function isVariable(row: unknown): row is Schemas['Variable'] {
	return checkInput(parseVariable, row).size === 0;
}
