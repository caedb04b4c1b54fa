import type { UnaryName } from './functions.ts';
import {
	type BinaryOperator,
	comparisons,
	type FormulaFunction,
	functionNames,
	type Operator,
	parseNumber,
	type Token,
} from './token.ts';

/** The tree of an equation: the number of an operand's slot, or a step with its operands. */
export type Expression = number | Operation | FunctionStep | Choice;

/** An operator, or `min` or `max`, with its two operands. `min` and `max` of more are taken one by one from the left. */
interface Operation {
	readonly operator: BinaryOperator;
	readonly left: Expression;
	readonly right: Expression;
}

/** A function of one operand, or `^`. `constants` are the exponent, the decimals, or the points of a curve as `x1, y1, x2, y2, …`. */
interface FunctionStep {
	readonly name: UnaryName;
	readonly operand: Expression;
	readonly constants: readonly number[];
}

/** `if`: `then` where the condition is not 0. */
export interface Choice {
	readonly condition: Expression;
	readonly then: Expression;
	readonly otherwise: Expression;
}

/** A parsed equation. The slots are numbered from 0: one for each name, followed by one for each constant. */
export interface ParsedEquation {
	readonly expression: Expression;
	readonly names: readonly string[];
	readonly constants: readonly number[];
}

/**
 * Parses a checked equation by recursive descent. Operators of one rank group from left to right
 * (shared/domain/equation/README.md#grammar).
 * @throws RangeError when `checkEquation` would have rejected the tokens
 */
export function parseEquation(tokens: readonly Token[]): ParsedEquation {
	const names = [...new Set(tokens.filter(({ type }) => type === 'variable').map(({ value }) => value))];
	const constants: number[] = [];
	let position = 0;

	/** Goes on by one token, if it is one of these operators, and returns it. */
	function take<Accepted extends Operator>(...accepted: readonly Accepted[]): Accepted | undefined {
		const token = tokens[position];
		const operator = token?.type === 'operator' ? accepted.find((each) => each === token.value) : undefined;
		if (operator !== undefined) position += 1;
		return operator;
	}

	/** Parses operands that are joined by operators of one rank, from left to right. */
	function chain(operand: () => Expression, ...accepted: readonly BinaryOperator[]): Expression {
		let left = operand();
		for (let operator = take(...accepted); operator !== undefined; operator = take(...accepted))
			left = { operator, left, right: operand() };
		return left;
	}

	/** Takes an operator that must follow. */
	function expect(operator: Operator): void {
		if (take(operator) === undefined) throw malformed(position);
	}

	/** Adds a constant, and returns the number of its slot. */
	const constant = (value: number): Expression => names.length + constants.push(value) - 1;

	/** A comparison, or a sum. */
	function whole(): Expression {
		const left = sum();
		const operator = take(...comparisons);
		return operator === undefined ? left : { operator, left, right: sum() };
	}
	const sum = (): Expression => chain(product, '+', '-');
	const product = (): Expression => chain(signed, '*', '/');

	function signed(): Expression {
		if (take('+') !== undefined) return signed();
		// Multiplying by -1 gives exactly what a sign gives, also for zeros and infinities.
		if (take('-') !== undefined) return { operator: '*', left: constant(-1), right: signed() };
		const base = primary();
		return take('^') === undefined ? base : { name: '^', operand: base, constants: [number()] };
	}

	function primary(): Expression {
		if (take('(') !== undefined) {
			const inner = whole();
			expect(')');
			return inner;
		}
		const name = take(...functionNames);
		if (name !== undefined) return call(name);
		const token = tokens[position];
		if (token?.type !== 'variable') return constant(number());
		position += 1;
		return names.indexOf(token.value);
	}

	/** A number with signs. */
	function number(): number {
		if (take('+') !== undefined) return number();
		if (take('-') !== undefined) return -number();
		const token = tokens[position];
		position += 1;
		const value = token?.type === 'number' ? parseNumber(token.value) : Number.NaN;
		if (!Number.isFinite(value)) throw malformed(position - 1);
		return value;
	}

	function call(name: FormulaFunction): Expression {
		expect('(');
		const first = whole();
		const rest: Expression[] = [];
		const fixed: number[] = [];
		while (take(',') !== undefined) {
			if (name === 'round' || name === 'curve') fixed.push(number());
			else rest.push(whole());
		}
		expect(')');
		if (name === 'min' || name === 'max') return rest.reduce((left, right) => ({ operator: name, left, right }), first);
		if (name !== 'if') return { name, operand: first, constants: fixed };
		const [then, otherwise] = rest;
		if (then === undefined || otherwise === undefined) throw malformed(position);
		return { condition: first, then, otherwise };
	}

	const expression = whole();
	if (position !== tokens.length) throw malformed(position);
	return { expression, names, constants };
}

const malformed = (index: number): RangeError => new RangeError(`A checked equation is malformed at token ${index}.`);
