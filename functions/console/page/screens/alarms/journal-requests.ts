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

/** Reads at most 100 entries of the journal, newest first. */
export function readJournalPage(
	{ start, alarmId }: JournalQuestion,
	after: string | null,
): Promise<Result<Schemas['JournalPage']>> {
	// A token of the next page holds the range of the first one.
	const query = after === null ? { start: String(start), limit: 100 } : { after, limit: 100 };
	return resultOf(api.GET('/alarmEvents', { params: { query: { ...query, ...(alarmId === null ? {} : { alarmId }) } } }));
}

/**
 * Returns the number of an alarm's newest occurrence among those of today: 4 for the fourth. Null if it is not known, or if the
 * occurrence is of another day.
 */
export function useOccurrenceOfDay({ id, occurrence }: ListedAlarm): number | null {
	const dayStart = dayStartAt(now.value);
	const key = [id, occurrence, dayStart].join();
	const found = useSignal<{ readonly key: string; readonly ordinal: number | null } | null>(null);
	useEffect(() => {
		if (occurrence === 0) return;
		let isWanted = true;
		void readJournalPage({ start: dayStart, alarmId: id }, null).then((page) => {
			// If the entries of the day do not fit one page, the number is unknown.
			const entries = page.ok && (page.data.next ?? null) === null ? page.data.data : [];
			if (isWanted) found.value = { key, ordinal: ordinalOf(occurrence, entries) };
		});
		return () => {
			isWanted = false;
		};
	}, [key]);
	return found.value?.key === key ? found.value.ordinal : null;
}
