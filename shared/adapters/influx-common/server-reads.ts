import { DomainError } from '#domain/errors.ts';
import { type Breaker, createBreaker } from '../breaker.ts';
import {
	createQueryClient,
	type QueryClientOptions,
	type QueryDialect,
	QueryError,
	type ResponseReader,
} from './query-client.ts';

/** The InfluxDB server to read, and the options of reads. */
export interface ServerReadsOptions extends QueryClientOptions {
	/** The time of one read with all its requests; default 8 s, less than the time limit of a function. A short read has half of it. */
	readonly deadlineMs?: number;
	/** Returns how long the caller may still wait; by default without limit. */
	readonly timeLeftMs?: () => number;
	/**
	 * Whether reads are refused while InfluxDB does not answer (shared/adapters/influx/README.md#breaker); default true. False for reads of
	 * many tenants that the caller limits itself: a few slow databases, read at once, would look like a server that does not answer.
	 */
	readonly hasBreaker?: boolean;
}

/** Sends one request in a dialect. The reader that `newReader` creates reads the response. @throws QueryError */
export type SendQuery = <Result>(dialect: QueryDialect, body: string, newReader: () => ResponseReader<Result>) => Promise<Result>;

/** The expected duration and size of a read. */
export interface ExpectedRead {
	/** Whether InfluxDB answers the read soon when it is well. */
	readonly isShort: boolean;
	/** Largest response of a request, uncompressed; default that of the connection. */
	readonly maxBytes?: number;
}

/** One InfluxDB. */
export interface ServerReads {
	/**
	 * Runs one read. All of its requests share one deadline. A read that sends a second request no longer counts as short.
	 * @param database the database that the read is of, for its circuit
	 * @throws DomainError `dependency_failed` or `dependency_slow` for a QueryError that the read does not handle; `dependency_slow` at once
	 * while the database or InfluxDB does not answer short reads (shared/adapters/influx/README.md#breaker)
	 */
	read<Result>(database: string, expected: ExpectedRead, work: (send: SendQuery) => Promise<Result>): Promise<Result>;
	/** Closes the connections. */
	close(): void;
}

/** A breaker that lets every read through. */
const noBreaker: Breaker = {
	retryAfterMs: 0,
	admit: () => ({ answered: () => undefined, ended: () => undefined }),
};

/** The time of one read, unless the options say otherwise. */
const defaultDeadlineMs = 8000;

/** Advice to a client whose long read took too long, or was too large. */
export const askForLess = 'ask for less time or fewer variables';

/** Opens a server. It connects with the first query. */
export function openServerReads(options: ServerReadsOptions): ServerReads {
	const { deadlineMs = defaultDeadlineMs, timeLeftMs = () => deadlineMs, now = Date.now, hasBreaker = true } = options;
	const client = createQueryClient(options);
	const breaker = hasBreaker ? createBreaker(now) : noBreaker;
	return {
		read: async (database, { isShort, maxBytes }, work) => {
			const admission = breaker.admit(database, isShort);
			if (admission === null) throw refusal(breaker.retryAfterMs);
			const leftMs = timeLeftMs();
			const limitMs = isShort ? deadlineMs / 2 : deadlineMs;
			const deadline = startDeadline(Math.min(limitMs, leftMs));
			let requests = 0;
			try {
				const send: SendQuery = (dialect, body, newReader) => {
					requests += 1;
					// A read with a second request is no longer short, so it gets the whole time.
					if (requests === 2) deadline.extendTo(Math.min(deadlineMs, leftMs));
					const onResponse = dialect.isOfServer ? () => undefined : admission.answered;
					return client.query(dialect, body, newReader, deadline.signal, { onResponse, maxBytes });
				};
				return await work(send);
			} catch (error) {
				if (!(error instanceof QueryError)) throw error;
				if (error.kind !== 'slow') {
					const remedy = error.remedy === undefined ? {} : { remedy: error.remedy };
					throw new DomainError('dependency_failed', { dependency: 'tsdb', cause: error.message, ...remedy }, { cause: error });
				}
				const remedy = isShort ? {} : { remedy: askForLess };
				throw new DomainError('dependency_slow', { dependency: 'tsdb', cause: error.message, ...remedy }, { cause: error });
			} finally {
				deadline.stop();
				// Only a read that had its whole time tells the breaker that InfluxDB did not answer.
				const isUnanswered = deadline.signal.aborted && leftMs >= limitMs;
				admission.ended(isUnanswered);
			}
		},
		close: client.close,
	};
}

/** Returns the error for a read that is not sent. */
function refusal(retryAfterMs: number): DomainError {
	const cause = 'not sent: the last short reads of the database had no answer';
	return new DomainError('dependency_slow', { dependency: 'tsdb', cause, retryAfterMs });
}

/** Starts a deadline. `extendTo` replaces its time, which counts from the start. */
function startDeadline(ms: number) {
	const startedAt = performance.now();
	const controller = new AbortController();
	const abort = (): void => controller.abort();
	let timer = setTimeout(abort, ms);
	return {
		signal: controller.signal,
		extendTo: (wholeMs: number): void => {
			clearTimeout(timer);
			timer = setTimeout(abort, wholeMs - (performance.now() - startedAt));
		},
		stop: () => clearTimeout(timer),
	};
}
