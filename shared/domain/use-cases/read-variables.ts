import { type Compiled, createCompiler } from '../equation/evaluate.ts';
import type { Token } from '../equation/token.ts';
import { DomainError } from '../errors.ts';
import type { TimeSeries } from '../ports/time-series.ts';
import { findCalculated } from '../reading/calculated.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import type { InputResult } from '../reading/input.ts';
import { planOf } from '../reading/plan.ts';
import { reasonOf } from '../reading/quality.ts';
import type { Evaluation, Reading } from '../reading/reading.ts';
import { findSingle } from '../reading/single.ts';
import type { Variable } from '../variable/variable.ts';

/** Most ids of one request, and most windows that it may read or answer (design section 3). */
export const maxIds = 500;

export const maxWindows = 100_000;

/** What reading needs: definitions kept by revision, and the series. */
export interface ReadingDeps {
	readonly definitions: DefinitionCache;
	readonly timeSeries: TimeSeries;
}

/** Whose series are read, and when: one `now` a request, whole epoch milliseconds. */
export interface ReadContext {
	readonly database: string;
	readonly now: number;
}

const compiled: (tokens: readonly Token[]) => Compiled = createCompiler();

/**
 * What each variable shows at one moment, in their order: their distinct series in one read.
 * Throws `too_large` naming `field` before anything is read, and what the time series throws.
 */
export async function readNow(
	timeSeries: TimeSeries,
	{ database, now }: ReadContext,
	variables: readonly Variable[],
	field: string,
): Promise<readonly Reading[]> {
	const plan = planOf(variables);
	if (plan.windows > maxWindows)
		throw new DomainError('too_large', { field, what: 'windows to read and answer', actual: plan.windows, limit: maxWindows });
	const results = plan.keys.length === 0 ? [] : await timeSeries.read(database, plan.keys, now);
	return variables.map((variable, index) => {
		const inputs = (plan.inputs[index] ?? []).map((input): InputResult => {
			const result = results[plan.positionOf(input.key)];
			if (result === undefined) throw new RangeError('The time series answered fewer series than were asked for.');
			return { ...input, result };
		});
		const { id, name, unit, type } = variable;
		return { id, name, unit, type, ...find(variable, inputs, now) };
	});
}

/**
 * The readings of the ids asked for, in their order, or of every variable of the schema by ascending id.
 * One that cannot be read is an entry that says so, and never takes the others with it.
 */
export async function readVariables(
	deps: ReadingDeps,
	schema: string,
	moment: ReadContext,
	ids: readonly number[] | 'all',
): Promise<readonly Reading[]> {
	const field = ids === 'all' ? 'request' : 'ids';
	const refuseMany = (count: number): void => {
		if (count > maxIds) throw new DomainError('too_large', { field, what: 'ids', actual: count, limit: maxIds });
	};
	if (ids !== 'all') refuseMany(ids.length);
	const rows = await deps.definitions.get(schema, ids === 'all' ? ids : [...new Set(ids.filter((id) => id > 0))]);
	const asked = ids === 'all' ? [...rows.keys()].sort((a, b) => a - b) : ids;
	refuseMany(asked.length);
	const variables = asked.flatMap((id) => rows.get(id)?.variable ?? []);
	const readings = await readNow(deps.timeSeries, moment, variables, field);
	const byId = new Map(readings.map((reading) => [reading.id, reading]));
	return asked.map((id) => byId.get(id) ?? missing(id));
}

function find(variable: Variable, inputs: readonly InputResult[], now: number): Evaluation {
	if (variable.calc) return findCalculated(variable, inputs, compiled(variable.equation), now);
	const [input] = inputs;
	if (input === undefined) throw new RangeError(`Variable ${variable.id} has no query.`);
	return findSingle(variable, input, now);
}

/** The entry of an id that is no variable's. */
const missing = (id: number): Reading => ({
	id,
	name: null,
	unit: null,
	type: null,
	shown: { type: 'last', value: null, time: null },
	quality: 'missing_reference',
	reason: reasonOf('missing_reference', []),
	bits: null,
	inputTimes: null,
});
