import { aggregateStep } from './flux-aggregates.ts';
import { columnList, type FluxQuery, type FluxResult, fluxScriptOf, type TopicPlace } from './flux-script.ts';
import { piecesOf } from './shard-pieces.ts';
import { dependsOnType, type Stream } from './streams.ts';

/**
 * The purpose of a result. `data`: the windows, or the newest samples. `count`: the numbers of samples of windows that are joined. `last` and `first` accompany windows: the newest and the
 * oldest sample of the same series. They give the newest sample's time, and the types at both ends of the range: a windowed read
 * takes the oldest shard's type and silently drops the shards of another.
 */
export type ResultRole = 'data' | 'count' | 'last' | 'first';

/** Builds the Flux script of a batch. @throws DomainError `too_large` when it has more than `maxQueryBytes` */
export function fluxQueryOf(database: string, streams: readonly Stream[], place: TopicPlace): FluxQuery {
	const resultOf = (stream: Stream, role: ResultRole, index: number): FluxResult => {
		const columns = columnsOf(stream, role, place.topicColumn);
		const tables = tablesOf(stream, role).map(({ range, steps }) => ({ range, steps: [...steps, columns] }));
		return { name: `${role}${index}`, tables };
	};
	const script = streams.map((stream, index) => ({
		fields: stream.fields,
		results: rolesOf(stream).map((role) => resultOf(stream, role, index)),
	}));
	return fluxScriptOf(database, script, place);
}

/** Returns the results that are read of a stream: its data, and what tells its types. */
function rolesOf({ key, shape }: Stream): readonly ResultRole[] {
	if (key.read === 'newest') return ['data'];
	if (shape === 'types') return ['last', 'first'];
	if (shape === 'days') return ['data', 'count', 'last', 'first'];
	return dependsOnType(key) ? ['data', 'last', 'first'] : ['data', 'last'];
}

/**
 * Returns the tables of a result, without the step that selects columns. A trailing read needs only the newest window of each tag set
 * and run. A series that is read only for its types is read run by run, because its type may differ in the middle.
 */
function tablesOf({ key, shape, range, runs }: Stream, role: ResultRole): FluxResult['tables'] {
	if (key.read === 'newest') return [{ range, steps: ['last()'] }];
	// Samples become floats before their mean, so the oldest one of each piece tells their type.
	if (role === 'first' && shape === 'days') return piecesOf(range).map((piece) => ({ range: piece, steps: ['first()'] }));
	if (role === 'last' || role === 'first')
		return (shape === 'types' ? runs : [{ range }]).map((table) => ({ range: table.range, steps: [`${role}()`] }));
	const isConverted = dependsOnType(key) && role === 'data' && (shape === 'converted' || shape === 'days');
	const convert = isConverted ? ['toFloat()'] : [];
	// A window that is read in pieces is joined from all of them.
	const newest = key.read === 'trailing' && shape !== 'days' ? ['last()'] : [];
	return runs.map((run) => {
		return {
			range: run.range,
			steps: [...convert, aggregateStep(role === 'count' ? 'count' : key.aggregate, run.windows), ...newest],
		};
	});
}

/**
 * Returns the step that selects the columns of the response: few, because each is repeated in every row. When tags are kept, so is
 * `_start`: it keeps the runs apart, because samples of different types collide in one table. Of the oldest sample only the type is needed, so
 * its time is left out. Of sources that are told apart, the newest samples have their tags.
 */
function columnsOf({ key, keepTags }: Stream, role: ResultRole, topicColumn: string): string {
	if (keepTags || (key.bySource === true && role === 'last')) return `drop(${columnList(['_stop'])})`;
	return `keep(${columnList([...(role === 'first' ? [] : ['_time']), '_value', '_field', topicColumn])})`;
}
