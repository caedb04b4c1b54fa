import type { ActKeys } from '#page/core/act-keys.ts';
import { api, etagOf, type Result, resultOf } from '#page/core/api.ts';
import type { Diagram } from '#page/core/definitions.ts';
import { type DiagramDraft, inputOf } from './diagram-draft.ts';

/** Saves a draft on condition that nobody saved the diagram since it began. */
export async function saveDiagram(draft: DiagramDraft, keys: ActKeys): Promise<Result<Diagram>> {
	const body = inputOf(draft);
	const header = headerOf(draft, keys.keyOf(JSON.stringify([body, draft.version])));
	const result = await resultOf(api.POST('/saveDiagram', { params: { header }, body }));
	keys.answered(result);
	return result.ok ? { ...result, data: result.data.data } : result;
}

/** Deletes a stored diagram on condition that nobody saved it since it was read. */
export async function deleteDiagram({ id, version }: Pick<Diagram, 'id' | 'version'>): Promise<Result<unknown>> {
	const params = { path: { id }, header: headerOf({ id, version }, crypto.randomUUID()) };
	return resultOf(api.POST('/deleteDiagram/{id}', { params }));
}

function headerOf({ id, version }: Pick<DiagramDraft, 'id' | 'version'>, key: string) {
	return { 'Idempotency-Key': key, ...(id === 0 ? {} : { 'If-Match': etagOf(version) }) };
}
