import type { Report } from '../board/report.ts';
import { dateAfter, rangeOfDays } from '../calendar/day-range.ts';
import { calendarOf } from '../calendar/days.ts';
import { mergeNights } from '../totals/fold-nights.ts';
import type { LineState } from '../totals/line-state.ts';
import { type ReferenceNumber, referenceOf } from '../totals/night-rise.ts';
import { compareDays, type ReportDay } from './compare-days.ts';
import { type CountedDays, countDays, isCounted, tryCount } from './count-days.ts';
import { loadDays, type ReportDeps, type ReportTenant } from './load-report.ts';

/** The references of the lines of a report by their keys. Null: its nights are not over, or cannot be counted. */
export type References = ReadonlyMap<string, ReferenceNumber | null>;

/**
 * Reads the nights with which lines are compared (shared/domain/totals/LIMITS.md#reference-nights), as the days of the report are read: stored
 * ones keep their numbers.
 * @param now epoch milliseconds
 * @throws DomainError the errors of the ports
 */
export async function readReferences(deps: ReportDeps, tenant: ReportTenant, report: Report, now: number): Promise<References> {
	const calendar = calendarOf(report);
	const references = new Map<string, ReferenceNumber | null>();
	const byNights = Map.groupBy(
		report.lines.filter(({ reference }) => reference !== undefined),
		({ reference }) => JSON.stringify(reference),
	);
	for (const lines of byNights.values()) {
		const { from, nights } = lines[0]?.reference ?? { from: '', nights: 0 };
		const range = rangeOfDays({ from, to: dateAfter(from, { days: nights - 1 }) }, calendar);
		const isOver = range.stop <= now;
		const loaded = isOver ? await loadDays(deps, tenant, { ...report, lines }, range) : { days: [] };
		const days = 'report' in loaded ? compareDays(loaded, now) : [];
		const needed = days.filter(({ kind }) => isCounted[kind]);
		const counted = 'report' in loaded ? await tryCount(() => countDays(deps, loaded, needed)) : new Map();
		for (const { key, error } of lines)
			references.set(
				key,
				referenceIn(
					days.map((day) => stateOf(day, key, counted)),
					error,
				),
			);
	}
	return references;
}

/** Returns the number of the nights of days; null where a day has no state, or another one. */
function referenceIn(
	states: readonly (LineState | undefined)[],
	error: Report['lines'][number]['error'],
): ReferenceNumber | null {
	const nights = states.flatMap((state) => (state?.kind === 'nights' ? [state.nights] : []));
	return nights.length === 0 || nights.length < states.length ? null : referenceOf(nights.reduce(mergeNights), error);
}

/** Returns the state of a line in a day: the stored one, if that holds. */
function stateOf(day: ReportDay, key: string, counted: CountedDays): LineState | undefined {
	const isStored = 'causes' in day && day.kind !== 'outdated' && !day.redefined.has(key);
	return isStored ? day.row.lines.find(({ line }) => line.key === key)?.state : counted.get(day)?.get(key);
}
