import * as v from 'valibot';
import { isDecimal, isOperator, maxDepth, maxTokens, numberOf, type Token, tokenSchema, tokenTypes } from './token.ts';

/** What is wrong with an equation: at which token (null: the whole), and what was expected. */
export interface EquationFault {
	readonly index: number | null;
	readonly message: string;
}

const anOperand = 'a variable, a number or "("';

const anOperator = 'an operator or ")"';

const tooLarge = `too large, expected at most ${Number.MAX_VALUE}.`;

const shown = (value: string): string => JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);

/** What may follow a token; `either` after one whose meaning cannot be known. */
type Wanted = 'operand' | 'operator' | 'either';

const anyObject = v.looseObject({});

const tokenForm = `{"value": text, "type": ${tokenTypes.map((type) => `"${type}"`).join(' or ')}}`;

/** What is wrong with a token that does not even have a token's form. */
function formFault(input: unknown): string {
	if (!v.is(anyObject, input) || Array.isArray(input)) return `Not a token: expected ${tokenForm}.`;
	const { type, value } = v.parse(v.object({ type: v.optional(v.unknown()), value: v.optional(v.unknown()) }), input);
	if (typeof type === 'string' && !tokenTypes.some((known) => known === type))
		return `Unknown type ${shown(type)}: expected ${tokenTypes.join(', ')}.`;
	if (type === 'number' && typeof value === 'number')
		return Number.isFinite(value) ? `The number must be sent as text: expected "${value}".` : `Bad number: ${tooLarge}`;
	return `Not a token: expected ${tokenForm}.`;
}

/**
 * Reads tokens from left to right, knowing after each whether an operand or an operator must follow. After a fault it
 * goes on as if the token had been right, so that one slip is told once and the next one is told too.
 */
class Checker {
	readonly faults: EquationFault[] = [];
	readonly tokens: Token[] = [];
	readonly #names: ReadonlySet<string> | undefined;
	#wanted: Wanted = 'operand';
	/** Indexes of the parentheses that are open. */
	readonly #open: number[] = [];
	/** Index of the token just before, when it is an opening parenthesis. */
	#justOpened: number | null = null;

	constructor(names: ReadonlySet<string> | undefined) {
		this.#names = names;
	}

	#fault(index: number | null, message: string): void {
		this.faults.push({ index, message });
	}

	#operand(index: number, value: string): void {
		if (this.#wanted === 'operator') this.#fault(index, `Two operands in a row: expected ${anOperator} before ${shown(value)}.`);
		this.#wanted = 'operator';
	}

	#openParenthesis(index: number): void {
		if (this.#wanted === 'operator') this.#fault(index, `Two operands in a row: expected ${anOperator} before "(".`);
		this.#open.push(index);
		if (this.#open.length === maxDepth + 1) this.#fault(index, `Parentheses may be nested at most ${maxDepth} deep.`);
		this.#wanted = 'operand';
		this.#justOpened = index;
	}

	#closeParenthesis(index: number, justOpened: boolean): void {
		if (justOpened) this.#fault(index, `Empty parentheses: expected ${anOperand} before ")".`);
		else if (this.#wanted === 'operand' && index > 0)
			this.#fault(index, `Operator without operand: expected ${anOperand} before ")".`);
		if (this.#open.pop() === undefined) this.#fault(index, 'Unbalanced parenthesis: this ")" closes nothing.');
		this.#wanted = 'operator';
	}

	#operator(index: number, value: string, justOpened: boolean): void {
		if (value === '(') this.#openParenthesis(index);
		else if (value === ')') this.#closeParenthesis(index, justOpened);
		else if (isOperator(value)) {
			const unary = value === '+' || value === '-';
			if (this.#wanted === 'operand' && !unary)
				this.#fault(index, `Operator without operand: expected ${anOperand} before "${value}".`);
			this.#wanted = 'operand';
		} else {
			this.#fault(index, `Unknown operator ${shown(value)}: expected one of + - * / ( ).`);
			this.#wanted = 'either';
		}
	}

	token(input: unknown, index: number): void {
		const justOpened = this.#justOpened === index - 1;
		this.#justOpened = null;
		const result = v.safeParse(tokenSchema, input);
		if (!result.success) {
			this.#fault(index, formFault(input));
			this.#wanted = 'either';
			return;
		}
		const { type, value } = result.output;
		this.tokens.push(result.output);
		if (type === 'operator') {
			this.#operator(index, value, justOpened);
			return;
		}
		if (type === 'number' && numberOf(value) === null)
			this.#fault(
				index,
				isDecimal(value)
					? `Bad number ${shown(value)}: ${tooLarge}`
					: `Bad number ${shown(value)}: expected a decimal number such as 3, -0.5 or 1e-3.`,
			);
		if (type === 'variable' && this.#names?.has(value) === false)
			this.#fault(index, `Unknown name ${shown(value)}: expected a key of varsTsdb.`);
		this.#operand(index, value);
	}

	end(count: number): void {
		const last = count - 1;
		// A parenthesis that the equation ends with is told as unbalanced, by itself.
		if (this.#wanted === 'operand' && this.#open.at(-1) !== last)
			this.#fault(last, `Operator without operand: expected ${anOperand} after it.`);
		for (const index of this.#open) this.#fault(index, 'Unbalanced parenthesis: this "(" is never closed, expected ")".');
	}
}

/**
 * Checks an equation as it came from a client (design section 4).
 * @param names the keys of varsTsdb; undefined where those cannot be known, and then any name is taken
 * @returns its tokens, or every fault in it by ascending token index
 */
export function checkEquation(
	input: unknown,
	names: ReadonlySet<string> | undefined,
): { readonly tokens: readonly Token[] } | { readonly faults: readonly EquationFault[] } {
	const whole = (message: string) => ({ faults: [{ index: null, message }] });
	if (input === undefined) return whole('Is required when calc is true: the formula as a list of tokens.');
	if (!Array.isArray(input)) return whole('Expected a list of tokens.');
	const tokens: readonly unknown[] = input;
	if (tokens.length === 0) return whole(`The equation is empty: expected ${anOperand}.`);
	if (tokens.length > maxTokens) return whole(`At most ${maxTokens} tokens; this has ${tokens.length}.`);
	const checker = new Checker(names);
	for (const [index, token] of tokens.entries()) checker.token(token, index);
	checker.end(tokens.length);
	if (checker.faults.length === 0) return { tokens: checker.tokens };
	return { faults: checker.faults.toSorted((a, b) => (a.index ?? -1) - (b.index ?? -1)) };
}
