import { api, resultOf } from '#page/core/api.ts';
import type { SendTrial } from './trial.ts';

/** Has the service read a variable as it would be stored (`?dryRun=1`). Nothing is stored. */
export const sendTrial: SendTrial = async (body) => {
	const result = await resultOf(api.POST('/saveVariable', { params: { query: { dryRun: '1' } }, body }));
	if (!result.ok) return result;
	const { data } = result.data;
	if (!('reading' in data)) return { ok: false, failure: { kind: 'refused', status: 0, errors: {}, retryAfterMs: null } };
	return { ...result, data: { reading: data.reading, storedVersion: data.variable.version - 1 } };
};
