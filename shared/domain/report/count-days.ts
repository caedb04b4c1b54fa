import { DomainError } from '../errors.ts';
import { mergeWindows, type WindowStates } from '../totals/fold-lines.ts';
import { readWindows, type TotalsDeps } from '../totals/read-windows.ts';
import type { ReportDay } from './compare-days.ts';
import type { LoadedDays, LoadedReport } from './load-report.ts';

/** The states of the lines in days, as they are counted now. */
export type CountedDays = ReadonlyMap<ReportDay, WindowStates>;

/** What was counted to read a report. */
export interface CountedReport {
	readonly days: CountedDays;
	/** The states of the lines in each window of an hour; null: the windows are longer. */
	readonly hours: readonly WindowStates[] | null;
}

/** Whether the numbers of a day are counted from samples, because none are stored that hold. */
export const isCounted = {
	open: true,
	cut: true,
	unstored: true,
	unreadable: false,
	provisional: false,
	outdated: true,
	sealed: false,
	suspected: false,
	redefined: true,
} as const satisfies Readonly<Record<ReportDay['kind'], boolean>>;

/**
 * Counts what a report needs beside its stored days: its hours, or the days whose stored numbers do not hold. Suspected days are counted to find out whether
 * their numbers differ, also for hours.
 * @throws DomainError as `countDays`
 */
export async function countReport(
	deps: Pick<TotalsDeps, 'samples' | 'alarms'>,
	loaded: LoadedReport,
	days: readonly ReportDay[],
): Promise<CountedReport> {
	const suspected = days.filter(({ kind }) => kind === 'suspected');
	if (loaded.period === 'hour') {
		const hours = (await readWindows(deps, loaded, loaded.defined, loaded.bounds)).map(withoutNights);
		// The sums of bounds of hours can be wider than those of their day, so days are compared as days.
		const redefined = days.filter(({ kind }) => kind === 'redefined');
		const others = days.filter(({ kind }) => kind !== 'suspected' && kind !== 'redefined');
		const compared = [
			...(await countDays(deps, loaded, redefined)),
			...(await tryCount(() => countDays(deps, loaded, suspected))),
		];
		return { days: new Map([...mergedHours(others, loaded.bounds, hours), ...compared]), hours };
	}
	const needed = days.filter(({ kind }) => isCounted[kind]);
	const counted = await countDays(deps, loaded, needed);
	return { days: new Map([...counted, ...(await tryCount(() => countDays(deps, loaded, suspected)))]), hours: null };
}

/**
 * Counts days. Consecutive days are counted in one read.
 * @param days ascending
 * @throws DomainError as `readWindows`
 */
export async function countDays(
	deps: Pick<TotalsDeps, 'samples' | 'alarms'>,
	loaded: LoadedDays,
	days: readonly ReportDay[],
): Promise<CountedDays> {
	const counted = new Map<ReportDay, WindowStates>();
	for (const run of runsOf(days)) {
		const bounds = [...run.map(({ from }) => from), ...run.slice(-1).map(({ to }) => to)];
		const windows = await readWindows(deps, loaded, loaded.defined, bounds);
		for (const [index, day] of run.entries()) {
			const states = windows[index];
			if (states !== undefined) counted.set(day, states);
		}
	}
	return counted;
}

/** Counts days. When they have too many samples, none of them is counted: nobody can tell their numbers. */
export async function tryCount(count: () => Promise<CountedDays>): Promise<CountedDays> {
	try {
		return await count();
	} catch (error) {
		if (error instanceof DomainError && error.code === 'too_large') return new Map();
		throw error;
	}
}

/** Groups ascending days into runs of consecutive ones. */
function runsOf(days: readonly ReportDay[]): readonly (readonly ReportDay[])[] {
	const runs: ReportDay[][] = [];
	for (const day of days) {
		const last = runs.at(-1);
		if (last?.at(-1)?.to === day.from) last?.push(day);
		else runs.push([day]);
	}
	return runs;
}

/** Returns the states of an hour: it tells no least mean, which is that of a night. */
const withoutNights = (hour: WindowStates): WindowStates =>
	new Map([...hour].map(([key, state]) => [key, state.kind === 'nights' ? { kind: 'fault', code: 'period_too_short' } : state]));

/** Returns the states of days, merged from their hours. */
function mergedHours(days: readonly ReportDay[], bounds: readonly number[], hours: readonly WindowStates[]): CountedDays {
	return new Map(
		days.map((day) => {
			const own = hours.filter((_, hour) => (bounds[hour] ?? 0) >= day.from && (bounds[hour] ?? 0) < day.to);
			return [day, own.reduce(mergeWindows)];
		}),
	);
}
