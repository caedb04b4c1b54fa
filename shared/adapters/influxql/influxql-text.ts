import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import { measurementTag, type Tags } from '#domain/variable/tags.ts';
import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import type { AnswerRows } from './answer.ts';

/** A type to which a field is cast. Samples of other types are then not seen; integers become floats. */
export type Cast = 'float' | 'boolean' | 'string';

/** The casts, each of which sees a part of all samples. */
export const casts = ['float', 'boolean', 'string'] as const satisfies readonly Cast[];

/** The earliest and the latest time of InfluxDB, in epoch milliseconds. */
const maxMs = 9_223_372_036_854;

/** Names that InfluxQL gives a meaning of its own, so that no series can be read by them. */
const systemMeasurements: ReadonlySet<string> = new Set([
	'',
	'_name',
	'_series',
	'_measurements',
	'_tags',
	'_tagKey',
	'_tagKeys',
	'_fieldKeys',
]);
const systemFields: ReadonlySet<string> = new Set(['', 'time', '_name', '_seriesKey', '_tagKey', '_field']);

/** A topic, and the tags that choose among its series; undefined: all of them. */
export type ChosenTopic = Pick<SeriesOfQuery, 'topic' | 'tags'>;

/** Whether a series can be read at all: its names can exist, and can be written in InfluxQL (shared/adapters/influxql/README.md#names). */
export function canExist({ topic, field, tags = {} }: SeriesOfQuery, place: TopicPlace): boolean {
	const isTopic = place.topicColumn === '_measurement' ? !systemMeasurements.has(topic) : topic !== '';
	const areTags = Object.entries(tags).every(([key, value]) => isReadable(key) && isReadable(value));
	return isTopic && isReadable(topic) && !systemFields.has(field) && isReadable(field) && areTags;
}

/** Whether InfluxQL can write a name. It reads a carriage return as a newline. */
export function isReadable(name: string): boolean {
	return name.isWellFormed() && !/[\0\r]/.test(name);
}

/** Writes any name as an identifier. */
export function identifier(name: string): string {
	return `"${escaped(name, /[\\"]/g)}"`;
}

/** Writes any text as a literal. */
export function literal(text: string): string {
	return `'${escaped(text, /[\\']/g)}'`;
}

/** Writes a field as one type. Left out, `cast` is the type that it has. */
export function fieldAs(field: string, cast?: Cast): string {
	return cast === undefined ? `${identifier(field)}::field` : `${identifier(field)}::${cast}`;
}

/** Writes a `SELECT` of some topics in a range, up to what it is grouped by. @param conditions more of them, joined by `AND` */
export function selectOf(
	what: string,
	topics: readonly ChosenTopic[],
	range: Range,
	place: TopicPlace,
	...conditions: readonly string[]
): string {
	const names = [...new Set(topics.map(({ topic }) => topic))];
	const all = [timeCondition(range), ...topicConditions(names, place), ...tagConditions(topics, place), ...conditions];
	return `SELECT ${what} FROM ${sourcesOf(names, place)} WHERE ${all.join(' AND ')}`;
}

/** Writes the condition that a time is in a range. */
export function timeCondition({ start, stop }: Range): string {
	return `time >= ${timeOf(start)} AND time < ${timeOf(stop)}`;
}

/** Writes epoch milliseconds as a time. */
const timeOf = (ms: number): string => `${Math.min(Math.max(ms, -maxMs), maxMs)}ms`;

/** Returns the measurements of topics. */
function sourcesOf(topics: readonly string[], { topicColumn, measurement }: TopicPlace): string {
	if (topicColumn === '_measurement') return topics.map(identifier).join();
	return measurement === undefined ? '/.*/' : identifier(measurement);
}

function topicConditions(topics: readonly string[], { topicColumn }: TopicPlace): readonly string[] {
	if (topicColumn === '_measurement') return [];
	return [`(${topics.map((topic) => `${identifier(topicColumn)}::tag = ${literal(topic)}`).join(' OR ')})`];
}

/** Writes the condition that a series has the tags of one of the topics: of which one, `TopicGroup.foundOf` decides. */
function tagConditions(topics: readonly ChosenTopic[], place: TopicPlace): readonly string[] {
	const choices = new Set(topics.map(({ tags }) => tagCondition(tags, place)));
	return choices.has('') ? [] : [`(${[...choices].join(' OR ')})`];
}

/** Writes the condition of some tags; empty where there is none. Time, measurement and topic are no tags here, so rows are chosen by them alone. */
function tagCondition(tags: Tags = {}, { topicColumn }: TopicPlace): string {
	const comparable = Object.entries(tags).filter(
		([key]) => ![measurementTag, topicColumn].includes(key) && key.toLowerCase() !== 'time',
	);
	return comparable.map(([key, value]) => `${identifier(key)}::tag = ${literal(value)}`).join(' AND ');
}

/** Returns the topic of a series. */
export function topicOf({ name, tags }: AnswerRows, { topicColumn }: TopicPlace): string {
	return topicColumn === '_measurement' ? name : (tags.find(([tag]) => tag === topicColumn)?.[1] ?? '');
}

/** Returns the tags of a series except the one with the topic. A measurement that is not the topic is one of them. */
export function sourceTagsOf({ name, tags }: AnswerRows, { topicColumn }: TopicPlace): AnswerRows['tags'] {
	if (topicColumn === '_measurement') return tags;
	return [['_measurement', name], ...tags.filter(([tag]) => tag !== topicColumn)];
}

/** A time in epoch milliseconds, rounded down, with the nanoseconds beyond. */
export interface SampleTime {
	readonly ms: number;
	readonly ns: number;
}

const nsPerMs = 1_000_000n;

/** Converts the cell of a time. @throws RangeError when it is none */
export function instantOf(cell: unknown): SampleTime {
	if (typeof cell !== 'bigint') throw new RangeError('A time is not in nanoseconds.');
	const ns = ((cell % nsPerMs) + nsPerMs) % nsPerMs;
	return { ms: Number((cell - ns) / nsPerMs), ns: Number(ns) };
}

/** Writes what a backslash has to stand before, and newlines. */
function escaped(text: string, special: RegExp): string {
	return text.replace(special, '\\$&').replaceAll('\n', '\\n');
}
