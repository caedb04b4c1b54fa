import { folded, wordSearch } from '#page/parts/matching-options.ts';
import { seriesKey } from './topic-path.ts';
import type { ListedSeries } from './topic-store.ts';

/** What the table is narrowed to. */
export const choiceFilters = ['all', 'without', 'chosen', 'silent'] as const;

export type ChoiceFilter = (typeof choiceFilters)[number];

/** Why a series cannot become a variable. */
export type Lock = 'text' | 'mixed';

/** A series as the table shows it. */
export interface ChoiceRow extends ListedSeries {
	readonly key: string;
	readonly lock: Lock | null;
	/** The first part of the topic, by which the table is divided. */
	readonly group: string;
	/** When its newest sample was taken, epoch milliseconds. */
	readonly at: number;
	/** Its topic and field, folded for the search. */
	readonly searched: string;
}

/** What the table shows of the series. */
export interface ChoiceView {
	readonly prefix: string;
	readonly search: string;
	readonly filter: ChoiceFilter;
	/** Series whose newest sample is older are left out, in milliseconds; null: none. */
	readonly writtenWithinMs: number | null;
	readonly chosen: ReadonlySet<string>;
	/** The present, epoch milliseconds. */
	readonly now: number;
}

/** Series that nobody has written for so long are silent. */
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

/** Counts what each filter leaves. */
export function filterCounts(rows: readonly ChoiceRow[], view: ChoiceView): Readonly<Record<ChoiceFilter, number>> {
	const inView = rowsInView(rows, view);
	const count = (filter: ChoiceFilter): number => inView.filter((row) => passesFilter(row, filter, view)).length;
	return { all: inView.length, without: count('without'), chosen: count('chosen'), silent: count('silent') };
}

/** Returns the keys that are chosen after a row was: it alone changes, or the rows from the last one to it become as the last one is. */
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

/** Returns the keys that are chosen once all rows are that no variable reads, or once none of the rows is where all of them are. */
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

/** Returns the rows of the branch that the search finds. A chosen row stays in view, however old it is. */
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
