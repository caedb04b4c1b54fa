import * as v from 'valibot';
import { fieldOf, tooManyItems } from '../validation/field.ts';
import { sentText, shorten } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { argumentRules, maxDecimals } from './argument-rules.ts';
import {
	comparisons,
	type FormulaFunction,
	isFunctionName,
	maxDepth,
	maxTokens,
	operators,
	parseNumber,
	type Token,
	tokenSchema,
	tokenTypes,
} from './token.ts';

/** One thing wrong with an equation. `index` is the position of the token, null for the equation as a whole. */
export interface EquationFault extends Problem {
	readonly index: number | null;
}

/**
 * Checks an equation that a client sent (shared/domain/equation/README.md#grammar).
 * @param names the names that it may use; undefined accepts any name, for when they are not known
 * @param nameForm what a name is, for the message about one that is not known
 * @returns the tokens, or every fault by ascending index
 * @example
 * checkEquation([{ value: 'a', type: 'variable' }, { value: '+', type: 'operator' }], new Set(['a']));
 * // { faults: [{ index: 1, code: 'missing_operand', params: { position: 1, place: 'after' },
 * //   message: 'Operator without operand: expected a variable, a number or "(" after it.' }] }
 */
export function checkEquation(
	input: unknown,
	names: ReadonlySet<string> | undefined,
	nameForm = 'a key of varsTsdb',
): { readonly tokens: readonly Token[] } | { readonly faults: readonly EquationFault[] } {
	/** The result for a fault of the equation as a whole. */
	const whole = (cause: Problem) => ({ faults: [{ index: null, ...cause }] });
	if (input === undefined) return whole(problem('required', 'Is required when calc is true: the formula as a list of tokens.'));
	if (!Array.isArray(input)) return whole(problem('not_a_list', 'Expected a list of tokens.'));
	const tokens: readonly unknown[] = input;
	if (tokens.length === 0) return whole(problem('equation_empty', `The equation is empty: expected ${operandForms}.`));
	if (tokens.length > maxTokens) return whole(tooManyItems('tokens', maxTokens, tokens.length));
	const checker = new Checker(tokens, names, nameForm);
	const checked = checker.check();
	if (checker.faults.length === 0) return { tokens: checked };
	// Each fault of the checker has an index; -1 only satisfies the type.
	return { faults: checker.faults.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)) };
}

const operandForms = 'a variable, a number or "("';
const tokenForm = `{"value": text, "type": ${tokenTypes.map((type) => `"${type}"`).join(' or ')}}`;
const tooLarge = `too large, expected at most ${Number.MAX_VALUE}.`;
/** The operators of a suggestion. A list of all would be too long. */
const signs = operators.slice(0, 8);
const operatorForms = `${signs.join(' ')}, a comparison or a function`;
const typeForms = tokenTypes.join(', ');

/** Most characters of a client's text that a message repeats. */
const maxQuotedLength = 40;

const quote = (value: string): string => JSON.stringify(shorten(value, maxQuotedLength));

/** What surrounds the tokens that are being read: the equation, parentheses, or the arguments of a function. */
interface Enclosure {
	/** The function; null for the equation and for parentheses. */
	readonly name: FormulaFunction | null;
	/** The index of "("; -1 for the equation. */
	readonly index: number;
	/** What its value is as the base of a power. */
	readonly base: Base;
	/** Where the present argument begins. */
	start: number;
	/** How many arguments ended. */
	count: number;
	/** Whether the present argument has a comparison. */
	isCompared: boolean;
	/** The constant arguments so far; a value is NaN where it has a fault. */
	readonly constants: { readonly index: number; readonly value: number }[];
}

/** What an operand is as the base of a power: a sign before it, or a power, would be read in two ways. */
type Base = 'plain' | 'signed' | 'power';

function enclosureOf(name: FormulaFunction | null, index: number, base: Base): Enclosure {
	return { name, index, base, start: index + 1, count: 0, isCompared: false, constants: [] };
}

/**
 * Reads tokens from left to right and tracks whether an operand or an operator must follow. After a fault it continues as if the
 * token were right, so that one mistake gives one fault and later mistakes are reported too.
 */
class Checker {
	readonly faults: EquationFault[] = [];
	readonly #inputs: readonly unknown[];
	/** The tokens; null for an input that is none. */
	readonly #tokens: readonly (Token | null)[];
	readonly #names: ReadonlySet<string> | undefined;
	readonly #nameForm: string;
	readonly #equation = enclosureOf(null, -1, 'plain');
	/** The open parentheses. */
	readonly #open: Enclosure[] = [];
	/** What must follow: `either` after a token whose meaning is unknown. */
	#expected: 'operand' | 'operator' | 'either' = 'operand';
	/** What the next operand is as the base of a power; behind it, what it was. */
	#base: Base = 'plain';

	constructor(inputs: readonly unknown[], names: ReadonlySet<string> | undefined, nameForm: string) {
		this.#inputs = inputs;
		this.#tokens = inputs.map((input) => {
			const result = v.safeParse(tokenSchema, input);
			return result.success ? result.output : null;
		});
		this.#names = names;
		this.#nameForm = nameForm;
	}

	/** Checks all tokens, and returns those that are any. */
	check(): readonly Token[] {
		for (const [index, token] of this.#tokens.entries()) {
			if (token?.type === 'operator') this.#addOperator(index, token.value);
			else if (token !== null) this.#addOperand(index, token);
			else {
				this.#report(index, formFault(this.#inputs[index]));
				this.#expected = 'either';
			}
		}
		this.#end(this.#tokens.length - 1);
		return this.#tokens.filter((token) => token !== null);
	}

	/** Checks what only the end shows: an operand that is missing, and open parentheses. */
	#end(lastIndex: number): void {
		// An open parenthesis at the end is reported as unbalanced only.
		if (this.#expected === 'operand' && this.#open.at(-1)?.index !== lastIndex)
			this.#reportMissingOperand(lastIndex, 'after it', 'after');
		for (const { index } of this.#open)
			this.#report(index, problem('parenthesis_not_closed', 'Unbalanced parenthesis: this "(" is never closed, expected ")".'));
	}

	#report(index: number, { code, message, params }: Problem): void {
		this.faults.push({ index, code, message, params: { position: index, ...params } });
	}

	#reportMissingOperand(index: number, where: string, place: 'before' | 'after'): void {
		this.#report(index, problem('missing_operand', `Operator without operand: expected ${operandForms} ${where}.`, { place }));
	}

	#checkOperandAllowed(index: number, value: string): void {
		if (this.#expected !== 'operator') return;
		const message = `Two operands in a row: expected an operator or ")" before ${quote(value)}.`;
		this.#report(index, problem('two_operands', message, { before: sentText(value) }));
		this.#base = 'plain';
	}

	#addOperand(index: number, { type, value }: Token): void {
		if (type === 'variable' && this.#names?.has(value) === false)
			this.#report(
				index,
				problem('unknown_name', `Unknown name ${quote(value)}: expected ${this.#nameForm}.`, { name: sentText(value) }),
			);
		if (type === 'number') this.#checkNumber(index, value);
		this.#checkOperandAllowed(index, value);
		if (type === 'number' && /^[+-]/.test(value) && this.#base === 'plain') this.#base = 'signed';
		this.#expected = 'operator';
	}

	#checkNumber(index: number, value: string): void {
		const number = parseNumber(value);
		const message = `Bad number ${quote(value)}: `;
		if (Number.isNaN(number)) {
			const form = 'expected a decimal number such as 3, -0.5 or 1e-3.';
			this.#report(index, problem('bad_number', message + form, { value: sentText(value) }));
		} else if (!Number.isFinite(number)) this.#report(index, problem('number_too_large', message + tooLarge));
	}

	#addOperator(index: number, value: string): void {
		if (value === '(') this.#openParenthesis(index);
		else if (value === ')') this.#closeParenthesis(index);
		else if (value === ',') this.#addComma(index);
		else if (isFunctionName(value)) this.#addFunction(index, value);
		else if (operators.some((operator) => operator === value)) this.#addJoin(index, value);
		else {
			const message = `Unknown operator ${quote(value)}: expected one of ${operatorForms}.`;
			this.#report(index, problem('unknown_operator', message, { value: sentText(value), suggestion: signs }));
			this.#expected = 'either';
		}
	}

	#openParenthesis(index: number): void {
		const before = this.#tokens[index - 1];
		const name = before?.type === 'operator' && isFunctionName(before.value) ? before.value : null;
		if (name === null) this.#checkOperandAllowed(index, '(');
		if (this.#open.push(enclosureOf(name, index, this.#base)) === maxDepth + 1) {
			const message = `Parentheses may be nested at most ${maxDepth} deep.`;
			this.#report(index, problem('nested_too_deeply', message, { limit: maxDepth }));
		}
		this.#expectOperand();
	}

	#closeParenthesis(index: number): void {
		const opened = this.#open.pop();
		if (opened?.index === index - 1)
			this.#report(index, problem('empty_parentheses', `Empty parentheses: expected ${operandForms} before ")".`));
		else {
			// A formula that begins with ")" has no operator that could lack an operand.
			if (this.#expected === 'operand' && index > 0) this.#reportMissingOperand(index, 'before ")"', 'before');
			if (opened !== undefined && opened.name !== null) this.#endFunction(opened, opened.name, index);
		}
		if (opened === undefined)
			this.#report(index, problem('parenthesis_not_opened', 'Unbalanced parenthesis: this ")" closes nothing.'));
		this.#base = opened?.base ?? 'plain';
		this.#expected = 'operator';
	}

	#addComma(index: number): void {
		const within = this.#open.at(-1);
		if (within === undefined || within.name === null)
			this.#report(index, problem('comma_outside_function', 'A comma only separates the values of a function.'));
		else {
			if (this.#expected === 'operand') this.#reportMissingOperand(index, 'before ","', 'before');
			this.#endArgument(within, within.name, index);
		}
		this.#expectOperand();
	}

	#addFunction(index: number, name: FormulaFunction): void {
		this.#checkOperandAllowed(index, name);
		const next = this.#tokens[index + 1];
		if (next?.type === 'operator' && next.value === '(') return;
		const message = `A function has its values in parentheses: expected ${argumentRules[name].form}.`;
		this.#report(index, problem('parenthesis_expected', message, { function: name }));
		this.#expected = 'either';
	}

	/** Adds an operator between two operands, or a sign. */
	#addJoin(index: number, value: string): void {
		if (this.#expected === 'operand') {
			if (value === '+' || value === '-') {
				if (this.#base === 'plain') this.#base = 'signed';
				return;
			}
			this.#reportMissingOperand(index, `before "${value}"`, 'before');
		} else if (value === '^' && this.#base !== 'plain') {
			const message = 'The power may be read in two ways: write (-2)^2 or -(2^2), and (2^3)^2 or 2^6.';
			this.#report(index, problem('ambiguous_power', message));
		}
		if (comparisons.some((comparison) => comparison === value)) {
			const within = this.#open.at(-1) ?? this.#equation;
			const message = 'Comparisons cannot be chained: compare two values, and put further ones in parentheses.';
			if (within.isCompared) this.#report(index, problem('chained_comparison', message));
			within.isCompared = true;
		}
		this.#expectOperand();
		if (value !== '^') return;
		this.#base = 'power';
		const exponent = this.#tokens.slice(index + 1).find((token) => token === null || !isSign(token));
		if (exponent === undefined || exponent === null || exponent.type === 'number') return;
		// Where a closing parenthesis or another operator follows, the exponent is missing.
		if (exponent.type === 'operator' && exponent.value !== '(' && !isFunctionName(exponent.value)) return;
		this.#report(index + 1, problem('exponent_not_constant', 'The exponent must be a number, such as 2, -1 or 1.5.'));
	}

	#expectOperand(): void {
		this.#expected = 'operand';
		this.#base = 'plain';
	}

	/** Ends an argument before the token `end`. */
	#endArgument(within: Enclosure, name: FormulaFunction, end: number): void {
		const { start, count } = within;
		within.start = end + 1;
		within.count += 1;
		within.isCompared = false;
		if (count < argumentRules[name].constantsFrom || start === end) return;
		const value = constantOf(this.#tokens.slice(start, end));
		within.constants.push({ index: start, value: value ?? Number.NaN });
		if (value !== null) return;
		const message = `Only the first value may be a formula, the others must be numbers: expected ${argumentRules[name].form}.`;
		this.#report(start, problem('argument_not_constant', message, { function: name }));
	}

	#endFunction(within: Enclosure, name: FormulaFunction, end: number): void {
		this.#endArgument(within, name, end);
		const { count, constants, index } = within;
		const { form, minimum, maximum } = argumentRules[name];
		if (count < minimum || count > maximum || (name === 'curve' && count % 2 === 0)) {
			const message = `Wrong number of values (${count}): expected ${form}.`;
			this.#report(index - 1, problem('wrong_argument_count', message, { function: name, actual: count }));
		} else if (name === 'curve') {
			const fallen = constants.find(
				({ value }, place) => place % 2 === 0 && value <= (constants[place - 2]?.value ?? Number.NEGATIVE_INFINITY),
			);
			if (fallen !== undefined)
				this.#report(
					fallen.index,
					problem('curve_not_ascending', 'The x of each point must be greater than that of the one before.'),
				);
		} else if (name === 'round') {
			const [decimals] = constants;
			const [least, most] = [0, maxDecimals];
			if (decimals === undefined || Number.isNaN(decimals.value)) return;
			if (Number.isInteger(decimals.value) && decimals.value >= least && decimals.value <= most) return;
			const message = `Must be a whole number from ${least} to ${most}.`;
			this.#report(decimals.index, problem('whole_number_out_of_range', message, { minimum: least, maximum: most }));
		}
	}
}

function isSign({ type, value }: Token): boolean {
	return type === 'operator' && (value === '+' || value === '-');
}

/** Returns the value of a number with signs: NaN if it, or another token, has a fault of its own; null where it is anything else. */
function constantOf(tokens: readonly (Token | null)[]): number | null {
	const signs = tokens.slice(0, -1);
	const last = tokens.at(-1);
	if (tokens.includes(null) || last === undefined || last === null) return Number.NaN;
	if (last.type !== 'number' || !signs.every((token) => token !== null && isSign(token))) return null;
	const value = parseNumber(last.value);
	if (!Number.isFinite(value)) return Number.NaN;
	return signs.filter((token) => token?.value === '-').length % 2 === 0 ? value : -value;
}

/** Describes why an input is not a token. */
function formFault(input: unknown): Problem {
	const type = fieldOf(input, 'type');
	const value = fieldOf(input, 'value');
	if (typeof type === 'string' && !tokenTypes.some((known) => known === type))
		return problem('unknown_token_type', `Unknown type ${quote(type)}: expected ${typeForms}.`, {
			value: sentText(type),
			suggestion: tokenTypes,
		});
	if (type !== 'number' || typeof value !== 'number') return problem('not_a_token', `Not a token: expected ${tokenForm}.`);
	return Number.isFinite(value)
		? problem('number_not_text', `The number must be sent as text: expected "${value}".`, { suggestion: String(value) })
		: problem('number_too_large', `Bad number: ${tooLarge}`);
}
