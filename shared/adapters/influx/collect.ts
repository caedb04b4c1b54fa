import { choosesTagSet, sortedTags } from '#domain/variable/tags.ts';
import { QueryResponseError } from '../influx-common/query-client.ts';
import { type CsvReader, createCsvReader, type Header } from './csv.ts';
import type { ChosenSeries, FluxQuery } from './flux-script.ts';
import { addSample, columnTypeBits, noSamples, type SampleRun, type Samples } from './samples.ts';

/**
 * Server messages that say that samples are of other types than the script expects. When several results fail at once, the server
 * may panic instead ("send on closed channel"), or name a result that it ended because of another one ("context canceled"). A panic
 * before the response began is an internal error of version 2.9.
 */
const typeMessages =
	/unsupported input type|unsupported aggregate column type|schema collision|cannot convert|unsupported .*\btype\b|^panic\b|^an internal error has occurred\b|\bcontext canceled$/i;

/** The rows of a response, by result, then field, then the name of the series in its stream (`SeriesByField`). */
export type Collected = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, Samples>>>;

/**
 * Reads the response to one script while the response arrives.
 * @throws QueryResponseError, CsvError or RangeError when the response is malformed
 */
export interface Collector<Result = Collected> extends Pick<CsvReader, 'push'> {
	/** Returns what was read. @throws QueryResponseError unless each result of the script ended with its sentinel */
	finish(): Result;
}

/** How the rows of a response are recognized. */
export interface ResponseForm {
	/** The names of the results that the response has to contain. */
	readonly results: Pick<ReadonlyMap<string, unknown>, 'has' | 'size'>;
	/** The topic and the field of the last row of every result. */
	readonly sentinel: string;
	readonly topicColumn: string;
}

/** The positions of a table's columns; -1 for a column that is missing. */
export interface Layout {
	readonly result: string;
	readonly names: readonly string[];
	readonly time: number;
	readonly value: number;
	readonly field: number;
	readonly topic: number;
	/** The type bit of the values; undefined for a type that samples do not have. */
	readonly type: number | undefined;
	/** The columns of tags, without that of the topic. */
	readonly tags: readonly number[];
}

/** The first columns of a response: annotation, result and table. The others that are no tags are those of ranges and samples. */
const tableColumns = 3;
const sampleColumns: ReadonlySet<string> = new Set(['_start', '_stop', '_time', '_value', '_field']);

/** Returns the tags of a row except the one with the topic. A tag that a series does not have is an empty cell. */
export function tagsIn({ names, tags }: Layout, cells: readonly string[]): readonly (readonly [string, string])[] {
	return tags.flatMap((column) => {
		const [name = '', text = ''] = [names[column], cells[column]];
		return text === '' ? [] : [[name, text] as const];
	});
}

/** Receives a row that is not the sentinel. The array of cells is used again for the next row, so copy what is kept. */
export type RowSink = (layout: Layout, cells: readonly string[], topic: string, field: string) => void;

/** The columns of a table that tells of an error. */
const errorColumns = ['', 'error', 'reference'];

/** Creates the reader of the response to `query`. */
export function createCollector(query: FluxQuery, topicColumn: string): Collector {
	const rows = new SampleRows(query);
	return createRowReader(
		{ results: query.results, sentinel: query.sentinel, topicColumn },
		(...row) => rows.add(...row),
		() => rows.results,
	);
}

/** Creates a reader that passes every row to `sink`. Its `finish` returns the result of the given `finish`, if the response is complete. */
export function createRowReader<Result>(form: ResponseForm, sink: RowSink, finish: () => Result): Collector<Result> {
	const response = new QueryResponse(form, sink);
	const reader = createCsvReader({
		header: (header) => response.beginTable(header),
		row: (cells) => response.add(cells),
	});
	return {
		push: reader.push,
		finish: () => {
			response.checkWhole(reader.isWhole());
			return finish();
		},
	};
}

/** The state of a response that is read. */
class QueryResponse {
	readonly #form: ResponseForm;
	readonly #sink: RowSink;
	/** The results whose sentinel has arrived. */
	readonly #ended = new Set<string>();
	/** The layout of the current table. A table of errors has none. */
	#layout: Layout | null = null;

	constructor(form: ResponseForm, sink: RowSink) {
		this.#form = form;
		this.#sink = sink;
	}

	beginTable({ result, names, types }: Header): void {
		this.#layout = null;
		if (names.join() === errorColumns.join()) return;
		if (!this.#form.results.has(result)) throw new QueryResponseError('broken', 'a result that was not requested');
		const value = names.indexOf('_value');
		const [field, topic] = [names.indexOf('_field'), names.indexOf(this.#form.topicColumn)];
		if (field < 0 || topic < 0)
			throw new QueryResponseError('broken', `a table of ${names.length} columns without field or topic`);
		const type = columnTypeBits.get(types[value] ?? '');
		const isTag = (name: string, column: number): boolean =>
			column >= tableColumns && column !== topic && !sampleColumns.has(name);
		const tags = names.flatMap((name, column) => (isTag(name, column) ? [column] : []));
		this.#layout = { result, names, time: names.indexOf('_time'), value, field, topic, type, tags };
	}

	add(cells: readonly string[]): void {
		if (this.#layout === null) {
			const message = cells[1] ?? '';
			throw new QueryResponseError(isTypeMessage(message) ? 'types' : 'broken', `an error after the response began: ${message}`);
		}
		const { result, ...columns } = this.#layout;
		if (this.#ended.has(result)) throw new QueryResponseError('broken', 'rows after the last one of their result');
		const [field, topic] = [cells[columns.field] ?? '', cells[columns.topic] ?? ''];
		const { sentinel } = this.#form;
		if (field === sentinel && topic === sentinel) this.#ended.add(result);
		else this.#sink(this.#layout, cells, topic, field);
	}

	checkWhole(isWhole: boolean): void {
		const [count, ended] = [this.#form.results.size, this.#ended.size];
		if (!isWhole || ended < count)
			throw new QueryResponseError('broken', `a response that was cut short: ${ended} of ${count} results are whole`);
	}
}

/** The rows of a response so far, by series. */
class SampleRows {
	readonly results = new Map<string, Map<string, Map<string, Samples>>>();
	readonly #query: FluxQuery;
	/** The series of the row before, and the samples of those that it belongs to: several where tags by which series are chosen overlap. */
	#layout: Layout | undefined;
	#field: string | undefined;
	#topic: string | undefined;
	#samples: readonly Samples[] = [];
	/** The tags of the row before; undefined where another series begins. */
	#tags: readonly string[] | undefined;

	constructor(query: FluxQuery) {
		this.#query = query;
	}

	add(layout: Layout, cells: readonly string[], topic: string, field: string): void {
		const { time, value, type } = layout;
		if (type === undefined) throw new QueryResponseError('broken', 'values of a type that samples do not have');
		this.#beginRun(layout, cells, topic, field, type);
		// A result without times is read only for the type of its samples.
		for (const samples of this.#samples)
			if (time < 0) samples.types |= type;
			else addSample(samples, cells[time] ?? '', cells[value] ?? '', type);
	}

	/** Finds the samples that a row belongs to, and begins a run of them, unless the row is of the series and has the tags of the row before. */
	#beginRun(layout: Layout, cells: readonly string[], topic: string, field: string, type: number): void {
		const isOfSeries = layout === this.#layout && topic === this.#topic && field === this.#field;
		const tagsBefore = isOfSeries ? this.#tags : undefined;
		if (tagsBefore !== undefined && layout.tags.every((column, index) => cells[column] === tagsBefore[index])) return;
		const tags = tagsIn(layout, cells);
		this.#samples = this.#samplesOf(layout.result, field, topic, tags);
		[this.#layout, this.#field, this.#topic] = [layout, field, topic];
		this.#tags = layout.tags.map((column) => cells[column] ?? '');
		for (const samples of this.#samples) samples.runs.push({ tags, type, from: samples.times.length });
	}

	#samplesOf(result: string, field: string, topic: string, tags: SampleRun['tags']): readonly Samples[] {
		const series = this.#query.results.get(result)?.get(field);
		const names = series?.has(topic) === true ? [topic] : chosenNames(series, topic, tags);
		if (names === undefined) throw new QueryResponseError('broken', 'a series that was not requested');
		const fields = this.results.get(result) ?? new Map<string, Map<string, Samples>>();
		this.results.set(result, fields);
		const byName = fields.get(field) ?? new Map<string, Samples>();
		fields.set(field, byName);
		return names.map((name) => {
			const samples = byName.get(name) ?? noSamples();
			byName.set(name, samples);
			return samples;
		});
	}
}

/**
 * Returns the names of the chosen series that have the tags of a row: none where a filter that cannot ask for a missing tag lets others
 * through. Undefined for a topic that was not asked for.
 */
function chosenNames(
	series: ReadonlyMap<string, ChosenSeries> | undefined,
	topic: string,
	tags: SampleRun['tags'],
): readonly string[] | undefined {
	const ofTopic = [...(series ?? [])].filter(([, each]) => each.topic === topic);
	const tagSet = sortedTags(tags);
	return ofTopic.length === 0 ? undefined : ofTopic.flatMap(([name, each]) => (choosesTagSet(each.tags, tagSet) ? [name] : []));
}

/** Whether a message of the server is about the types of samples. */
export function isTypeMessage(message: string): boolean {
	return typeMessages.test(message);
}
