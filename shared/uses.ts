/**
 * The tables and dependencies that a function may use. A row of the route table or of the tasks names them, and its permissions on AWS follow
 * from them. Below are the sets that several rows share.
 */
import type { Access, TableName } from './tables.ts';

/** The tables and dependencies that an endpoint or a task uses. Each key names a table, a port of the domain or a secret. */
export interface Uses extends Readonly<Partial<Record<TableName, readonly Access[]>>> {
	readonly timeSeries?: readonly ['read'];
	readonly identityProvider?: readonly ['read'];
	/** The OpenID providers: their list only, or requests to them without (`read`) or with (`ask`) the secrets of their clients. */
	readonly openIdProviders?: readonly ['list'] | readonly ['read'] | readonly ['ask'];
	readonly signingKey?: readonly ['sign'];
	readonly publicKeys?: readonly ['read'];
	/** The application token of the canary's own user. */
	readonly canaryToken?: readonly ['read'];
	/** The secret of the proxy in front of the service, where there is one. */
	readonly proxySecret?: readonly ['read'];
	readonly notifier?: readonly ['send'];
	/** Asynchronous invocations of a task, which may be the same one. */
	readonly workers?: readonly ['evaluateAlarms'] | readonly ['closeReportDays'];
}

/** Reads the caller's row, of a person or a machine, to check the role. Every endpoint that needs more than the role viewer does so. */
export const checksRole = { people: ['get'], machines: ['get'], sessions: ['get'] } as const;

/** Reads rows: all of them, one by its key (GetItem), or several by their keys (BatchGetItem). */
export const listRows = ['get', 'getMany', 'list'] as const;

/** Reads definitions: of packs, and in a transaction. */
export const readsDefinitions = ['get', 'getMany'] as const;

/** Lists boards of one kind. */
export const listBoards = { boards: listRows } as const;

/** Adds an entry to the journal of changes, in the same transaction as the change. */
export const writesChanges = { changes: ['put'] } as const;

/** Adds sign-ins and refused sign-ins to the journal of changes, each only once. */
export const tellsSessions = { changes: ['list', 'put'] } as const;

/** Checks the credentials of a machine, or a token, itself (`auth: 'basic'`), and tells sign-ins. */
export const checksCredentials = {
	...tellsSessions,
	machines: ['get', 'update'],
	owners: ['get'],
	publicKeys: ['read'],
	proxySecret: ['read'],
} as const;

/** Saves a board, and counts it as a usage of the variables that it refers to. */
export const saveBoard = {
	...checksRole,
	...writesChanges,
	// Boards are listed only where their number is not stored yet.
	boards: ['get', 'list', 'put'],
	// Variables are listed only where the stored board cannot be read.
	variables: ['get', 'getMany', 'list', 'check', 'put', 'advance'],
	idempotency: ['claim'],
} as const;

/** Deletes a board, and its usages of variables. */
export const deleteBoard = { ...saveBoard, boards: ['get', 'check', 'delete'] } as const;

/** Adds an event to the journal of alarms, in the same transaction as the change. */
export const writesEvents = { alarmEvents: ['put'] } as const;

/** Counts lines of totals: from samples, and from the journal of alarms. */
export const countsTotals = {
	variables: readsDefinitions,
	boards: ['get', 'getMany'],
	evaluations: ['get'],
	alarmEvents: ['list'],
	timeSeries: ['read'],
} as const;

/** Changes the shelf of an alarm, and answers with its value. */
export const changeShelf = {
	...checksRole,
	boards: ['get', 'check'],
	variables: readsDefinitions,
	alarmStates: ['getMany', 'put'],
	...writesEvents,
	idempotency: ['claim'],
	timeSeries: ['read'],
} as const;

/** Evaluates the grants of an OpenID provider, and gives a token of a session. */
export const issuesSessionTokens = {
	grants: ['list'],
	owners: ['get'],
	people: ['get', 'update'],
	signingKey: ['sign'],
} as const;
