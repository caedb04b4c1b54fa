import { dayMs } from '#domain/milliseconds.ts';
import type { CatalogSeries, TopicCatalog } from '#domain/ports/topic-catalog.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import type { SeriesOfQuery } from '#domain/variable/series-of-query.ts';
import type { Range } from '#domain/variable/window.ts';
import { createKeptNames } from '../influx-common/kept-names.ts';
import type { TopicPlace } from '../influx-common/topic-place.ts';
import { createNewestBySeries } from '../newest-by-series.ts';
import { typeBits } from '../series-points.ts';
import type { InfluxqlConnection, RunStatements } from './influxql-connection.ts';
import { casts, fieldAs, identifier, instantOf, isReadable, selectOf, sourceTagsOf } from './influxql-text.ts';
import type { Cell } from './msgpack.ts';
import { exactNewestStatements, newestStatements, noNewest } from './newest-query.ts';
import { foundByKey, groupTopics } from './topic-groups.ts';

/** How far back the newest samples are searched at first. */
const recentMs = 30 * dayMs;

/**
 * Creates `TopicCatalog` by InfluxQL (shared/adapters/influxql/README.md#catalog). CellReading a database that does not exist fails. The newest
 * samples take two requests: the fields, then their samples.
 */
export function createInfluxqlTopicCatalog({ place, read }: InfluxqlConnection): TopicCatalog {
	const kept = createKeptNames();
	return {
		topics: (database, now) =>
			kept.get(database, now, () =>
				read(database, { isShort: false }, async (run) => {
					const names = new Set<string>();
					await run([
						{ text: topicsText(place), read: ({ columns }) => addNames(names, columns.at(-1) ?? []) },
						{ text: selectOf(`first(${fieldAs('x', 'float')})`, [{ topic: 'x' }], anyMillisecond, place), read: () => undefined },
					]);
					return [...names].sort();
				}),
			),
		newest: async (database, topics, now) => {
			if (topics.length === 0) return [];
			return read(database, { isShort: false }, async (run) => {
				const types = await readTypes(run, topics, place);
				const found = await readNewest(run, types, { start: now - recentMs, stop: now }, place);
				const seen = new Set(found.map(({ topic }) => topic));
				const silent = types.filter(({ topic }) => !seen.has(topic));
				return [...found, ...(await readNewest(run, silent, { start: 0, stop: now - recentMs }, place))];
			});
		},
		newestTimes: async (database, series, range, count) => {
			const groups = groupTopics(
				series,
				place,
				() => '',
				() => new Map<string, number[]>(),
			);
			const statements = groups.flatMap(({ field, found, foundOf }) =>
				casts.map((cast) => ({
					text: `${selectOf(fieldAs(field, cast), [...found.keys()], range, place)} GROUP BY * ORDER BY time DESC LIMIT ${count}`,
					read: (rows: Parameters<typeof foundOf>[0]) => {
						const source = nameOfSource({ tags: sourceTagsOf(rows, place) });
						const times = (rows.columns[0] ?? []).map((cell) => instantOf(cell).ms);
						for (const each of foundOf(rows)) each.set(source, [...(each.get(source) ?? []), ...times]);
					},
				})),
			);
			if (statements.length > 0) await read(database, { isShort: false }, (run) => run(statements));
			const timesByKey = foundByKey(groups);
			return series.map((each) => {
				const sources = [...(timesByKey.get(each)?.values() ?? [])].map((times) => times.toSorted((a, b) => a - b).slice(-count));
				return sources.toSorted((a, b) => (b.at(-1) ?? 0) - (a.at(-1) ?? 0))[0] ?? [];
			});
		},
	};
}

/** The range of a statement that only fails where the database does not exist: listings are empty then. */
const anyMillisecond: Range = { start: 0, stop: 1 };

/** Writes the statement that lists the topics. Its last column has their names. */
function topicsText({ topicColumn, measurement }: TopicPlace): string {
	if (topicColumn === '_measurement') return 'SHOW MEASUREMENTS';
	return `SHOW TAG VALUES ${fromOf(measurement)}WITH KEY = ${identifier(topicColumn)}`;
}

const fromOf = (measurement: string | undefined): string => (measurement === undefined ? '' : `FROM ${identifier(measurement)} `);

/** Adds the names that can be read. */
function addNames(names: Set<string>, cells: readonly Cell[]): void {
	for (const name of cells) if (typeof name === 'string' && isReadable(name)) names.add(name);
}

/** A field of a topic, with the type that it has. */
interface TypedField extends SeriesOfQuery {
	/** Whether all its numbers are integers. */
	readonly isInteger: boolean;
}

/** Reads the fields of some topics with their types. The fields of all topics are listed, because a list of measurements takes longer. */
async function readTypes(run: RunStatements, topics: readonly string[], place: TopicPlace): Promise<readonly TypedField[]> {
	const isOfTopic = place.topicColumn === '_measurement';
	const wanted = new Set(topics);
	/** The types of each field, by topic; by '' where all topics have the same fields. */
	const types = new Map<string, Map<string, Set<string>>>();
	await run([
		{
			text: `SHOW FIELD KEYS ${isOfTopic ? '' : fromOf(place.measurement)}`.trimEnd(),
			read: ({ name, columns: [fields = [], fieldTypes = []] }) => {
				if (isOfTopic && !wanted.has(name)) return;
				const owner = isOfTopic ? name : '';
				const own = types.get(owner) ?? new Map<string, Set<string>>();
				types.set(owner, own);
				for (const [row, field] of fields.entries())
					own.set(String(field), (own.get(String(field)) ?? new Set<string>()).add(String(fieldTypes[row])));
			},
		},
	]);
	return topics.flatMap((topic) =>
		[...(types.get(isOfTopic ? topic : '') ?? [])].map(([field, own]) => ({ topic, field, isInteger: !own.has('float') })),
	);
}

/** Reads the newest sample of each source. */
async function readNewest(
	run: RunStatements,
	fields: readonly TypedField[],
	range: Range,
	place: TopicPlace,
): Promise<readonly CatalogSeries[]> {
	const groups = groupTopics(fields, place, () => '', noNewest);
	await run(groups.flatMap((group) => newestStatements(group, range, place, (found) => found)));
	await run(groups.flatMap((group) => exactNewestStatements(group, place, (found) => found)));
	const series = createNewestBySeries();
	for (const [{ topic, field, isInteger }, { newest }] of foundByKey(groups))
		for (const { tags, type, ms, ns, value } of newest.values())
			series.add({
				topic,
				field,
				ms,
				ns,
				type: type === typeBits.float && isInteger ? typeBits.int : type,
				value: typeof value === 'number' ? value : null,
				tags,
			});
	return series.list();
}
