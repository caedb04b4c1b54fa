import * as v from 'valibot';
import { definitionOf } from '../board/report.ts';
import { startOfDay } from '../calendar/days.ts';
import { momentaryReachMs } from '../totals/momentary-readings.ts';
import { seriesKeyOf } from '../variable/series-of-query.ts';
import type { CutDay, DayBasis, LoadedDay, LoadedDays, WholeDay } from './load-report.ts';
import { countingRules, isRead, type StoredDay, sourceSchema, type UnreadDay } from './stored-day.ts';

/**
 * Why a day would have another number now (shared/domain/report/README.md#changed-days). `calendar`: its time zone or its beginning; `line`: the
 * line, or one that it uses; `variable`: what is read of a variable; `correction`; `entry`; `late_samples`: there are more; `missing_samples`: there are
 * fewer.
 */
export const dayCauses = ['calendar', 'line', 'variable', 'correction', 'entry', 'late_samples', 'missing_samples'] as const;

/** Why a day would have another number now. */
export type DayCause = (typeof dayCauses)[number];

/** The causes for which a line's number may differ, by the key of the line. Lines without a cause are left out. */
export type CausesByLine = ReadonlyMap<string, readonly DayCause[]>;

/** A day of a range, as it compares with its stored row (shared/domain/report/README.md#kinds-of-days). */
export type ReportDay = CutDay<'open' | 'cut'> | FinishedDay;

/** A whole day that is over. */
export type FinishedDay = WholeDay<'unstored'> | WholeDay<'unreadable', UnreadDay> | ComparedDay;

/** A whole day that is stored. */
export interface ComparedDay extends WholeDay<'provisional' | 'outdated' | 'sealed' | 'suspected' | 'redefined', StoredDay> {
	readonly causes: CausesByLine;
	/** The keys of the lines that the row has under another definition, or not at all. The states of these do not merge with those of other days. */
	readonly redefined: ReadonlySet<string>;
}

/**
 * Compares the days of a range with their stored rows. A row may hold other numbers than the day has now where what decides these differs. Only
 * counting tells whether they do.
 * @param now epoch milliseconds
 */
export function compareDays({ days, calendar }: LoadedDays, now: number): readonly ReportDay[] {
	const compared: ReportDay[] = [];
	for (const day of days)
		if (day.kind === 'whole') compared.push(compareDay(day, compared.at(-1), now));
		else compared.push({ ...day, kind: startOfDay(day.to - 1, calendar, { daysLater: 1 }) > now ? 'open' : 'cut' });
	return compared;
}

/** Whether a day was counted by earlier rules. */
export function isCountedByEarlierRules({ rules = 0 }: StoredDay): boolean {
	return rules < countingRules;
}

/**
 * Compares a whole day with its row.
 * @param previous the day before; undefined: it is not in the range
 */
function compareDay(
	{ row, ...day }: Extract<LoadedDay, { readonly kind: 'whole' }>,
	previous: ReportDay | undefined,
	now: number,
): ReportDay {
	if (row !== null && !isRead(row)) return { ...day, kind: 'unreadable', row };
	if (row === null || row.database !== day.basis.database) return { ...day, kind: 'unstored', row };
	const causes = causesOfDay(row, day.basis, causesOfEmptyDay(previous));
	const redefined = new Set([...causes].flatMap(([key, ofLine]) => (ofLine.some(isRedefinition) ? [key] : [])));
	return { ...day, kind: kindOf(row, causes, redefined, now), row, causes, redefined };
}

function kindOf(row: StoredDay, causes: CausesByLine, redefined: ReadonlySet<string>, now: number): ComparedDay['kind'] {
	if (row.seal === null) return causes.size > 0 || isIncomplete(row, now) ? 'outdated' : 'provisional';
	if (redefined.size > 0) return 'redefined';
	return [...causes.values()].flat().some((cause) => cause !== 'entry') ? 'suspected' : 'sealed';
}

/** Whether a cause means that a line is counted under another definition. */
const isRedefinition = (cause: DayCause): boolean => cause === 'calendar' || cause === 'line' || cause === 'variable';

/**
 * Whether a day was counted before all of its alarms were evaluated, before the readings after it that tell which of its own were momentary,
 * or by earlier rules.
 */
function isIncomplete(row: StoredDay, now: number): boolean {
	const settledAt = row.to + momentaryReachMs;
	const isUnsettled = row.countedAt < settledAt && now >= settledAt;
	return (
		isCountedByEarlierRules(row) ||
		row.lines.some(
			({ state }) => (state.kind === 'raised' && state.raised.unknown > 0) || (state.kind === 'counter' && isUnsettled),
		)
	);
}

/**
 * Returns the causes that the day after a day without samples takes over. Example: Tuesday has no samples, so Wednesday begins with the last
 * value of Monday. A change of Monday is a cause for Tuesday, whose basis has the samples of the day before, and Wednesday takes it over. So it
 * goes on through any number of days without samples.
 */
function causesOfEmptyDay(day: ReportDay | undefined): CausesByLine {
	const isEmptyDay = day !== undefined && 'causes' in day && day.basis.series.every(({ own }) => own === 0);
	if (!isEmptyDay) return new Map();
	// What was entered is about its own days.
	return new Map([...day.causes].map(([key, causes]) => [key, causes.filter((cause) => cause !== 'entry')]));
}

/** Returns the causes by line: those of the day itself, and those that it takes over. */
function causesOfDay(row: StoredDay, basis: DayBasis, inherited: CausesByLine): CausesByLine {
	// Most days have not changed at all, which is found out without looking at each line.
	if (inherited.size === 0 && textOf(row) === textOf(basis)) return new Map();
	return new Map(
		basis.lines.flatMap(({ line: { key } }) => {
			const found = new Set([...causesOfLine(row, basis, key), ...(inherited.get(key) ?? [])]);
			return found.size === 0 ? [] : [[key, dayCauses.filter((cause) => found.has(cause))]];
		}),
	);
}

/** Returns as text all that decides the numbers of a day. `from` and `to` tell where days begin. */
const textOf = ({ from, to, timeZone, series, corrections, entries, lines }: DayBasis): string =>
	JSON.stringify([from, to, timeZone, series, corrections, entries, lines.map(({ line, source }) => [line, source])]);

/** Returns the causes for which the number of a line may differ. */
function causesOfLine(row: StoredDay, basis: DayBasis, key: string): readonly DayCause[] {
	if (!row.lines.some(({ line }) => line.key === key)) return ['line'];
	// With another beginning or end, samples and corrections differ as well, so only the calendar is named.
	if (row.from !== basis.from || row.to !== basis.to || row.timeZone !== basis.timeZone) return ['calendar'];
	const [before, after] = [decisiveFor(key, row), decisiveFor(key, basis)];
	const changes = after.series.flatMap((now) => {
		const earlier = before.series.find((series) => seriesKeyOf(series) === seriesKeyOf(now));
		return earlier === undefined ? [] : [changeOf(earlier.before, now.before), changeOf(earlier.own, now.own)];
	});
	const differs: Readonly<Partial<Record<DayCause, boolean>>> = {
		line: before.definition !== after.definition,
		variable: before.sources !== after.sources,
		correction: before.corrections !== after.corrections,
		entry: before.entries !== after.entries,
		late_samples: changes.some((change) => change > 0),
		missing_samples: changes.some((change) => change < 0),
	};
	return dayCauses.filter((cause) => differs[cause]);
}

/**
 * Returns what decides the number of one line. Name, decimals and group of lines, with what its nights are compared, and how corrections came
 * to be, do not.
 */
function decisiveFor(key: string, { lines, series, corrections, entries = [] }: DayBasis) {
	const used = usedLines(key, lines);
	const varIds = new Set(used.map(({ line }) => line.varId));
	const read = new Set(
		used.flatMap(({ source }) => (source === '' ? [] : v.parse(sourceSchema, source).queries)).map(seriesKeyOf),
	);
	const rules = corrections.filter(({ varId }) => varIds.has(varId));
	return {
		definition: JSON.stringify(used.map(({ line }) => definitionOf(line))),
		sources: used.map(({ source }) => source).join('\n'),
		corrections: JSON.stringify(rules.map(({ reason: _reason, author: _author, time: _time, ...rule }) => rule)),
		entries: JSON.stringify(entries.filter((entry) => used.some(({ line }) => line.key === entry.key))),
		series: series.filter((each) => read.has(seriesKeyOf(each))),
	};
}

/** Returns a line with the lines that it uses, directly or through other formulas, in their order. */
function usedLines(key: string, lines: DayBasis['lines']): DayBasis['lines'] {
	const used = new Set([key]);
	// A formula uses earlier lines only.
	for (const { line } of lines.toReversed())
		if (used.has(line.key)) for (const { type, value } of line.equation ?? []) if (type === 'variable') used.add(value);
	return lines.filter(({ line }) => used.has(line.key));
}

/** Returns how much a count changed; 0 when one of the counts is not known. */
const changeOf = (before: number | null, now: number | null): number => (before === null || now === null ? 0 : now - before);
