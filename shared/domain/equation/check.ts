import * as v from 'valibot';
import { fieldOf, tooManyItems } from '../validation/field.ts';
import { sentText, shorten } from '../validation/parse.ts';
import { type Problem, problem } from '../validation/problem.ts';
import { maxDepth, maxTokens, operators, parseNumber, type Token, tokenSchema, tokenTypes } from './token.ts';

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
	const checker = new Checker(names, nameForm);
	for (const [index, token] of tokens.entries()) checker.addToken(token, index);
	checker.end(tokens.length - 1);
	if (checker.faults.length === 0) return { tokens: checker.tokens };
	// Each fault of the checker has an index; -1 only satisfies the type.
	return { faults: checker.faults.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)) };
}

const operandForms = 'a variable, a number or "("';
const tokenForm = `{"value": text, "type": ${tokenTypes.map((type) => `"${type}"`).join(' or ')}}`;
const tooLarge = `too large, expected at most ${Number.MAX_VALUE}.`;
const operatorForms = operators.join(' ');
const typeForms = tokenTypes.join(', ');

/** Most characters of a client's text that a message repeats. */
const maxQuotedLength = 40;

const quote = (value: string): string => JSON.stringify(shorten(value, maxQuotedLength));

/**
 * Reads tokens from left to right and tracks whether an operand or an operator must follow. After a fault it continues as if the
 * token were right, so that one mistake gives one fault and later mistakes are reported too.
 */
class Checker {
	readonly faults: EquationFault[] = [];
	readonly tokens: Token[] = [];
	readonly #names: ReadonlySet<string> | undefined;
	readonly #nameForm: string;
	/** Indexes of the open parentheses. */
	readonly #open: number[] = [];
	/** What must follow: `either` after a token whose meaning is unknown. */
	#expected: 'operand' | 'operator' | 'either' = 'operand';

	constructor(names: ReadonlySet<string> | undefined, nameForm: string) {
		this.#names = names;
		this.#nameForm = nameForm;
	}

	addToken(input: unknown, index: number): void {
		const result = v.safeParse(tokenSchema, input);
		if (!result.success) {
			this.#report(index, formFault(input));
			this.#expected = 'either';
			return;
		}
		const { type, value } = result.output;
		this.tokens.push(result.output);
		if (type === 'operator') this.#addOperator(index, value);
		else {
			if (type === 'variable' && this.#names?.has(value) === false)
				this.#report(
					index,
					problem('unknown_name', `Unknown name ${quote(value)}: expected ${this.#nameForm}.`, { name: sentText(value) }),
				);
			if (type === 'number') this.#checkNumber(index, value);
			this.#checkOperandAllowed(index, value);
			this.#expected = 'operator';
		}
	}

	/** Checks what only the end shows: an operand that is missing, and open parentheses. */
	end(lastIndex: number): void {
		// An open parenthesis at the end is reported as unbalanced only.
		if (this.#expected === 'operand' && this.#open.at(-1) !== lastIndex)
			this.#reportMissingOperand(lastIndex, 'after it', 'after');
		for (const index of this.#open)
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
		if (value === '(') {
			this.#checkOperandAllowed(index, '(');
			if (this.#open.push(index) === maxDepth + 1) {
				const message = `Parentheses may be nested at most ${maxDepth} deep.`;
				this.#report(index, problem('nested_too_deeply', message, { limit: maxDepth }));
			}
			this.#expected = 'operand';
		} else if (value === ')') {
			const opened = this.#open.pop();
			if (opened === index - 1)
				this.#report(index, problem('empty_parentheses', `Empty parentheses: expected ${operandForms} before ")".`));
			// A formula that begins with ")" has no operator that could lack an operand.
			else if (this.#expected === 'operand' && index > 0) this.#reportMissingOperand(index, 'before ")"', 'before');
			if (opened === undefined)
				this.#report(index, problem('parenthesis_not_opened', 'Unbalanced parenthesis: this ")" closes nothing.'));
			this.#expected = 'operator';
		} else if (operators.some((operator) => operator === value)) {
			const isSign = value === '+' || value === '-';
			if (this.#expected === 'operand' && !isSign) this.#reportMissingOperand(index, `before "${value}"`, 'before');
			this.#expected = 'operand';
		} else {
			const message = `Unknown operator ${quote(value)}: expected one of ${operatorForms}.`;
			this.#report(index, problem('unknown_operator', message, { value: sentText(value), suggestion: operators }));
			this.#expected = 'either';
		}
	}
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
