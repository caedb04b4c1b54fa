import { referenceProblem } from '../board/reference.ts';
import { boundsOf, type Calendar, countBounds } from '../calendar/bounds.ts';
import { DomainError } from '../errors.ts';
import { dayMs, hourMs, minuteMs } from '../milliseconds.ts';
import type { AlarmStore } from '../ports/alarm-store.ts';
import type { SampleReader, SamplesResult } from '../ports/sample-reader.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import type { Duration } from '../variable/duration.ts';
import { isStandIn, type Variable } from '../variable/variable.ts';
import type { Range } from '../variable/window.ts';
import { type Corrections, correctionsOf } from './corrections-of.ts';
import { countCommonTimes, foldLines, type LineSource, type WindowStates } from './fold-lines.ts';
import { createSources, signalName } from './line-signals.ts';
import type { RaisedEvents } from './raised-values.ts';
import { planSamples, type SamplePlan, type VariableLine } from './sample-plan.ts';
import type { TotalsLine } from './totals-request.ts';
import { ownHoldMs } from './variable-signal.ts';

/** The dependencies of counting totals: the variables' definitions, samples of time series, and the journal of alarms. */
export interface TotalsDeps {
	readonly definitions: DefinitionCache;
	readonly store: Pick<SchemaReader, 'get'>;
	readonly samples: SampleReader;
	readonly alarms: Pick<AlarmStore, 'events' | 'progress'>;
}

/** Lines with the variables that they read. */
export interface DefinedLines {
	readonly lines: readonly TotalsLine[];
	/** The lines of signals with their variables. A line is left out if its variable does not exist any more. */
	readonly found: readonly VariableLine[];
}

/** Lines with all that is needed to count them from samples. */
export interface CountableLines extends DefinedLines, Corrections {}

/** Most windows of one request (shared/http/README.md#limits). */
const maxWindows = 400;

/** Most samples that are read for one request. A store may have a limit of its own. */
const maxSamples = 1_000_000;

/**
 * Most samples from which formulas compute their common time, and calculated variables their signals. Each sample counts once for all formulas
 * over the same lines, and for all lines that read a calculated variable in the same way.
 */
const maxCombined = 10_000_000;

/** The tokens of a usual formula. A calculated variable with more costs more for each sample. */
const usualTokens = 10;

/** How far before the range the journal of alarms is read, to tell which alarms were active. */
const activeBeforeMs = 7 * dayMs;

/** Most entries of the journal in one page, and most pages that one request reads. */
const eventsPerPage = 5000;
const maxEventPages = 40;

/** Reads the variables of lines, and their corrections. @throws DomainError `store_failed` */
export async function defineLines(
	{ definitions, store }: Pick<TotalsDeps, 'definitions' | 'store'>,
	schema: string,
	lines: readonly TotalsLine[],
): Promise<CountableLines> {
	const varIds = [...new Set(lines.flatMap((line) => (line.kind === 'signal' ? [line.varId] : [])))];
	const [rows, corrections] = await Promise.all([definitions.get(schema, varIds), correctionsOf(store, schema, varIds)]);
	return { ...withVariables(lines, (varId) => rows.get(varId)?.variable), ...corrections };
}

/**
 * Returns the bounds of a range's windows of a length. They are counted before they are made: a range can have more windows than memory
 * holds.
 * @throws DomainError `too_large` when there are more than `maxWindows`
 */
export function windowBounds(range: Range, length: Duration, calendar: Calendar): readonly number[] {
	const windows = countBounds(range, length, calendar) - 1;
	if (windows > maxWindows) {
		const remedy = 'Ask for a longer period or a shorter range.';
		throw new DomainError('too_large', { field: 'period', counted: 'windows', actual: windows, limit: maxWindows, remedy });
	}
	return boundsOf(range, length, calendar);
}

/**
 * Folds lines over consecutive windows. A line whose series cannot be read, or that does not fit its variable, has a fault; the others are not
 * affected.
 * @param database the tenant's time-series database
 * @param bounds at least two ascending epoch milliseconds; the last one is not after now
 * @throws DomainError `too_large` when the request is beyond a limit, before any sample is read, and the errors of the ports
 */
export async function readWindows(
	deps: Pick<TotalsDeps, 'samples' | 'alarms'>,
	{ schema, database }: { readonly schema: string; readonly database: string },
	{ lines, found, corrections, uncountable }: CountableLines,
	bounds: readonly number[],
): Promise<readonly WindowStates[]> {
	const range = { start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 };
	const signalLines = lines.filter((line) => line.kind === 'signal');
	const raisedLines = lines.filter((line) => line.kind === 'raised');
	const isUnread = ({ line, variable }: VariableLine): boolean => isStandIn(variable) || uncountable.has(line.varId);
	const fitting = found.filter((each) => lineProblem(each) === null && !isUnread(each));
	const plan = planSamples(fitting, range);
	const [results, raised] = await Promise.all([
		readSamples(deps.samples, database, plan, lines, fitting, range),
		raisedLines.length === 0 ? null : raisedEvents(deps.alarms, schema, range),
	]);
	// A line keeps its fault unless a source replaces it.
	const sources = new Map<string, LineSource>(signalLines.map(({ key }) => [key, { fault: 'missing_reference' }]));
	for (const each of found) sources.set(each.line.key, { fault: isUnread(each) ? 'stored_row_invalid' : 'line_does_not_fit' });
	const sourceOf = createSources({ reader: deps.samples, database, plan, results, corrections, start: range.start });
	for (const each of fitting) sources.set(each.line.key, await sourceOf(each));
	if (raised !== null) for (const { key } of raisedLines) sources.set(key, { raised });
	return foldLines(lines, sources, bounds);
}

/** Returns lines with their variables. `variableOf`: returns undefined for a variable that does not exist. */
export function withVariables(lines: readonly TotalsLine[], variableOf: (varId: number) => Variable | undefined): DefinedLines {
	const found = lines.flatMap((line): readonly VariableLine[] => {
		const variable = line.kind === 'signal' ? variableOf(line.varId) : undefined;
		return line.kind === 'signal' && variable !== undefined ? [{ line, variable }] : [];
	});
	return { lines, found };
}

/** Checks that lines fit their variables. @throws DomainError `invalid` with the fields of all lines that do not */
export function checkLinesFit({ lines, found }: DefinedLines): void {
	const issues = new ValidationIssues();
	for (const each of found) {
		const wrong = lineProblem(each);
		if (wrong === null) continue;
		const [field, cause] = wrong;
		issues.add(`lines.${lines.indexOf(each.line)}.${field}`, cause);
	}
	issues.throwIfAny();
}

/** Returns the problem of a line that does not fit its variable, with the field of the line; null: it fits. */
function lineProblem({ line, variable }: VariableLine): readonly [field: string, cause: Problem] | null {
	if (isStandIn(variable)) return null;
	const wrongBit = referenceProblem(line, variable);
	if (wrongBit !== null) return wrongBit;
	const windowed = [...variable.varsTsdb.values()].find((query) => ownHoldMs(query) === null);
	if (line.holdMs === undefined && windowed !== undefined) {
		const aggregate = windowed.calc_type_period;
		const message = `Is required: the variable reads the ${aggregate} of windows, which does not say how often its source reports.`;
		return ['holdSeconds', problem('hold_required', message, { aggregate })];
	}
	if (variable.calc && line.asked.function === 'increase')
		return [
			'function',
			problem('formula_has_no_counter', 'A calculated variable has no counter: take the increase of its inputs.'),
		];
	return null;
}

async function readSamples(
	samples: SampleReader,
	database: string,
	{ keys, positionOf }: SamplePlan,
	lines: readonly TotalsLine[],
	found: readonly VariableLine[],
	range: Range,
): Promise<readonly SamplesResult[]> {
	if (keys.length === 0) return [];
	const counts = await samples.countSamples(database, keys);
	const actual = counts.reduce((sum, count) => sum + count, 0);
	const limit = Math.min(maxSamples, samples.maxSamples?.(database) ?? maxSamples);
	if (actual > limit) {
		const remedy = remedyFor(range, actual, limit);
		throw new DomainError('too_large', { field: 'request', counted: 'samples_in_range', actual, limit, remedy });
	}
	const countOf = (variable: Variable): number =>
		[...variable.varsTsdb.values()].reduce((sum, query) => sum + (counts[positionOf(query)] ?? 0), 0);
	const calculated = new Map(
		found.map((each) => [signalName(each), countOf(each.variable) * formulaWeight(each.variable)] as const),
	);
	const combined = Math.ceil([...calculated.values()].reduce((sum, cost) => sum + cost, actual * countCommonTimes(lines)));
	if (combined > maxCombined) {
		const remedy = 'Ask for fewer formulas, or for a shorter range.';
		throw new DomainError('too_large', {
			field: 'request',
			counted: 'samples_for_formulas',
			actual: combined,
			limit: maxCombined,
			remedy,
		});
	}
	return samples.readSamples(database, keys);
}

/** Returns what a calculated variable costs for each sample, as a multiple of a usual formula; 0: it has none. */
const formulaWeight = (variable: Variable): number => (variable.calc ? Math.max(1, variable.equation.length / usualTokens) : 0);

/**
 * Returns the sentence that names a range which would fit, in whole days, hours or minutes, if samples are spread evenly. A tenth of the
 * limit is left free.
 */
function remedyFor({ start, stop }: Range, actual: number, limit: number): string {
	const fittingSamples = 0.9 * limit;
	const fittingMs = ((stop - start) * fittingSamples) / actual;
	for (const [unit, ms] of [
		['days', dayMs],
		['hours', hourMs],
		['minutes', minuteMs],
	] as const) {
		const count = Math.floor(fittingMs / ms);
		// A single day is named in hours, a single hour in minutes.
		if (count > 1) return `A range of ${count} ${unit} would fit: ask for the range in parts, or for fewer lines.`;
	}
	return 'Ask for fewer lines.';
}

/** Reads the entries of the journal of alarms for a range, and the times in which alarms were not evaluated. */
async function raisedEvents(alarms: TotalsDeps['alarms'], schema: string, { start, stop }: Range): Promise<RaisedEvents> {
	const progress = await alarms.progress(schema);
	// Null: the alarms of the schema are not evaluated, so nothing is known of the whole range.
	const evaluatedFrom = progress === null ? stop : progress.createdAt;
	const evaluatedUntil = progress?.evaluatedUntil ?? evaluatedFrom;
	const request = { start: start - activeBeforeMs, end: stop, alarmId: null, limit: eventsPerPage };
	const events = [];
	let after: string | null = null;
	for (let page = 1; page <= maxEventPages; page += 1) {
		const found: Awaited<ReturnType<AlarmStore['events']>> = await alarms.events(schema, { ...request, after });
		events.push(...found.events);
		after = found.next;
		if (after === null) break;
	}
	if (after !== null) {
		// At least one more entry follows.
		const counted = 'alarm_entries_in_range';
		throw new DomainError('too_large', { field: 'request', counted, actual: events.length + 1, limit: events.length });
	}
	// A gap begins at the time of its entry, and was over when the entry was recorded.
	const gaps = events.filter(({ kind }) => kind === 'gap').map(({ time, recordedAt }) => ({ start: time, stop: recordedAt }));
	const unknown = [{ start: 0, stop: evaluatedFrom }, ...gaps, { start: evaluatedUntil, stop: Number.POSITIVE_INFINITY }];
	return { events, unknown: disjoint(unknown) };
}

/** Returns ranges that cover the same times and do not overlap. */
function disjoint(ranges: readonly Range[]): readonly Range[] {
	const merged: Range[] = [];
	for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
		const last = merged.at(-1);
		if (last !== undefined && range.start <= last.stop)
			merged[merged.length - 1] = { start: last.start, stop: Math.max(last.stop, range.stop) };
		else merged.push(range);
	}
	return merged;
}
