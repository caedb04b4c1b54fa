import { startOfDay } from '../calendar/days.ts';
import { DomainError } from '../errors.ts';
import { causesOf, type DayBasis, type DayCause, dayCauses, isRedefined, isSameBasis } from '../report/day-basis.ts';
import { provisionalMs } from '../report/provisional.ts';
import { isCountedByEarlierRules, type StoredDay, statesOfDay } from '../report/stored-day.ts';
import { createEvaluator, type LineValue } from '../totals/evaluate-lines.ts';
import { mergeWindows, type WindowStates } from '../totals/fold-lines.ts';
import { momentaryReachMs } from '../totals/momentary-readings.ts';
import { countLines, type OpenedReport, type ReportDeps, readBases } from './open-report.ts';

/**
 * The states of the numbers of a day, the least certain first. `open`: the day is not over. `provisional`: they may still change. `counted`: they are counted now,
 * because the day was never sealed. `sealed`: they are stored for good.
 */
export const dayStates = ['open', 'provisional', 'counted', 'sealed'] as const;

/** The state of the numbers of a day. */
export type DayState = (typeof dayStates)[number];

/** A day of a range, or the part of it that is in the range. */
export interface ReportPiece {
	readonly from: number;
	readonly to: number;
	/** The local date; null where the range cuts the day. */
	readonly date: string | null;
	readonly state: DayState;
	/** The states of the lines, from which their numbers are computed (`foldLines`). */
	readonly lineStates: WindowStates;
	/** The keys of the lines that a sealed day has under another definition, or not at all. */
	readonly redefined: ReadonlySet<string>;
	/** The states for the numbers of redefined lines in the whole range: where the day has some, those of all lines as they are counted now. */
	readonly statesOfRedefined: WindowStates;
	/** The numbers of a sealed day, by the keys of lines. */
	readonly kept: ReadonlyMap<string, LineValue>;
}

/** A sealed day that would have other numbers now. */
export interface ChangedDay {
	readonly date: string;
	readonly from: number;
	readonly to: number;
	readonly causes: readonly DayCause[];
	/** The keys of the lines whose numbers differ, or cannot be compared. */
	readonly lines: readonly string[];
}

/** The days of a range. */
interface InspectedDays {
	readonly pieces: readonly ReportPiece[];
	/** The states of the lines in each hour; null: hours were not asked for. */
	readonly windows: readonly WindowStates[] | null;
	readonly changed: readonly ChangedDay[];
}

/** A whole day that is over: its stored version (null: none), and the basis that decides its numbers now. */
export interface ComparedDay {
	readonly index: number;
	readonly basis: DayBasis;
	readonly stored: StoredDay | null;
	/** The stored row that a new one replaces. It may have been counted on another database. */
	readonly row: StoredDay | null;
	/** The causes for which a line's number may differ, by the key of the line. Lines without a cause are left out. */
	readonly causes: ReadonlyMap<string, readonly DayCause[]>;
}

/**
 * Returns the days of a range: sealed days as they are stored, the others as they are now. Sealed days that may have changed are counted
 * again, to find out whether their numbers differ.
 * @param bounds of the days
 * @param hours the bounds of windows that are counted as well; null: none
 * @param now epoch milliseconds
 */
export async function inspectDays(
	deps: ReportDeps,
	opened: OpenedReport,
	bounds: readonly number[],
	hours: readonly number[] | null,
	now: number,
): Promise<InspectedDays> {
	const compared = new Map((await compareDays(deps, opened, bounds)).map((day) => [day.index, day]));
	// The last bound is the end of the last day.
	const indexes = [...bounds.keys()].slice(0, -1);
	const windows = hours === null ? null : await countLines(deps, opened, hours);
	const needed = indexes.filter((index) => needsCount(compared.get(index), now));
	const counted =
		windows === null || hours === null ? await countRuns(deps, opened, bounds, needed) : mergedHours(bounds, hours, windows);
	const suspected = indexes.filter((index) => !counted.has(index) && mayHaveChanged(compared.get(index)));
	// Sealed days keep their states. They are counted only to tell whether their numbers would differ.
	const verified = new Map([...counted, ...(await tryCount(deps, opened, bounds, suspected))]);
	const evaluate = createEvaluator(opened.defined.lines);
	const pieces = indexes.map((index): ReportPiece => {
		const day = compared.get(index);
		const states = counted.get(index);
		if (day !== undefined) return pieceOf(day, states, now);
		const [from = 0, to = from] = [bounds[index], bounds[index + 1]];
		return unstoredPiece({ from, to }, states, { isOpen: hasNotEnded(to, opened, now) });
	});
	const changed = [...compared.values()].flatMap((day) => changedDay(day, verified.get(day.index), evaluate) ?? []);
	return { pieces, windows, changed };
}

/**
 * Returns the piece of a day that is not over, or that the range cuts. No version of it is compared.
 * @param counted the states as they are now
 */
function unstoredPiece(
	span: Pick<ReportPiece, 'from' | 'to'>,
	counted: WindowStates | undefined,
	{ isOpen }: { readonly isOpen: boolean },
): ReportPiece {
	return { ...span, date: null, state: isOpen ? 'open' : 'counted', ...statesOfCount(counted) };
}

/** Returns the fields of a piece whose lines are all counted now. */
function statesOfCount(lineStates: WindowStates = new Map()) {
	return { lineStates, redefined: new Set<string>(), statesOfRedefined: lineStates, kept: new Map() };
}

/**
 * Returns the piece of a whole day that is over: its sealed version, or its states as they are now.
 * @param counted the states as they are now; undefined: they were not counted, because the stored ones still hold
 */
function pieceOf(
	{ basis: { date, from, to }, stored, causes }: ComparedDay,
	counted: WindowStates | undefined,
	now: number,
): ReportPiece {
	const isSealed = stored !== null && stored.seal !== null;
	const unsealedState = to + provisionalMs > now ? 'provisional' : 'counted';
	const state = isSealed ? 'sealed' : unsealedState;
	if (stored === null || (!isSealed && counted !== undefined)) return { from, to, date, state, ...statesOfCount(counted) };
	const storedStates = statesOfDay(stored);
	// A line that is defined in another way now has the states that were counted now: only those merge with the states of other days.
	const redefined = new Set([...causes].flatMap(([key, causesOfLine]) => (isRedefined(causesOfLine) ? [key] : [])));
	const stillFitting = [...storedStates].filter(([key]) => !redefined.has(key));
	const lineStates = causes.size === 0 ? storedStates : new Map([...(counted ?? []), ...stillFitting]);
	const kept = isSealed ? stored.lines.map(({ line, value }) => [line.key, value] as const) : [];
	const statesOfRedefined = redefined.size === 0 ? lineStates : (counted ?? lineStates);
	return { from, to, date, state, lineStates, redefined, statesOfRedefined, kept: new Map(kept) };
}

/**
 * Compares the whole days of a range with those that are stored.
 * @param bounds of the days. The last one is at most now, so every whole day is over. A cut day, such as the present one, is not compared
 */
export async function compareDays(
	deps: ReportDeps,
	opened: OpenedReport,
	bounds: readonly number[],
): Promise<readonly ComparedDay[]> {
	const { schema, database, report, calendar } = opened;
	const isWhole = (index: number): boolean => {
		const from = bounds[index] ?? 0;
		return startOfDay(from, calendar) === from && startOfDay(from, calendar, { daysLater: 1 }) === bounds[index + 1];
	};
	const whole = [...bounds.keys()].slice(0, -1).filter(isWhole);
	const [first, last] = [whole[0], whole.at(-1)];
	if (first === undefined || last === undefined) return [];
	const bases = await readBases(deps, opened, bounds.slice(first, last + 2));
	const [begin, end] = [bases[0]?.date ?? '', bases.at(-1)?.date ?? ''];
	const stored = await deps.days.list({ schema, reportId: report.id }, begin, end);
	const byDate = new Map(stored.map((day) => [day.date, day]));
	const days: ComparedDay[] = [];
	for (const [position, basis] of bases.entries()) {
		const row = byDate.get(basis.date) ?? null;
		const day = row?.database === database ? row : null;
		const causes = day === null ? new Map() : differences(day, basis, days.at(-1));
		days.push({ index: first + position, basis, stored: day, row, causes });
	}
	return days;
}

/**
 * Returns the causes by line: those of the day itself and, after a day without samples, those of that day. Example: Tuesday has no samples,
 * so Wednesday begins with the last value of Monday. A change of Monday is a cause for Tuesday, whose basis has the samples of the day
 * before, and Wednesday takes it over. So it goes on through any number of days without samples.
 */
function differences(
	stored: StoredDay,
	basis: DayBasis,
	previous: ComparedDay | undefined,
): ReadonlyMap<string, readonly DayCause[]> {
	if (isSameBasis(stored, basis) && (previous?.causes.size ?? 0) === 0) return new Map();
	const isPreviousEmpty = previous?.basis.series.every(({ own }) => own === 0);
	return new Map(
		basis.lines.flatMap(({ line: { key } }) => {
			const inherited = isPreviousEmpty === true ? (previous?.causes.get(key) ?? []) : [];
			const found = new Set([...causesOf(stored, basis, key), ...inherited]);
			return found.size === 0 ? [] : [[key, dayCauses.filter((cause) => found.has(cause))]];
		}),
	);
}

/** Whether a day must be counted: it is cut or not stored, or its stored states do not fit the lines as they are now. */
function needsCount(day: ComparedDay | undefined, now: number): boolean {
	if (day === undefined || day.stored === null) return true;
	if (day.stored.seal === null) return day.causes.size > 0 || isIncomplete(day.stored, now);
	return [...day.causes.values()].some(isRedefined);
}

/**
 * Whether a day was counted before all of its alarms were evaluated, before the readings after it that tell which of its own were momentary,
 * or by earlier rules.
 * @param now epoch milliseconds
 */
export function isIncomplete(day: StoredDay, now: number): boolean {
	const settledAt = day.to + momentaryReachMs;
	const isUnsettled = day.countedAt < settledAt && now >= settledAt;
	return (
		isCountedByEarlierRules(day) ||
		day.lines.some(
			({ state }) => (state.kind === 'raised' && state.raised.unknown > 0) || (state.kind === 'counter' && isUnsettled),
		)
	);
}

/** Whether a stored day may have other numbers now. */
const mayHaveChanged = (day: ComparedDay | undefined): boolean => day !== undefined && day.causes.size > 0;

/** Whether the day in which a piece ends is not over. */
function hasNotEnded(to: number, { calendar }: OpenedReport, now: number): boolean {
	return startOfDay(to - 1, calendar, { daysLater: 1 }) > now;
}

/** Counts days. Consecutive days are counted in one read. */
export async function countRuns(
	deps: ReportDeps,
	opened: OpenedReport,
	bounds: readonly number[],
	indexes: readonly number[],
): Promise<ReadonlyMap<number, WindowStates>> {
	const counted = new Map<number, WindowStates>();
	for (const run of runsOf(indexes)) {
		const [first = 0] = run;
		const windows = await countLines(deps, opened, bounds.slice(first, first + run.length + 1));
		for (const [position, states] of windows.entries()) counted.set(first + position, states);
	}
	return counted;
}

/**
 * Counts days again. When they have too many samples, none of them is counted: nobody can tell whether their numbers are still the same
 * (`changedDay`).
 */
async function tryCount(
	deps: ReportDeps,
	opened: OpenedReport,
	bounds: readonly number[],
	indexes: readonly number[],
): Promise<ReadonlyMap<number, WindowStates>> {
	try {
		return await countRuns(deps, opened, bounds, indexes);
	} catch (error) {
		if (error instanceof DomainError && error.code === 'too_large') return new Map();
		throw error;
	}
}

/** Groups ascending indexes into runs of consecutive ones. */
function runsOf(indexes: readonly number[]): readonly (readonly number[])[] {
	const runs: number[][] = [];
	for (const index of indexes) {
		const last = runs.at(-1);
		if (last?.at(-1) === index - 1) last?.push(index);
		else runs.push([index]);
	}
	return runs;
}

/** Returns the states of days, merged from their hours. */
function mergedHours(
	bounds: readonly number[],
	hours: readonly number[],
	windows: readonly WindowStates[],
): ReadonlyMap<number, WindowStates> {
	return new Map(
		bounds.slice(1).map((to, index) => {
			const from = bounds[index] ?? to;
			const own = windows.filter((_, hour) => (hours[hour] ?? 0) >= from && (hours[hour] ?? 0) < to);
			return [index, own.reduce(mergeWindows)];
		}),
	);
}

/**
 * Returns how a sealed day differs from the numbers that are counted now; null: it does not differ, or is not sealed.
 * @param states counted now; undefined: they could not be counted, so every line with a cause is named
 */
function changedDay(
	{ basis, stored, causes }: ComparedDay,
	states: WindowStates | undefined,
	evaluate: ReturnType<typeof createEvaluator>,
): ChangedDay | null {
	if (stored === null || stored.seal === null || causes.size === 0) return null;
	const values = states === undefined ? null : evaluate(states);
	const different = [...causes].filter(([key]) => {
		const sealedLine = stored.lines.find(({ line }) => line.key === key);
		const presentLine = basis.lines.find(({ line }) => line.key === key);
		if (sealedLine === undefined || presentLine === undefined || values === null) return true;
		return sealedLine.line.unit !== presentLine.line.unit || !isSame(sealedLine.value, values.get(key));
	});
	if (different.length === 0) return null;
	const { date, from, to } = stored;
	const ownCauses = new Set(different.flatMap(([, causesOfLine]) => causesOfLine));
	return { date, from, to, causes: dayCauses.filter((cause) => ownCauses.has(cause)), lines: different.map(([key]) => key) };
}

/** Whether two numbers are equal. They are compared as JSON, which is what people saw. */
function isSame(sealed: LineValue, counted: LineValue | undefined): boolean {
	return counted !== undefined && jsonInOrder(sealed) === jsonInOrder(counted);
}

/** Returns a number as JSON, with its fields in one order. */
const jsonInOrder = ({ value, low, high, known, at, fault, counterFaults }: LineValue): string =>
	JSON.stringify([value, low, high, known, at, fault, counterFaults]);
