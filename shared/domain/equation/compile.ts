import { type Choice, type Expression, parseEquation } from './expression.ts';
import { binarySteps, type EvaluationFault, unarySteps } from './functions.ts';
import type { BinaryOperator, Token } from './token.ts';

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
	/** Returns the value; NaN or infinite when a step has none, or when an operand that it needs is NaN. */
	readonly evaluate: Evaluate;
	/**
	 * Returns the slots of the names that the value depends on: all but those of branches of `if` that are not taken. Of an `if` whose condition
	 * has no value they are those of the condition.
	 */
	readonly reached: (slots: Float64Array) => readonly number[];
	/** Returns the first fault of an evaluation whose value was not finite, although each operand that it reached is. */
	readonly diagnose: (slots: Float64Array) => Diagnosis;
}

type Evaluate = (slots: Float64Array) => number;

/** The formula of a stored variable that cannot be read (`variableStandIn`). It has no value. */
const standIn: CompiledEquation = {
	names: [],
	createSlots: () => new Float64Array(),
	evaluate: () => Number.NaN,
	reached: () => [],
	diagnose: () => ({ fault: 'stored_row_invalid', names: [] }),
};

/**
 * Compiles a checked equation, or one without tokens, to closures.
 * @throws RangeError when `checkEquation` would have rejected the tokens
 * @example
 * const { createSlots, evaluate } = compileEquation(tokens); // a + 2
 * const slots = createSlots();
 * slots[0] = 3;
 * evaluate(slots); // 5
 */
export function compileEquation(tokens: readonly Token[]): CompiledEquation {
	if (tokens.length === 0) return standIn;
	const { expression, names, constants } = parseEquation(tokens);
	const all = [...names.keys()];
	const hasBranches = tokens.some(({ type, value }) => type === 'operator' && value === 'if');
	return {
		names,
		reached: hasBranches ? createReached(expression, all, constants.length) : () => all,
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

/** Returns a function that evaluates an expression once to find the slots that it reaches, of `all` names. */
function createReached(expression: Expression, all: readonly number[], constants: number): CompiledEquation['reached'] {
	const marks = new Uint8Array(all.length + constants);
	const mark = closureOf(expression, marks);
	return (slots) => {
		marks.fill(0);
		mark(slots);
		return all.filter((slot) => marks[slot] === 1);
	};
}

/**
 * Returns the closure that evaluates an expression.
 * @param marks if given, the closure sets the marks of the slots that it reads to 1
 */
function closureOf(expression: Expression, marks?: Uint8Array): Evaluate {
	if (typeof expression === 'number') {
		if (marks === undefined) return (slots) => at(slots, expression);
		return (slots) => {
			marks[expression] = 1;
			return at(slots, expression);
		};
	}
	if ('condition' in expression) return closureOfChoice(expression, marks);
	if ('operand' in expression) {
		const { value } = unarySteps[expression.name];
		const { constants } = expression;
		const operand = closureOf(expression.operand, marks);
		return (slots) => value(operand(slots), constants);
	}
	const { operator, left, right } = expression;
	const step = steps[operator];
	if (marks !== undefined) return step.closures(closureOf(left, marks), closureOf(right, marks));
	if (typeof left === 'number')
		return typeof right === 'number' ? step.slots(left, right) : step.slotAndClosure(left, closureOf(right));
	return typeof right === 'number'
		? step.closureAndSlot(closureOf(left), right)
		: step.closures(closureOf(left), closureOf(right));
}

function closureOfChoice(choice: Choice, marks: Uint8Array | undefined): Evaluate {
	const condition = closureOf(choice.condition, marks);
	const [then, otherwise] = [closureOf(choice.then, marks), closureOf(choice.otherwise, marks)];
	return (slots) => {
		const value = condition(slots);
		if (value === 0) return otherwise(slots);
		return Number.isFinite(value) ? then(slots) : Number.NaN;
	};
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
	'<': stepOf(binarySteps['<']),
	'<=': stepOf(binarySteps['<=']),
	'>': stepOf(binarySteps['>']),
	'>=': stepOf(binarySteps['>=']),
	'=': stepOf(binarySteps['=']),
	'<>': stepOf(binarySteps['<>']),
	min: stepOf(binarySteps.min),
	max: stepOf(binarySteps.max),
};

function stepOf(value: (a: number, b: number) => number): Step {
	return {
		slots: (i, j) => (slots) => value(at(slots, i), at(slots, j)),
		slotAndClosure: (i, right) => (slots) => value(at(slots, i), right(slots)),
		closureAndSlot: (left, j) => (slots) => value(left(slots), at(slots, j)),
		closures: (left, right) => (slots) => value(left(slots), right(slots)),
	};
}

/** Returns the value of a slot. Each slot of a compiled equation exists. */
function at(slots: Float64Array, slot: number): number {
	return slots[slot] ?? Number.NaN;
}

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
	if ('condition' in expression) {
		const condition = valueOrFault(expression.condition, slots);
		return typeof condition === 'number' ? valueOrFault(branchOf(expression, condition), slots) : condition;
	}
	if ('operand' in expression) {
		const operand = valueOrFault(expression.operand, slots);
		if (typeof operand !== 'number') return operand;
		const step = unarySteps[expression.name];
		const value = step.value(operand, expression.constants);
		return Number.isFinite(value) ? value : { fault: step.fault(operand, expression.constants), expression: expression.operand };
	}
	const { operator } = expression;
	const left = valueOrFault(expression.left, slots);
	if (typeof left !== 'number') return left;
	const right = valueOrFault(expression.right, slots);
	if (typeof right !== 'number') return right;
	if (operator === '/' && right === 0) return { fault: 'division_by_zero', expression: expression.right };
	const value = steps[operator].slots(0, 1)(Float64Array.of(left, right));
	return Number.isFinite(value) ? value : { fault: 'overflow', expression };
}

/** Returns the branch of an `if` that is taken for a finite condition. */
function branchOf({ then, otherwise }: Choice, condition: number): Expression {
	return condition === 0 ? otherwise : then;
}

/** Returns the numbers of all slots in an expression. */
function slotsOf(expression: Expression): readonly number[] {
	if (typeof expression === 'number') return [expression];
	if ('operand' in expression) return slotsOf(expression.operand);
	if ('condition' in expression) return [expression.condition, expression.then, expression.otherwise].flatMap(slotsOf);
	return [...slotsOf(expression.left), ...slotsOf(expression.right)];
}
