import type { ApiEvent } from '../event.ts';
import { formExpected, formTextOf } from '../request.ts';
import { PrometheusError } from './prometheus-error.ts';
import { parseSelector, type Selector, selectorOf } from './selector.ts';

/** Most bytes of a form: many selectors with the longest expressions. */
const maxFormBytes = 262_144;

/** Most selectors of one request. */
const maxSelectors = 20;

/**
 * Returns the parameters of a request, from its address and, of a POST, from its form.
 * @throws PrometheusError where the body is no form
 */
export function parametersOf(event: ApiEvent): URLSearchParams {
	const hasBody = event.requestContext.http.method === 'POST' && (event.body ?? '') !== '';
	const form = hasBody ? formTextOf(event, maxFormBytes) : '';
	if (form === null) throw new PrometheusError('bad_data', formExpected);
	return new URLSearchParams(`${event.rawQueryString}&${form}`);
}

/** Returns a parameter. @throws PrometheusError where it is missing */
export function required(parameters: URLSearchParams, name: string): string {
	return parameters.get(name) || fail(name, 'it is required');
}

/**
 * Returns a time in epoch milliseconds: seconds since 1970, with a fraction, or RFC 3339; `otherwise` where it is left out.
 * @throws PrometheusError
 */
export function timeIn(parameters: URLSearchParams, name: string, otherwise?: number): number {
	const text = parameters.get(name) || null;
	if (text === null) return otherwise ?? fail(name, 'it is required');
	const time = /^-?\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text)
		? Math.round(Number(text) * 1000)
		: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
			? Date.parse(text)
			: Number.NaN;
	return Math.abs(time) <= maxTime ? time : fail(name, `cannot parse ${JSON.stringify(text.slice(0, 40))} to a valid timestamp`);
}

/** The latest time of the service's calendar, the end of the year 9999. */
const maxTime = 253_402_300_799_999;

/** The units of durations, in milliseconds, in the order in which they follow each other. */
const units = { y: 31_536_000_000, w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;

const durationForm = new RegExp(
	`^${Object.keys(units)
		.map((unit) => `(?:(\\d+)${unit})?`)
		.join('')}$`,
);

/** Returns a step in whole milliseconds: seconds, with a fraction, or a duration such as `1h30m`. @throws PrometheusError */
export function stepIn(parameters: URLSearchParams): number {
	const text = required(parameters, 'step');
	const parts = durationForm.exec(text)?.slice(1) ?? [];
	const step = /^\d+(?:\.\d*)?(?:e[+-]?\d+)?$/i.test(text)
		? Math.round(Number(text) * 1000)
		: Object.values(units).reduce((sum, ms, index) => sum + ms * Number(parts[index] ?? 0), 0);
	if (step > 0 && step <= 366 * units.d) return step;
	return fail('step', `cannot parse ${JSON.stringify(text.slice(0, 40))} to a duration from 1ms to 366d`);
}

/** Returns whether a series matches one of the selectors in `match[]`. @throws PrometheusError @param isRequired whether there must be one */
export function selectorIn(parameters: URLSearchParams, isRequired: boolean): Selector {
	const texts = parameters.getAll('match[]');
	if (texts.length > maxSelectors) fail('match[]', `at most ${maxSelectors} are taken`);
	if (texts.length === 0 && isRequired) throw new PrometheusError('bad_data', 'no match[] parameter provided');
	const selectors = texts.map((text) => selectorOf(parseSelector(text)));
	return (labels) => selectors.length === 0 || selectors.some((matches) => matches(labels));
}

/** Returns the most items of an answer; infinite where `limit` is left out or 0. @throws PrometheusError */
export function limitIn(parameters: URLSearchParams): number {
	const text = parameters.get('limit') || '0';
	if (!/^\d{1,9}$/.test(text)) fail('limit', 'it must be a whole number');
	return Number(text) || Number.POSITIVE_INFINITY;
}

function fail(name: string, why: string): never {
	throw new PrometheusError('bad_data', `invalid parameter "${name}": ${why}`);
}
