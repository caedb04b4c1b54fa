import { folded, wordSearch } from '#page/parts/matching-options.ts';
import { seriesKey } from './topic-path.ts';
import type { ListedSeries } from './topic-store.ts';

/** The filters of the table: all series, series without a variable, chosen series, and silent series. */
export const choiceFilters = ['all', 'without', 'chosen', 'silent'] as const;

export type ChoiceFilter = (typeof choiceFilters)[number];

/** The reason why a series cannot become a variable: it holds text, or values of several types. */
export type Lock = 'text' | 'mixed';

/** A series as the table shows it. */
export interface ChoiceRow extends ListedSeries {
	readonly key: string;
	readonly lock: Lock | null;
	/** The first part of the topic. Each such group has a head in the table. */
	readonly group: string;
	/** When its newest sample was taken, epoch milliseconds. */
	readonly at: number;
	/** The topic and the field in the form in which they are searched (see `folded`). */
	readonly searched: string;
}

/** The choices that decide which series the table shows. */
export interface ChoiceView {
	readonly prefix: string;
	readonly search: string;
	readonly filter: ChoiceFilter;
	/** Series whose newest sample is older than this, in milliseconds, are left out; null leaves out none. */
	readonly writtenWithinMs: number | null;
	readonly chosen: ReadonlySet<string>;
	/** The present time, epoch milliseconds. */
	readonly now: number;
}

/** A series whose newest sample is older than this, in milliseconds, is silent. */
export const silentMs = 86_400_000;

/** Returns series as the table shows them: by group, those without a variable first, then by topic and field. */
export function choiceRows(series: Iterable<ListedSeries>): readonly ChoiceRow[] {
	return [...series]
		.map(choiceRow)
		.sort((a, b) => order(a.group, b.group) || Number(isNew(b)) - Number(isNew(a)) || order(a.key, b.key));
}

function choiceRow(series: ListedSeries): ChoiceRow {
	const { topic, field, type, newest } = series;
	return {
		...series,
		key: seriesKey(series),
		lock: type === 'text' || type === 'mixed' ? type : null,
		group: topic.split('/', 1)[0] ?? '',
		at: Date.parse(newest.time),
		searched: folded(`${topic} ${field}`),
	};
}

/** Whether a series is silent. */
export function isSilent({ at }: ChoiceRow, now: number): boolean {
	return now - at > silentMs;
}

/** Returns the rows that the table shows, in the order of `rows`, but groups with a row without a variable first. */
export function shownRows(rows: readonly ChoiceRow[], view: ChoiceView): readonly ChoiceRow[] {
	const shown = rowsInView(rows, view).filter((row) => passesFilter(row, view.filter, view));
	const waiting = new Set(shown.filter(isNew).map(({ group }) => group));
	return [...shown.filter(({ group }) => waiting.has(group)), ...shown.filter(({ group }) => !waiting.has(group))];
}

/** Returns the number of rows that pass each filter. */
export function filterCounts(rows: readonly ChoiceRow[], view: ChoiceView): Readonly<Record<ChoiceFilter, number>> {
	const inView = rowsInView(rows, view);
	const count = (filter: ChoiceFilter): number => inView.filter((row) => passesFilter(row, filter, view)).length;
	return { all: inView.length, without: count('without'), chosen: count('chosen'), silent: count('silent') };
}

/**
 * Returns the chosen keys after a click on a row. Without Shift only this row changes. With Shift, all rows from the one clicked before
 * to this one get the state of the one clicked before.
 */
export function chosenAfter(
	chosen: ReadonlySet<string>,
	rows: readonly ChoiceRow[],
	target: ChoiceRow,
	last: string | null,
): ReadonlySet<string> {
	const [from, to] = [rows.findIndex(({ key }) => key === last), rows.findIndex(({ key }) => key === target.key)];
	const range = from < 0 ? [target] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
	const isAdding = from < 0 ? !chosen.has(target.key) : chosen.has(last ?? '');
	return withRows(chosen, range, isAdding);
}

/**
 * Returns the chosen keys after a click on the box in the head. It chooses all rows that no variable reads; if all of them are chosen
 * already, it unchooses all rows.
 */
export function allChosen(chosen: ReadonlySet<string>, rows: readonly ChoiceRow[]): ReadonlySet<string> {
	const free = rows.filter((row) => isNew(row) && row.lock === null);
	return free.every(({ key }) => chosen.has(key)) ? withRows(chosen, rows, false) : withRows(chosen, free, true);
}

function withRows(chosen: ReadonlySet<string>, rows: readonly ChoiceRow[], isAdding: boolean): ReadonlySet<string> {
	const keys = new Set(chosen);
	for (const { key, lock } of rows) {
		if (isAdding && lock === null) keys.add(key);
		else keys.delete(key);
	}
	return keys;
}

const isNew = ({ variables }: ChoiceRow): boolean => variables.length === 0;

/** Returns the rows of the branch that match the search and are recent enough. A chosen row is kept however old it is. */
function rowsInView(
	rows: readonly ChoiceRow[],
	{ prefix, search, writtenWithinMs, now, chosen }: ChoiceView,
): readonly ChoiceRow[] {
	const hasWords = wordSearch(search);
	return rows.filter(
		({ topic, searched, at, key }) =>
			topic.startsWith(prefix) &&
			hasWords(searched) &&
			(writtenWithinMs === null || now - at <= writtenWithinMs || chosen.has(key)),
	);
}

function passesFilter(row: ChoiceRow, filter: ChoiceFilter, { chosen, now }: ChoiceView): boolean {
	if (filter === 'without') return isNew(row);
	if (filter === 'chosen') return chosen.has(row.key);
	return filter === 'all' || isSilent(row, now);
}

const collator = new Intl.Collator(undefined, { numeric: true });
const order = (a: string, b: string): number => collator.compare(a, b);
