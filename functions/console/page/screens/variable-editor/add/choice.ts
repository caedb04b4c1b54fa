import { folded } from '#page/parts/matching-options.ts';
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

/** Returns a series as the table shows it. */
export function choiceRow(series: ListedSeries): ChoiceRow {
	const { topic, type, newest } = series;
	return {
		...series,
		key: seriesKey(series),
		lock: type === 'text' || type === 'mixed' ? type : null,
		group: topic.split('/', 1)[0] ?? '',
		at: Date.parse(newest.time),
	};
}

/** Whether a series is silent. */
export function isSilent({ at }: ChoiceRow, now: number): boolean {
	return now - at > silentMs;
}

/** Returns the rows that the table shows, those without a variable first: by group, and in the group. */
export function shownRows(rows: readonly ChoiceRow[], view: ChoiceView): readonly ChoiceRow[] {
	const shown = rows.filter((row) => isInView(row, view) && passesFilter(row, view.filter, view));
	const waiting = new Set(shown.filter(isNew).map(({ group }) => group));
	const rank = (row: ChoiceRow): number => (waiting.has(row.group) ? 0 : 1);
	return shown.toSorted(
		(a, b) => rank(a) - rank(b) || order(a.group, b.group) || Number(isNew(b)) - Number(isNew(a)) || order(a.key, b.key),
	);
}

/** Counts what each filter leaves. */
export function filterCounts(rows: readonly ChoiceRow[], view: ChoiceView): Readonly<Record<ChoiceFilter, number>> {
	const inView = rows.filter((row) => isInView(row, view));
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

/** What is chosen stays in view, however old it is. */
function isInView(row: ChoiceRow, { prefix, search, writtenWithinMs, now, chosen }: ChoiceView): boolean {
	if (!row.topic.startsWith(prefix)) return false;
	const text = folded(`${row.topic} ${row.field}`);
	if (
		!folded(search)
			.trim()
			.split(/\s+/)
			.every((word) => text.includes(word))
	)
		return false;
	return writtenWithinMs === null || now - row.at <= writtenWithinMs || chosen.has(row.key);
}

function passesFilter(row: ChoiceRow, filter: ChoiceFilter, { chosen, now }: ChoiceView): boolean {
	if (filter === 'without') return isNew(row);
	if (filter === 'chosen') return chosen.has(row.key);
	return filter === 'all' || isSilent(row, now);
}

const collator = new Intl.Collator(undefined, { numeric: true });
const order = (a: string, b: string): number => collator.compare(a, b);
