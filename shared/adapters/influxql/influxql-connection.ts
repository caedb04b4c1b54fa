import { DomainError } from '#domain/errors.ts';
import type { QueryDialect } from '../influx-common/query-client.ts';
import { type ExpectedRead, openServerReads, type ServerReadsOptions } from '../influx-common/server-reads.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { createAnswerReader, type InfluxqlStatement } from './answer.ts';

/** The InfluxDB server to read by InfluxQL, and the options of reads. */
export interface InfluxqlConnectionOptions extends ServerReadsOptions, TopicPlace {
	/** The name of the user whose password is the secret. InfluxDB 2 takes any name with a token. */
	readonly user: string;
}

/** Sends statements in one request, and lets each read its rows. Sends nothing without statements. @throws QueryError */
export type RunStatements = (statements: readonly InfluxqlStatement[]) => Promise<void>;

/** One InfluxDB that is read by InfluxQL. */
export interface InfluxqlConnection {
	readonly place: TopicPlace;
	/**
	 * Runs one read, as `ServerReads.read`.
	 * @param database `database`, or `database/retention-policy`
	 * @throws DomainError as that does, and `too_large` when the statements have more than `maxFormBytes`
	 */
	read<Result>(database: string, expected: ExpectedRead, work: (run: RunStatements) => Promise<Result>): Promise<Result>;
	/** Closes the connections. */
	close(): void;
}

/** Most bytes of a request, as a form has them. */
export const maxFormBytes = 4_000_000;

/** Opens a connection. It connects with the first query. */
export function openInfluxqlConnection(options: InfluxqlConnectionOptions): InfluxqlConnection {
	const { topicColumn, measurement } = options;
	const server = openServerReads(options, influxqlDialect(options.user));
	return {
		place: { topicColumn, measurement },
		read: (database, expected, work) =>
			server.read(expected, (send) =>
				work(async (statements) => {
					if (statements.length > 0)
						await send(formOf(database, statements, !expected.isShort), () => createAnswerReader(statements));
				}),
			),
		close: server.close,
	};
}

const influxqlDialect = (user: string): QueryDialect => ({
	path: '/query',
	headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/x-msgpack' },
	answerType: /^application\/x-msgpack\b/,
	authorizationOf: (password) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
	// Casts choose the type of samples, so no statement fails by it.
	isTypeMessage: () => false,
});

/** Writes the form of a request. @param isChunked whether the server sends each series as soon as it has it @throws DomainError `too_large` */
function formOf(database: string, statements: readonly InfluxqlStatement[], isChunked: boolean): string {
	const slash = database.indexOf('/');
	const [name, policy] = slash < 0 ? [database] : [database.slice(0, slash), database.slice(slash + 1)];
	const form = new URLSearchParams({
		db: name,
		...(policy === undefined ? {} : { rp: policy }),
		epoch: 'ns',
		chunked: String(isChunked),
		q: statements.map(({ text }) => text).join(';'),
	}).toString();
	if (form.length > maxFormBytes)
		throw new DomainError('too_large', {
			field: 'request',
			counted: 'bytes_of_query',
			actual: form.length,
			limit: maxFormBytes,
		});
	return form;
}
