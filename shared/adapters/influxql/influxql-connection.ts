import { DomainError } from '#domain/errors.ts';
import { defaultMaxResponseBytes } from '../influx-common/query-client.ts';
import { type ExpectedRead, openServerReads, type SendQuery, type ServerReadsOptions } from '../influx-common/server-reads.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { createAnswerReader, type InfluxqlStatement } from './answer.ts';
import { createByteBudget, runOnInfluxdb3, type SpendBytes } from './influxdb3.ts';
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
	/** Returns whether the server is an InfluxDB 3, as far as a read has shown. */
	isInfluxdb3(): boolean;
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
	const { topicColumn, measurement, user, maxResponseBytes = defaultMaxResponseBytes } = options;
	const server = openServerReads(options);
	const dialect = influxqlDialect(user);
	const generation = createServerGeneration(user);
	const runIn = async (
		send: SendQuery,
		spend: SpendBytes,
		database: string,
		statements: readonly InfluxqlStatement[],
		{ isShort }: ExpectedRead,
	): Promise<void> => {
		if (statements.length === 0) return;
		const form = formOf(database, statements, !isShort);
		if ((await generation.get(send)) === 'influxdb3') await runOnInfluxdb3(send, spend, database, statements);
		else await send(dialect, form, () => createAnswerReader(statements));
	};
	return {
		place: { topicColumn, measurement },
		isInfluxdb3: () => generation.known() === 'influxdb3',
		read: async (database, expected, work) => {
			try {
				const spend = createByteBudget(maxResponseBytes);
				return await server.read(database, expected, (send) =>
					work((statements) => runIn(send, spend, database, statements, expected)),
				);
			} catch (error) {
				// Not after a slow read: asking again would take of the time of the next one.
				if (error instanceof DomainError && error.code === 'dependency_failed') generation.forget();
				throw error;
			}
		},
		close: server.close,
	};
}
