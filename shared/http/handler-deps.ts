import type { Role } from '#domain/access/role.ts';
import type { SavedAlarms } from '#domain/alarm/saved-alarms.ts';
import type { AlarmStore } from '#domain/ports/alarm-store.ts';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { GrantLookup } from '#domain/ports/grants.ts';
import type { Machines } from '#domain/ports/machines.ts';
import type { OpenIdSessions, SessionIds } from '#domain/ports/openid-sessions.ts';
import type { People } from '#domain/ports/people.ts';
import type { SchemaReader } from '#domain/ports/schema-store.ts';
import type { ReadingDeps } from '#domain/reading/read-now.ts';
import type { ReportDeps } from '#domain/report/load-report.ts';
import type { TotalsDeps } from '#domain/totals/read-windows.ts';
import type { TransactionDeps } from '#domain/transaction/run-transaction.ts';
import type { TopicDeps } from '#domain/use-cases/list-topics.ts';
import type { HistoryDeps } from '#domain/use-cases/read-history.ts';
import type { SaveAlarmDeps } from '#domain/use-cases/save-alarm.ts';
import type { SaveMachineDeps } from '#domain/use-cases/save-machine.ts';
import type { ApiEvent } from './event.ts';
import type { IdempotentDeps } from './idempotent.ts';
import type { Log } from './log.ts';

/** The dependency of every handler. */
export interface HandlerDeps {
	readonly log: Log;
}

/** Where the roles of people and machines are, and the role of a person without a row. */
export interface RoleDeps {
	readonly people: Pick<People, 'find'>;
	readonly machines: Pick<Machines, 'find'>;
	/** The sessions of people of OpenID providers, and the id of one by the `sid` of its tokens. */
	readonly openIdSessions: Pick<OpenIdSessions, 'find'>;
	readonly sessionIds: Pick<SessionIds, 'idOf'>;
	readonly defaultRole: Role;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/**
 * Lets a request pass whose caller has the role that the endpoint needs.
 * @throws DomainError `role_too_low`, `machine_refused`, and the store's errors
 */
export type Admit = (event: ApiEvent) => Promise<void>;

/** The dependencies of a handler that needs more than the role viewer. */
export interface RoleHandlerDeps extends HandlerDeps {
	readonly admit: Admit;
}

/** The dependencies of a handler that changes machines. */
export interface MachineHandlerDeps extends RoleHandlerDeps, Pick<SaveMachineDeps, 'machines' | 'pause' | 'now'> {}

/** The dependencies of a handler that returns stored data. */
export interface StoreHandlerDeps extends HandlerDeps {
	readonly store: SchemaReader;
}

/** The dependencies of a handler that reads time series. */
export interface ReadHandlerDeps extends StoreHandlerDeps, ReadingDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a handler that reads histories. */
export interface HistoryHandlerDeps extends HandlerDeps, HistoryDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a handler that lists topics. */
export interface TopicHandlerDeps extends RoleHandlerDeps, TopicDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a handler that counts totals. */
export interface TotalsHandlerDeps extends HandlerDeps, TotalsDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a handler that counts or reads the days of reports. */
export interface ReportHandlerDeps extends HandlerDeps, ReportDeps {
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a handler that changes stored data. */
export interface WriteHandlerDeps extends RoleHandlerDeps, TransactionDeps, IdempotentDeps {}

/** The dependencies of a handler that saves alarms. */
export interface SaveAlarmHandlerDeps extends WriteHandlerDeps, Pick<SaveAlarmDeps, 'alarms'> {}

/** The dependencies of a handler that lists alarms with their states. */
export interface AlarmReadHandlerDeps extends ReadHandlerDeps {
	readonly alarms: Pick<AlarmStore, 'progress' | 'rows' | 'rowsOf'>;
	readonly savedAlarms: SavedAlarms;
	/** How long the evaluation waits for late samples, in milliseconds. */
	readonly settleMs: number;
}

/** The dependencies of a handler that returns the journal of alarms. */
export interface JournalHandlerDeps extends HandlerDeps {
	readonly alarms: Pick<AlarmStore, 'events'>;
	/** Epoch milliseconds. */
	readonly now: () => number;
}

/** The dependencies of a handler that reads the journal of changes. */
export interface ChangesHandlerDeps extends StoreHandlerDeps, RoleDeps {
	readonly changes: Pick<ChangeJournal, 'page' | 'history'>;
}

/** The dependencies of the handler that reads one change, with the item after it. */
export interface ChangeHandlerDeps extends ChangesHandlerDeps {
	readonly grants: GrantLookup;
}

/** The dependencies of a handler that operates alarms. */
export interface AlarmWriteHandlerDeps extends WriteHandlerDeps {
	readonly alarms: AlarmStore;
}

/** The dependencies of a handler that operates alarms, and answers with their values. */
export interface AlarmOperationHandlerDeps extends AlarmWriteHandlerDeps, ReadingDeps {}
