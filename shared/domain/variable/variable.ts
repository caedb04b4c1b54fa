import * as v from 'valibot';
import { checkEquation } from '../equation/check.ts';
import { type Token, tokenSchema } from '../equation/token.ts';
import { idSchema, maxNameLength, text } from '../validation/field.ts';
import { fieldsOf, shorten, ValidationIssues } from '../validation/parse.ts';
import { type Bit, bitsSchema } from './bit.ts';
import { type ParsedQueries, parseQueries, pathOf, type Queries } from './queries.ts';
import { maxWindowsPerQuery, rawAggregate, uncheckedWindowCount } from './query.ts';

/** What every kind of variable has (specification section 2.1). */
const commonSchema = v.object({
	id: idSchema,
	name: text(maxNameLength),
	unit: text(maxNameLength),
	type: v.picklist(['last', 'history']),
	process: text(maxNameLength),
	calc: v.boolean(),
	binary_compressed: v.optional(v.boolean(), false),
});

type Common = Omit<v.InferOutput<typeof commonSchema>, 'calc' | 'binary_compressed'> & { readonly varsTsdb: Queries };

export type SimpleVariable = Common & { readonly calc: false; readonly binary_compressed: false };

export type CalculatedVariable = Common & {
	readonly calc: true;
	readonly binary_compressed: false;
	readonly equation: readonly Token[];
};

export type BitCompressedVariable = Common & {
	readonly calc: false;
	readonly binary_compressed: true;
	readonly bits: readonly Bit[];
};

/** A monitoring variable of one of the three kinds: a single query, a formula over several, or a byte of named bits. */
export type Variable = SimpleVariable | CalculatedVariable | BitCompressedVariable;

const nameSchema = text(maxNameLength);

const tokensSchema = v.array(tokenSchema);

/**
 * Parses a variable as a client sends it, or as the store holds it.
 * `equation` is dropped unless calculated, `bits` unless bit-compressed; unknown fields are dropped.
 * Throws `invalid` with every offence, keyed by field (`equation.3`, `bits.0.bit`, `varsTsdb.Caudal.calc_unit`).
 */
export function parseVariable(input: unknown): Variable {
	const offences = new ValidationIssues();
	const fields = fieldsOf(input);
	const common = offences.take(commonSchema, input);
	// Each rule looks at just the fields it needs, as they came: one wrong field hides no other's offence, and adds none.
	const calculated = fields['calc'] === true;
	const compressed = fields['binary_compressed'] === true;
	if (calculated && compressed) offences.add('binary_compressed', 'Must be false when calc is true.');

	const parsed = parseQueries(fields['varsTsdb'], offences);
	if (parsed !== undefined) {
		checkWindows(fields['type'] === 'history', parsed, offences);
		if (calculated) checkNames(fields['equation'], parsed, offences);
		if (fields['calc'] === false) checkSingleQuery(fields['name'], parsed, offences);
		if (compressed && !calculated) checkLastOnly(parsed, offences);
	}
	const names = parsed === undefined ? undefined : new Set(parsed.given.keys());
	const equation = calculated ? checkTokens(fields['equation'], names, offences) : undefined;
	const bits = compressed && !calculated ? offences.take(bitsSchema, fields['bits'], 'bits') : undefined;

	offences.refuseIfAny();
	if (common === undefined || parsed === undefined) throw new RangeError('A variable without offences is incomplete.');
	const { calc: _, binary_compressed: __, ...rest } = common;
	const shared: Common = { ...rest, varsTsdb: parsed.queries };
	if (equation !== undefined) return { ...shared, calc: true, binary_compressed: false, equation };
	if (bits !== undefined) return { ...shared, calc: false, binary_compressed: true, bits };
	return { ...shared, calc: false, binary_compressed: false };
}

/** A variable in the wire's form: what `parseVariable` reads back to the same variable. Own keys only, `__proto__` too. */
export function toJson(variable: Variable): Record<string, unknown> {
	const { id, name, unit, type, calc, process, binary_compressed, varsTsdb } = variable;
	return {
		id,
		name,
		unit,
		type,
		calc,
		process,
		binary_compressed,
		...(variable.calc ? { equation: variable.equation } : {}),
		...(variable.binary_compressed ? { bits: variable.bits } : {}),
		varsTsdb: Object.fromEntries(varsTsdb),
	};
}

/** Windows are limited where windows are read: for a history, or for a mean. */
function checkWindows(history: boolean, { given }: ParsedQueries, offences: ValidationIssues): void {
	for (const [name, query] of given) {
		if (!history && rawAggregate(query) !== 'mean') continue;
		const windows = uncheckedWindowCount(query) ?? 0;
		if (windows > maxWindowsPerQuery)
			offences.add(
				pathOf(name, 'calc_period'),
				`At most ${maxWindowsPerQuery} windows, and calc_time over calc_period gives ${windows}: take a longer period or a shorter time.`,
			);
	}
}

/** A calculated variable's queries are exactly the names that its equation uses. */
function checkNames(equation: unknown, { given }: ParsedQueries, offences: ValidationIssues): void {
	const tokens = v.safeParse(tokensSchema, equation);
	const used = tokens.success
		? new Set(tokens.output.filter(({ type }) => type === 'variable').map(({ value }) => value))
		: undefined;
	for (const name of given.keys()) {
		const legal = v.safeParse(nameSchema, name);
		if (!legal.success)
			offences.add('varsTsdb', `Bad name of an entry, ${shorten(JSON.stringify(name))}: ${legal.issues[0].message}`);
		// An equation that has a token of unknown meaning may have meant any of the names by it.
		else if (used?.has(name) === false) offences.add(pathOf(name), 'Is not used by the equation: remove it, or use it.');
	}
}

/** A variable that is not calculated has one query, and its key is the variable's name. */
function checkSingleQuery(name: unknown, { given }: ParsedQueries, offences: ValidationIssues): void {
	if (given.size !== 1) offences.add('varsTsdb', `Must have exactly one entry, named as the variable; this has ${given.size}.`);
	else if (typeof name === 'string' && !given.has(name))
		offences.add('varsTsdb', `Its entry must be named as the variable: ${shorten(JSON.stringify(name))}.`);
}

/** Bits are of the newest byte: the mean of bytes has none. */
function checkLastOnly({ given }: ParsedQueries, offences: ValidationIssues): void {
	for (const [name, query] of given)
		if (rawAggregate(query) === 'mean')
			offences.add(
				pathOf(name, 'calc_type_period'),
				'Must be last for a bit-compressed variable: the mean of bytes has no bits.',
			);
}

function checkTokens(
	input: unknown,
	names: ReadonlySet<string> | undefined,
	offences: ValidationIssues,
): readonly Token[] | undefined {
	const result = checkEquation(input, names);
	if ('tokens' in result) return result.tokens;
	// A token may have two faults, and has one path.
	for (const [index, faults] of Map.groupBy(result.faults, ({ index }) => index))
		offences.add(index === null ? 'equation' : `equation.${index}`, faults.map(({ message }) => message).join(' '));
	return undefined;
}
