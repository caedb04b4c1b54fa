import { aggregates, queryAggregates } from '#domain/variable/aggregates.ts';
import { queryPathOf } from '#domain/variable/queries.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import type { Variable } from '#page/core/definitions.ts';
import { isStateUnit } from '#page/core/shown.ts';
import { kindOf } from '#page/core/variable-kind.ts';
import { folded } from '#page/parts/matching-options.ts';
import { type BitDraft, type Draft, emptyDraft, tagDraftsOf } from '../draft.ts';
import { type Length, proposedLengths, typedLength } from './lengths.ts';
import { nameOf } from './name-pattern.ts';
import { partsOf, type TaggedField } from './topic-path.ts';
import { proposalsOf, type UnitSource } from './unit-proposals.ts';

/** The editable columns. */
export const columns = ['name', 'unit', 'process', 'kind', 'aggregate', 'period', 'lookback'] as const;

export type GridColumn = (typeof columns)[number];

/** The texts of a row by column. Lengths are in the form in which people type them; kind and aggregate are the service's names. */
export type Cells = Readonly<Record<GridColumn, string>>;

/** A series that becomes a variable. */
export interface GridRow extends TaggedField {
	readonly key: string;
	readonly type: Schemas['ListedTopic']['type'];
	/** The interval between its samples, in seconds; null when it is not known, undefined until it was read. */
	readonly interval: number | null | undefined;
	/** The typed texts by column. A column without a typed text follows the pattern, the proposals and the fields for all rows. */
	readonly typed: Partial<Cells>;
	readonly bits: readonly BitDraft[];
}

/** The fields that apply to all rows. If a field is empty, each row has its own proposal. */
export interface SharedFields {
	readonly pattern: string;
	readonly process: string;
	readonly lookback: string;
}

/** Returns a length in words: `10 min`. */
export type LengthText = (length: Length) => string;

/** The id of the list of known processes, from which the field for all rows and the cells propose. */
export const processListId = 'add-processes';

/** The unit that marks a variable as a state, on or off. */
const booleanUnit = 'boolean';

/**
 * Returns the texts of rows: the typed texts, otherwise the proposals.
 * @param stored the series of stored variables. A unit is proposed from them and from rows, where their topics end alike
 */
export function cellsOf(
	rows: readonly GridRow[],
	sharedFields: SharedFields,
	stored: readonly UnitSource[],
	lengthText: LengthText,
): readonly Cells[] {
	const typedUnits = rows.flatMap(({ topic, field, typed: { unit = '' } }) => (unit === '' ? [] : [{ topic, field, unit }]));
	const unitByRows = proposalsOf(typedUnits);
	const unitByStored = proposalsOf(stored);
	return rows.map((row) => {
		const { period, lookback } = proposedLengths(row.interval ?? null);
		const parts = partsOf(row.topic);
		return {
			name: nameOf(sharedFields.pattern, row),
			// Units that were typed in rows take precedence over those of stored variables.
			unit: row.type === 'boolean' ? booleanUnit : measuredUnit(unitByRows(row) ?? unitByStored(row) ?? ''),
			process: sharedFields.process === '' && parts.length > 1 ? (parts[0] ?? '') : sharedFields.process,
			kind: 'simple',
			aggregate: 'last',
			period: lengthText(period),
			lookback: sharedFields.lookback === '' ? lengthText(lookback) : sharedFields.lookback,
			...row.typed,
		};
	});
}

/** Returns the unit to propose; empty for the unit of a state. A number must not be proposed as a state, because it would be shown as on or off. */
function measuredUnit(unit: string): string {
	return isStateUnit(unit) ? '' : unit;
}

/**
 * Returns the series of stored variables with their units, for proposals. Formulas are left out, because the unit of a formula is not
 * that of its inputs.
 */
export function unitSourcesOf(variables: Iterable<Variable>): readonly UnitSource[] {
	return [...variables].flatMap((variable) =>
		kindOf(variable) !== 'simple'
			? []
			: Object.values(variable.varsTsdb).map(({ calc_topic: topic, calc_field: field }) => ({
					topic,
					field,
					unit: variable.unit,
				})),
	);
}

/** Returns a row without the typed texts of some columns, so that these cells follow the proposals again. */
export function withoutTyped(row: GridRow, dropped: readonly GridColumn[]): GridRow {
	const kept = columns.filter((column) => !dropped.includes(column) && row.typed[column] !== undefined);
	return { ...row, typed: Object.fromEntries(kept.map((column) => [column, row.typed[column]])) };
}

/** Stands for a length that cannot be read. Its empty number becomes NaN, which the check reports; its unit does not matter. */
const unreadableLength: Length = { count: '', unit: 'm' };

/** Returns the draft of the variable that a row describes. */
export function draftOfRow({ topic, field, queryTags, bits }: GridRow, cells: Cells): Draft {
	const period = typedLength(cells.period) ?? unreadableLength;
	const lookback = typedLength(cells.lookback) ?? unreadableLength;
	return {
		...emptyDraft,
		name: cells.name,
		unit: cells.unit,
		process: cells.process,
		bits,
		kind: cells.kind === 'byte' ? 'byte' : 'simple',
		query: {
			...emptyDraft.query,
			topic,
			field,
			tags: tagDraftsOf(queryTags),
			aggregate: cells.aggregate === 'mean' ? 'mean' : 'last',
			period: period.count,
			periodUnit: period.unit,
			lookback: lookback.count,
			lookbackUnit: lookback.unit,
		},
	};
}

/** The values that the cells of a column may have, with their words. Columns of free text are missing. */
export type ColumnChoices = Readonly<Partial<Record<GridColumn, readonly { readonly value: string; readonly label: string }[]>>>;

/** The kinds that a row may have. A formula is not among them, because it reads no series of its own. */
export const rowKinds = ['simple', 'byte'] as const;

/** Returns the aggregates that a row of a kind may have. */
export function rowAggregates(kind: string): readonly (typeof queryAggregates)[number][] {
	return queryAggregates.filter((name) => kind !== 'byte' || aggregates[name].ofBytes);
}

/** Returns the text that a cell gets for a typed or pasted text; null if the text is not one of the column's choices. */
export function takenText(column: GridColumn, text: string, choices: ColumnChoices): string | null {
	const columnChoices = choices[column];
	if (columnChoices === undefined) return text;
	const wanted = folded(text.trim());
	return columnChoices.find(({ value, label }) => folded(label) === wanted || value === wanted)?.value ?? null;
}

/**
 * Returns the column that shows the problem of a field; null when no column does. Bits have no column of their own: the column of the
 * kind shows their problems.
 * @param path the path of the field in the body, as the service names it
 * @param name the name of the variable, which is part of the paths of its query
 */
export function columnOf(path: string, name: string): GridColumn | null {
	const paths: Readonly<Record<string, GridColumn>> = {
		name: 'name',
		unit: 'unit',
		process: 'process',
		bits: 'kind',
		[queryPathOf(name, 'calc_period')]: 'period',
		[queryPathOf(name, 'calc_unit_period')]: 'period',
		[queryPathOf(name, 'calc_type_period')]: 'aggregate',
		[queryPathOf(name, 'calc_time')]: 'lookback',
		[queryPathOf(name, 'calc_unit')]: 'lookback',
	};
	if (Object.hasOwn(paths, path)) return paths[path] ?? null;
	return path.startsWith('bits.') ? 'kind' : null;
}

/** The fault of a length that cannot be read. */
export const lengthFault: FieldError = { code: 'length_unreadable', message: '', params: {} };

/**
 * Returns the problems by column, one for each. `row` holds the first problem that no column shows.
 * @param problems by the path of the field in the body
 * @param name the name of the variable, without spaces around it
 */
export function faultsByColumn(
	problems: ReadonlyMap<string, FieldError>,
	name: string,
	{ period, lookback }: Cells,
): ReadonlyMap<GridColumn | 'row', FieldError> {
	const faults = new Map<GridColumn | 'row', FieldError>();
	if (typedLength(period) === null) faults.set('period', lengthFault);
	if (typedLength(lookback) === null) faults.set('lookback', lengthFault);
	for (const [path, problem] of problems) {
		const column = columnOf(path, name) ?? 'row';
		// Without a name, the service also reports that the query of that name is missing. That follows from the missing name, so it is not
		// shown.
		const followsFromName = column === 'row' && name === '';
		if (!faults.has(column) && !followsFromName) faults.set(column, problem);
	}
	return faults;
}
