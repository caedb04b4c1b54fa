import { boundsOf, countBounds } from '../calendar/bounds.ts';
import { choosePeriod, lengthOf, type WirePeriod } from '../calendar/period-choice.ts';
import { DomainError } from '../errors.ts';
import { evaluateFormula } from '../history/evaluate-formula.ts';
import { emptyColumn, evaluateQuery, type SpanInputResult } from '../history/evaluate-query.ts';
import type { History, HistoryEvaluation, VariableHistory } from '../history/history.ts';
import { availableTo, type HistoryAggregate } from '../history/history-aggregates.ts';
import { planHistory, type SpanInput } from '../history/history-plan.ts';
import type { HistoryRequest, HistoryWindows } from '../history/history-request.ts';
import type { SpanReader, SpanResult } from '../ports/span-reader.ts';
import type { TimeSeries } from '../ports/time-series.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import { reasonOf } from '../reading/quality.ts';
import { createCompiler } from '../reading/read-now.ts';
import { unshared } from '../reading/shared-reads.ts';
import { tellSources } from '../reading/told-sources.ts';
import type { CountedThing } from '../validation/counted.ts';
import type { Duration } from '../variable/duration.ts';
import { periodOf } from '../variable/query.ts';
import type { Variable } from '../variable/variable.ts';

/** The dependencies of reading histories: the variables' definitions, and time series. */
export interface HistoryDeps extends HistorySeries {
	readonly definitions: DefinitionCache;
}

/** The time series that histories are read from. */
interface HistorySeries {
	readonly spans: SpanReader;
	/** Tells several sources of a variable apart; null: nobody is told. */
	readonly timeSeries: TimeSeries | null;
}

/** Most values of one answer: windows x ids x aggregates (shared/http/README.md#limits). */
const maxValues = 100_000;

/** Most values that are read for one answer. The inputs of calculated variables can make it more than are answered. */
const maxValuesRead = 500_000;

/** Most own periods that are looked through for coverage. */
const maxSlots = 2_000_000;

const compile = createCompiler();

/**
 * Reads the histories of variables over the windows that a request asks for (shared/domain/history/README.md#answer), in the order of its
 * ids. A variable that cannot be read has a quality that says why; the others are not affected.
 * @param database the tenant's time-series database
 * @throws DomainError `too_large` when the request is beyond a limit, before any series is read, and the errors of the ports
 * @example
 * const { bounds, variables } = await readHistory(deps, 'plant', 'series', parseHistoryRequest(body, Date.now()));
 */
export async function readHistory(
	deps: HistoryDeps,
	schema: string,
	database: string,
	request: HistoryRequest,
): Promise<History> {
	const { ids, aggregates } = request;
	// No variable has the id 0: it is answered as missing.
	const rows = await deps.definitions.get(
		schema,
		ids.filter((id) => id > 0),
	);
	const variables = ids.flatMap((id) => rows.get(id)?.variable ?? []);
	const read = await readHistoryOf(deps, database, variables, request, ids.length);
	const byId = new Map(read.variables.map((history) => [history.id, history]));
	return { ...read, variables: ids.map((id) => byId.get(id) ?? missing(id, aggregates, read.bounds)) };
}

/**
 * Reads the histories of definitions, stored or not, in their order. Equal ids are allowed: a draft and what is stored have the same one.
 * @param count the number of variables that are answered, for the limits
 * @throws DomainError as `readHistory`
 */
export async function readHistoryOf(
	{ spans, timeSeries }: HistorySeries,
	database: string,
	variables: readonly Variable[],
	request: HistoryWindows,
	count = variables.length,
): Promise<History> {
	const { aggregates, calendar, dayStart } = request;
	const period = windowPeriodOf(request, variables);
	const bounds = boundsWithin(request, period, count);
	checkSlots(request, variables);
	const plan = planHistory(variables, aggregates, bounds);
	const valuesRead = plan.keys.reduce((sum, key) => sum + key.aggregates.length * (bounds.length - 1), 0);
	checkLimit(valuesRead, maxValuesRead, 'values_to_read', askForLess);
	const results = plan.keys.length === 0 ? [] : await spans.readSpans(database, plan.keys);

	const resultOf = ({ key }: SpanInput): SpanResult => {
		const result = results[plan.positionOf(key)];
		if (result === undefined) throw new RangeError('The time series returned fewer spans than the keys it was given.');
		return result;
	};
	const histories = variables.map((variable, index) => {
		const inputs = (plan.inputs[index] ?? []).map((input) => ({ ...input, result: resultOf(input) }));
		return historyOf(variable, inputs, aggregates, bounds);
	});
	const { start, stop } = request.range;
	const told =
		timeSeries === null
			? histories
			: await tellSources(unshared(timeSeries), { database, now: stop }, variables, histories, { ms: stop - start });
	return { bounds, period, timeZone: calendar.zone.name, dayStart, variables: told };
}

const askForLess = 'Ask for a longer period, a shorter range, or fewer ids or aggregates.';

/** The period asked for; otherwise the shortest one that gives few enough windows and is no shorter than the shortest of the variables' own. */
function windowPeriodOf({ windows, range, calendar }: HistoryWindows, variables: readonly Variable[]): WirePeriod {
	if ('period' in windows) return windows.period;
	const own = variables.map((variable) => ownPeriodOf(variable)?.duration.ms).filter((ms) => ms !== undefined);
	return choosePeriod(range, windows.points, own.length === 0 ? 0 : Math.min(...own), calendar);
}

/** Returns the bounds of the windows. They are counted before they are made: a range can have more windows than memory holds. */
function boundsWithin({ range, aggregates, calendar }: HistoryWindows, period: WirePeriod, variables: number): readonly number[] {
	const length = lengthOf(period);
	const windows = countBounds(range, length, calendar) - 1;
	checkLimit(windows * variables * aggregates.length, maxValues, 'values_to_answer', askForLess);
	return boundsOf(range, length, calendar);
}

function checkSlots({ range, aggregates }: HistoryWindows, variables: readonly Variable[]): void {
	if (!aggregates.includes('coverage')) return;
	// A range has few own periods of months, so they are not counted.
	const slots = variables
		.filter((variable) => availableTo(variable).has('coverage'))
		.map((variable) => ownPeriodOf(variable)?.duration)
		.map((own) => (own === undefined || own.months !== undefined ? 0 : Math.ceil((range.stop - range.start) / own.ms)))
		.reduce((sum, count) => sum + count, 0);
	checkLimit(slots, maxSlots, 'own_periods_in_range', 'Leave coverage out, or ask for a shorter range or fewer ids.');
}

function checkLimit(actual: number, limit: number, counted: CountedThing, remedy: string): void {
	if (actual > limit) throw new DomainError('too_large', { field: 'request', counted, actual, limit, remedy });
}

function historyOf(
	variable: Variable,
	inputs: readonly SpanInputResult[],
	aggregates: readonly HistoryAggregate[],
	bounds: readonly number[],
): VariableHistory {
	const { id, name, unit } = variable;
	const available = availableTo(variable);
	const requested = aggregates.filter((aggregate) => available.has(aggregate));
	const [query] = variable.varsTsdb.values();
	return {
		id,
		name,
		unit,
		period: ownPeriodOf(variable)?.period ?? null,
		aggregate: variable.calc ? null : (query?.calc_type_period ?? null),
		...evaluate(variable, inputs, requested, bounds),
		unavailable: aggregates.filter((aggregate) => !available.has(aggregate)),
	};
}

function evaluate(
	variable: Variable,
	inputs: readonly SpanInputResult[],
	aggregates: readonly HistoryAggregate[],
	bounds: readonly number[],
): HistoryEvaluation {
	if (variable.calc) {
		const { column, ...quality } = evaluateFormula(inputs, compile(variable.equation), bounds.length - 1);
		// The only aggregate of a formula is `own` (`availableTo`).
		return { ...quality, columns: new Map(aggregates.map((aggregate) => [aggregate, column])) };
	}
	const [input] = inputs;
	if (input === undefined) throw new RangeError(`Variable ${variable.id} has no query.`);
	return evaluateQuery(variable, input, aggregates, bounds);
}

/** The history of an id that no variable has. */
function missing(id: number, aggregates: readonly HistoryAggregate[], bounds: readonly number[]): VariableHistory {
	return {
		id,
		name: null,
		unit: null,
		period: null,
		aggregate: null,
		quality: 'missing_reference',
		reason: reasonOf('missing_reference', []),
		columns: new Map(aggregates.map((aggregate) => [aggregate, emptyColumn(bounds)])),
		unavailable: [],
	};
}

/** A variable's own period, as it was saved and as a duration. */
interface OwnPeriod {
	readonly period: WirePeriod;
	readonly duration: Duration;
}

/** Returns the period of a variable's query; the longest one of a calculated variable. Null where it has no query. */
function ownPeriodOf({ varsTsdb }: Variable): OwnPeriod | null {
	const periods = [...varsTsdb.values()].map((query) => ({
		period: { count: query.calc_period, unit: query.calc_unit_period },
		duration: periodOf(query),
	}));
	return periods.toSorted((a, b) => b.duration.ms - a.duration.ms)[0] ?? null;
}
