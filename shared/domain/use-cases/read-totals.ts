import type { Correction } from '../board/correction.ts';
import { referenceProblem } from '../board/reference.ts';
import { boundsOf, countBounds } from '../calendar/bounds.ts';
import type { WirePeriod } from '../calendar/period-choice.ts';
import { DomainError } from '../errors.ts';
import type { AlarmStore } from '../ports/alarm-store.ts';
import type { SampleKey, SampleReader, SamplesResult } from '../ports/sample-reader.ts';
import type { SchemaReader } from '../ports/schema-store.ts';
import type { DefinitionCache } from '../reading/definition-cache.ts';
import { type EvaluatedLine, evaluateLines } from '../totals/evaluate-lines.ts';
import type { LineSource } from '../totals/fold-lines.ts';
import type { RaisedEvents } from '../totals/raised-values.ts';
import { planSamples, type VariableLine } from '../totals/sample-plan.ts';
import type { TotalsRequest } from '../totals/totals-request.ts';
import { ownHoldMs } from '../totals/variable-signal.ts';
import { ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { durationOf } from '../variable/duration.ts';
import type { Range } from '../variable/window.ts';
import { correctionsOf, overlaps } from './corrections-of.ts';
import { createSources, isCounter } from './line-signals.ts';

/** What is needed to count totals: the variables' definitions, samples of time series, and the journal of alarms. */
export interface TotalsDeps {
	readonly definitions: DefinitionCache;
	readonly store: Pick<SchemaReader, 'get'>;
	readonly samples: SampleReader;
	readonly alarms: Pick<AlarmStore, 'events' | 'progress'>;
}

/** The lines of a request over the same windows. */
export interface Totals {
	/** n + 1 epoch milliseconds: window i is from bounds[i] to bounds[i + 1]. */
	readonly bounds: readonly number[];
	/** Null: the range is one window. */
	readonly period: WirePeriod | null;
	readonly timeZone: string;
	readonly dayStart: string;
	readonly lines: readonly CorrectedLine[];
}

/** A line, with the ids of the corrections of its variable that overlap the range, ascending. */
export interface CorrectedLine extends EvaluatedLine {
	readonly corrections: readonly number[];
}

/** Reads the corrections of variables, by variable. */
export type ReadCorrections = (varIds: readonly number[]) => Promise<ReadonlyMap<number, readonly Correction[]>>;

/** Most windows of one request (shared/http/README.md#limits). */
const maxWindows = 400;

/** Most samples that are read for one request. */
const maxSamples = 1_000_000;

/** Most samples of which formulas take the common time, counted once for each formula that uses them. */
const maxCombined = 10_000_000;

/** How far before the range the journal of alarms is read, to tell which alarms were active. */
const activeBeforeMs = 7 * 86_400_000;

/** Entries of the journal that one page reads, and the most pages. */
const eventsPerPage = 5000;
const maxEventPages = 40;

/**
 * Counts the lines of a request (shared/domain/totals/README.md#request). A line whose series cannot be read has a fault; the others are
 * not affected.
 * @param database the tenant's time-series database
 * @param readCorrections left out: those that are stored
 * @throws DomainError `invalid` for a line that does not fit its variable, `too_large` when the request is beyond a limit, before any
 *   sample is read, and the errors of the ports
 * @example
 * const { bounds, lines } = await readTotals(deps, 'plant', 'series', parseTotalsRequest(body, Date.now()));
 */
export async function readTotals(
	deps: TotalsDeps,
	schema: string,
	database: string,
	request: TotalsRequest,
	readCorrections: ReadCorrections = (varIds) => correctionsOf(deps.store, schema, varIds),
): Promise<Totals> {
	const { lines, range, calendar, dayStart, period = null } = request;
	const bounds = boundsWithin(request);
	const signalLines = lines.filter((line) => line.kind === 'signal');
	const severities = lines.filter((line) => line.kind === 'raised');
	const rows = await deps.definitions.get(schema, [...new Set(signalLines.map(({ varId }) => varId))]);
	const read = signalLines.flatMap((line): readonly VariableLine[] => {
		const variable = rows.get(line.varId)?.variable;
		return variable === undefined ? [] : [{ line, variable }];
	});
	checkLines(request, read);
	const plan = planSamples(read, range);
	const [results, corrections, raised] = await Promise.all([
		readSamples(deps.samples, database, plan.keys, request),
		readCorrections([...new Set(read.map(({ line }) => line.varId))]),
		severities.length === 0 ? null : raisedEvents(deps.alarms, schema, range),
	]);
	const sources = new Map<string, LineSource>(signalLines.map(({ key }) => [key, { fault: 'missing_reference' }]));
	const sourceOf = createSources({ reader: deps.samples, database, plan, results, corrections, start: range.start });
	for (const each of read) sources.set(each.line.key, await sourceOf(each));
	if (raised !== null) for (const { key } of severities) sources.set(key, { raised });
	return {
		bounds,
		period,
		timeZone: calendar.zone.name,
		dayStart,
		lines: withCorrections(evaluateLines(lines, sources, bounds), request, corrections),
	};
}

function boundsWithin({ range, period, calendar }: TotalsRequest): readonly number[] {
	if (period === undefined) return [range.start, range.stop];
	const duration = durationOf(period.count, period.unit);
	if ('code' in duration) throw new RangeError(`A parsed period is ${period.count} ${period.unit}: ${duration.message}`);
	const windows = countBounds(range, duration, calendar) - 1;
	if (windows > maxWindows) {
		const remedy = 'Ask for a longer period or a shorter range.';
		throw new DomainError('too_large', { field: 'period', counted: 'windows', actual: windows, limit: maxWindows, remedy });
	}
	return boundsOf(range, duration, calendar);
}

/** Checks what a line needs of its variable. A variable that does not exist is the fault of its line: it may have been deleted. */
function checkLines({ lines }: TotalsRequest, read: readonly VariableLine[]): void {
	const issues = new ValidationIssues();
	for (const { line, variable } of read) {
		const path = `lines.${lines.indexOf(line)}`;
		const wrongBit = referenceProblem(line, variable);
		if (wrongBit !== null) issues.add(`${path}.${wrongBit[0]}`, wrongBit[1]);
		const windowed = [...variable.varsTsdb.values()].find((query) => ownHoldMs(query) === null);
		if (line.holdMs === undefined && windowed !== undefined) {
			const aggregate = windowed.calc_type_period;
			const message = `Is required: the variable reads the ${aggregate} of windows, which does not say how often its source reports.`;
			issues.add(`${path}.holdSeconds`, problem('hold_required', message, { aggregate }));
		}
		if (variable.calc && line.asked.function === 'increase')
			issues.add(
				`${path}.function`,
				problem('formula_has_no_counter', 'A calculated variable has no counter: take the increase of its inputs.'),
			);
	}
	issues.throwIfAny();
}

async function readSamples(
	samples: SampleReader,
	database: string,
	keys: readonly SampleKey[],
	request: TotalsRequest,
): Promise<readonly SamplesResult[]> {
	if (keys.length === 0) return [];
	const counts = await samples.countSamples(database, keys);
	const actual = counts.reduce((sum, count) => sum + count, 0);
	if (actual > maxSamples) {
		const remedy = remedyFor(request.range, actual);
		throw new DomainError('too_large', { field: 'request', counted: 'samples in the range', actual, limit: maxSamples, remedy });
	}
	const formulas = request.lines.filter(({ kind }) => kind === 'formula').length;
	if (actual * formulas > maxCombined) {
		const remedy = 'Ask for fewer formulas, or for a shorter range.';
		throw new DomainError('too_large', {
			field: 'request',
			counted: 'samples in the range, for each formula',
			actual: actual * formulas,
			limit: maxCombined,
			remedy,
		});
	}
	return samples.readSamples(database, keys);
}

/** Says which range would fit, in whole days, hours or minutes, if samples are spread evenly. A tenth is left free. */
function remedyFor({ start, stop }: Range, actual: number): string {
	const fittingMs = ((stop - start) * maxSamples * 0.9) / actual;
	for (const [unit, ms] of [
		['days', 86_400_000],
		['hours', 3_600_000],
		['minutes', 60_000],
	] as const) {
		const count = Math.floor(fittingMs / ms);
		if (count > 1) return `A range of ${count} ${unit} would fit: ask for the range in parts, or for fewer lines.`;
	}
	return 'Ask for fewer lines.';
}

/** Adds to each line the corrections that overlap the range. An exchange of a meter has no effect on a line that is no counter. */
function withCorrections(
	evaluated: readonly EvaluatedLine[],
	{ lines, range }: TotalsRequest,
	corrections: ReadonlyMap<number, readonly Correction[]>,
): readonly CorrectedLine[] {
	return evaluated.map((each, index) => {
		const line = lines[index];
		const own = line?.kind === 'signal' ? (corrections.get(line.varId) ?? []) : [];
		const applied = own.filter(
			(correction) => correction.type !== 'exchange' || (line?.kind === 'signal' && isCounter({ line })),
		);
		return { ...each, corrections: applied.filter((correction) => overlaps(correction, range)).map(({ id }) => id) };
	});
}

/** Reads what the journal of alarms tells of a range, and when alarms were not evaluated. */
async function raisedEvents(alarms: TotalsDeps['alarms'], schema: string, { start, stop }: Range): Promise<RaisedEvents> {
	const progress = await alarms.progress(schema);
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
		const counted = 'entries of the journal of alarms in the range, and a week before';
		throw new DomainError('too_large', { field: 'request', counted, actual: events.length + 1, limit: events.length });
	}
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
