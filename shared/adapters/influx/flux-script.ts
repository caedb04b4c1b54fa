import { isoTime } from '#domain/calendar/iso-time.ts';
import { DomainError } from '#domain/errors.ts';
import type { Tags } from '#domain/variable/tags.ts';
import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';

/** A topic, or of its series only those with some tags, and the positions of their keys in the batch. */
export interface ChosenSeries {
	readonly topic: string;
	/** Undefined: all series. */
	readonly tags: Tags | undefined;
	readonly positions: readonly number[];
}

/** Series by field, then by name: the topic where all have no tags, otherwise any text. */
export type SeriesByField = ReadonlyMap<string, ReadonlyMap<string, ChosenSeries>>;

/** Returns the keys of the tags by which some of the series are chosen. Rows need them as columns. */
export function tagColumnsOf(fields: SeriesByField): readonly string[] {
	const keys = [...fields.values()].flatMap((series) => [...series.values()].flatMap(({ tags = {} }) => Object.keys(tags)));
	return [...new Set(keys)].sort();
}

/** What one `from()` reads, and the steps after its filter. */
export interface FluxTable {
	readonly range: Range;
	readonly steps: readonly string[];
}

/** One result of a script: the union of its tables. */
export interface FluxResult {
	readonly name: string;
	/** At least one. */
	readonly tables: readonly FluxTable[];
}

/** The results that are read from the same series. */
export interface FluxStream {
	readonly fields: SeriesByField;
	readonly results: readonly FluxResult[];
}

/** A Flux script with the results that it yields. */
export interface FluxQuery {
	readonly text: string;
	/** The series that may occur in a result, by its name. The response has to contain every result. */
	readonly results: ReadonlyMap<string, SeriesByField>;
	/** The topic and the field of the last row of every result. A result without that row was cut short. */
	readonly sentinel: string;
}

/** Most bytes of a script that is sent: compiling a larger one takes InfluxDB seconds and hundreds of megabytes. */
export const maxQueryBytes = 4_000_000;

/** The highest code point: it sorts after every name that does not begin with it. */
const lastCharacter = '\u{10ffff}';

/** The name of the sentinel's table in a script. Each result is a union with it. */
export const sentinelName = 'end';

/** The name of a column that sorts before those of all tags. */
const firstColumn = '\u0001';

/** Characters with a meaning in a Flux string, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be escaped.
const specialCharacters = /[\u0000-\u001f\u007f"\\$]/g;

/**
 * Builds a Flux script. Every table starts with its own `from()`: InfluxDB pushes filters down only then. The filter of a stream is
 * written once, as a function, which InfluxDB pushes down as well. Every result is a union with the sentinel row: InfluxDB sorts it to
 * the end, so a response that was cut short lacks it (shared/adapters/influx/README.md#sentinels).
 *
 * @throws DomainError `too_large` when the script has more than `maxQueryBytes`
 * @example
 * const range = { start: 0, stop: 60_000 };
 * const stream = {
 * 	fields: new Map([['level', new Map([['tank', { topic: 'tank', tags: undefined, positions: [0] }]])]]),
 * 	results: [{ name: 'data0', tables: [{ range, steps: ['last()'] }] }],
 * };
 * fluxScriptOf('plant_a', [stream], { topicColumn: '_measurement' }).text;
 * // import "array"
 * // end = array.from(rows: [{"\x01": "\u{10ffff}", "_measurement": "\u{10ffff}", "_field": "\u{10ffff}"}])
 * //   |> group(columns: ["\x01", "_measurement", "_field"])
 * // f0 = (r) => r["_measurement"] == "tank" and r["_field"] == "level"
 * // union(tables: [from(bucket: "plant_a") |> range(…) |> filter(fn: f0) |> last(), end]) |> yield(name: "data0")
 */
export function fluxScriptOf(database: string, streams: readonly FluxStream[], place: TopicPlace): FluxQuery {
	const names = streams.flatMap(({ fields }) =>
		[...fields].flatMap(([field, series]) => [field, ...[...series.values()].map(({ topic }) => topic)]),
	);
	const sentinel = sentinelFor(names);
	const filtered = streams.map(({ fields, results }) => ({ filter: filterOf(fields, place), results }));
	const results = new Map(streams.flatMap((stream) => stream.results.map(({ name }) => [name, stream.fields] as const)));
	return { text: filteredScriptOf(database, filtered, sentinel, place), results, sentinel };
}

/** The results that are read with the same filter. */
export interface FilteredStream {
	/** The expression of a function of the row `r`, from `filterOf` or `topicFilterOf`. */
	readonly filter: string;
	readonly results: readonly FluxResult[];
}

/** Builds the text of a script as `fluxScriptOf` does, with the given filters. @throws DomainError `too_large` as `fluxScriptOf` */
export function filteredScriptOf(
	database: string,
	streams: readonly FilteredStream[],
	sentinel: string,
	{ topicColumn }: TopicPlace,
): string {
	const lines: string[] = [];
	let bytes = 0;
	/** Checks the limit with each line, so that no script far beyond it is built. */
	const addLine = (line: string): void => {
		bytes += Buffer.byteLength(line) + 1;
		if (bytes > maxQueryBytes)
			throw new DomainError('too_large', {
				field: 'request',
				counted: 'bytes_of_query',
				actual: bytes,
				limit: maxQueryBytes,
			});
		lines.push(line);
	};
	addLine('import "array"');
	addLine(sentinelTable([topicColumn, '_field'], sentinel));
	const from = `from(bucket: ${fluxString(database)})`;
	for (const [index, { filter, results }] of streams.entries()) {
		addLine(`f${index} = (r) => ${filter}`);
		for (const { name, tables } of results) {
			const texts = tables.map(({ range, steps }) => [from, rangeText(range), `filter(fn: f${index})`, ...steps].join(' |> '));
			addLine(`union(tables: [${texts.join(', ')}, ${sentinelName}]) |> yield(name: ${fluxString(name)})`);
		}
	}
	return lines.join('\n');
}

/**
 * Writes the definition of the sentinel's table, which has one row, the sentinel in each column of its group key. InfluxDB sorts a table after
 * those whose first column has a later name: without `firstColumn`, tables with a tag such as `Area` would come after the sentinel.
 */
export function sentinelTable(columns: readonly string[], sentinel: string): string {
	const groupKey = [firstColumn, ...columns];
	const row = groupKey.map((column) => `${fluxString(column)}: ${fluxString(sentinel)}`).join(', ');
	return `${sentinelName} = array.from(rows: [{${row}}])\n\t|> group(${columnList(groupKey)})`;
}

/** Returns the filter of topics, with all their fields. */
export function topicFilterOf(topics: readonly string[], place: TopicPlace): string {
	return ofMeasurement(anyOf(topics.map((topic) => equals(place.topicColumn, topic))), place);
}

/**
 * Writes any text as a Flux string literal. Special characters become `\xHH`: a real server refuses the script when `$"`, `$${x}` or
 * NUL is written with the escapes that Flux names, or with those of the client.
 */
export function fluxString(text: string): string {
	return `"${text.replace(specialCharacters, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

/** Writes the arguments `start` and `stop`. */
export function rangeArguments({ start, stop }: Range): string {
	return `start: ${isoTime(start)}, stop: ${isoTime(stop)}`;
}

/** Writes the argument `columns` of `keep`, `drop` or `group`. */
export function columnList(columns: readonly string[]): string {
	return `columns: [${columns.map(fluxString).join(', ')}]`;
}

/** Returns a name that sorts after all of `names`. */
export function sentinelFor(names: readonly string[]): string {
	let sentinel = lastCharacter;
	while (names.some((name) => name.startsWith(sentinel))) sentinel += lastCharacter;
	return sentinel;
}

/** Builds a filter of comparisons of columns with literals, joined by `and` and `or`: the storage evaluates only such filters. */
function filterOf(fields: SeriesByField, place: TopicPlace): string {
	const pairs = [...fields].map(
		([field, series]) =>
			`${anyOf([...series.values()].map((each) => seriesFilterOf(each, place)))} and ${equals('_field', field)}`,
	);
	return ofMeasurement(pairs.length === 1 ? pairs.join() : anyOf(pairs.map((pair) => `(${pair})`)), place);
}

/** Returns the filter of a topic and of the tags that a series needs. An empty value is that of a tag that it lacks, which rows tell. */
function seriesFilterOf({ topic, tags = {} }: ChosenSeries, { topicColumn }: TopicPlace): string {
	const needed = Object.entries(tags).filter(([key, value]) => value !== '' && key !== topicColumn);
	const all = [equals(topicColumn, topic), ...needed.map(([key, value]) => equals(key, value))];
	return all.length === 1 ? all.join() : `(${all.join(' and ')})`;
}

/** Restricts a filter to the measurement of the settings, if topics are in a tag. */
const ofMeasurement = (filter: string, { topicColumn, measurement }: TopicPlace): string =>
	topicColumn === '_measurement' || measurement === undefined ? filter : `${equals('_measurement', measurement)} and ${filter}`;

const anyOf = (conditions: readonly string[]): string =>
	conditions.length === 1 ? conditions.join() : `(${conditions.join(' or ')})`;

const equals = (column: string, text: string): string => `r[${fluxString(column)}] == ${fluxString(text)}`;

const rangeText = (range: Range): string => `range(${rangeArguments(range)})`;
