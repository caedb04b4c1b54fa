import { DomainError } from '#domain/errors.ts';
import { type ExpectedRead, openServerReads, type SendQuery, type ServerReadsOptions } from '../influx-common/server-reads.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { createAnswerReader, type InfluxqlStatement } from './answer.ts';
import { runOnInfluxdb3 } from './influxdb3.ts';
import { formOf, influxqlDialect } from './influxql-dialect.ts';
import { createServerGeneration } from './server-generation.ts';

/** The InfluxDB server to read by InfluxQL, and the options of reads. */
export interface InfluxqlConnectionOptions extends ServerReadsOptions, TopicPlace {
	/** The name of the user whose password is the secret. InfluxDB 2 and 3 take any name with a token. */
	readonly user: string;
}

/** Sends statements, and lets each read its rows. Sends nothing without statements. @throws QueryError */
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

/** Opens a connection. It connects with the first query. */
export function openInfluxqlConnection(options: InfluxqlConnectionOptions): InfluxqlConnection {
	const { topicColumn, measurement, user } = options;
	const server = openServerReads(options);
	const dialect = influxqlDialect(user);
	const generation = createServerGeneration(user);
	const runIn = async (
		send: SendQuery,
		database: string,
		statements: readonly InfluxqlStatement[],
		{ isShort }: ExpectedRead,
	): Promise<void> => {
		if (statements.length === 0) return;
		const form = formOf(database, statements, !isShort);
		if ((await generation.get(send)) === 'influxdb3') await runOnInfluxdb3(send, database, statements);
		else await send(dialect, form, () => createAnswerReader(statements));
	};
	return {
		place: { topicColumn, measurement },
		read: async (database, expected, work) => {
			try {
				return await server.read(expected, (send) => work((statements) => runIn(send, database, statements, expected)));
			} catch (error) {
				// Not after a slow read: the answer to `/ping` would tell the breaker that the server is well.
				if (error instanceof DomainError && error.code === 'dependency_failed') generation.forget();
				throw error;
			}
		},
		close: server.close,
	};
}
