import type { SpanAggregate } from '#domain/ports/span-reader.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { WindowAggregate } from '#domain/variable/aggregates.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import type { Range } from '#domain/variable/window.ts';
import { equalRunsOf, offsetOf } from '../influx-common/equal-runs.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { windowAt } from '../influx-common/window-at.ts';
import type { AnswerRows, InfluxqlStatement } from './answer.ts';
import { type Cast, type ChosenTopic, fieldAs, instantOf, selectOf, sourceTagsOf, timeCondition } from './influxql-text.ts';
import type { Cell } from './msgpack.ts';
import { type FoundNewest, newestStatements, noNewest } from './newest-query.ts';
import { type CellReading, mayBeInexact, readingOf } from './readings.ts';
import { groupTopics, type TopicGroup } from './topic-groups.ts';

/** A series of which windows are read. */
export interface WindowKey extends SeriesOfQuery {
	/** n + 1 strictly ascending epoch milliseconds. Keys that share the array are read together. */
	readonly bounds: readonly number[];
	readonly aggregates: readonly SpanAggregate[];
	/** The length of a slot in milliseconds; needed for `slots`. */
	readonly slotMs?: number;
	/** Whether only the newest window of each source is read. */
	readonly isTrailing?: boolean;
}

/** The readings of some windows, by their index. */
type Column = Map<number, CellReading>;

/** The windows of a source that have samples. */
export interface SourceWindows {
	readonly tags: AnswerRows['tags'];
	/** By aggregate; for slots by `slotColumnOf`. */
	readonly columns: Map<string, Column>;
}

/** The windows of a series, by the names of its sources, and its newest samples in the range. */
export interface FoundWindows extends FoundNewest {
	readonly sources: Map<string, SourceWindows>;
}

/** Topics whose windows are read together. */
export type WindowGroup = TopicGroup<WindowKey, FoundWindows>;

/** Groups the keys that share bounds. */
export function groupWindows(keys: readonly WindowKey[], place: TopicPlace): readonly WindowGroup[] {
	const grids = [...new Set(keys.map(({ bounds }) => bounds))];
	return groupTopics(
		keys,
		place,
		({ bounds, isTrailing = false }) => `${grids.indexOf(bounds)} ${isTrailing}`,
		() => ({ ...noNewest(), sources: new Map() }),
	);
}

/** Returns the name of the column that counts slots of a length. */
export function slotColumnOf(slotMs: number): string {
	return `slots ${slotMs}`;
}

/**
 * Returns the statements that read the windows of a group, whatever the types of its samples are, with the newest samples of the range
 * (shared/adapters/influxql/README.md#windows).
 */
export function windowStatements(group: WindowGroup, place: TopicPlace): readonly InfluxqlStatement[] {
	const { bounds, aggregates, slotLengths } = shapeOf(group);
	const whole = { start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 };
	const windows = aggregates.length === 0 ? [] : [...numberStatements(group, place), ...flagStatements(group, place)];
	return [
		...newestStatements(group, whole, place, (found) => found),
		...windows,
		...slotLengths.flatMap((slotMs) => slotStatements(group, slotMs, place)),
	];
}

/**
 * Returns the statements that read, in their own types, what may be integers of 2^53 and more. An integer beyond it has no value, and a mean of
 * integers neither.
 */
export function exactWindowStatements(group: WindowGroup, place: TopicPlace): readonly InfluxqlStatement[] {
	const { aggregates } = shapeOf(group);
	const selectors = (['min', 'max', 'first'] as const).filter((name) => aggregates.includes(name));
	const isInexact = ({ sources }: FoundWindows): boolean =>
		[...sources.values()].some(({ columns }) =>
			aggregates.some((name) => name !== 'count' && [...(columns.get(name)?.values() ?? [])].some(mayBeInexact)),
		);
	const inexact = [...group.found].filter(([, found]) => isInexact(found)).map(([topic]) => topic);
	return inexact.flatMap((topic) =>
		statementsOfRuns(group, place, [topic], ['last', ...selectors], undefined, (columns, window, [last, ...cells]) => {
			for (const [index, name] of selectors.entries()) columns.get(name)?.set(window, readingOf(cells[index]));
			columns.get('last')?.set(window, readingOf(last));
			if (typeof last === 'bigint' && mayBeInexact(columns.get('mean')?.get(window)))
				columns.get('mean')?.set(window, 'precision');
		}),
	);
}

/** Returns what the keys of a group ask for together. */
function shapeOf({ keys }: WindowGroup) {
	const aggregates = new Set(keys.flatMap((key) => key.aggregates.filter((name) => name !== 'slots')));
	const slotLengths = new Set(
		keys.flatMap(({ aggregates: own, slotMs }) => (own.includes('slots') && slotMs !== undefined ? [slotMs] : [])),
	);
	const [key] = keys;
	return {
		bounds: key?.bounds ?? [],
		isTrailing: key?.isTrailing === true,
		aggregates: [...aggregates],
		slotLengths: [...slotLengths],
	};
}

/** Numbers of all types, as floats. */
function numberStatements(group: WindowGroup, place: TopicPlace): readonly InfluxqlStatement[] {
	const { aggregates } = shapeOf(group);
	return statementsOfRuns(group, place, [...group.found.keys()], aggregates, 'float', (columns, window, cells) => {
		for (const [index, name] of aggregates.entries()) columnIn(columns, name).set(window, readingOf(cells[index]));
	});
}

/** The aggregates of truth values that InfluxQL does not compute. They follow from how many of the values are true. */
const ofTrueCount: Readonly<Record<'mean' | 'min' | 'max', (trues: number, count: number) => number>> = {
	mean: (trues, count) => trues / count,
	min: (trues, count) => Number(trues === count),
	max: (trues) => Number(trues > 0),
};

/** Truth values: a statement for their number, the first and the last one, and one for the number of true ones. */
function flagStatements(group: WindowGroup, place: TopicPlace): readonly InfluxqlStatement[] {
	const { aggregates } = shapeOf(group);
	const topics = [...group.found.keys()];
	const isCounted = (name: WindowAggregate): name is keyof typeof ofTrueCount => name in ofTrueCount;
	const [counted, selected] = [aggregates.filter(isCounted), aggregates.filter((name) => !isCounted(name) && name !== 'count')];
	const all = statementsOfRuns(group, place, topics, ['count', ...selected], 'boolean', (columns, window, [count, ...cells]) => {
		const ofCount = readingOf(count);
		columnIn(columns, 'count').set(window, ofCount);
		for (const name of counted) columnIn(columns, name).set(window, ofTrueCount[name](0, Number(ofCount)));
		for (const [index, name] of selected.entries()) columnIn(columns, name).set(window, readingOf(cells[index]));
	});
	if (counted.length === 0) return all;
	const isTrue = `${fieldAs(group.field, 'boolean')} = true`;
	const trues = statementsOfRuns(
		group,
		place,
		topics,
		['count'],
		'boolean',
		(columns, window, [count]) => {
			const [trueCount, ofAll] = [Number(readingOf(count)), Number(columns.get('count')?.get(window))];
			for (const name of counted) columnIn(columns, name).set(window, ofTrueCount[name](trueCount, ofAll));
		},
		isTrue,
	);
	return [...all, ...trues];
}

/**
 * Slots with a sample: each slot's samples are counted, then the slots of each window. A slot belongs to the window that it begins in. One that
 * begins before the first bound or ends after the last one is not counted.
 */
function slotStatements(group: WindowGroup, slotMs: number, place: TopicPlace): readonly InfluxqlStatement[] {
	const { bounds } = shapeOf(group);
	const lastStop = Math.floor((bounds.at(-1) ?? 0) / slotMs) * slotMs;
	return equalRunsOf(bounds).flatMap(({ range, length, boundary }) => {
		const start = Math.ceil(range.start / slotMs) * slotMs;
		const stop = Math.min(Math.ceil(range.stop / slotMs) * slotMs, lastStop);
		if (start >= stop) return [];
		const topics = [...group.found.keys()];
		return (['float', 'boolean'] as const).map((cast) => {
			const inner = `${selectOf(`count(${fieldAs(group.field, cast)}) AS "n"`, topics, { start, stop }, place)} GROUP BY ${timeGroup(slotMs, 0)}`;
			const text = `SELECT count("n") FROM (${inner}) WHERE ${timeCondition({ start, stop })} GROUP BY ${timeGroup(length, boundary)}`;
			return {
				text,
				read: (rows: AnswerRows) =>
					readWindows(group, place, bounds, { start, stop }, rows, (columns, window, [count]) =>
						columnIn(columns, slotColumnOf(slotMs)).set(window, readingOf(count)),
					),
			};
		});
	});
}

/** Receives the cells of one window of a source, in the order of the aggregates. */
type WindowSink = (columns: Map<string, Column>, window: number, cells: readonly (Cell | undefined)[]) => void;

/** Returns a statement for each run of windows of equal lengths. */
function statementsOfRuns(
	group: WindowGroup,
	place: TopicPlace,
	topics: readonly ChosenTopic[],
	aggregates: readonly WindowAggregate[],
	cast: Cast | undefined,
	sink: WindowSink,
	...conditions: readonly string[]
): readonly InfluxqlStatement[] {
	const { bounds, isTrailing } = shapeOf(group);
	const columns = aggregates.map((name) => `${name}(${fieldAs(group.field, cast)})`).join();
	const newestOnly = isTrailing ? ' ORDER BY time DESC LIMIT 1' : '';
	return equalRunsOf(bounds).map(({ range, length, boundary }) => ({
		text: `${selectOf(columns, topics, range, place, ...conditions)} GROUP BY ${timeGroup(length, boundary)}${newestOnly}`,
		read: (rows) => readWindows(group, place, bounds, range, rows, sink),
	}));
}

/** Passes the rows of windows to a sink. A window is stamped with its start; the first one may begin before its range. */
function readWindows(
	{ foundOf }: WindowGroup,
	place: TopicPlace,
	bounds: readonly number[],
	{ start }: Range,
	rows: AnswerRows,
	sink: WindowSink,
): void {
	const tags = sourceTagsOf(rows, place);
	const name = nameOfSource({ tags });
	const [times = [], ...columns] = rows.columns;
	for (const { sources } of foundOf(rows)) {
		const source = sources.get(name) ?? { tags, columns: new Map<string, Column>() };
		sources.set(name, source);
		for (const [row, time] of times.entries())
			sink(
				source.columns,
				windowAt(bounds, Math.max(instantOf(time).ms, start)),
				columns.map((cells) => cells[row]),
			);
	}
}

function columnIn(columns: Map<string, Column>, name: string): Column {
	const column = columns.get(name) ?? new Map<number, CellReading>();
	columns.set(name, column);
	return column;
}

const timeGroup = (length: number, boundary: number): string =>
	`time(${length}ms, ${offsetOf(length, boundary)}ms), * fill(none)`;
