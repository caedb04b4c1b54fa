import * as v from 'valibot';
import { checkEquation } from '../equation/check.ts';
import { type Token, tokensSchema } from '../equation/token.ts';
import { fieldOf, idSchema, text, textOrEmpty } from '../validation/field.ts';
import { maxNameLength } from '../validation/input-limits.ts';
import { parse, plainObject, problemOf, sentText, shorten, ValidationIssues } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { type Aggregate, aggregates, queryAggregates } from './aggregates.ts';
import { type Bit, bitsSchema } from './bit.ts';
import { parseQueries, type Queries, queryPathOf } from './queries.ts';
import { maxWindowsPerQuery, type Query, uncheckedWindowCount } from './query.ts';

const nameSchema = text(maxNameLength);

/** The fields of every variable. */
export const commonSchema = v.object({
	id: idSchema,
	name: nameSchema,
	unit: textOrEmpty(maxNameLength),
	type: v.picklist(['last', 'history']),
	process: nameSchema,
	calc: v.boolean(),
	binary_compressed: v.nullish(v.boolean(), false),
});

type Common = Omit<v.InferOutput<typeof commonSchema>, 'calc' | 'binary_compressed'> & { readonly varsTsdb: Queries };

/** A variable with one query. */
export type SimpleVariable = Common & { readonly calc: false; readonly binary_compressed: false };

/** A variable with an equation over several queries. */
export type CalculatedVariable = Common & {
	readonly calc: true;
	readonly binary_compressed: false;
	readonly equation: readonly Token[];
};

/** A variable whose values are bytes of named bits. */
export type BitCompressedVariable = Common & {
	readonly calc: false;
	readonly binary_compressed: true;
	readonly bits: readonly Bit[];
};

/** A variable: one query (simple), an equation over several queries (calculated), or a byte of named bits (bit-compressed). */
export type Variable = SimpleVariable | CalculatedVariable | BitCompressedVariable;

/**
 * Parses a variable that a client sent or that is stored (shared/domain/variable/README.md#kinds). Drops unknown fields, `equation` unless
 * the variable is calculated, and `bits` unless it is bit-compressed.
 * @throws DomainError `invalid` with all issues by path (`equation.3`, `bits.0.bit`, `varsTsdb.Flow.calc_unit`)
 * @example
 * parseVariable({
 *   id: 0, name: 'Flow', unit: 'L/s', type: 'last', calc: false, process: 'pumping',
 *   varsTsdb: { Flow: { calc_topic: 'plant/flow', calc_field: 'value', calc_time: 10, calc_unit: 'm', ... } },
 * });
 */
export function parseVariable(input: unknown): Variable {
	parse(plainObject, input);
	const issues = new ValidationIssues();
	const common = issues.parseField(commonSchema, input);
	// Each rule reads the raw fields that it needs, so that an invalid field neither hides issues of others nor adds any.
	const isCalculated = fieldOf(input, 'calc') === true;
	const isCompressed = fieldOf(input, 'binary_compressed') === true && !isCalculated;
	if (isCalculated && fieldOf(input, 'binary_compressed') === true)
		issues.add('binary_compressed', problem('calculated_and_compressed', 'Must be false when calc is true.'));

	const parsed = parseQueries(fieldOf(input, 'varsTsdb'), issues);
	if (parsed !== undefined) {
		checkWindows(fieldOf(input, 'type') === 'history', parsed.raw, issues);
		if (isCalculated) checkNames(fieldOf(input, 'equation'), parsed.raw, issues);
		if (fieldOf(input, 'calc') === false) checkSingleQuery(fieldOf(input, 'name'), parsed.raw, issues);
		if (isCompressed) checkAggregateOfBytes(parsed.raw, issues);
	}
	const names = parsed === undefined ? undefined : new Set(parsed.raw.keys());
	const equation = isCalculated ? parseTokens(fieldOf(input, 'equation'), names, issues) : undefined;
	const bits = isCompressed ? issues.parseField(bitsSchema, fieldOf(input, 'bits'), 'bits') : undefined;

	issues.throwIfAny();
	if (common === undefined || parsed === undefined) throw new RangeError('A variable without issues is incomplete.');
	const shared = { ...common, varsTsdb: parsed.queries };
	if (equation !== undefined) return { ...shared, calc: true, binary_compressed: false, equation };
	if (bits !== undefined) return { ...shared, calc: false, binary_compressed: true, bits };
	return { ...shared, calc: false, binary_compressed: false };
}

/**
 * Returns the variable that a save stores: the tags of a query that were not sent are kept (shared/domain/variable/README.md#tags).
 * @param stored null: the variable is new
 */
export function completeVariable(sent: Variable, stored: Variable | null): Variable {
	const complete = [...sent.varsTsdb].map(([name, { calc_tags: sentTags, ...query }]): [string, Query] => {
		const known = stored === null ? undefined : storedQueryOf(name, query, sent.varsTsdb, stored.varsTsdb);
		const tags = sentTags === undefined ? known?.calc_tags : sentTags;
		return [name, tags === null || tags === undefined ? query : { ...query, calc_tags: tags }];
	});
	return { ...sent, varsTsdb: new Map(complete) };
}

/**
 * Returns the stored query of the same topic and field that a sent query continues: that of its name, otherwise the only one that no sent
 * query continues by name. Undefined where there is none, or where it could be that of another sent query too.
 */
function storedQueryOf(name: string, query: Query, sent: Queries, stored: Queries): Query | undefined {
	const named = stored.get(name);
	if (readsSame(query, named)) return named;
	const renamedIn = (queries: Queries, others: Queries): readonly Query[] =>
		[...queries].flatMap(([key, each]) => (readsSame(query, each) && !readsSame(query, others.get(key)) ? [each] : []));
	const [renamed, ...more] = renamedIn(stored, sent);
	return more.length === 0 && renamedIn(sent, stored).length === 1 ? renamed : undefined;
}

const readsSame = (query: Query, other: Query | undefined): boolean =>
	query.calc_topic === other?.calc_topic && query.calc_field === other.calc_field;

/**
 * Returns what stands in for a stored variable that cannot be read: a formula without tokens, which no client can save. It never has a value,
 * and its fault is `stored_row_invalid` (`compileEquation`).
 */
export function variableStandIn(id: number, name: string): CalculatedVariable {
	const common = { id, name, unit: '', type: 'last', process: name } as const;
	return { ...common, calc: true, binary_compressed: false, equation: [], varsTsdb: new Map() };
}

/** Whether a variable stands in for one that cannot be read. */
export function isStandIn(variable: Variable): boolean {
	return variable.calc && variable.equation.length === 0;
}

/** Converts a variable to the JSON form that `parseVariable` reads. */
export function toJson(variable: Variable) {
	return { ...variable, varsTsdb: Object.fromEntries(variable.varsTsdb) };
}

/** Returns the problem of an entry of `varsTsdb` whose name has the problem `cause`. */
export function badQueryName(name: string, { code: reason, message }: Problem): Problem {
	return problem('bad_query_name', `Bad name of an entry, ${quote(name)}: ${message}`, { name: sentText(name), reason });
}

/** Quotes text of a client for a message. Text that is too long is cut before it is escaped. */
const quote = (value: string): string => shorten(JSON.stringify(value.slice(0, maxNameLength)));

type RawQueries = ReadonlyMap<string, unknown>;

/** Returns the aggregate of an unchecked query; undefined where it is not valid. */
const aggregateIn = (query: unknown): Aggregate | undefined =>
	queryAggregates.find((name) => name === fieldOf(query, 'calc_type_period'));

/** Limits the windows of every query that is read as windows: those of a history, and of aggregates that are read as windows. */
function checkWindows(isHistory: boolean, queries: RawQueries, issues: ValidationIssues): void {
	for (const [name, query] of queries) {
		const aggregate = aggregateIn(query);
		const hasWindows = isHistory || (aggregate !== undefined && aggregates[aggregate].ofQuery === 'windows');
		const windows = hasWindows ? (uncheckedWindowCount(query) ?? 0) : 0;
		if (windows <= maxWindowsPerQuery) continue;
		const message = `At most ${maxWindowsPerQuery} windows, and the lookback over the period gives ${windows}: take a longer period or a shorter time.`;
		const params = { limit: maxWindowsPerQuery, actual: windows };
		issues.add(queryPathOf(name, 'calc_period'), problem('too_many_windows', message, params));
	}
}

/** The names of a calculated variable's queries must be valid, and its equation must use each of them. */
function checkNames(equation: unknown, queries: RawQueries, issues: ValidationIssues): void {
	const tokens = v.safeParse(tokensSchema, equation);
	// An invalid token may stand for any name, so nothing is reported as unused then.
	const usedNames = tokens.success
		? new Set(tokens.output.filter(({ type }) => type === 'variable').map(({ value }) => value))
		: null;
	for (const name of queries.keys()) {
		const parsedName = v.safeParse(nameSchema, name);
		if (!parsedName.success) issues.add('varsTsdb', badQueryName(name, problemOf(parsedName.issues[0])));
		else if (usedNames !== null && !usedNames.has(name))
			issues.add(queryPathOf(name), problem('query_not_used', 'Is not used by the equation: remove it, or use it.'));
	}
}

/** A variable that is not calculated has one query, named as the variable. */
function checkSingleQuery(name: unknown, queries: RawQueries, issues: ValidationIssues): void {
	const { size: actual } = queries;
	if (actual !== 1) {
		const message = `Must have exactly one entry, named as the variable; this has ${actual}.`;
		issues.add('varsTsdb', problem('one_query_expected', message, { actual }));
	} else if (typeof name === 'string' && !queries.has(name)) {
		const message = `Its entry must be named as the variable: ${quote(name)}.`;
		issues.add('varsTsdb', problem('query_name_differs', message, { name: sentText(name) }));
	}
}

/** A bit-compressed variable needs an aggregate whose value is a byte. */
function checkAggregateOfBytes(queries: RawQueries, issues: ValidationIssues): void {
	for (const [name, query] of queries) {
		const aggregate = aggregateIn(query);
		if (aggregate === undefined || aggregates[aggregate].ofBytes) continue;
		const message = `Must be last for a bit-compressed variable: the ${aggregate} of bytes has no bits.`;
		issues.add(queryPathOf(name, 'calc_type_period'), problem('mean_of_bits', message));
	}
}

/** Parses an equation. `names`: the names that it may use; undefined: they are not known, and not checked. */
function parseTokens(
	input: unknown,
	names: ReadonlySet<string> | undefined,
	issues: ValidationIssues,
): readonly Token[] | undefined {
	const result = checkEquation(input, names);
	if ('tokens' in result) return result.tokens;
	for (const { index, code, params } of result.faults) {
		// A token with several faults has the code of the first, and the messages of all.
		const message = result.faults.flatMap((fault) => (fault.index === index ? fault.message : [])).join(' ');
		issues.add(index === null ? 'equation' : `equation.${index}`, { code, message, params });
	}
	return undefined;
}
