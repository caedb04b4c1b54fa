import type { AlarmEvent } from '../alarm-rows/alarm-event.ts';
import type { EvaluationProgress, EvaluatorState, OperatorState, Outbox } from '../alarm-rows/alarm-rows.ts';
import type { BoardRow, IdempotencyRecord, RowCommit } from './schema-store.ts';

/** Most events of one commit. With the rows of the alarm, the checks and the idempotency record they fit in a transaction. */
export const maxEventsPerCommit = 40;

/** Most bytes of stored events that one page reads. */
export const maxEventPageBytes = 4_000_000;

/** How long a lease holds a schema, in milliseconds. An evaluator that crashed blocks its schema no longer than this. */
export const leaseMs = 60_000;

/** A schema that is evaluated, and how far. */
export interface EvaluatedSchema {
	readonly schema: string;
	readonly progress: EvaluationProgress;
}

/** The rows of one alarm; null: not stored. */
export interface AlarmRows {
	readonly state: EvaluatorState | null;
	readonly operator: OperatorState | null;
	readonly outbox: Outbox | null;
}

/** The rows of an alarm without any. */
export const noRows: AlarmRows = { state: null, operator: null, outbox: null };

/** The rows of alarms by the id of the alarm. Alarms without rows are absent. */
export interface StoredAlarmRows {
	readonly rows: ReadonlyMap<number, AlarmRows>;
	/** The ids of alarms with a row that cannot be parsed. They are not in `rows`. */
	readonly unreadable: ReadonlySet<number>;
}

/** The alarms of a schema as they are saved. */
export interface StoredAlarms {
	/** By ascending id. */
	readonly alarms: readonly BoardRow[];
	/** The keys (`alarm#7`) of alarms that cannot be parsed. */
	readonly unreadable: readonly string[];
}

/** A row that an alarm commit relies on, and its change. */
export interface AlarmRowWrite<Stored> {
	/** The `rowVersion` that was read; null when the row did not exist. */
	readonly expected: number | null;
	/** The row to store, null to delete it, undefined to leave it unchanged. */
	readonly put?: Stored | null;
}

/** A change of one alarm's rows, with the events that tell of it. */
export interface AlarmCommit {
	readonly alarmId: number;
	readonly state?: AlarmRowWrite<EvaluatorState>;
	readonly operator?: AlarmRowWrite<OperatorState>;
	readonly outbox?: AlarmRowWrite<Outbox>;
	/** Rows of the schema that must be as they were read: those of the alarm and of its variable. */
	readonly checks?: readonly Pick<RowCommit, 'key' | 'expected'>[];
	/** At most `maxEventsPerCommit`. None of their keys may be stored. */
	readonly events?: readonly AlarmEvent[];
	/** The response of the request that the commit completes. */
	readonly record?: IdempotencyRecord;
}

/**
 * The result of an alarm commit. `conflict`: a row is not as expected, or an event is stored already. `claim_lost`: another request
 * holds the claim of the idempotency record. Only `committed` changed anything.
 */
export type AlarmCommitOutcome = 'committed' | 'conflict' | 'claim_lost';

/** A step of the evaluation of a schema. A field that is left out keeps its stored value. */
export interface ProgressUpdate {
	/** The token of the lease that must still be held. */
	readonly lease: string;
	/** The stored `evaluatedUntil` that must be unchanged. */
	readonly expected: number | null;
	readonly evaluatedUntil?: number;
	readonly lastSentAt?: number;
	readonly failing?: number;
	readonly urgentSince?: number | null;
	/** Frees the lease in the same write. */
	readonly release?: boolean;
}

/** The part of the journal that is asked for. */
export interface EventPageRequest {
	/** First time, epoch milliseconds, inclusive. */
	readonly start: number;
	/** Last time, epoch milliseconds, exclusive. */
	readonly end: number;
	/** Only events of this alarm; null: of all. */
	readonly alarmId: number | null;
	/** Most events of the page. */
	readonly limit: number;
	/** The `next` of the page before; null for the first page. */
	readonly after: string | null;
}

/** A part of the journal, newest first. */
export interface EventPage {
	readonly events: readonly AlarmEvent[];
	/** The key of the last event that was read, after which the next page starts; null on the last page. */
	readonly next: string | null;
}

/**
 * The states, the journal and the evaluation of the alarms of every schema (shared/domain/alarm/EVALUATION.md#stored-rows). Every read is
 * strongly consistent. Alarm definitions are boards of the `SchemaStore`; their `changed` and `deleted` events are written by its commits.
 * @throws DomainError `store_failed`. A commit also throws `outcome_unknown` when it may or may not have happened.
 */
export interface AlarmStore {
	/** Returns every schema that is evaluated, in no order, by a scan of one small row each. Only the dispatcher and tools may call it. */
	evaluatedSchemas(): Promise<readonly EvaluatedSchema[]>;
	/** Returns how far a schema is evaluated; null: it is not evaluated. */
	progress(schema: string): Promise<EvaluationProgress | null>;
	/** Starts the evaluation of a schema, unless it is evaluated already. `now`: epoch milliseconds. */
	startEvaluation(schema: string, now: number): Promise<void>;
	/** Ends the evaluation of a schema, and leaves its states and events. Returns whether it was evaluated. */
	stopEvaluation(schema: string): Promise<boolean>;
	/**
	 * Takes the lease of a schema until `now + leaseMs`, if it is free or expired.
	 * @returns the row with the lease; null: another evaluator holds the lease, or the schema is not evaluated
	 */
	acquireLease(schema: string, lease: string, now: number): Promise<EvaluationProgress | null>;
	/** Records progress, on condition of the lease. Returns whether the condition held; otherwise nothing changed. */
	updateProgress(schema: string, update: ProgressUpdate): Promise<boolean>;
	/** Returns the saved alarms of a schema. One that cannot be parsed does not hide the others. */
	alarms(schema: string): Promise<StoredAlarms>;
	/** Returns the rows of every alarm of a schema, also of alarms that were deleted. */
	rows(schema: string): Promise<StoredAlarmRows>;
	/** Returns the rows of some alarms, even of alarms that were deleted. */
	rowsOf(schema: string, alarmIds: readonly number[]): Promise<StoredAlarmRows>;
	/** Changes the rows of one alarm and adds its events, all or nothing. A commit of one row without anything else is one plain write. */
	commit(schema: string, commit: AlarmCommit): Promise<AlarmCommitOutcome>;
	/**
	 * Returns a page of the journal, newest first. It reads at most `maxEventPageBytes`, so a page of one alarm, or of a time whose events
	 * have expired, may be short or empty and still have a `next`.
	 */
	events(schema: string, page: EventPageRequest): Promise<EventPage>;
}
