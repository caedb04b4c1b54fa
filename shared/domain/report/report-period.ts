import { dayMs, hourMs } from '../milliseconds.ts';
import type { Duration } from '../variable/duration.ts';

/** The windows into which a report is divided. */
export const reportPeriods = ['hour', 'day', 'week', 'month', 'year'] as const;

/** The windows into which a report is divided. */
export type ReportPeriod = (typeof reportPeriods)[number];

/** The lengths of windows. A month and a year count with their longest length. */
export const periodLengths: Readonly<Record<ReportPeriod, Duration>> = {
	hour: { ms: hourMs },
	day: { ms: dayMs },
	week: { ms: 7 * dayMs },
	month: { ms: 31 * dayMs, months: 1 },
	year: { ms: 366 * dayMs, months: 12 },
};
