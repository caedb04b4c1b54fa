import { api, type Result, resultOf, type Schemas } from '../api.ts';
import { viewZone } from '../time-zone.ts';

/** Aggregates of variables over a range. */
export type History = Schemas['History'];

/** Reads the history of at most 50 variables in the time zone of the view. Times are epoch milliseconds. */
export function readHistory(
	request: Pick<Schemas['HistoryRequest'], 'ids' | 'start' | 'end' | 'points' | 'period' | 'aggregates'>,
): Promise<Result<Schemas['HistoryAnswer']>> {
	return resultOf(api.POST('/history', { body: { ...request, timeZone: viewZone().name } }));
}
