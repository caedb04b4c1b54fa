import { minuteMs } from '../milliseconds.ts';

/** No run is due or failed so long after now, in milliseconds. A row that says so was written by a clock that was ahead. */
export const aheadMs = 15 * minuteMs;

/** When the reports of a schema are closed. Times are epoch milliseconds. */
export interface Closing {
	/** From then on a run is due. */
	readonly dueAt: number;
	/** When the first run began that no run without errors has followed; null: the last run had no errors. */
	readonly failingSince: number | null;
	/** Whether an operator has ended it, because the tenant left. */
	readonly isStopped: boolean;
}

/** A row that cannot be read counts as failing until a run ends without errors. It is neither hidden, nor does it keep other schemas from being closed. */
export const damagedClosing: Closing = { dueAt: 0, failingSince: 0, isStopped: false };

/**
 * When the reports of every schema are closed (shared/domain/report/RUNS.md#rows). Every read is strongly consistent.
 * @throws DomainError `store_failed`
 */
export interface ReportClosings {
	/** Returns the rows of schemas. A schema that was never closed has none. */
	find(schemas: readonly string[]): Promise<ReadonlyMap<string, Closing>>;
	/**
	 * Begins a run of a schema that is due at `now`, or later than `now + aheadMs`, or was never closed. It counts as failing until it ends, and the next one is due at `until`
	 * if it does not end. Of several that begin at once, one may.
	 * @returns whether the run may go on; false also where the answer of an earlier attempt was lost
	 */
	begin(schema: string, now: number, until: number): Promise<boolean>;
	/** Ends a run. `failed`: whether it had errors. */
	end(schema: string, next: { readonly dueAt: number; readonly failed: boolean }): Promise<void>;
	/** Ends the runs of a schema until `restart`. */
	stop(schema: string): Promise<void>;
	/** Makes a schema one that was never closed. */
	restart(schema: string): Promise<void>;
}
