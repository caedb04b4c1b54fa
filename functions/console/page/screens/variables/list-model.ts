import { formatFormula } from '#domain/equation/format-formula.ts';
import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Chart, Diagram, Panel, StoredCorrection, StoredReport, Variable } from '#page/core/definitions.ts';
import { kindOf, type VariableKind } from '#page/core/variable-kind.ts';
import { reasonText } from '#page/i18n/reasons.ts';
import type { TableSort } from '#page/parts/data-table.tsx';
import { folded, wordSearch } from '#page/parts/matching-options.ts';

/** A variable as the list shows it. */
export interface ListRow {
	readonly variable: Variable;
	readonly kind: VariableKind;
	/** The formula, or the topic; of a variable that cannot be read, that. */
	readonly source: string;
	/** The text that a search looks through. */
	readonly searched: string;
	/** Number of stored items that refer to the variable: charts, diagrams, reports, alarms, corrections, and the panel. */
	readonly uses: number;
}

/** The filter of the list: everything, one kind of variable, or the variables whose quality is not good. */
export type ListFilter = 'all' | VariableKind | 'faulty';

/** Returns variables as the list shows them. */
export function listRows(variables: Iterable<Variable>, uses: ReadonlyMap<number, number>): readonly ListRow[] {
	return [...variables].map((variable) => {
		const topics = Object.values(variable.varsTsdb).map((query) => query.calc_topic);
		const { id, name, unit, process, fault } = variable;
		const definition = 'equation' in variable ? formatFormula(variable.equation) : topics.join(', ');
		const source = fault === undefined ? definition : reasonText({ ...fault, inputs: [] });
		const searched = folded([name, unit, process, source, ...topics].join('\n'));
		return { variable, kind: kindOf(variable), source, searched, uses: uses.get(id) ?? 0 };
	});
}

/** Whether a row has every word of a search in its name, topics, unit, process or formula, whatever their case and accents. */
export function isFound({ searched }: ListRow, search: string): boolean {
	return wordSearch(search)(searched);
}

/** The stored items that can refer to variables. */
export interface Users {
	readonly charts: readonly Chart[];
	readonly diagrams: readonly Diagram[];
	readonly reports: readonly Pick<StoredReport, 'lines'>[];
	readonly alarms: readonly Pick<ListedAlarm, 'varId'>[];
	readonly corrections: readonly Pick<StoredCorrection, 'varId'>[];
	/** Null before its first save. */
	readonly panel: Panel | null;
}

/** Counts how many stored items refer to each variable. An item that refers to a variable several times counts once. */
export function countUses({ charts, diagrams, reports, alarms, corrections, panel }: Users): ReadonlyMap<number, number> {
	const counts = new Map<number, number>();
	/** For each stored item, the parts of it that may name a variable. */
	const partsOfItems = [
		...charts.map(({ series }) => series),
		...diagrams.map(({ items }) => items),
		...reports.map(({ lines }) => lines),
		...alarms.map((alarm) => [alarm]),
		...corrections.map((correction) => [correction]),
		panel === null ? [] : [...panel.pumps, ...panel.states],
	];
	for (const parts of partsOfItems)
		for (const id of new Set(parts.flatMap(({ varId }) => varId ?? []))) counts.set(id, (counts.get(id) ?? 0) + 1);
	return counts;
}

/** Sorts rows by a column. Rows that are equal in it are sorted by id. `rank` returns the rank of a variable, 0 for the worst. */
export function sortRows(rows: readonly ListRow[], sort: TableSort, rank: (id: number) => number): readonly ListRow[] {
	const compare = comparisons[sort.column] ?? byRank(rows, rank);
	const sign = sort.direction === 'ascending' ? 1 : -1;
	return rows.toSorted((a, b) => sign * compare(a, b) || a.variable.id - b.variable.id);
}

/** Keeps the order of the rows that were there before, and adds new rows at the end. `before` holds the ids in their order. */
export function keepOrder(rows: readonly ListRow[], before: readonly number[]): readonly ListRow[] {
	const places = new Map(before.map((id, index) => [id, index]));
	const placeOf = ({ variable: { id } }: ListRow): number => places.get(id) ?? before.length;
	return rows.toSorted((a, b) => placeOf(a) - placeOf(b) || a.variable.id - b.variable.id);
}

/** The rank of each row is calculated only once, because it depends on the reading and the alarms. */
function byRank(rows: readonly ListRow[], rank: (id: number) => number): RowComparison {
	const ranks = new Map(rows.map(({ variable: { id } }) => [id, rank(id)]));
	return (a, b) => (ranks.get(a.variable.id) ?? 0) - (ranks.get(b.variable.id) ?? 0);
}

type RowComparison = (a: ListRow, b: ListRow) => number;

/** Compares words by the language of the browser, and digits in them as numbers. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The comparison of each column that can be sorted, apart from the one of qualities, which depends on readings. */
const comparisons: Readonly<Record<string, RowComparison>> = {
	id: (a, b) => a.variable.id - b.variable.id,
	name: (a, b) => collator.compare(a.variable.name, b.variable.name),
	process: (a, b) => collator.compare(a.variable.process, b.variable.process),
	kind: (a, b) => collator.compare(`${a.kind} ${a.variable.type}`, `${b.kind} ${b.variable.type}`),
	// The first click on a column sorts ascending. It shall show the most used variables first.
	uses: (a, b) => b.uses - a.uses,
};
