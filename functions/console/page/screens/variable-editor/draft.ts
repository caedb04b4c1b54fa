import { formatFormula } from '#domain/equation/format-formula.ts';
import type { Aggregate } from '#domain/variable/aggregates.ts';
import { durationOf, type TimeUnit } from '#domain/variable/duration.ts';
import { queryPathOf } from '#domain/variable/queries.ts';
import type { Tags } from '#domain/variable/tags.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import type { FieldError, Schemas } from '#page/core/api.ts';
import { checkInput } from '#page/core/check-input.ts';
import type { Versioned } from '#page/core/draft-editor.ts';
import { bitsOf, kindOf, type VariableKind } from '#page/core/variable-kind.ts';
import { formatExact } from '#page/format/number.ts';
import { parseTyped } from '#page/format/typed-number.ts';
import { checkFormula } from '#page/formula/formula-faults.ts';

/** A tag by which a query chooses series, as it is typed. */
export interface TagDraft {
	readonly key: string;
	readonly value: string;
}

/** A query as it is typed: numbers are still text. */
export interface QueryDraft {
	readonly topic: string;
	readonly field: string;
	readonly tags: readonly TagDraft[];
	readonly lookback: string;
	readonly lookbackUnit: TimeUnit;
	readonly period: string;
	readonly periodUnit: TimeUnit;
	readonly aggregate: Aggregate;
	/**
	 * The fields of the stored query that hold the unit of the lookback. Clients write one or the other, and a save keeps the stored ones.
	 * Empty for a new query: then the kind of the variable decides.
	 */
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
	/** Identifies the bit within its variable. */
	readonly id: number;
	readonly name: string;
	/** The position in the byte: 0 is the least significant bit. */
	readonly bit: number;
}

/**
 * A variable as it is typed. It holds the parts of every kind, so that nothing is lost when the kind is changed back and forth. Only the
 * parts of its own kind are saved.
 */
export interface Draft {
	/** 0 before the first save. */
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

/** An empty query with usual lengths: the newest value, with a sample expected every minute. */
export const emptyQuery: QueryDraft = {
	topic: '',
	field: 'value',
	tags: [],
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

/** Returns the draft of a stored variable, with the stored version. */
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
		tags: tagDraftsOf(query.calc_tags ?? {}),
		lookback: formatExact(query.calc_time),
		// A stored query has at least one of the two, but the types allow neither.
		lookbackUnit: query.calc_unit ?? query.calc_unit_topic ?? 's',
		period: formatExact(query.calc_period),
		periodUnit: query.calc_unit_period,
		aggregate: query.calc_type_period,
		unitFields: (['calc_unit', 'calc_unit_topic'] as const).filter((field) => (query[field] ?? null) !== null),
	};
}

/**
 * Returns the body that saves a draft. Inputs that the formula does not use are left out, because the service refuses them. The body may
 * be wrong: `problemsOf` checks its fields, and `checkFormula` its formula.
 */
export function variableBodyOf(draft: Draft): WireInput {
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
			const { tokens, references } = checkFormula(draft.formula, inputNamesOf(draft));
			const used = draft.inputs.filter((input) => references.includes(input.name));
			const varsTsdb = Object.fromEntries(used.map((input) => [input.name, queryOf(input.query, 'calc_unit_topic')]));
			return { ...shared, calc: true, binary_compressed: false, equation: [...tokens], varsTsdb };
		}
	}
}

/** Returns the names of a draft's inputs. */
export function inputNamesOf({ inputs }: Draft): ReadonlySet<string> {
	return new Set(inputs.map(({ name }) => name));
}

/** Returns the body of a simple variable that reads the query of an input, so that the input can be tried alone. */
export function probeOf({ name, query }: InputDraft): WireInput {
	// The process is never shown, but it must not be empty.
	const shared = { id: 0, name, unit: '', type: 'last', process: '-' } as const;
	return { ...shared, calc: false, binary_compressed: false, varsTsdb: { [name]: queryOf(query, 'calc_unit') } };
}

/** Checks an input. Returns its problems by field: `name`, or the service's name of a field of its query. */
export function inputProblemsOf(input: InputDraft): ReadonlyMap<string, FieldError> {
	// The name is not trimmed: the service keeps its outer blanks, also in the paths of errors.
	const prefix = queryPathOf(input.name, '');
	return new Map([
		...[...problemsOf(probeOf(input))].map(
			([path, error]) => [path.startsWith(prefix) ? path.slice(prefix.length) : path, error] as const,
		),
		...repeatedTags(input.query),
	]);
}

/** Returns the problems of tags that a query has twice, by the service's name of the field. A body has only the last of them. */
export function repeatedTags({ tags }: QueryDraft): ReadonlyMap<string, FieldError> {
	const repeated = tags.filter(({ key }, index) => key !== '' && tags.findIndex((tag) => tag.key === key) < index);
	return new Map(repeated.map(({ key }) => [`calc_tags.${key}`, repeatedTag]));
}

/** Its words are those of the field for tags. */
const repeatedTag: FieldError = { code: 'repeated_tag', message: '', params: {} };

/** Returns the length of a typed duration in milliseconds; NaN when the text is not a number. A month counts as 31 days, a year as 366. */
export function durationMsOf(text: string, unit: TimeUnit): number {
	const count = parseTyped(text);
	const duration = count === null ? null : durationOf(count, unit);
	return duration === null || 'code' in duration ? Number.NaN : duration.ms;
}

/**
 * Returns a query as the service stores it. Text that is not a number becomes NaN.
 * @param usualField where the unit of the lookback of a new query stands (functions/README.md#a-variable)
 */
function queryOf(query: QueryDraft, usualField: UnitField): WireQuery {
	const tags = query.tags.filter(({ key, value }) => key !== '' || value !== '');
	const unitFields = query.unitFields.length === 0 ? [usualField] : query.unitFields;
	return {
		calc_topic: query.topic,
		calc_field: query.field,
		calc_time: parseTyped(query.lookback) ?? Number.NaN,
		...Object.fromEntries(unitFields.map((field) => [field, query.lookbackUnit])),
		calc_period: parseTyped(query.period) ?? Number.NaN,
		calc_unit_period: query.periodUnit,
		calc_type_period: query.aggregate,
		// Always sent: a save that leaves them out keeps the stored ones.
		calc_tags: tags.length === 0 ? null : Object.fromEntries(tags.map(({ key, value }) => [key, value])),
	};
}

/** Returns tags as they are typed. */
export function tagDraftsOf(tags: Tags): readonly TagDraft[] {
	return Object.entries(tags).map(([key, value]) => ({ key, value }));
}

/**
 * Checks a body with the service's own rules, so that errors are shown at their fields during typing.
 * @returns the problems by the path of the field; empty if a save would pass this check
 */
export function problemsOf(body: Schemas['VariableInput']): ReadonlyMap<string, FieldError> {
	// NaN becomes null in JSON, as in the request. `variableBodyOf` has trimmed the name, as the service does.
	return checkInput(parseVariable, JSON.parse(JSON.stringify(body)));
}

/**
 * Returns the bits with a new name at a position. An empty name removes the bit. A stored bit keeps its id, even if its name was empty
 * meanwhile. Positions ascend.
 */
export function withBitName(
	bits: readonly BitDraft[],
	stored: readonly BitDraft[],
	position: number,
	name: string,
): readonly BitDraft[] {
	const others = bits.filter(({ bit }) => bit !== position);
	if (name === '') return others;
	const all = [...bits, ...stored];
	const highestId = Math.max(0, ...all.map((bit) => bit.id));
	const id = all.find(({ bit }) => bit === position)?.id ?? highestId + 1;
	return [...others, { id, name, bit: position }].toSorted((a, b) => a.bit - b.bit);
}
