import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ListedAlarm } from '#page/core/alarms.ts';
import { api, type Result, resultOf, type Schemas } from '#page/core/api.ts';
import { now } from '#page/core/clock.ts';
import { dayStartAt } from '#page/core/time-zone.ts';
import { ordinalOf } from './journal-words.ts';

/** The wanted part of the journal. Times are epoch milliseconds. An `alarmId` of null means all alarms. */
export interface JournalQuestion {
	readonly start: number;
	readonly alarmId: number | null;
}

/** The most entries of a page. */
const pageEntries = 100;

/**
 * Reads a page of the journal, newest entry first.
 * @param after the `next` of the page before; null for the first page
 */
export function readJournalPage(
	{ start, alarmId }: JournalQuestion,
	after: string | null = null,
): Promise<Result<Schemas['JournalPage']>> {
	// The token of a further page holds the range of the first one.
	const query = { ...(after === null ? { start: String(start) } : { after }), limit: pageEntries };
	return resultOf(api.GET('/alarmEvents', { params: { query: { ...query, ...(alarmId === null ? {} : { alarmId }) } } }));
}

/**
 * Returns the number of an alarm's newest occurrence among those of today: 4 for the fourth. Null if it is not known, or if the
 * occurrence is of another day.
 */
export function useOccurrenceOfDay({ id, occurrence }: ListedAlarm): number | null {
	const dayStart = dayStartAt(now.value);
	const key = [id, occurrence, dayStart].join();
	/** The newest answer, and the key that it was asked for. */
	const answer = useSignal<{ readonly key: string; readonly ordinal: number | null } | null>(null);
	useEffect(() => {
		if (occurrence === 0) return;
		let isWanted = true;
		void readJournalPage({ start: dayStart, alarmId: id }).then((page) => {
			// If the entries of the day do not fit one page, the number is unknown.
			const entries = page.ok && (page.data.next ?? null) === null ? page.data.data : [];
			if (isWanted) answer.value = { key, ordinal: ordinalOf(occurrence, entries) };
		});
		return () => {
			isWanted = false;
		};
	}, [key]);
	return answer.value?.key === key ? answer.value.ordinal : null;
}
