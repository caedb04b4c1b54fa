import type { History } from '#page/core/past/read-history.ts';

/** The first of three minutes of a history. */
export const start = Date.parse('2026-11-21T15:00:00Z');
export const minute = 60_000;
export const bounds = [0, 1, 2, 3].map((index) => start + index * minute);
const period = { count: 5, unit: 's' } as const;

export type HistoryRow = History['variables'][number];
/** Makes a variable of a history. */
export const row = (
	id: number,
	name: string,
	unit: string,
	values: HistoryRow['values'],
	more: Partial<HistoryRow> = {},
): HistoryRow => ({
	id,
	name,
	unit,
	quality: 'good',
	period,
	aggregate: 'last',
	values,
	...more,
});
/** Makes a history of three minutes. */
export const historyOf = (...variables: HistoryRow[]): History => ({
	bounds,
	period: { count: 1, unit: 'm' },
	timeZone: 'UTC',
	dayStart: '00:00',
	variables,
});
