import { inParallel } from '#domain/alarm/in-parallel.ts';
import { type QueryDialect, QueryError, type ResponseReader } from '../influx-common/query-client.ts';
import { askForLess, type SendQuery } from '../influx-common/server-reads.ts';
import type { AnswerRows, InfluxqlStatement } from './answer.ts';
import { answerRowsOf } from './influxdb3-rows.ts';
import { type Influxdb3Statement, influxdb3StatementOf } from './influxdb3-statement.ts';
import { readJsonRows } from './json-rows.ts';

/** Most requests of a read that are under way at once. */
const maxRequests = 8;

/** Counts bytes that were received. @throws QueryError when the budget is spent */
export type SpendBytes = (bytes: number) => void;

/** Creates the budget of all answers of one read. They are in memory together. */
export function createByteBudget(maxBytes: number): SpendBytes {
	let spent = 0;
	return (bytes) => {
		spent += bytes;
		if (spent > maxBytes) throw new QueryError('failed', `responses of more than ${maxBytes} bytes`, { remedy: askForLess });
	};
}

/**
 * Runs statements on InfluxDB 3, which takes one of them a request (shared/adapters/influxql/README.md#influxdb-3). Their rows are read when all
 * answers are whole, in the order of the statements.
 * @param spend counts the bytes of the answers
 * @throws QueryError
 */
export async function runOnInfluxdb3(
	send: SendQuery,
	spend: SpendBytes,
	db: string,
	statements: readonly InfluxqlStatement[],
): Promise<void> {
	const answers = new Map<InfluxqlStatement, readonly AnswerRows[]>();
	await inParallel(maxRequests, statements, async (statement) => {
		const asked = influxdb3StatementOf(statement.text);
		const body = JSON.stringify({ db, q: asked.text, format: 'json' });
		answers.set(statement, await send(dialect, body, () => createRowsReader(asked, spend)));
	});
	try {
		for (const statement of statements) for (const rows of answers.get(statement) ?? []) statement.read(rows);
	} catch (error) {
		throw error instanceof RangeError ? new QueryError('failed', error.message, { cause: error }) : error;
	}
}

const dialect: QueryDialect = {
	path: '/api/v3/query_influxql',
	headers: { 'content-type': 'application/json', accept: 'application/json' },
	answerType: /^application\/json\b/,
	authorizationOf: (token) => `Bearer ${token}`,
	isTypeMessage: () => false,
	remedyOf: (message) =>
		isFileLimit(message) ? 'ask for less time, or let the operator raise query-file-limit of InfluxDB' : undefined,
};

/** Whether InfluxDB 3 Core refuses to read more than 432 Parquet files, or as many as its operator allows. */
const isFileLimit = (message: string): boolean => /parquet file/i.test(message) && /file limit/i.test(message);

/** Creates the reader of an answer. The last bracket of its array proves that it is whole; lines of JSON have nothing of the kind. */
function createRowsReader(asked: Influxdb3Statement, spend: SpendBytes): ResponseReader<readonly AnswerRows[]> {
	const chunks: Uint8Array[] = [];
	return {
		push: (chunk) => {
			spend(chunk.length);
			chunks.push(chunk);
		},
		finish: () => answerRowsOf(readJsonRows(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))), asked),
	};
}
