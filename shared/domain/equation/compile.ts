import { type BinaryOperator, type Operator, parseNumber, type Token } from './token.ts';

/** Why an equation over finite operands has no value. */
export type EvaluationFault = 'division_by_zero' | 'overflow';

/** The first step that failed, and its variables: those of the divisor for a division by zero, otherwise those of the step. */
export interface Diagnosis {
	readonly fault: EvaluationFault;
	readonly names: readonly string[];
}

/** An equation that is ready to be evaluated over numeric slots. */
export interface CompiledEquation {
	/** The variables' names, in the order of their slots. */
	readonly names: readonly string[];
	/** Creates the operands of an evaluation: a slot for each name, which the caller fills, followed by the constants. */
	readonly createSlots: () => Float64Array;
	/** Returns the value; NaN or infinite when a step divided by zero or overflowed. */
	readonly evaluate: Evaluate;
	/** Returns the first fault of an evaluation whose value was not finite. */
	readonly diagnose: (slots: Float64Array) => Diagnosis;
}

type Evaluate = (slots: Float64Array) => number;

/**
 * Compiles a checked equation to closures.
 * @throws RangeError when `checkEquation` would have rejected the tokens
 * @example
 * const { createSlots, evaluate } = compileEquation(tokens); // a + 2
 * const slots = createSlots();
 * slots[0] = 3;
 * evaluate(slots); // 5
 */
export function compileEquation(tokens: readonly Token[]): CompiledEquation {
	const { expression, names, constants } = parseEquation(tokens);
	return {
		names,
		createSlots: () => Float64Array.of(...names.map(() => Number.NaN), ...constants),
		evaluate: closureOf(expression),
		diagnose: (slots) => {
			const result = valueOrFault(expression, slots);
			if (typeof result === 'number') throw new RangeError('The evaluation to diagnose has a finite value.');
			const culprits = new Set(slotsOf(result.expression));
			return { fault: result.fault, names: names.filter((_, slot) => culprits.has(slot)) };
		},
	};
}

/** Returns the closure that evaluates an expression. */
function closureOf(expression: Expression): Evaluate {
	if (typeof expression === 'number') return (slots) => at(slots, expression);
	const { operator, left, right } = expression;
	const step = steps[operator];
	if (typeof left === 'number')
		return typeof right === 'number' ? step.slots(left, right) : step.slotAndClosure(left, closureOf(right));
	return typeof right === 'number'
		? step.closureAndSlot(closureOf(left), right)
		: step.closures(closureOf(left), closureOf(right));
}

/** Creates the closure of an operator, by the kinds of its operands. `i` and `j` are the slots of the left and the right operand. */
interface Step {
	readonly slots: (i: number, j: number) => Evaluate;
	readonly slotAndClosure: (i: number, right: Evaluate) => Evaluate;
	readonly closureAndSlot: (left: Evaluate, j: number) => Evaluate;
	readonly closures: (left: Evaluate, right: Evaluate) => Evaluate;
}

/** A call costs several times as much as an addition, so a step reads its slots itself. */
const steps: Readonly<Record<BinaryOperator, Step>> = {
	'+': {
		slots: (i, j) => (slots) => at(slots, i) + at(slots, j),
		slotAndClosure: (i, right) => (slots) => at(slots, i) + right(slots),
		closureAndSlot: (left, j) => (slots) => left(slots) + at(slots, j),
		closures: (left, right) => (slots) => left(slots) + right(slots),
	},
	'-': {
		slots: (i, j) => (slots) => at(slots, i) - at(slots, j),
		slotAndClosure: (i, right) => (slots) => at(slots, i) - right(slots),
		closureAndSlot: (left, j) => (slots) => left(slots) - at(slots, j),
		closures: (left, right) => (slots) => left(slots) - right(slots),
	},
	'*': {
		slots: (i, j) => (slots) => at(slots, i) * at(slots, j),
		slotAndClosure: (i, right) => (slots) => at(slots, i) * right(slots),
		closureAndSlot: (left, j) => (slots) => left(slots) * at(slots, j),
		closures: (left, right) => (slots) => left(slots) * right(slots),
	},
	'/': {
		slots: (i, j) => (slots) => divide(at(slots, i), at(slots, j)),
		slotAndClosure: (i, right) => (slots) => divide(at(slots, i), right(slots)),
		closureAndSlot: (left, j) => (slots) => divide(left(slots), at(slots, j)),
		closures: (left, right) => (slots) => divide(left(slots), right(slots)),
	},
};

/** Returns the value of a slot. Each slot of a compiled equation exists. */
const at = (slots: Float64Array, slot: number): number => slots[slot] ?? Number.NaN;

/** Divides so that no fault is lost: NaN and infinities survive every other step, but 1 / Infinity would be 0. */
const divide = (dividend: number, divisor: number): number =>
	divisor === 0 || divisor === Number.POSITIVE_INFINITY || divisor === Number.NEGATIVE_INFINITY ? Number.NaN : dividend / divisor;

/** A fault with the part of the equation that it comes from. */
interface LocatedFault {
	readonly fault: EvaluationFault;
	readonly expression: Expression;
}

/** Evaluates step by step up to the first fault. Slow, and only used after a fault. */
function valueOrFault(expression: Expression, slots: Float64Array): number | LocatedFault {
	if (typeof expression === 'number') return at(slots, expression);
	const { operator } = expression;
	const left = valueOrFault(expression.left, slots);
	if (typeof left !== 'number') return left;
	const right = valueOrFault(expression.right, slots);
	if (typeof right !== 'number') return right;
	if (operator === '/' && right === 0) return { fault: 'division_by_zero', expression: expression.right };
	const operands = Float64Array.of(left, right);
	const value = steps[operator].slots(0, 1)(operands);
	return Number.isFinite(value) ? value : { fault: 'overflow', expression };
}

/** Returns the numbers of all slots in an expression. */
function slotsOf(expression: Expression): readonly number[] {
	return typeof expression === 'number' ? [expression] : [...slotsOf(expression.left), ...slotsOf(expression.right)];
}

/** The tree of an equation: the number of an operand's slot, or an operator with its operands. */
export type Expression = number | Operation;

/** An operator with its operands. */
interface Operation {
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

	const sum = (): Expression => chain(product, '+', '-');
	const product = (): Expression => chain(operand, '*', '/');
	/** Adds a constant, and returns the number of its slot. */
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
