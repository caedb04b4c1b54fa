import { createActs } from './acts.ts';
import { api, type Result, resultOf } from './api.ts';

/** One sender for all deletions. So a repetition after a lost answer is the same act, also from a dialog that was opened again. */
const acts = createActs();

/** Deletes a stored item, on condition of the version that the person has seen. */
export async function deleteStored(
	path:
		| '/deleteAlarm/{id}'
		| '/deleteChart/{id}'
		| '/deleteCorrection/{id}'
		| '/deleteDiagram/{id}'
		| '/deleteReport/{id}'
		| '/deleteVar/{id}',
	{ id, version }: { readonly id: number; readonly version: number },
): Promise<Result<unknown>> {
	return acts.send([path, id], version, (header) => resultOf(api.POST(path, { params: { path: { id }, header } })));
}
