import { calendarOf } from '#domain/calendar/days.ts';
import { checkEquation } from '#domain/equation/check.ts';
import { compileEquation } from '#domain/equation/compile.ts';
import { parseFormula } from '#domain/equation/formula-text.ts';
import { minuteMs } from '#domain/milliseconds.ts';
import { readHistory } from '#domain/use-cases/read-history.ts';
import { readVariables } from '#domain/use-cases/read-variables.ts';
import { maxHistoryIds } from '#domain/validation/input-limits.ts';
import { type ApiResponse, ok, withReadings } from '#http/api-response.ts';
import { type Caller, callerOf } from '#http/caller.ts';
import type { ApiEvent, ApiHandler } from '#http/event.ts';
import type { HistoryHandlerDeps, ReadHandlerDeps } from '#http/handler-deps.ts';
import { createAuthorizedHandler, type OwnAuthorizationHandlerDeps } from '#http/own-authorization.ts';
import { PrometheusError, toPrometheusResponse } from '#http/prometheus/prometheus-error.ts';
import { limitIn, parametersOf, required, selectorIn, stepIn, timeIn } from '#http/prometheus/prometheus-request.ts';
import { type Labels, labelOf, type Matcher, parseSelector, selectorOf } from '#http/prometheus/selector.ts';
import { type LabelledSeries, metrics, numberOf, seriesOf } from '#http/prometheus/series.ts';
import { pathTextOf } from '#http/request.ts';

/** What the API needs: readings, histories, and the version that it tells. */
export interface PrometheusDeps extends ReadHandlerDeps, OwnAuthorizationHandlerDeps {
	readonly spans: HistoryHandlerDeps['spans'];
	readonly version: string;
}

/** The version of Prometheus whose HTTP API this is: Grafana asks for label values by selectors from 2.24 on. */
const apiVersion = '2.53.0';

/** How far a value may lie before the time of an instant query, as in Prometheus. */
const lookbackMs = 5 * minuteMs;

/** A query for a time not longer ago than this is one for now: clients take their time before they send it. */
const currentMs = minuteMs / 2;

/** Most points of a series, as in Prometheus. */
const maxPoints = 11_000;

/**
 * GET and POST /prometheus/api/v1/…: answers what clients of Prometheus ask for, by selectors (functions/README.md#prometheus-api). POST has
 * the parameters in a form.
 */
export function createHandler(deps: PrometheusDeps): ApiHandler {
	const respond = async (event: ApiEvent): Promise<ApiResponse> => {
		const caller = callerOf(event);
		const parameters = parametersOf(event);
		const request = pathTextOf(event, 'request');
		const [, label] = /^label\/([^/]+)\/values$/.exec(request) ?? [];
		if (label !== undefined) return labelValues(deps, caller, parameters, label);
		switch (request) {
			case 'query':
				return instantQuery(deps, caller, parameters);
			case 'query_range':
				return rangeQuery(deps, caller, parameters);
			case 'series':
				return success((await labelsOf(deps, caller, parameters, true)).slice(0, limitIn(parameters)));
			case 'labels':
				return success(namesIn(await labelsOf(deps, caller, parameters, false)).slice(0, limitIn(parameters)));
			case 'metadata':
				return success(metadata(parameters));
			case 'status/buildinfo': {
				const unknown = { branch: '', buildUser: '', buildDate: '', goVersion: '' };
				return success({ version: apiVersion, revision: `caudal ${deps.version}`, ...unknown });
			}
			default:
				throw new PrometheusError(
					'not_found',
					`There is no ${request}: query, query_range, series, labels, label/NAME/values, metadata and status/buildinfo are answered.`,
				);
		}
	};
	return createAuthorizedHandler(deps, respond, toPrometheusResponse);
}

const success = (data: unknown): ApiResponse => ok({ status: 'success', data });

/** Returns the value of each series at a moment, with its quality as a label. */
async function instantQuery(deps: PrometheusDeps, caller: Caller, parameters: URLSearchParams): Promise<ApiResponse> {
	const text = required(parameters, 'query');
	const now = deps.now();
	const time = timeIn(parameters, 'time', now);
	const constant = constantIn(text);
	if (constant !== null) return success({ resultType: 'scalar', result: sampleOf(time, constant) });
	const matchers = parseSelector(text);
	const ofQuality = selectorOf(matchers.filter(({ name }) => name === 'quality'));
	const series = await seriesIn(
		deps,
		caller,
		matchers.filter(({ name }) => name !== 'quality'),
	);
	const isCurrent = time >= now - currentMs && time <= now + lookbackMs;
	const { values, response } = isCurrent
		? await currentValues(deps, caller, series, now)
		: await valuesBefore(deps, caller, series, time, now);
	const result = series.flatMap((each) => {
		const { value, quality } = values.get(each.id) ?? { value: null, quality: '' };
		const number = numberOf(each, value);
		const metric = { ...each.labels, quality };
		return number === null || !ofQuality(metric) ? [] : [{ metric, value: sampleOf(time, number) }];
	});
	return { ...response, ...success({ resultType: 'vector', result }) };
}

/** The values of variables by their ids, with the qualities. */
type Values = ReadonlyMap<number, { readonly value: number | null; readonly quality: string }>;

/** Returns the current readings. Of a variable that reads a history it is the newest point. */
async function currentValues(deps: PrometheusDeps, { schema, database }: Caller, series: readonly LabelledSeries[], now: number) {
	const readings = await readVariables(deps, schema, { database, now }, idsOf(series));
	const values: Values = new Map(
		readings.map(({ id, content, quality }) => {
			const value = content.type === 'last' ? content.value : (content.series.at(-1)?.[1] ?? null);
			return [id, { value, quality }];
		}),
	);
	return { values, response: withReadings(readings, success(null)) };
}

/** Returns the newest values of whole minutes within the lookback before a time. */
async function valuesBefore(deps: PrometheusDeps, caller: Caller, series: readonly LabelledSeries[], time: number, now: number) {
	const { columns, response } = await columnsOf(
		deps,
		caller,
		series,
		{ start: time - lookbackMs + minuteMs, end: time, step: minuteMs },
		now,
	);
	const values: Values = new Map(
		[...columns].map(([id, column]) => [id, { value: column.findLast((value) => value !== null) ?? null, quality: 'good' }]),
	);
	return { values, response };
}

/** The times of a range query, in epoch milliseconds, and their distance. */
interface Steps {
	readonly start: number;
	readonly end: number;
	readonly step: number;
}

/** Returns the values of each series at the steps of a range. Where a window has none there is no point. */
async function rangeQuery(deps: PrometheusDeps, caller: Caller, parameters: URLSearchParams): Promise<ApiResponse> {
	const text = required(parameters, 'query');
	const steps = { start: timeIn(parameters, 'start'), end: timeIn(parameters, 'end'), step: stepIn(parameters) };
	if (steps.end < steps.start)
		throw new PrometheusError('bad_data', 'invalid parameter "end": end timestamp must not be before start time');
	const times = timesOf(steps);
	const constant = constantIn(text);
	if (constant !== null)
		return success({ resultType: 'matrix', result: [{ metric: {}, values: times.map((time) => sampleOf(time, constant)) }] });
	const matchers = parseSelector(text);
	if (matchers.some(({ name }) => name === 'quality'))
		throw new PrometheusError('bad_data', 'quality is a label of instant queries only: a range has usable values only');
	const series = await seriesIn(deps, caller, matchers);
	const { columns, response } = await columnsOf(deps, caller, series, steps, deps.now());
	const result = series.flatMap((each) => {
		const values = times.flatMap((time, index) => {
			const number = numberOf(each, columns.get(each.id)?.[index] ?? null);
			return number === null ? [] : [sampleOf(time, number)];
		});
		return values.length === 0 ? [] : [{ metric: each.labels, values }];
	});
	return { ...response, ...success({ resultType: 'matrix', result }) };
}

function timesOf({ start, end, step }: Steps): readonly number[] {
	const count = Math.floor((end - start) / step) + 1;
	if (count > maxPoints)
		throw new PrometheusError(
			'bad_data',
			`exceeded maximum resolution of ${maxPoints} points per timeseries. Try decreasing the query resolution (?step=XX)`,
		);
	return Array.from({ length: count }, (_, index) => start + index * step);
}

/**
 * Reads the own aggregate of variables at steps, by their ids. The value of a step is that of the newest whole window of a history that ends
 * at it, or less than a step before it where the steps are no multiples of themselves since 1970.
 */
async function columnsOf(
	deps: PrometheusDeps,
	{ schema, database }: Caller,
	series: readonly LabelledSeries[],
	steps: Steps,
	now: number,
) {
	const ids = idsOf(series);
	const { start, end, step } = steps;
	// No sample is older than 1970.
	const range = { start: Math.max(0, start - 2 * step), stop: Math.min(end, now) };
	if (ids.length === 0 || range.start >= range.stop)
		return { columns: new Map<number, readonly (number | null)[]>(), response: success(null) };
	if (ids.length > maxHistoryIds)
		throw new PrometheusError(
			'execution',
			`The selector has ${ids.length} variables, and ${maxHistoryIds} at most are read of the past: add matchers, such as process="…".`,
		);
	const history = await readHistory({ ...deps, timeSeries: null }, schema, database, {
		ids,
		range,
		windows: { period: { count: step, unit: 'ms' } },
		aggregates: ['own'],
		calendar: calendarOf({ timeZone: 'UTC', dayStart: '00:00' }),
		dayStart: '00:00',
	});
	const windows = windowsAt(timesOf(steps), history.bounds, step, now);
	const columns = history.variables.map(({ id, columns: read }) => {
		const values = read.get('own')?.values ?? [];
		return [id, windows.map((window) => (window === null ? null : (values[window] ?? null)))] as const;
	});
	return { columns: new Map(columns), response: withReadings(history.variables, success(null)) };
}

/**
 * Returns for each time the newest whole window that ends at it or less than a step before it; null: there is none, or the time is after
 * `now`. A range cuts its first and its last window, which are no whole ones.
 */
function windowsAt(times: readonly number[], bounds: readonly number[], step: number, now: number): readonly (number | null)[] {
	const wholes = bounds
		.slice(1)
		.map((end, window) => ({ window, begin: bounds[window], end }))
		.filter(({ begin, end }) => begin === end - step);
	let next = 0;
	return times.map((time) => {
		while ((wholes[next]?.end ?? Number.POSITIVE_INFINITY) <= time) next += 1;
		const newest = wholes[next - 1];
		return newest !== undefined && time - newest.end < step && time <= now ? newest.window : null;
	});
}

async function labelValues(
	deps: PrometheusDeps,
	caller: Caller,
	parameters: URLSearchParams,
	name: string,
): Promise<ApiResponse> {
	const labels = await labelsOf(deps, caller, parameters, false);
	const values = new Set(labels.map((each) => labelOf(each, name)));
	values.delete('');
	return success([...values].toSorted().slice(0, limitIn(parameters)));
}

async function labelsOf(
	deps: PrometheusDeps,
	{ schema }: Caller,
	parameters: URLSearchParams,
	isRequired: boolean,
): Promise<readonly Labels[]> {
	timeIn(parameters, 'start', 0);
	timeIn(parameters, 'end', 0);
	const matches = selectorIn(parameters, isRequired);
	return seriesOf(await deps.definitions.get(schema, 'all'), matches).map(({ labels }) => labels);
}

const namesIn = (labels: readonly Labels[]): readonly string[] =>
	[...new Set(labels.flatMap((each) => Object.keys(each)))].toSorted();

function metadata(parameters: URLSearchParams) {
	const asked = parameters.get('metric') || null;
	const told = Object.entries(metrics).filter(([name]) => asked === null || name === asked);
	return Object.fromEntries(
		told.slice(0, limitIn(parameters)).map(([name, help]) => [name, [{ type: 'gauge', help, unit: '' }]]),
	);
}

async function seriesIn(
	deps: PrometheusDeps,
	{ schema }: Caller,
	matchers: readonly Matcher[],
): Promise<readonly LabelledSeries[]> {
	return seriesOf(await deps.definitions.get(schema, 'all'), selectorOf(matchers));
}

/** What stands between the numbers of an expression. Functions and comparisons mean something else in PromQL. */
const arithmetic: readonly string[] = ['+', '-', '*', '/', '^', '(', ')'];

const idsOf = (series: readonly LabelledSeries[]): readonly number[] => [...new Set(series.map(({ id }) => id))];

/** Returns the value of an expression of numbers, such as the `1+1` by which Grafana tests a source; null: it is another one. */
function constantIn(text: string): number | null {
	const pieces = parseFormula(text);
	if (pieces.some(({ token, flaw }) => flaw !== null || !(token.type === 'number' || arithmetic.includes(token.value))))
		return null;
	const checked = checkEquation(
		pieces.map(({ token }) => token),
		new Set(),
	);
	if ('faults' in checked) return null;
	const { createSlots, evaluate } = compileEquation(checked.tokens);
	const value = evaluate(createSlots());
	return Number.isFinite(value) ? value : null;
}

/** Returns a sample as Prometheus writes it: seconds since 1970, and the number as text. */
const sampleOf = (time: number, value: number) => [time / 1000, String(value)] as const;
