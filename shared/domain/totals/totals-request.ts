import * as v from 'valibot';
import { checkLines, lineFields, maxLines, rateUnits, type SentLine, type severities } from '../board/line.ts';
import type { Calendar } from '../calendar/bounds.ts';
import { timeOfDayMs } from '../calendar/days.ts';
import type { WirePeriod } from '../calendar/period-choice.ts';
import { parseRange, type RangeRequest, rangeFields } from '../calendar/range-request.ts';
import type { Token } from '../equation/token.ts';
import { dayMs } from '../milliseconds.ts';
import { fieldOf, listUpTo } from '../validation/field.ts';
import { messageFor, ValidationIssues } from '../validation/parse.ts';
import { problem } from '../validation/problem.ts';
import { durationOf } from '../variable/duration.ts';
import type { EnteredNumber } from './fold-entered.ts';
import type { OnRule } from './fold-signal.ts';
import type { LineFunction } from './line-state.ts';

/** The longest range. */
const longest = { days: 366, text: '366 days' } as const;

const linesSchema = v.pipe(
	...listUpTo(lineFields, maxLines, 'lines'),
	v.nonEmpty(messageFor(problem('no_items', 'At least one line is required.', { items: 'lines' }))),
);

/** The fields of the body of POST /totals. */
export const totalsFields = v.object({ lines: linesSchema, ...rangeFields });

/** A line of a signal or of a counter. */
export interface SignalLine {
	readonly kind: 'signal';
	readonly key: string;
	readonly varId: number;
	readonly bit: number | undefined;
	/** How long a sample is known, in milliseconds; undefined: as long as the query says. */
	readonly holdMs: number | undefined;
	readonly asked: LineFunction;
}

/** A formula over earlier lines by their keys. */
export interface FormulaLine {
	readonly kind: 'formula';
	readonly key: string;
	readonly equation: readonly Token[];
}

/** The number of alarms that were raised; severity undefined: of all. */
export interface RaisedLine {
	readonly kind: 'raised';
	readonly key: string;
	readonly severity: (typeof severities)[number] | undefined;
}

/** A line of a report whose numbers somebody enters. A request for totals has none. */
export interface EnteredLine {
	readonly kind: 'entered';
	readonly key: string;
	/** The numbers that count now. */
	readonly numbers: readonly EnteredNumber[];
}

/** A line of a request for totals (shared/domain/totals/README.md#functions), or of a report. */
export type TotalsLine = SignalLine | FormulaLine | RaisedLine | EnteredLine;

/** A parsed request for totals. */
export interface TotalsRequest extends RangeRequest {
	/** Lines with distinct keys. A formula refers only to earlier lines. */
	readonly lines: readonly TotalsLine[];
}

/**
 * Parses the body of POST /totals (shared/domain/totals/README.md#request).
 * @param now epoch milliseconds; a range ends there at the latest
 * @throws DomainError `invalid` with the issues of all fields
 * @example
 * parseTotalsRequest({ lines: [{ key: 'volume', varId: 13, function: 'total', per: 'h' }], start: '2026-11-20T00:00:00Z' }, Date.now());
 */
export function parseTotalsRequest(input: object, now: number): TotalsRequest {
	const issues = new ValidationIssues();
	const asked = parseRange((key) => fieldOf(input, key), now, longest, issues);
	const sent: unknown = fieldOf(input, 'lines');
	const lines = issues.parseField(linesSchema, sent, 'lines');
	checkLines(sent, issues, fieldOf(input, 'dayStart'));
	for (const [index, line] of (lines ?? []).entries())
		if (line.function === 'entered')
			issues.add(`lines.${index}.function`, problem('only_in_reports', 'Only a report has numbers that somebody enters.'));
	if (asked?.period !== undefined && isShorterThanDay(asked.period) && lines?.some((line) => line.function === 'leastMean'))
		issues.add('period', problem('period_too_short', 'Must be a day or longer for a least mean, which is that of a night.'));
	issues.throwIfAny();
	if (asked === undefined || lines === undefined) throw new RangeError('A request without issues is incomplete.');
	return { ...asked, lines: lines.map((line) => totalsLineOf(line, asked.calendar)) };
}

/** Whether a period is a duration of less than a day. One that is no duration has an issue of its own. */
function isShorterThanDay({ count, unit }: WirePeriod): boolean {
	const length = durationOf(count, unit);
	return !('code' in length) && length.ms < dayMs;
}

/** Converts a sent line. One that is entered has no numbers yet. `calendar`: of its hours of day, and of the days in which readings are taken. */
export function totalsLineOf(sent: SentLine, calendar: Calendar): TotalsLine {
	const { key, function: functionName, equation, varId } = sent;
	if (functionName === 'raised') return { kind: 'raised', key, severity: sent.severity };
	if (functionName === 'entered') return { kind: 'entered', key, numbers: [] };
	if (functionName === 'formula' && equation !== undefined) return { kind: 'formula', key, equation };
	if (varId === undefined || functionName === 'formula') throw new RangeError('A line without issues is incomplete.');
	const holdMs = sent.holdSeconds === undefined ? undefined : 1000 * sent.holdSeconds;
	return { kind: 'signal', key, varId, bit: sent.bit, holdMs, asked: askedOf(sent, functionName, calendar) };
}

/** Returns the function of a line of a variable, with its parameters. */
function askedOf(
	{ per, range, above, limits, between, counter, every, forSeconds, over, error }: SentLine,
	functionName: Exclude<SentLine['function'], 'formula' | 'raised' | 'entered'>,
	calendar: Calendar,
): LineFunction {
	const { zone } = calendar;
	const hours =
		between === undefined ? undefined : { between: { fromMs: timeOfDayMs(between[0]), toMs: timeOfDayMs(between[1]) }, zone };
	const onRule: OnRule = limits === undefined ? { above } : { below: limits[0] ?? undefined, above: limits[1] ?? undefined };
	const ofInstrument = error === undefined ? {} : { error };
	switch (functionName) {
		case 'increase':
			return {
				function: functionName,
				rule: { dip: counter?.dip ?? 0, ...(counter?.size === undefined ? {} : { size: counter.size }) },
				...ofInstrument,
			};
		case 'change':
			return { function: functionName, rule: { ...(range === undefined ? {} : { range }), ...ofInstrument } };
		case 'leastMean':
			return {
				function: functionName,
				overMs: requiredMs(over),
				hours,
				...(range === undefined ? {} : { range }),
				...ofInstrument,
				calendar,
			};
		case 'longest':
			return { function: functionName, ...onRule };
		case 'excursions':
			return { function: functionName, ...onRule, forMs: requiredMs(forSeconds) };
		case 'readings':
		case 'within':
			if (functionName === 'within' && every === undefined) break;
			return {
				function: 'readings',
				everyMs: requiredMs(every),
				outside: limits === undefined ? undefined : onRule,
				hours,
				calendar,
				isShare: functionName === 'within',
			};
	}
	const rule = {
		...(per === undefined ? {} : { perMs: rateUnits[per] }),
		...(range === undefined ? {} : { range }),
		...ofInstrument,
	};
	return { function: functionName, rule, ...onRule, hours };
}

function requiredMs(seconds: number | undefined): number {
	if (seconds === undefined) throw new RangeError('A line without issues is incomplete.');
	return 1000 * seconds;
}
