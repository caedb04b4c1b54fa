import { functionFields, type LineField, type rateUnits, type severities } from '#domain/board/line.ts';
import type { ReportLine } from '#domain/board/report.ts';
import { formatFormula } from '#domain/equation/format-formula.ts';
import { parseFormula } from '#domain/equation/formula-text.ts';
import type { FieldError } from '#page/core/api.ts';
import { assumedHoldSeconds } from '#page/core/assumed-hold.ts';
import type { Variable } from '#page/core/definitions.ts';
import { type Binding, bindingProblems } from '#page/core/reference-problems.ts';
import type { TypedNumber } from '#page/format/typed-number.ts';
import { checkFormula } from '#page/formula/formula-faults.ts';

/** The function that a line applies: what it counts. */
export type LineFunctionName = ReportLine['function'];

/** The numbers of a line that may be left out. */
export const lineNumbers = [
	...([
		'holdSeconds',
		'above',
		'low',
		'high',
		'size',
		'dip',
		'decimals',
		'least',
		'most',
		'every',
		'forSeconds',
		'over',
	] as const),
	...(['errorPercent', 'errorAbsolute', 'referenceNights', 'watchRise', 'watchNights'] as const),
] as const;

type LineNumber = (typeof lineNumbers)[number];

/** A line of a report while it is edited. Values that its function does not use are kept until it is saved. */
export interface LineDraft extends Binding, Readonly<Record<LineNumber, TypedNumber>> {
	/** Identifies the line within its draft. It is not stored. */
	readonly id: number;
	/** The name by which the formulas of later lines refer to this line. */
	readonly key: string;
	readonly name: string;
	readonly function: LineFunctionName;
	/** Null: not chosen yet. */
	readonly per: keyof typeof rateUnits | null;
	/** The hours of day that count, `02:00`; both empty: all. */
	readonly from: string;
	readonly to: string;
	/** The text of the formula. */
	readonly formula: string;
	/** Null: alarms of all severities. */
	readonly severity: (typeof severities)[number] | null;
	/** The date of the first reference night; empty: none. */
	readonly referenceFrom: string;
	readonly unit: string;
	readonly group: string;
}

/** A new line: a total without a variable. All other fields are empty, because a default could be wrong. */
export const newLineDraft: Omit<LineDraft, 'id'> = {
	key: '',
	name: '',
	function: 'total',
	varId: null,
	bit: null,
	per: null,
	holdSeconds: null,
	above: null,
	low: null,
	high: null,
	size: null,
	dip: null,
	decimals: null,
	from: '',
	to: '',
	formula: '',
	severity: null,
	least: null,
	most: null,
	every: null,
	forSeconds: null,
	over: null,
	errorPercent: null,
	errorAbsolute: null,
	referenceFrom: '',
	referenceNights: null,
	watchRise: null,
	watchNights: null,
	unit: '',
	group: '',
};

/** Returns the draft of a stored line. */
export function lineDraftOf(line: ReportLine, id: number): LineDraft {
	const { key, name, unit, equation, range, counter, between, limits, error, reference, watch } = line;
	return {
		id,
		key,
		name,
		function: line.function,
		varId: line.varId ?? null,
		bit: line.bit ?? null,
		per: line.per ?? null,
		holdSeconds: line.holdSeconds ?? null,
		above: line.above ?? null,
		low: range?.[0] ?? null,
		high: range?.[1] ?? null,
		size: counter?.size ?? null,
		dip: counter?.dip ?? null,
		decimals: line.decimals ?? null,
		from: between?.[0] ?? '',
		to: between?.[1] ?? '',
		formula: equation === undefined ? '' : formatFormula(equation),
		severity: line.severity ?? null,
		least: limits?.[0] ?? null,
		most: limits?.[1] ?? null,
		every: line.every ?? null,
		forSeconds: line.forSeconds ?? null,
		over: line.over ?? null,
		errorPercent: error?.[0] ?? null,
		errorAbsolute: error?.[1] ?? null,
		referenceFrom: reference?.from ?? '',
		referenceNights: reference?.nights ?? null,
		watchRise: watch?.rise ?? null,
		watchNights: watch?.nights ?? null,
		unit,
		group: line.group ?? '',
	};
}

/** Returns whether a line with this function has a field. */
export function takesField({ function: lineFunction }: Pick<LineDraft, 'function'>, field: LineField): boolean {
	const { required, optional } = functionFields[lineFunction];
	return required.includes(field) || optional.includes(field);
}

/** Returns whether a line compares its nights with a reference. */
export const hasReference = ({ function: lineFunction }: Pick<LineDraft, 'function'>): boolean => lineFunction === 'leastMean';

/** Returns whether the error of a line's instrument has an absolute part. Of a counter only differences of readings count. */
export const hasAbsoluteError = ({ function: lineFunction }: Pick<LineDraft, 'function'>): boolean => lineFunction !== 'increase';

/** Returns the body that saves a line. Null stands for a field that is left out. `lineProblems` names missing fields. */
export function lineBodyOf(line: LineDraft) {
	const { key, name, unit, low, high, size, dip, from, to, group } = line;
	const ifUsed = <Value>(field: LineField, value: Value | null): Value | null => (takesField(line, field) ? value : null);
	// A missing half counts as 0 here. `lineProblems` names it, so it is never saved.
	const range: [number, number] = [numberOf(low) ?? 0, numberOf(high) ?? 0];
	const between: [string, string] = [from, to];
	const limits: [number | null, number | null] = [numberOf(line.least), numberOf(line.most)];
	const errorAbsolute = hasAbsoluteError(line) ? line.errorAbsolute : null;
	const error: [number, number] = [numberOf(line.errorPercent) ?? 0, numberOf(errorAbsolute) ?? 0];
	const isWatched = hasReference(line) && (line.watchRise !== null || line.watchNights !== null);
	return {
		key,
		name,
		function: line.function,
		unit,
		varId: ifUsed('varId', line.varId),
		bit: ifUsed('bit', line.bit === 'choose' ? null : line.bit),
		per: ifUsed('per', line.per),
		holdSeconds: ifUsed('holdSeconds', numberOf(line.holdSeconds)),
		above: ifUsed('above', numberOf(line.above)),
		limits: ifUsed('limits', line.least === null && line.most === null ? null : limits),
		every: ifUsed('every', numberOf(line.every)),
		forSeconds: ifUsed('forSeconds', numberOf(line.forSeconds)),
		over: ifUsed('over', numberOf(line.over)),
		error: ifUsed('error', line.errorPercent === null && errorAbsolute === null ? null : error),
		reference:
			hasReference(line) && (line.referenceFrom !== '' || line.referenceNights !== null)
				? { from: line.referenceFrom, nights: numberOf(line.referenceNights) ?? 0 }
				: null,
		watch: isWatched ? { rise: numberOf(line.watchRise) ?? 0, nights: numberOf(line.watchNights) ?? 0 } : null,
		range: ifUsed('range', low === null && high === null ? null : range),
		counter: ifUsed('counter', size === null && dip === null ? null : { size: numberOf(size), dip: numberOf(dip) }),
		between: ifUsed('between', from === '' && to === '' ? null : between),
		equation: ifUsed(
			'equation',
			parseFormula(line.formula).map(({ token }) => ({ ...token })),
		),
		severity: ifUsed('severity', line.severity),
		decimals: numberOf(line.decimals),
		group: group.trim() === '' ? null : group,
	};
}

/** The field of a saved line for each number of the draft, and its path in the body. A null field belongs to every function. */
const numberPaths: Readonly<Record<LineNumber, { readonly field: LineField | null; readonly path: string }>> = {
	holdSeconds: { field: 'holdSeconds', path: 'holdSeconds' },
	above: { field: 'above', path: 'above' },
	low: { field: 'range', path: 'range.0' },
	high: { field: 'range', path: 'range.1' },
	size: { field: 'counter', path: 'counter.size' },
	dip: { field: 'counter', path: 'counter.dip' },
	decimals: { field: null, path: 'decimals' },
	least: { field: 'limits', path: 'limits.0' },
	most: { field: 'limits', path: 'limits.1' },
	every: { field: 'every', path: 'every' },
	forSeconds: { field: 'forSeconds', path: 'forSeconds' },
	over: { field: 'over', path: 'over' },
	errorPercent: { field: 'error', path: 'error.0' },
	errorAbsolute: { field: 'error', path: 'error.1' },
	referenceNights: { field: 'over', path: 'reference.nights' },
	watchRise: { field: 'over', path: 'watch.rise' },
	watchNights: { field: 'over', path: 'watch.nights' },
};

/**
 * Returns the problems of a line that the service's rules for its body do not find, by the path within the line.
 * @param keys the keys of earlier lines, which a formula may use
 * @param variables by id; undefined until they were read
 */
export function lineProblems(
	line: LineDraft,
	keys: ReadonlySet<string>,
	variables: ReadonlyMap<number, Variable> | undefined,
): ReadonlyMap<string, FieldError> {
	const problems = new Map<string, FieldError>();
	for (const name of lineNumbers) {
		const { field, path } = numberPaths[name];
		const isAsked = (field === null || takesField(line, field)) && (name !== 'errorAbsolute' || hasAbsoluteError(line));
		if (line[name] === 'unreadable' && isAsked) problems.set(path, noNumber);
	}
	/** Notes the missing half of a pair. A pair may be missing as a whole. */
	const requireBothOrNone = (field: LineField, isFirstEmpty: boolean, isSecondEmpty: boolean): void => {
		if (takesField(line, field) && isFirstEmpty !== isSecondEmpty) problems.set(`${field}.${isFirstEmpty ? 0 : 1}`, halfMissing);
	};
	requireBothOrNone('range', line.low === null, line.high === null);
	requireBothOrNone('between', line.from === '', line.to === '');
	if (takesField(line, 'varId')) for (const [field, problem] of variableProblems(line, variables)) problems.set(field, problem);
	if (takesField(line, 'equation')) {
		const [fault] = checkFormula(line.formula, keys).faults;
		if (line.formula.trim() === '') problems.set('equation', emptyFormula);
		else if (fault !== undefined) problems.set('equation', fault);
	}
	return problems;
}

/** Checks that the variable fits the line, as the service does when the report is saved. */
function variableProblems(
	line: LineDraft,
	variables: ReadonlyMap<number, Variable> | undefined,
): readonly (readonly [string, FieldError])[] {
	const binding = { varId: line.varId, bit: takesField(line, 'bit') ? line.bit : null };
	const problems = bindingProblems(binding, variables);
	const variable = line.varId === null ? undefined : variables?.get(line.varId);
	if (problems.length > 0 || variable === undefined) return problems;
	if (line.holdSeconds === null && assumedHoldSeconds(variable) !== undefined) {
		const aggregate = Object.values(variable.varsTsdb).find((query) => query.calc_type_period !== 'last')?.calc_type_period ?? '';
		return [['holdSeconds', { code: 'hold_required', message: holdRequired(aggregate), params: { aggregate } }]];
	}
	return line.function === 'increase' && variable.calc ? [['function', noCounter]] : [];
}

/** Returns a typed number; null for an empty field, and for a text that is no number, which `lineProblems` names. */
function numberOf(typed: TypedNumber): number | null {
	return typed === 'unreadable' ? null : typed;
}

const noNumber: FieldError = { code: 'no_number', message: 'Write a number.', params: {} };
const halfMissing: FieldError = { code: 'required', message: 'Is required.', params: {} };
const emptyFormula: FieldError = { code: 'empty', message: 'Must not be empty.', params: {} };
const noCounter: FieldError = {
	code: 'formula_has_no_counter',
	message: 'A calculated variable has no counter: take the increase of its inputs.',
	params: {},
};

function holdRequired(aggregate: string): string {
	return `Is required: the variable reads the ${aggregate} of windows, which does not say how often its source reports.`;
}
