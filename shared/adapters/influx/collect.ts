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
	const results = new Map<string, Map<string, Map<string, Samples>>>();
	const ended = new Set<string>();
	let layout: Layout | 'error' | undefined;
	let [field, topic]: (string | undefined)[] = [];
	let samples = noSamples();

	const header = ({ result, names, types }: Header): void => {
		field = undefined;
		layout = 'error';
		if (names.join() === errorColumns.join()) return;
		if (!query.results.has(result)) throw new QueryResponseError('broken', 'a result that was not requested');
		const value = names.indexOf('_value');
		layout = {
			result,
			time: names.indexOf('_time'),
			value,
			field: names.indexOf('_field'),
			topic: names.indexOf(topicColumn),
			type: columnTypeBits.get(types[value] ?? ''),
		};
		if (layout.field < 0 || layout.topic < 0)
			throw new QueryResponseError('broken', `a table of ${names.length} columns without field or topic`);
	};
	/** Returns the samples that a row belongs to: mostly those of the row before. */
	const samplesOf = (result: string, rowField: string, rowTopic: string): Samples => {
		if (rowTopic === topic && rowField === field) return samples;
		if (query.results.get(result)?.get(rowField)?.has(rowTopic) !== true)
			throw new QueryResponseError('broken', 'a series that was not requested');
		const fields = results.get(result) ?? new Map<string, Map<string, Samples>>();
		results.set(result, fields);
		const topics = fields.get(rowField) ?? new Map<string, Samples>();
		fields.set(rowField, topics);
		samples = topics.get(rowTopic) ?? noSamples();
		topics.set(rowTopic, samples);
		[field, topic] = [rowField, rowTopic];
		return samples;
	};
	const row = (cells: readonly string[]): void => {
		if (layout === 'error' || layout === undefined) {
			const message = cells[1] ?? '';
			throw new QueryResponseError(isTypeMessage(message) ? 'types' : 'broken', `an error after the response began: ${message}`);
		}
		const { result, time, value, type } = layout;
		if (ended.has(result)) throw new QueryResponseError('broken', 'rows after the last one of their result');
		const rowField = cells[layout.field] ?? '';
		const rowTopic = cells[layout.topic] ?? '';
		if (rowField === query.sentinel && rowTopic === query.sentinel) {
			ended.add(result);
			return;
		}
		if (type === undefined) throw new QueryResponseError('broken', 'values of a type that samples do not have');
		const seriesSamples = samplesOf(result, rowField, rowTopic);
		if (time < 0) seriesSamples.types |= type;
		else addSample(seriesSamples, cells[time] ?? '', cells[value] ?? '', type);
	};

	const reader = createCsvReader({ header, row });
	return {
		push: reader.push,
		finish: () => {
			if (!reader.isWhole() || ended.size < query.results.size)
				throw new QueryResponseError(
					'broken',
					`a response that was cut short: ${ended.size} of ${query.results.size} results are whole`,
				);
			return results;
		},
	};
}

/** Whether a message of the server is about the types of samples. */
export function isTypeMessage(message: string): boolean {
	return typeMessages.test(message);
}
