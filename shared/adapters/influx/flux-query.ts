import { DomainError } from '#domain/errors.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';
import type { Stream } from './streams.ts';

/**
 * The purpose of a result. `data`: the windows, or the newest samples. `last` and `first` accompany windows: the newest and the
 * oldest sample of the same series. They give the newest sample's time, and the types at both ends of the range: a windowed read
 * takes the oldest shard's type and silently drops the shards of another.
 */
export type ResultRole = 'data' | 'last' | 'first';

/** One result that the response has to contain. */
export interface ExpectedResult {
	readonly stream: Stream;
	readonly role: ResultRole;
}

/** A Flux script with the results that it yields. */
export interface FluxQuery {
	readonly text: string;
	/** By the name of the result. */
	readonly results: ReadonlyMap<string, ExpectedResult>;
	/** The topic and the field of the last row of every result. A result without that row was cut short. */
	readonly sentinel: string;
}

/** The column that holds topics (DESIGN.md section 5.9). */
export interface TopicPlace {
	/** `_measurement`, or the name of a tag. */
	readonly topicColumn: string;
	/** When the topic is a tag: the only measurement that is read. Without it, all are. */
	readonly measurement?: string | undefined;
}

/** Most bytes of a script that is sent: compiling a larger one takes InfluxDB seconds and hundreds of megabytes. */
export const maxQueryBytes = 4_000_000;

/** The highest code point: it sorts after every name that does not begin with it. */
const lastCharacter = '\u{10ffff}';

/** Characters with a meaning in a Flux string, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these have to be escaped.
const specialCharacters = /[\u0000-\u001f\u007f"\\$]/g;

const conversions = {
	plain: [],
	pushed: [],
	converted: ['toFloat()'],
	any: ['filter(fn: (r) => not types.isType(v: r._value, type: "string"))', 'toFloat()'],
} as const satisfies Record<Stream['shape'], readonly string[]>;

/**
 * Builds the Flux script. Every yield starts with its own `from()`: InfluxDB pushes filters down only then. Every yield is a union
 * with the sentinel row: InfluxDB sorts it to the end, so a response that was cut short lacks it (DESIGN.md section 5.7).
 *
 * @throws DomainError `too_large` when the script has more than `maxQueryBytes`
 * @example
 * const key = { read: 'newest', topic: 'tank', field: 'level', lookback: { ms: 60_000 } } as const;
 * fluxQueryOf('plant_a', planStreams([key], now, () => 'float'), { topicColumn: '_measurement' }).text;
 * // import "array"
 * // end = array.from(rows: [{"_measurement": "\u{10ffff}", "_field": "\u{10ffff}"}])
 * //   |> group(columns: ["_measurement", "_field"])
 * // union(tables: [from(bucket: "plant_a") |> range(…) |> filter(fn: (r) => r["_measurement"] == "tank" and r["_field"] == "level")
 * //   |> last() |> keep(columns: ["_time", "_value", "_field", "_measurement"]), end]) |> yield(name: "data0")
 */
export function fluxQueryOf(database: string, streams: readonly Stream[], place: TopicPlace): FluxQuery {
	const names = streams.flatMap(({ fields }) => [...fields].flatMap(([field, topics]) => [field, ...topics.keys()]));
	const sentinel = sentinelFor(names);
	const groupKey = [place.topicColumn, '_field'];
	const results = new Map<string, ExpectedResult>();
	const lines = [
		'import "array"',
		...(streams.some(({ shape }) => shape === 'any') ? ['import "types"'] : []),
		`end = array.from(rows: [{${groupKey.map((column) => `${fluxString(column)}: ${fluxString(sentinel)}`).join(', ')}}])`,
		`\t|> group(${columnList(groupKey)})`,
	];
	let bytes = Buffer.byteLength(lines.join('\n'));
	for (const [index, stream] of streams.entries()) {
		const { start, stop } = stream.range;
		const source = [
			`from(bucket: ${fluxString(database)})`,
			`range(start: ${new Date(start).toISOString()}, stop: ${new Date(stop).toISOString()})`,
			`filter(fn: (r) => ${filterOf(stream, place)})`,
		];
		for (const role of rolesOf(stream)) {
			const steps = [...source, ...aggregateOf(stream, role), columnsOf(stream, role, place.topicColumn)];
			const name = `${role}${index}`;
			results.set(name, { stream, role });
			const line = `union(tables: [${steps.join(' |> ')}, end]) |> yield(name: ${fluxString(name)})`;
			bytes += Buffer.byteLength(line) + 1;
			// Checked for each line, so that no script far beyond the limit is built.
			if (bytes > maxQueryBytes)
				throw new DomainError('too_large', {
					field: 'request',
					counted: 'bytes of the query to the time-series database',
					actual: bytes,
					limit: maxQueryBytes,
				});
			lines.push(line);
		}
	}
	return { text: lines.join('\n'), results, sentinel };
}

/**
 * Writes any text as a Flux string literal. Special characters become `\xHH`: a real server refuses the script when `$"`, `$${x}` or
 * NUL is written with the escapes that Flux names, or with those of the client.
 */
export function fluxString(text: string): string {
	return `"${text.replace(specialCharacters, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;
}

/** Returns a name that sorts after all of `names`. */
function sentinelFor(names: readonly string[]): string {
	let sentinel = lastCharacter;
	while (names.some((name) => name.startsWith(sentinel))) sentinel += lastCharacter;
	return sentinel;
}

/** Builds a filter of comparisons of columns with literals, joined by `and` and `or`: the storage evaluates only such filters. */
function filterOf({ fields }: Stream, { topicColumn, measurement }: TopicPlace): string {
	const pairs = [...fields].map(
		([field, topics]) => `${anyOf([...topics.keys()].map((topic) => equals(topicColumn, topic)))} and ${equals('_field', field)}`,
	);
	const series = pairs.length === 1 ? pairs.join() : anyOf(pairs.map((pair) => `(${pair})`));
	return topicColumn === '_measurement' || measurement === undefined
		? series
		: `${equals('_measurement', measurement)} and ${series}`;
}

function rolesOf({ key }: Stream): readonly ResultRole[] {
	if (key.read === 'newest') return ['data'];
	return key.aggregate === 'mean' ? ['data', 'last', 'first'] : ['data', 'last'];
}

/**
 * Returns the steps after the filter. A trailing read needs only the newest window of each tag set, so its `last()` comes before the
 * step that drops the tags.
 */
function aggregateOf({ key, shape, range }: Stream, role: ResultRole): readonly string[] {
	if (role !== 'data') return [`${role}()`];
	if (key.read === 'newest') return ['last()'];
	return [...conversions[shape], windowText(key, range.stop), ...(key.read === 'trailing' ? ['last()'] : [])];
}

/** Returns the step that selects the columns of the response: few, because each is repeated in every row. */
function columnsOf({ keepTags }: Stream, role: ResultRole, topicColumn: string): string {
	if (keepTags) return `drop(${columnList(['_start', '_stop'])})`;
	return `keep(${columnList([...(role === 'first' ? [] : ['_time']), '_value', '_field', topicColumn])})`;
}

const columnList = (columns: readonly string[]): string => `columns: [${columns.map(fluxString).join(', ')}]`;

const anyOf = (conditions: readonly string[]): string =>
	conditions.length === 1 ? conditions.join() : `(${conditions.join(' or ')})`;

const equals = (column: string, text: string): string => `r[${fluxString(column)}] == ${fluxString(text)}`;

function windowText(key: Exclude<SeriesKey, { readonly read: 'newest' }>, stop: number): string {
	const offset = key.read === 'trailing' && key.period.months === undefined ? stop % key.period.ms : 0;
	const shift = offset === 0 ? '' : `offset: ${offset}ms, `;
	return `aggregateWindow(every: ${durationText(key.period)}, ${shift}fn: ${key.aggregate}, createEmpty: false)`;
}

const durationText = ({ ms, months }: Duration): string => (months === undefined ? `${ms}ms` : `${months}mo`);
