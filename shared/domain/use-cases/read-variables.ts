import * as v from 'valibot';
import { readLimits } from '../reading/budget.ts';
import { reasonOf } from '../reading/quality.ts';
import type { ReadContext, ReadingDeps } from '../reading/read-now.ts';
import type { Reading } from '../reading/reading.ts';
import { readTold } from '../reading/told-sources.ts';
import { checkIdCount, fieldOf, idSchema, optionalField } from '../validation/field.ts';
import { parse } from '../validation/parse.ts';

/** Most ids of one request. A request for all variables reads as many (shared/http/README.md#limits). */
export const maxIds = readLimits.variables;

/** The body of a request for readings. */
export const readRequestSchema = v.object({ ids: optionalField(v.array(idSchema)) });

/**
 * Parses the ids that a client asks for; `all` when it names none. The ids are counted before they are parsed.
 * @throws DomainError `too_large` when there are more than `maxIds`, `invalid` when one is no id
 */
export function parseIds(input: object): readonly number[] | 'all' {
	checkIdCount(fieldOf(input, 'ids'), maxIds);
	return parse(readRequestSchema, input).ids ?? 'all';
}

/**
 * Reads the given ids in their order, or every variable of the schema by ascending id. A variable that cannot be read, or does not
 * fit into what one request may read, gets a reading that says why; the other readings are not affected.
 * @throws DomainError `too_large` when there are more than `maxIds` ids, and the errors of the ports
 * @example
 * const readings = await readVariables(deps, 'plant', { database: 'series', now: Date.now() }, [7, 8]);
 */
export async function readVariables(
	deps: ReadingDeps,
	schema: string,
	context: ReadContext,
	ids: readonly number[] | 'all',
): Promise<readonly Reading[]> {
	checkIdCount(ids, maxIds);
	// No variable has the id 0: it is answered as missing.
	const rows = await deps.definitions.get(schema, ids === 'all' ? ids : [...new Set(ids.filter((id) => id > 0))]);
	const requested = ids === 'all' ? [...rows.keys()].sort((a, b) => a - b) : ids;
	const variables = requested.flatMap((id) => rows.get(id)?.variable ?? []);
	// The readings are in the order of `variables`, so each id that was found takes the next one. An id that is asked for twice has two.
	const readings = (await readTold(deps.timeSeries, context, variables)).values();
	return requested.map((id) => (rows.has(id) ? readings.next().value : undefined) ?? missing(id));
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
