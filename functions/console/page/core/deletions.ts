import { createActs } from './acts.ts';
import { api, type Result, resultOf } from './api.ts';

/** The deletions outlive the dialog that asks: who opens it again after a lost answer sends the same act. */
const acts = createActs();

/** Deletes what is stored, on condition of the version that the person has seen. */
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
