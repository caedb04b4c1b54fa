import { type CsvReader, createCsvReader, type Header } from './csv.ts';
import type { FluxQuery } from './flux-query.ts';
import { addSample, noSamples, type Samples, typeBit } from './samples.ts';

/** Why an answer is not one: `cause` is for the log. `types`: the server refused to mix or to convert types. */
export class AnswerError extends Error {
	override readonly name = 'AnswerError';
	readonly kind: 'broken' | 'types';

	constructor(kind: AnswerError['kind'], cause: string) {
		super(cause);
		this.kind = kind;
	}
}

/**
 * What the server says where the types of samples are not what the script takes them for. Where several results fail at once it
 * may panic in place of the message ("send on closed channel").
 */
const typeMessages =
	/unsupported input type|unsupported aggregate column type|schema collision|cannot convert|unsupported .*\btype\b|^panic\b/i;

/** Whether a message of the server is about the types of samples. */
export function isTypeMessage(message: string): boolean {
	return typeMessages.test(message);
}

/** Rows by result, then field, then topic. */
export type Collected = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Samples>>>;

/** A reader of a script's answer, as it arrives. It throws AnswerError, CsvError and RangeError. */
export interface Collector extends Pick<CsvReader, 'push'> {
	/** What came. Throws AnswerError unless each result of the script ended with its sentinel. */
	finish(): Collected;
}

/** The columns of a table that are looked at, by position; -1 for one that is not there. */
interface Layout {
	readonly result: string;
	readonly time: number;
	readonly value: number;
	readonly field: number;
	readonly topic: number;
	readonly type: number | undefined;
}

const errorColumns = ['', 'error', 'reference'];

/** Reads the answer to `script`. */
export function createCollector(script: FluxQuery, topicColumn: string): Collector {
	const results = new Map<string, Map<string, Map<string, Samples>>>();
	const ended = new Set<string>();
	let layout: Layout | 'error' | undefined;
	let [field, topic]: (string | undefined)[] = [];
	let samples = noSamples();

	const header = ({ result, names, types }: Header): void => {
		field = undefined;
		layout = 'error';
		if (names.join() === errorColumns.join()) return;
		if (!script.results.has(result)) throw new AnswerError('broken', 'a result that was not asked for');
		const value = names.indexOf('_value');
		layout = {
			result,
			time: names.indexOf('_time'),
			value,
			field: names.indexOf('_field'),
			topic: names.indexOf(topicColumn),
			type: typeBit(types[value] ?? ''),
		};
		if (layout.field < 0 || layout.topic < 0)
			throw new AnswerError('broken', `a table of ${names.length} columns without field or topic`);
	};
	/** The rows that this one belongs to: mostly those of the row before. */
	const samplesOf = (result: string, rowField: string, rowTopic: string): Samples => {
		if (rowTopic === topic && rowField === field) return samples;
		if (script.results.get(result)?.stream.fields.get(rowField)?.has(rowTopic) !== true)
			throw new AnswerError('broken', 'a series that was not asked for');
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
			throw new AnswerError(isTypeMessage(message) ? 'types' : 'broken', `an error after the answer began: ${message}`);
		}
		const { result, time, value, type } = layout;
		if (ended.has(result)) throw new AnswerError('broken', 'rows after the last one of their result');
		const rowField = cells[layout.field] ?? '';
		const rowTopic = cells[layout.topic] ?? '';
		if (rowField === script.sentinel && rowTopic === script.sentinel) {
			ended.add(result);
			return;
		}
		if (type === undefined) throw new AnswerError('broken', 'values of a type that samples do not have');
		const found = samplesOf(result, rowField, rowTopic);
		if (time < 0) found.types |= type;
		else addSample(found, cells[time] ?? '', cells[value] ?? '', type);
	};

	const reader = createCsvReader({ header, row });
	return {
		push: reader.push,
		finish: () => {
			if (!reader.isWhole() || ended.size < script.results.size)
				throw new AnswerError(
					'broken',
					`an answer that was cut short: ${ended.size} of ${script.results.size} results are whole`,
				);
			return results;
		},
	};
}
