import { formatFormula } from '#domain/equation/format-formula.ts';
import type { Aggregate } from '#domain/variable/aggregates.ts';
import { durationOf, type TimeUnit } from '#domain/variable/duration.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { bitsOf, kindOf, type VariableKind } from '#page/core/variable-kind.ts';
import { checkFormula } from '#page/formula/formula-faults.ts';

/** A query as it is typed: numbers are still text. */
export interface QueryDraft {
	readonly topic: string;
	readonly field: string;
	readonly lookback: string;
	readonly lookbackUnit: TimeUnit;
	readonly period: string;
	readonly periodUnit: TimeUnit;
	readonly aggregate: Aggregate;
	/** The fields that hold the unit of the lookback. Clients write either; a save keeps to what is stored. Empty: by the kind of variable. */
	readonly unitFields: readonly UnitField[];
}

type UnitField = 'calc_unit' | 'calc_unit_topic';

/** An input of a formula as it is typed. */
export interface InputDraft {
	readonly name: string;
	readonly query: QueryDraft;
}

/** A bit as it is typed. */
export interface BitDraft {
	readonly id: number;
	readonly name: string;
	readonly bit: number;
}

/**
 * A variable as it is typed. It holds the parts of every kind, so that nothing is lost when the kind is changed and changed back;
 * only those of its kind are saved.
 */
export interface Draft {
	/** 0 until it is saved. */
	readonly id: number;
	readonly name: string;
	readonly unit: string;
	readonly process: string;
	readonly kind: VariableKind;
	readonly type: 'last' | 'history';
	readonly query: QueryDraft;
	readonly bits: readonly BitDraft[];
	readonly formula: string;
	readonly inputs: readonly InputDraft[];
}

type WireQuery = Schemas['Query'];
type WireVariable = Schemas['Variable'];
type WireInput = Schemas['VariableInput'];

/** A query with nothing typed but usual lengths: a newest value that is expected every minute. */
export const emptyQuery: QueryDraft = {
	topic: '',
	field: 'value',
	aggregate: 'last',
	unitFields: [],
	lookback: '1',
	lookbackUnit: 'h',
	period: '1',
	periodUnit: 'm',
};

/** The draft of a new variable. */
export const emptyDraft: Draft = {
	id: 0,
	name: '',
	unit: '',
	process: '',
	kind: 'simple',
	type: 'last',
	query: emptyQuery,
	bits: [],
	formula: '',
	inputs: [],
};

/** Returns the draft of a stored variable, with the version that the typing begins from. */
export function storedDraftOf(variable: WireVariable): Versioned<Draft> {
	return { content: draftOf(variable), version: variable.version };
}

/** Returns the draft of a stored variable. */
export function draftOf(variable: WireVariable): Draft {
	const { id, name, unit, process, type } = variable;
	const queries = Object.entries(variable.varsTsdb).map(([key, query]) => ({ name: key, query: queryDraftOf(query) }));
	return {
		...emptyDraft,
		id,
		name,
		unit,
		process,
		type,
		kind: kindOf(variable),
		query: variable.calc ? emptyQuery : (queries[0]?.query ?? emptyQuery),
		bits: bitsOf(variable),
		formula: 'equation' in variable ? formatFormula(variable.equation) : '',
		inputs: variable.calc ? queries : [],
	};
}

/** Returns a stored query as it is typed. */
export function queryDraftOf(query: WireQuery): QueryDraft {
	return {
		topic: query.calc_topic,
		field: query.calc_field,
		lookback: String(query.calc_time),
		lookbackUnit: query.calc_unit ?? query.calc_unit_topic ?? 's',
		period: String(query.calc_period),
		periodUnit: query.calc_unit_period,
		aggregate: query.calc_type_period,
		unitFields: (['calc_unit', 'calc_unit_topic'] as const).filter((field) => (query[field] ?? null) !== null),
	};
}

/**
 * Returns the body that saves a draft. Inputs that the formula does not use are left out, because the service takes no others. It
 * may be wrong: its fields are checked by the domain's own parser, and its formula by `checkFormula`.
 */
export function bodyOf(draft: Draft): WireInput {
	const { id, unit, process, type } = draft;
	const name = draft.name.trim();
	const shared = { id, name, unit, type, process };
	const single = { [name]: queryOf(draft.query, 'calc_unit') };
	switch (draft.kind) {
		case 'simple':
			return { ...shared, calc: false, binary_compressed: false, varsTsdb: single };
		case 'byte':
			return { ...shared, calc: false, binary_compressed: true, varsTsdb: single, bits: draft.bits.map((bit) => ({ ...bit })) };
		case 'formula': {
			const { tokens, references } = checkFormula(draft.formula, namesOf(draft));
			const used = draft.inputs.filter((input) => references.includes(input.name));
			const varsTsdb = Object.fromEntries(used.map((input) => [input.name, queryOf(input.query, 'calc_unit_topic')]));
			return { ...shared, calc: true, binary_compressed: false, equation: [...tokens], varsTsdb };
		}
	}
}

/** Returns the names of a draft's inputs. */
export function namesOf({ inputs }: Draft): ReadonlySet<string> {
	return new Set(inputs.map(({ name }) => name));
}

/** Returns the body of a simple variable that reads one query, for trying it. */
export function probeOf({ name, query }: InputDraft): WireInput {
	const shared = { id: 0, name, unit: '', type: 'last', process: '-' } as const;
	return { ...shared, calc: false, binary_compressed: false, varsTsdb: { [name]: queryOf(query, 'calc_unit') } };
}

/** Parses a number as it is typed, with a decimal point or comma; NaN where it is none. What is negative is a number, too. */
export function numberOf(text: string): number {
	const trimmed = text.trim().replace('−', '-');
	return /^-?(?:\d*[.,]?\d+|\d+[.,])$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
}

/** Returns the length of a typed duration in milliseconds; NaN where it is none. A month counts 31 days, a year 366. */
export function durationMsOf(text: string, unit: TimeUnit): number {
	const count = numberOf(text);
	const duration = Number.isNaN(count) ? null : durationOf(count, unit);
	return duration === null || 'code' in duration ? Number.NaN : duration.ms;
}

/** @param usualField where the unit of the lookback of a new query stands (functions/README.md#a-variable) */
function queryOf(query: QueryDraft, usualField: UnitField): WireQuery {
	const unitFields = query.unitFields.length === 0 ? [usualField] : query.unitFields;
	return {
		calc_topic: query.topic,
		calc_field: query.field,
		calc_time: numberOf(query.lookback),
		...Object.fromEntries(unitFields.map((field) => [field, query.lookbackUnit])),
		calc_period: numberOf(query.period),
		calc_unit_period: query.periodUnit,
		calc_type_period: query.aggregate,
	};
}

/**
 * Checks a body as the service does before it stores it, so that errors stand at their fields while somebody types.
 * @returns what is wrong, by the path of the field; empty where a save would pass this check
 */
export function problemsOf(body: Schemas['VariableInput']): ReadonlyMap<string, FieldError> {
	// Numbers that are none are null in JSON. The name is trimmed already, as the service would.
	return checkInput(parseVariable, JSON.parse(JSON.stringify(body)));
}

/**
 * Returns the bits with another name at a position; without a name the bit is removed. A bit that was stored keeps its id,
 * also when its name was empty meanwhile. Positions ascend.
 */
export function withBitName(
	bits: readonly BitDraft[],
	stored: readonly BitDraft[],
	position: number,
	name: string,
): readonly BitDraft[] {
	const others = bits.filter(({ bit }) => bit !== position);
	if (name === '') return others;
	const known = [...bits, ...stored].find(({ bit }) => bit === position);
	const id = known?.id ?? 1 + Math.max(0, ...[...bits, ...stored].map((each) => each.id));
	return [...others, { id, name, bit: position }].toSorted((a, b) => a.bit - b.bit);
}
