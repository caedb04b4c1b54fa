import { api, resultOf } from '#page/core/api.ts';
import type { ReadJournalPage } from './journal-pages.ts';

/** Reads at most 100 entries of the journal, newest first. */
export const readJournalPage: ReadJournalPage = ({ start, alarmId }, after) => {
	const query = after === null ? { start: String(start), limit: 100 } : { after, limit: 100 };
	return resultOf(api.GET('/alarmEvents', { params: { query: { ...query, ...(alarmId === null ? {} : { alarmId }) } } }));
};
