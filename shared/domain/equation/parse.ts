import { type BinaryOperator, isOperator, numberOf, type Token } from './token.ts';

/** The tree of a checked equation. A variable is the index of its slot. */
export type Expression =
	| { readonly kind: 'constant'; readonly value: number }
	| { readonly kind: 'slot'; readonly slot: number }
	| { readonly kind: 'negate'; readonly operand: Expression }
	| { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression };

const precedence: Readonly<Record<BinaryOperator, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 };

const malformed = (index: number): RangeError => new RangeError(`A checked equation is malformed at token ${index}.`);

/** Precedence climbing over tokens that `checkEquation` found right; anything else is a bug and throws RangeError. */
class Parser {
	readonly #tokens: readonly Token[];
	readonly #names: string[] = [];
	#at = 0;

	constructor(tokens: readonly Token[]) {
		this.#tokens = tokens;
	}

	#takeOperator(...accepted: readonly string[]): string | undefined {
		const token = this.#tokens[this.#at];
		if (token?.type !== 'operator' || !accepted.includes(token.value)) return undefined;
		this.#at += 1;
		return token.value;
	}

	#slotOf(name: string): number {
		const known = this.#names.indexOf(name);
		return known >= 0 ? known : this.#names.push(name) - 1;
	}

	/** An operand with the signs before it: unary minus binds before every binary operator. */
	#operand(): Expression {
		const sign = this.#takeOperator('+', '-');
		if (sign === '+') return this.#operand();
		if (sign === '-') return { kind: 'negate', operand: this.#operand() };
		if (this.#takeOperator('(') !== undefined) {
			const inner = this.#expression(1);
			if (this.#takeOperator(')') === undefined) throw malformed(this.#at);
			return inner;
		}
		const token = this.#tokens[this.#at];
		this.#at += 1;
		if (token?.type === 'variable') return { kind: 'slot', slot: this.#slotOf(token.value) };
		const value = token?.type === 'number' ? numberOf(token.value) : null;
		if (value === null) throw malformed(this.#at - 1);
		return { kind: 'constant', value };
	}

	#expression(minPrecedence: number): Expression {
		let left = this.#operand();
		for (;;) {
			const token = this.#tokens[this.#at];
			if (token?.type !== 'operator' || !isOperator(token.value) || token.value === '(' || token.value === ')') return left;
			const operator = token.value;
			if (precedence[operator] < minPrecedence) return left;
			this.#at += 1;
			left = { kind: 'binary', operator, left, right: this.#expression(precedence[operator] + 1) };
		}
	}

	parse(): { expression: Expression; names: readonly string[] } {
		const expression = this.#expression(1);
		if (this.#at !== this.#tokens.length) throw malformed(this.#at);
		return { expression, names: this.#names };
	}
}

/**
 * The tree of a checked equation, and the names in the order of their slots.
 * * and / bind before + and -, each from left to right (design section 4).
 */
export function parseEquation(tokens: readonly Token[]): { expression: Expression; names: readonly string[] } {
	return new Parser(tokens).parse();
}
