import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { wrongAnswer } from '#page/core/wrong-answer.ts';
import type { EditorRequests } from './editor-state.ts';
import type { SendVariableTrial } from './variable-trial.ts';

/** A board or the panel that refers to a variable. */
export type VariableUse = Schemas['Usage'];

/** Reads one stored variable; null when there is none. */
export async function readVariable(id: number): Promise<Result<Schemas['Variable'] | null>> {
	const result = await resultOf(api.GET('/getVarsTsdb', { params: { query: { ids: [id] } } }));
	return result.ok ? { ...result, data: result.data.data.find((each) => each.id === id) ?? null } : result;
}

/** Reads the boards, and the panel, that refer to a variable. */
export async function readUses(id: number): Promise<Result<readonly VariableUse[]>> {
	const result = await resultOf(api.GET('/usages/{id}', { params: { path: { id } } }));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** The requests of an editor. */
export const editorRequests: EditorRequests = {
	read: readVariable,
	save: async (body, header) => {
		const result = await resultOf(api.POST('/saveVariable', { params: { header }, body }));
		if (!result.ok) return result;
		const { data } = result.data;
		if ('reading' in data) throw wrongAnswer('save');
		return { ...result, data };
	},
};

/** Asks the service for the reading that a variable would have if it were stored (`?dryRun=1`). Nothing is stored. */
export const sendTrial: SendVariableTrial = async (body) => {
	const result = await resultOf(api.POST('/saveVariable', { params: { query: { dryRun: '1' } }, body }));
	if (!result.ok) return result;
	const { data } = result.data;
	// A sender of dry runs never rejects, so an answer like that to a save is a failure.
	if (!('reading' in data)) return { ok: false, failure: { kind: 'refused', status: 0, errors: {}, retryAfterMs: null } };
	// The version in the answer is the one that a save would store.
	return { ...result, data: { reading: data.reading, storedVersion: data.variable.version - 1 } };
};
