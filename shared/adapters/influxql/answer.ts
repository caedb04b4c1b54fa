import { QueryResponseError, type ResponseReader } from '../influx-common/query-client.ts';
import { type Cell, MsgpackReader } from './msgpack.ts';

/** Rows of one series in the answer to a statement. A long series comes in several of them. */
export interface AnswerRows {
	/** The measurement. */
	readonly name: string;
	/** The tags of `GROUP BY *`. A tag that the series does not have is left out. */
	readonly tags: readonly (readonly [name: string, value: string])[];
	/** The cells of each column, in the order of the statement; of `SELECT` the first one holds times in nanoseconds. */
	readonly columns: readonly (readonly Cell[])[];
}

/** One statement, and what reads its rows. */
export interface InfluxqlStatement {
	readonly text: string;
	/** @throws QueryError or RangeError when a row cannot be of this statement */
	read(rows: AnswerRows): void;
}

/**
 * Creates the reader of the answer to some statements (shared/adapters/influxql/README.md#whole-answers). Their rows are read when the answer
 * is whole.
 */
export function createAnswerReader(statements: readonly InfluxqlStatement[]): ResponseReader<void> {
	const chunks: Uint8Array[] = [];
	return {
		push: (chunk) => chunks.push(chunk),
		finish: () => {
			const { rows, ended } = readAnswer(new MsgpackReader(Buffer.concat(chunks)));
			if (ended.size !== statements.length)
				throw new QueryResponseError(
					'broken',
					`a response that was cut short: ${ended.size} of ${statements.length} statements are whole`,
				);
			for (const [statement, each] of rows) {
				const asked = statements[statement];
				if (asked === undefined) throw new QueryResponseError('broken', 'a statement that was not sent');
				asked.read(each);
			}
		},
	};
}

/** Reads all documents of an answer. `ended`: the statements whose last part has arrived. @throws QueryResponseError or RangeError */
function readAnswer(reader: MsgpackReader) {
	const rows: (readonly [statement: number, rows: AnswerRows])[] = [];
	const ended = new Set<number>();
	const fail = (): never => {
		throw new QueryResponseError('broken', `an error in the answer: ${reader.text()}`);
	};
	const readResult = (): void => {
		let statement = -1;
		let isPartial = false;
		const own: AnswerRows[] = [];
		reader.entries((key) => {
			if (key === 'statement_id') statement = Number(reader.cell());
			else if (key === 'series') reader.items(() => own.push(readSeries(reader)));
			else if (key === 'partial') isPartial = reader.cell() === true;
			else if (key === 'error') fail();
			else reader.skip();
		});
		if (ended.has(statement)) throw new QueryResponseError('broken', 'rows after the last ones of their statement');
		for (const each of own) rows.push([statement, each]);
		if (!isPartial) ended.add(statement);
	};
	while (!reader.isAtEnd())
		reader.entries((key) => {
			if (key === 'results') reader.items(readResult);
			else if (key === 'error') fail();
			else reader.skip();
		});
	return { rows, ended };
}

function readSeries(reader: MsgpackReader): AnswerRows {
	let name = '';
	const tags: (readonly [string, string])[] = [];
	const columns: Cell[][] = [];
	reader.entries((key) => {
		if (key === 'name') name = reader.text();
		else if (key === 'tags')
			reader.entries((tag) => {
				const value = reader.text();
				if (value !== '') tags.push([tag, value]);
			});
		else if (key === 'columns')
			reader.items(() => {
				reader.skip();
				columns.push([]);
			});
		else if (key === 'values')
			reader.items(() =>
				reader.items((column) => {
					columns[column]?.push(reader.cell());
				}),
			);
		else reader.skip();
	});
	return { name, tags, columns };
}
