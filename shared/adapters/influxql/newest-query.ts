import type { PointFault } from '#domain/ports/time-series.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { typeBits } from '../series-points.ts';
import type { AnswerRows, InfluxqlStatement } from './answer.ts';
import { type Cast, casts, fieldAs, instantOf, type SampleTime, selectOf, sourceTagsOf } from './influxql-text.ts';
import { type CellReading, mayBeInexact, readingOf } from './readings.ts';
import type { TopicGroup } from './topic-groups.ts';

/** The newest sample of a source. */
export interface NewestSample extends SampleTime {
	readonly tags: AnswerRows['tags'];
	/** One of `typeBits`. All numbers are floats. */
	readonly type: number;
	value: CellReading;
}

/** The newest samples of a series, by the names of its sources, and the types of all that it has in the range. */
export interface FoundNewest {
	/** A set of `typeBits`. All numbers are floats. */
	types: number;
	readonly newest: Map<string, NewestSample>;
}

/** Returns what is known of a series before its newest samples are read. */
export const noNewest = (): FoundNewest => ({ types: 0, newest: new Map() });

/** The types that a cast sees. */
export const typeOfCast = { float: typeBits.float, boolean: typeBits.bool, string: typeBits.string } as const satisfies Record<
	Cast,
	number
>;

/** Returns the statements that read the newest sample of each source, whatever its type is. */
export function newestStatements<Key, Found>(
	{ field, found, foundOf }: TopicGroup<Key, Found>,
	range: Range,
	place: TopicPlace,
	newestOf: (each: Found) => FoundNewest,
): readonly InfluxqlStatement[] {
	return casts.map((cast) => ({
		text: `${selectOf(`last(${fieldAs(field, cast)})`, [...found.keys()], range, place)} GROUP BY *`,
		read: (rows) => {
			for (const each of foundOf(rows)) add(newestOf(each), rows, typeOfCast[cast], place);
		},
	}));
}

/** Returns the statements that read large numbers among the newest samples in their own types. */
export function exactNewestStatements<Key, Found>(
	{ field, found }: TopicGroup<Key, Found>,
	place: TopicPlace,
	newestOf: (each: Found) => FoundNewest,
): readonly InfluxqlStatement[] {
	return [...found].flatMap(([topic, each]) => {
		const { newest } = newestOf(each);
		const times = new Set([...newest.values()].flatMap(({ value, ms }) => (mayBeInexact(value) ? [ms] : [])));
		return [...times].map((ms) => ({
			text: `${selectOf(`last(${fieldAs(field)})`, [topic], { start: ms, stop: ms + 1 }, place)} GROUP BY *`,
			read: (rows: AnswerRows) => {
				const sample = newest.get(nameOfSource({ tags: sourceTagsOf(rows, place) }));
				if (sample?.ms === ms) sample.value = readingOf(rows.columns[1]?.[0]);
			},
		}));
	});
}

/** Adds the newest sample of a source, unless it has a newer one of another type. */
function add(found: FoundNewest, rows: AnswerRows, type: number, place: TopicPlace): void {
	const tags = sourceTagsOf(rows, place);
	const sample = { ...instantOf(rows.columns[0]?.[0]), tags, type, value: readingOf(rows.columns[1]?.[0]) };
	found.types |= type;
	const name = nameOfSource({ tags });
	const other = found.newest.get(name);
	if (other === undefined || isNewer(sample, other)) found.newest.set(name, sample);
}

/** Whether an instant is after another one. */
export function isNewer(a: SampleTime, b: SampleTime): boolean {
	return (a.ms - b.ms || a.ns - b.ns) > 0;
}

/** Returns the time of the newest of the samples, in epoch milliseconds; null when there is none. */
export function newestTimeOf({ newest }: FoundNewest): number | null {
	return newest.size === 0
		? null
		: [...newest.values()].reduce((latest, { ms }) => Math.max(latest, ms), Number.NEGATIVE_INFINITY);
}

/** A reading as a value, or as a fault. */
export function valueAndFault(reading: CellReading): readonly [value: number | null, fault: PointFault | undefined] {
	return typeof reading === 'number' ? [reading, undefined] : [null, reading];
}
