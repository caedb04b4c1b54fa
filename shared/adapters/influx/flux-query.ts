import type { Range } from '#domain/variable/window.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { aggregateStep } from './flux-aggregates.ts';
import { columnList, type FluxQuery, type FluxResult, type FluxTable, fluxScriptOf, tagColumnsOf } from './flux-script.ts';
import { shardPiecesOf } from './shard-pieces.ts';
import { dependsOnType, type Stream } from './streams.ts';

/** What a result holds: the first part of its name (shared/adapters/influx/README.md#shapes). */
export type ResultRole = 'data' | 'count' | 'newest' | 'oldest';

/** Builds the Flux script of a batch. @throws DomainError `too_large` when it has more than `maxQueryBytes` */
export function fluxQueryOf(database: string, streams: readonly Stream[], place: TopicPlace): FluxQuery {
	const script = streams.map((stream, index) => ({
		fields: stream.fields,
		results: resultsOf(stream).map(([role, tables]): FluxResult => {
			const columns = columnsOf(stream, role, [place.topicColumn, ...tagColumnsOf(stream.fields)]);
			return { name: `${role}${index}`, tables: tables.map(({ range, steps }) => ({ range, steps: [...steps, columns] })) };
		}),
	}));
	return fluxScriptOf(database, script, place);
}

/** Returns the results that are read of a stream: the tables of each, without the step that selects columns. */
function resultsOf(stream: Stream): readonly (readonly [ResultRole, readonly FluxTable[]])[] {
	const { key, shape, range, runs } = stream;
	if (key.read === 'newest') return [['data', samplesOf('last', [range])]];
	if (shape === 'types') {
		// The type may differ in the middle, so each run is read.
		const ranges = runs.map((run) => run.range);
		return [
			['newest', samplesOf('last', ranges)],
			['oldest', samplesOf('first', ranges)],
		];
	}
	const data = ['data', windowsOf(stream)] as const;
	const newest = ['newest', samplesOf('last', [range])] as const;
	if (shape === 'days') {
		const counts = runs.map((run) => ({ range: run.range, steps: [aggregateStep('count', run.windows)] }));
		// Samples become floats before their mean, so the oldest one of each piece tells their type.
		return [data, ['count', counts], newest, ['oldest', samplesOf('first', shardPiecesOf(range))]];
	}
	return dependsOnType(key) ? [data, newest, ['oldest', samplesOf('first', [range])]] : [data, newest];
}

/** Returns a table for each range: the newest sample (`last`) or the oldest (`first`) of each tag set. */
function samplesOf(fn: 'last' | 'first', ranges: readonly Range[]): readonly FluxTable[] {
	return ranges.map((range) => ({ range, steps: [`${fn}()`] }));
}

/** Returns a table for each run: its windows, of a trailing read only the newest one of each tag set. */
function windowsOf({ key, shape, runs }: Stream): readonly FluxTable[] {
	if (key.read === 'newest') return [];
	const convert = dependsOnType(key) && shape !== 'pushed' ? ['toFloat()'] : [];
	// A window that is read in pieces is joined from all of them.
	const newest = key.read === 'trailing' && shape !== 'days' ? ['last()'] : [];
	return runs.map(({ range, windows }) => ({ range, steps: [...convert, aggregateStep(key.aggregate, windows), ...newest] }));
}

/**
 * Returns the step that selects the columns of the response: few, because each is repeated in every row. When tags are kept, so is
 * `_start`: it keeps the runs apart, because samples of different types collide in one table. Of the oldest sample only the type is needed, so
 * its time is left out. Of sources that are told apart, the newest samples have their tags.
 */
function columnsOf({ key, keepTags }: Stream, role: ResultRole, nameColumns: readonly string[]): string {
	if (keepTags || (key.bySource === true && role === 'newest')) return `drop(${columnList(['_stop'])})`;
	return `keep(${columnList([...(role === 'oldest' ? [] : ['_time']), '_value', '_field', ...nameColumns])})`;
}
