import type { Quality } from '#domain/reading/quality.ts';

/** How many readings were of each quality; a quality that none had is absent. */
export type ReadingCounts = Readonly<Partial<Record<Quality, number>>>;

/** What is told of every request that reached a handler. Never a body, a query value, a header or a token. */
export interface RequestRecord {
	/** The gateway's, which the client is told of where it is answered 500. */
	readonly requestId: string;
	/** The route, not the path: `POST /deleteVar/{id}`. */
	readonly routeKey: string;
	readonly status: number;
	/** `refused`: 4xx, what was asked cannot be had. `fault`: 5xx, for the operator to look at; an error line says what. */
	readonly outcome: 'ok' | 'refused' | 'fault';
	/** From the event to the answer, in milliseconds. */
	readonly durationMs: number;
	/** The readings that were answered, by quality; absent where the answer holds none by its nature. */
	readonly readings?: ReadingCounts;
}

/** Where a handler writes what an operator must know. Fields never hold a token, a secret or a body. */
export interface Log {
	info(message: string, fields: Readonly<Record<string, unknown>>): void;
	error(message: string, fields: Readonly<Record<string, unknown>>): void;
	/** One line for each request that reached a handler, whatever it was answered. */
	request(record: RequestRecord): void;
}
