import { DomainError } from '../errors.ts';
import { reasonOf } from '../reading/quality.ts';
import { type ReadContext, type ReadingDeps, readNow } from '../reading/read-now.ts';
import type { Reading } from '../reading/reading.ts';

/** Most ids of one request, and most variables that one request for all variables answers with (DESIGN.md section 3.7). */
const maxIds = 500;

/**
 * Reads the given ids in their order, or every variable of the schema by ascending id. A variable that cannot be read gets a
 * reading that says why; the other readings are not affected.
 * @throws DomainError `too_large` when there are more than `maxIds` variables or too many windows, and the errors of the ports
 * @example
 * const readings = await readVariables(deps, 'plant', { database: 'series', now: Date.now() }, [7, 8]);
 */
export async function readVariables(
	deps: ReadingDeps,
	schema: string,
	context: ReadContext,
	ids: readonly number[] | 'all',
): Promise<readonly Reading[]> {
	const field = ids === 'all' ? 'request' : 'ids';
	const checkCount = (count: number): void => {
		if (count > maxIds) throw new DomainError('too_large', { field, counted: 'ids', actual: count, limit: maxIds });
	};
	if (ids !== 'all') checkCount(ids.length);
	const rows = await deps.definitions.get(schema, ids === 'all' ? ids : [...new Set(ids.filter((id) => id > 0))]);
	const requested = ids === 'all' ? [...rows.keys()].sort((a, b) => a - b) : ids;
	checkCount(requested.length);
	const variables = requested.flatMap((id) => rows.get(id)?.variable ?? []);
	const readings = await readNow(deps.timeSeries, context, variables, field);
	const byId = new Map(readings.map((reading) => [reading.id, reading]));
	return requested.map((id) => byId.get(id) ?? missing(id));
}

/** The reading of an id that no variable has. */
const missing = (id: number): Reading => ({
	id,
	name: null,
	unit: null,
	type: null,
	content: { type: 'last', value: null, time: null },
	quality: 'missing_reference',
	reason: reasonOf('missing_reference', []),
	bits: null,
	inputTimes: null,
});
