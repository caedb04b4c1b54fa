import { type BinaryOperator, type Operator, parseNumber, type Token } from './token.ts';

/** The tree of an equation: the number of an operand's slot, or an operator with its operands. */
export type Expression = number | Operation;

/** An operator with its operands. */
export interface Operation {
	readonly operator: BinaryOperator;
	readonly left: Expression;
	readonly right: Expression;
}

/** A parsed equation. The slots are numbered from 0: one for each name, followed by one for each constant. */
export interface ParsedEquation {
	readonly expression: Expression;
	readonly names: readonly string[];
	readonly constants: readonly number[];
}

/**
 * Parses a checked equation by recursive descent. `*` and `/` bind before `+` and `-`, and operators of one rank group from left
 * to right (shared/domain/equation/README.md#grammar).
 * @throws RangeError when `checkEquation` would have rejected the tokens
 */
export function parseEquation(tokens: readonly Token[]): ParsedEquation {
	const names = [...new Set(tokens.filter(({ type }) => type === 'variable').map(({ value }) => value))];
	const constants: number[] = [];
	let position = 0;

	function take<Accepted extends Operator>(...accepted: readonly Accepted[]): Accepted | undefined {
		const token = tokens[position];
		const operator = token?.type === 'operator' ? accepted.find((each) => each === token.value) : undefined;
		if (operator !== undefined) position += 1;
		return operator;
	}

	function chain(operand: () => Expression, ...accepted: readonly BinaryOperator[]): Expression {
		let left = operand();
		for (let operator = take(...accepted); operator !== undefined; operator = take(...accepted))
			left = { operator, left, right: operand() };
		return left;
	}

	const sum = (): Expression => chain(product, '+', '-');
	const product = (): Expression => chain(operand, '*', '/');
	const constant = (value: number): Expression => names.length + constants.push(value) - 1;

	function operand(): Expression {
		if (take('+') !== undefined) return operand();
		// Multiplying by -1 gives exactly what a sign gives, also for zeros and infinities.
		if (take('-') !== undefined) return { operator: '*', left: constant(-1), right: operand() };
		if (take('(') !== undefined) {
			const inner = sum();
			if (take(')') === undefined) throw malformed(position);
			return inner;
		}
		const token = tokens[position];
		position += 1;
		if (token?.type === 'variable') return names.indexOf(token.value);
		const value = token?.type === 'number' ? parseNumber(token.value) : Number.NaN;
		if (!Number.isFinite(value)) throw malformed(position - 1);
		return constant(value);
	}

	const expression = sum();
	if (position !== tokens.length) throw malformed(position);
	return { expression, names, constants };
}

const malformed = (index: number): RangeError => new RangeError(`A checked equation is malformed at token ${index}.`);
