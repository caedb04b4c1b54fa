import type { Quality } from '#domain/reading/quality.ts';

/** The number of readings of each quality; a quality without readings is absent. */
export type ReadingCounts = Readonly<Partial<Record<Quality, number>>>;

/** The log record of one request. It never holds a body, a query value, a header or a token. */
export interface RequestRecord {
	/** The gateway's id of the request. The body of a 500 contains this id. */
	readonly requestId: string;
	/** The route, not the path: `POST /deleteVar/{id}`. */
	readonly routeKey: string;
	/** The schema of the caller; absent where a request has no token, or none that was accepted. */
	readonly schema?: string;
	readonly status: number;
	/** `refused`: 4xx, a mistake of the client. `fault`: 5xx, for the operator; a separate error line has the cause. */
	readonly outcome: 'ok' | 'refused' | 'fault';
	/** From the event to the response, in milliseconds. */
	readonly durationMs: number;
	/** The readings in the response; absent for an endpoint that reads nothing. */
	readonly readings?: ReadingCounts;
}

/** The log of a handler, for the operator. Fields never hold a token, a secret or a body. */
export interface Log {
	info(message: string, fields: Readonly<Record<string, unknown>>): void;
	error(message: string, fields: Readonly<Record<string, unknown>>): void;
	/** Logs a request that reached a handler, with any response. */
	request(record: RequestRecord): void;
}
