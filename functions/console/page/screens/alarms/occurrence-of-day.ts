import type { JournalEntry } from './journal-pages.ts';

/** Returns the place of an occurrence among those that entries of one alarm tell of; null where they do not tell of it. */
export function ordinalOf(occurrence: number, entries: readonly Pick<JournalEntry, 'kind' | 'occurrence'>[]): number | null {
	const raised = new Set(entries.filter(({ kind }) => kind === 'raised').map((entry) => entry.occurrence));
	return raised.has(occurrence) ? [...raised].filter((each) => each <= occurrence).length : null;
}
