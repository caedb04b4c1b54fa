import { type Acts, deletions } from '#page/core/acts.ts';
import { api, type Result, resultOf } from '#page/core/api.ts';
import type { Diagram } from '#page/core/definitions.ts';
import { type DiagramDraft, inputOf } from './diagram-draft.ts';

/** Saves a draft on condition that nobody saved the diagram since it began. */
export async function saveDiagram(draft: DiagramDraft, acts: Acts): Promise<Result<Diagram>> {
	const body = inputOf(draft);
	const result = await acts.send(body, draft.id === 0 ? null : draft.version, (header) =>
		resultOf(api.POST('/saveDiagram', { params: { header }, body })),
	);
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Deletes a stored diagram on condition that nobody saved it since it was read. */
export async function deleteDiagram({ id, version }: Pick<Diagram, 'id' | 'version'>): Promise<Result<unknown>> {
	return deletions.send(['diagram', id], version, (header) =>
		resultOf(api.POST('/deleteDiagram/{id}', { params: { path: { id }, header } })),
	);
}
