import { api, etagOf, type Result, resultOf } from '#page/core/api.ts';
import type { Diagram } from '#page/core/definitions.ts';
import { type DiagramDraft, inputOf } from './diagram-draft.ts';

/** Saves a draft on condition that nobody saved the diagram since it began. */
export async function saveDiagram(draft: DiagramDraft): Promise<Result<Diagram>> {
	const result = await resultOf(api.POST('/saveDiagram', { params: { header: headerOf(draft) }, body: inputOf(draft) }));
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Deletes a stored diagram on condition that nobody saved it since it was read. */
export async function deleteDiagram({ id, version }: Pick<Diagram, 'id' | 'version'>): Promise<Result<unknown>> {
	const params = { path: { id }, header: headerOf({ id, version }) };
	return resultOf(api.POST('/deleteDiagram/{id}', { params }));
}

function headerOf({ id, version }: Pick<DiagramDraft, 'id' | 'version'>) {
	const key = { 'Idempotency-Key': crypto.randomUUID() };
	return id === 0 ? key : { ...key, 'If-Match': etagOf(version) };
}
