import { createActs } from './acts.ts';
import { api, type Result, resultOf } from './api.ts';

/** Sends all deletions. It outlives the dialogs, so that a repetition after a lost answer reuses its key even if the dialog was closed and opened again. */
const acts = createActs();

/** Deletes a stored item, provided that it still has the version that the person has seen. */
export async function deleteStored(
	path:
		| '/deleteAlarm/{id}'
		| '/deleteChart/{id}'
		| '/deleteCorrection/{id}'
		| '/deleteDiagram/{id}'
		| '/deleteEntry/{id}'
		| '/deleteReport/{id}'
		| '/deleteVar/{id}',
	{ id, version }: { readonly id: number; readonly version: number },
): Promise<Result<unknown>> {
	return acts.send({ content: [path, id], version }, (header) => resultOf(api.POST(path, { params: { path: { id }, header } })));
}
