import type { StoredDay, UnreadDay } from '../report/stored-day.ts';

/** The report, and its schema, to which stored days belong. */
export interface ReportKey {
	readonly schema: string;
	readonly reportId: number;
}

/**
 * The stored days of the reports of every schema (shared/domain/report/README.md#stored-days). Every read is strongly consistent.
 * @throws DomainError `store_failed`
 */
export interface ReportDays {
	/** Returns the stored days from one local date to another, both inclusive, ascending. */
	list(report: ReportKey, first: string, last: string): Promise<readonly (StoredDay | UnreadDay)[]>;
	/** Returns the date of the last stored day, which may be one that cannot be read; null: there is none. */
	newest(report: ReportKey): Promise<string | null>;
	/** Returns the versions of a day that were replaced after they were sealed, by ascending revision. Those that cannot be read are left out. */
	revisions(report: ReportKey, date: string): Promise<readonly StoredDay[]>;
	/**
	 * Stores a day in place of the row that was read (null: there was none). A day that was sealed is kept as a
	 * revision, if the new one has another revision number. So is one that cannot be read, as it is stored (`revisionOf`).
	 * @returns false when the stored row is not the one that was read; then nothing changed
	 * @throws DomainError `outcome_unknown` when the day may or may not be stored
	 */
	put(report: ReportKey, day: StoredDay, replaced: StoredDay | UnreadDay | null): Promise<boolean>;
}
