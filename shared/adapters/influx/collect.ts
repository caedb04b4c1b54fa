import { type CsvReader, createCsvReader, type Header } from './csv.ts';
import type { FluxQuery } from './flux-script.ts';
import { addSample, columnTypeBits, noSamples, type Samples } from './samples.ts';

/** A response that cannot be used. The message is for the log. `types`: the server refused to mix or to convert types. */
export class QueryResponseError extends Error {
	override readonly name = 'QueryResponseError';
	readonly kind: 'broken' | 'types';

	constructor(kind: QueryResponseError['kind'], cause: string) {
		super(cause);
		this.kind = kind;
	}
}

/**
 * Server messages that say that samples are of other types than the script expects. When several results fail at once, the server
 * may panic instead ("send on closed channel"), or name a result that it ended because of another one ("context canceled"). A panic
 * before the response began is an internal error of version 2.9.
 */
const typeMessages =
	/unsupported input type|unsupported aggregate column type|schema collision|cannot convert|unsupported .*\btype\b|^panic\b|^an internal error has occurred\b|\bcontext canceled$/i;

/** The rows of a response, by result, then field, then topic. */
export type Collected = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Samples>>>;

/**
 * Reads the response to one script while it arrives.
 * @throws QueryResponseError, CsvError or RangeError when the response is malformed
 */
export interface Collector extends Pick<CsvReader, 'push'> {
	/** Returns all rows. @throws QueryResponseError unless each result of the script ended with its sentinel */
	finish(): Collected;
}

/** The positions of a table's columns; -1 for a column that is missing. */
interface Layout {
	readonly result: string;
	readonly time: number;
	readonly value: number;
	readonly field: number;
	readonly topic: number;
	readonly type: number | undefined;
}

const errorColumns = ['', 'error', 'reference'];

/** Creates the reader of the response to `query`. */
export function createCollector(query: FluxQuery, topicColumn: string): Collector {
	const response = new QueryResponse(query);
	const reader = createCsvReader({
		header: (header) => response.beginTable(header, topicColumn),
		row: (cells) => response.add(cells),
	});
	return { push: reader.push, finish: () => response.finish(reader.isWhole()) };
}

/** The rows of a response so far. */
class QueryResponse {
	readonly #query: FluxQuery;
	readonly #results = new Map<string, Map<string, Map<string, Samples>>>();
	/** The results whose last row has come. */
	readonly #ended = new Set<string>();
	/** Of the table that is read. A table of errors has none. */
	#layout: Layout | null = null;
	/** The series of the row before, and its samples. */
	#field: string | undefined;
	#topic: string | undefined;
	#samples = noSamples();

	constructor(query: FluxQuery) {
		this.#query = query;
	}

	beginTable({ result, names, types }: Header, topicColumn: string): void {
		this.#field = undefined;
		this.#layout = null;
		if (names.join() === errorColumns.join()) return;
		if (!this.#query.results.has(result)) throw new QueryResponseError('broken', 'a result that was not requested');
		const value = names.indexOf('_value');
		const [field, topic] = [names.indexOf('_field'), names.indexOf(topicColumn)];
		if (field < 0 || topic < 0)
			throw new QueryResponseError('broken', `a table of ${names.length} columns without field or topic`);
		this.#layout = { result, time: names.indexOf('_time'), value, field, topic, type: columnTypeBits.get(types[value] ?? '') };
	}

	add(cells: readonly string[]): void {
		if (this.#layout === null) {
			const message = cells[1] ?? '';
			throw new QueryResponseError(isTypeMessage(message) ? 'types' : 'broken', `an error after the response began: ${message}`);
		}
		const { result, time, value, type, ...columns } = this.#layout;
		if (this.#ended.has(result)) throw new QueryResponseError('broken', 'rows after the last one of their result');
		const [field, topic] = [cells[columns.field] ?? '', cells[columns.topic] ?? ''];
		const { sentinel } = this.#query;
		if (field === sentinel && topic === sentinel) {
			this.#ended.add(result);
			return;
		}
		if (type === undefined) throw new QueryResponseError('broken', 'values of a type that samples do not have');
		const samples = this.#samplesOf(result, field, topic);
		if (time < 0) samples.types |= type;
		else addSample(samples, cells[time] ?? '', cells[value] ?? '', type);
	}

	finish(isWhole: boolean): Collected {
		const [count, ended] = [this.#query.results.size, this.#ended.size];
		if (!isWhole || ended < count)
			throw new QueryResponseError('broken', `a response that was cut short: ${ended} of ${count} results are whole`);
		return this.#results;
	}

	/** Returns the samples that a row belongs to: mostly those of the row before. */
	#samplesOf(result: string, field: string, topic: string): Samples {
		if (topic === this.#topic && field === this.#field) return this.#samples;
		if (this.#query.results.get(result)?.get(field)?.has(topic) !== true)
			throw new QueryResponseError('broken', 'a series that was not requested');
		const fields = this.#results.get(result) ?? new Map<string, Map<string, Samples>>();
		this.#results.set(result, fields);
		const topics = fields.get(field) ?? new Map<string, Samples>();
		fields.set(field, topics);
		this.#samples = topics.get(topic) ?? noSamples();
		topics.set(topic, this.#samples);
		[this.#field, this.#topic] = [field, topic];
		return this.#samples;
	}
}

/** Whether a message of the server is about the types of samples. */
export function isTypeMessage(message: string): boolean {
	return typeMessages.test(message);
}
