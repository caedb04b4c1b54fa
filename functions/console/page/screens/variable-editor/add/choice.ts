import { dayMs } from '#domain/milliseconds.ts';
import { seriesKeyOf } from '#domain/variable/series-of-query.ts';
import type { Tags } from '#domain/variable/tags.ts';
import { folded, wordSearch } from '#page/parts/matching-options.ts';
import { differingKeys, tagsOfKeys, topicWithTags } from '../tag-sets.ts';
import { compareNames } from './topic-path.ts';
import type { ListedSeries } from './topic-store.ts';

/** The filters of the table: all series, series without a variable, chosen series, and silent series. */
export const choiceFilters = ['all', 'without', 'chosen', 'silent'] as const;

export type ChoiceFilter = (typeof choiceFilters)[number];

/** The reason why a series cannot become a variable: it holds text, or values of several types. */
export type Lock = 'text' | 'mixed';

/** A series as the table shows it. */
export interface ChoiceRow extends ListedSeries {
	readonly key: string;
	/** The tags by which a variable chooses the series; empty where the topic and field have only this one. */
	readonly queryTags: Tags;
	readonly lock: Lock | null;
	/** The first part of the topic. Each such group has a head in the table. */
	readonly group: string;
	/** When its newest sample was taken, epoch milliseconds. */
	readonly newestAt: number;
	/** The topic, the tags and the field in the form in which they are searched (see `folded`). */
	readonly searched: string;
}

/** The choices that decide which series the table shows. */
export interface ChoiceView {
	/** The branch of the topics: the start that they share, with its slash; empty for all topics. */
	readonly prefix: string;
	/** Typed words. A row must have each of them. */
	readonly search: string;
	readonly filter: ChoiceFilter;
	/** Series whose newest sample is older than this, in milliseconds, are left out; null leaves out none. */
	readonly writtenWithinMs: number | null;
	/** The keys of the chosen series. */
	readonly chosen: ReadonlySet<string>;
	/** The present time, epoch milliseconds. */
	readonly now: number;
}

/** A series whose newest sample is older than this, in milliseconds, is silent. */
export const silentMs = dayMs;

/** Returns series as the table shows them: by group, those without a variable first, then by topic and field. */
export function choiceRows(series: Iterable<ListedSeries>): readonly ChoiceRow[] {
	const all = [...series];
	const keys = new Map(
		[...Map.groupBy(all, fieldKey)].map(([key, sets]) => [key, differingKeys(sets.map(({ tags }) => tags))] as const),
	);
	return all
		.map((one) => choiceRow(one, tagsOfKeys(keys.get(fieldKey(one)) ?? [], one.tags)))
		.sort((a, b) => compareNames(a.group, b.group) || Number(isNew(b)) - Number(isNew(a)) || compareNames(a.key, b.key));
}

/** Returns a text that is equal for series that differ only in their tags. */
function fieldKey({ topic, field }: ListedSeries): string {
	return seriesKeyOf({ topic, field });
}

function choiceRow(series: ListedSeries, queryTags: Tags): ChoiceRow {
	const { topic, field, type, newest } = series;
	return {
		...series,
		queryTags,
		key: seriesKeyOf(series),
		lock: type === 'text' || type === 'mixed' ? type : null,
		group: topic.split('/', 1)[0] ?? '',
		newestAt: Date.parse(newest.time),
		searched: folded(`${topicWithTags(topic, queryTags)} ${field}`),
	};
}

/** Whether a series is silent. */
export function isSilent({ newestAt }: ChoiceRow, now: number): boolean {
	return now - newestAt > silentMs;
}

/** Returns the rows that the table shows, in the order of `rows`, but groups with a row without a variable first. */
export function shownRows(rows: readonly ChoiceRow[], view: ChoiceView): readonly ChoiceRow[] {
	const shown = rowsInView(rows, view).filter((row) => passesFilter(row, view.filter, view));
	const newGroups = new Set(shown.filter(isNew).map(({ group }) => group));
	return [...shown.filter(({ group }) => newGroups.has(group)), ...shown.filter(({ group }) => !newGroups.has(group))];
}

/** Returns the number of rows that pass each filter. */
export function filterCounts(rows: readonly ChoiceRow[], view: ChoiceView): Readonly<Record<ChoiceFilter, number>> {
	const inView = rowsInView(rows, view);
	const count = (filter: ChoiceFilter): number => inView.filter((row) => passesFilter(row, filter, view)).length;
	return { all: inView.length, without: count('without'), chosen: count('chosen'), silent: count('silent') };
}

/**
 * Returns the chosen keys after a click on a row. Without Shift only this row changes. With Shift, all rows from the one clicked before
 * to this one get the state of the one clicked before. If that one is not shown any more, only this row changes.
 * @param rangeStart the key of the row clicked before; null without Shift
 */
export function chosenAfter(
	chosen: ReadonlySet<string>,
	rows: readonly ChoiceRow[],
	target: ChoiceRow,
	rangeStart: string | null,
): ReadonlySet<string> {
	const start = rows.findIndex(({ key }) => key === rangeStart);
	if (rangeStart === null || start < 0)
		return chosen.has(target.key) ? withoutRows(chosen, [target]) : withRows(chosen, [target]);
	const end = rows.findIndex(({ key }) => key === target.key);
	const range = rows.slice(Math.min(start, end), Math.max(start, end) + 1);
	return chosen.has(rangeStart) ? withRows(chosen, range) : withoutRows(chosen, range);
}

/**
 * Returns the chosen keys after a click on the box in the head. It chooses all rows that no variable reads; if all of them are chosen
 * already, it unchooses all rows.
 */
export function chosenAfterAll(chosen: ReadonlySet<string>, rows: readonly ChoiceRow[]): ReadonlySet<string> {
	const free = rows.filter(isFree);
	return free.every(({ key }) => chosen.has(key)) ? withoutRows(chosen, rows) : withRows(chosen, free);
}

/** Whether the box in the head is ticked: something is chosen, and a click on the box would unchoose it (see `chosenAfterAll`). */
export function areAllChosen(chosen: ReadonlySet<string>, rows: readonly ChoiceRow[]): boolean {
	return rows.some(({ key }) => chosen.has(key)) && rows.filter(isFree).every(({ key }) => chosen.has(key));
}

/** Returns the chosen keys with those of rows. A locked row is never chosen. */
function withRows(chosen: ReadonlySet<string>, rows: readonly ChoiceRow[]): ReadonlySet<string> {
	const keys = new Set(withoutRows(chosen, rows));
	for (const { key, lock } of rows) if (lock === null) keys.add(key);
	return keys;
}

/** Returns the chosen keys without those of rows. */
function withoutRows(chosen: ReadonlySet<string>, rows: readonly ChoiceRow[]): ReadonlySet<string> {
	const keys = new Set(chosen);
	for (const { key } of rows) keys.delete(key);
	return keys;
}

/** Whether no variable reads the series. */
const isNew = ({ variables }: ChoiceRow): boolean => variables.length === 0;

/** Whether a click on the box in the head chooses the row. */
const isFree = (row: ChoiceRow): boolean => isNew(row) && row.lock === null;

/** Returns the rows of the branch that match the search and are recent enough. A chosen row is kept however old it is. */
function rowsInView(
	rows: readonly ChoiceRow[],
	{ prefix, search, writtenWithinMs, now, chosen }: ChoiceView,
): readonly ChoiceRow[] {
	const hasWords = wordSearch(search);
	return rows.filter(
		({ topic, searched, newestAt, key }) =>
			topic.startsWith(prefix) &&
			hasWords(searched) &&
			(writtenWithinMs === null || now - newestAt <= writtenWithinMs || chosen.has(key)),
	);
}

function passesFilter(row: ChoiceRow, filter: ChoiceFilter, { chosen, now }: ChoiceView): boolean {
	if (filter === 'without') return isNew(row);
	if (filter === 'chosen') return chosen.has(row.key);
	return filter === 'all' || isSilent(row, now);
}
