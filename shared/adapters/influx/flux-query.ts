import type { SeriesKey } from '#domain/ports/time-series.ts';
import type { Duration } from '#domain/variable/duration.ts';
import { fluxString } from './flux-string.ts';
import type { Stream } from './streams.ts';

/**
 * What a result of the script is for. `data`: the windows, or the newest samples. `last` and `first`: beside windows, the newest
 * and the oldest sample of the same series: when it was taken, and the types at both ends of the range. A windowed read takes the
 * oldest shard's type and silently drops the shards of another.
 */
export type ResultRole = 'data' | 'last' | 'first';

/** One result that the answer has to hold. */
export interface ExpectedResult {
	readonly stream: Stream;
	readonly role: ResultRole;
}

/** A script, the results that it yields by their names, and what marks the last row of each. */
export interface FluxQuery {
	readonly text: string;
	readonly results: ReadonlyMap<string, ExpectedResult>;
	/** The topic and the field of each result's last row. */
	readonly sentinel: string;
}

/** Where topics are. */
export interface TopicPlace {
	/** `_measurement`, or the name of a tag. */
	readonly topicColumn: string;
	/** Where the topic is a tag: the only measurement that is read. */
	readonly measurement?: string | undefined;
}

/** The last of all characters: it sorts behind every name that does not begin with it. */
const lastCharacter = '\u{10ffff}';

const conversions = {
	plain: [],
	pushed: [],
	converted: ['toFloat()'],
	any: ['filter(fn: (r) => not types.isType(v: r._value, type: "string"))', 'toFloat()'],
} as const satisfies Record<Stream['shape'], readonly string[]>;

/** The ways into storage, in the words that they are read by: each result has its own, or none is pushed down. */
export function fluxQueryOf(database: string, streams: readonly Stream[], place: TopicPlace): FluxQuery {
	const names = streams.flatMap(({ fields }) => [...fields].flatMap(([field, topics]) => [field, ...topics.keys()]));
	const sentinel = sentinelFor(names);
	const groupKey = [place.topicColumn, '_field'];
	const results = new Map<string, ExpectedResult>();
	const lines = [
		'import "array"',
		...(streams.some(({ shape }) => shape === 'any') ? ['import "types"'] : []),
		`end = array.from(rows: [{${groupKey.map((column) => `${fluxString(column)}: ${fluxString(sentinel)}`).join(', ')}}])`,
		`\t|> group(columns: [${groupKey.map(fluxString).join(', ')}])`,
	];
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
			lines.push(`union(tables: [${steps.join(' |> ')}, end]) |> yield(name: ${fluxString(name)})`);
		}
	}
	return { text: lines.join('\n'), results, sentinel };
}

/** A name that sorts behind all of `names`. */
function sentinelFor(names: readonly string[]): string {
	let sentinel = lastCharacter;
	while (names.some((name) => name.startsWith(sentinel))) sentinel += lastCharacter;
	return sentinel;
}

/** Comparisons of columns with literals, joined by `and` and `or`: all that storage evaluates itself. */
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

/** What follows the filter. Of a trailing read only the newest window is wanted, of each tag set: before tags are dropped. */
function aggregateOf({ key, shape, range }: Stream, role: ResultRole): readonly string[] {
	if (role !== 'data') return [`${role}()`];
	if (key.read === 'newest') return ['last()'];
	return [...conversions[shape], windowText(key, range.stop), ...(key.read === 'trailing' ? ['last()'] : [])];
}

/** The columns that the answer has: few, as each is repeated in every row. */
function columnsOf({ wide }: Stream, role: ResultRole, topicColumn: string): string {
	const own = ['_start', '_stop'];
	if (wide) return `drop(columns: [${own.map(fluxString).join(', ')}])`;
	const kept = [...(role === 'first' ? [] : ['_time']), '_value', '_field', topicColumn];
	return `keep(columns: [${kept.map(fluxString).join(', ')}])`;
}

const anyOf = (conditions: readonly string[]): string =>
	conditions.length === 1 ? conditions.join() : `(${conditions.join(' or ')})`;

const equals = (column: string, text: string): string => `r[${fluxString(column)}] == ${fluxString(text)}`;

function windowText(key: Exclude<SeriesKey, { readonly read: 'newest' }>, stop: number): string {
	const offset = key.read === 'trailing' && key.period.months === undefined ? stop % key.period.ms : 0;
	return [
		`aggregateWindow(every: ${durationText(key.period)}`,
		...(offset === 0 ? [] : [`offset: ${offset}ms`]),
		`fn: ${key.aggregate}`,
		'createEmpty: false)',
	].join(', ');
}

const durationText = ({ ms, months }: Duration): string => (months === undefined ? `${ms}ms` : `${months}mo`);
