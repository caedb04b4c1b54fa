import { api, type Result, resultOf, type Schemas } from '../api.ts';

/** Aggregates of variables over a range. */
export type History = Schemas['History'];

/** The most variables of one request. */
export const maxHistoryIds = 50;

/** Reads the history of at most 50 variables in the browser's time zone. Times are epoch milliseconds. */
export function readHistory(
	request: Pick<Schemas['HistoryRequest'], 'ids' | 'start' | 'end' | 'points' | 'period' | 'aggregates'>,
): Promise<Result<Schemas['HistoryAnswer']>> {
	const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
	return resultOf(api.POST('/history', { body: { ...request, timeZone } }));
}
