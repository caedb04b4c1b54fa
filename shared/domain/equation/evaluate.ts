import { closureOf } from './closures.ts';
import { type Expression, parseEquation } from './parse.ts';
import type { BinaryOperator, Token } from './token.ts';

/** Why an equation over finite operands has no value. */
export type EvaluationFault = 'division_by_zero' | 'overflow';

/** What went wrong at one step: the divisor's variables for a division by zero, else the step's. */
export interface Diagnosis {
	readonly fault: EvaluationFault;
	readonly names: readonly string[];
}

/** A compiled equation: closures over numeric slots. */
export interface Compiled {
	/** The variables' names, in the order of their slots. */
	readonly names: readonly string[];
	/**
	 * The value over finite `slots`, one a name. Not finite when any step divided by zero or overflowed; which of the two is
	 * for `diagnose` to say.
	 */
	readonly evaluate: (slots: Float64Array) => number;
	/** The first fault of an evaluation that was not finite, and the variables of the operand (or step) at fault. */
	readonly diagnose: (slots: Float64Array) => Diagnosis;
}

/** A fault with the part of the equation that it comes from. */
interface Fault {
	readonly fault: EvaluationFault;
	readonly at: Expression;
}

/** Compiles a checked equation. */
export function compile(tokens: readonly Token[]): Compiled {
	const { expression, names } = parseEquation(tokens);
	return {
		names,
		evaluate: closureOf(expression),
		diagnose: (slots) => {
			const result = walk(expression, slots);
			if (typeof result === 'number') throw new RangeError('The evaluation that is to be diagnosed is finite.');
			const culprits = new Set(slotsOf(result.at));
			return { fault: result.fault, names: names.filter((_, slot) => culprits.has(slot)) };
		},
	};
}

const maxCached = 2000;

/** A compiler that keeps what it compiled, by the tokens' text; what was not asked for the longest goes when it is full. */
export function createCompiler(): (tokens: readonly Token[]) => Compiled {
	const cache = new Map<string, Compiled>();
	return (tokens) => {
		const text = JSON.stringify(tokens.map(({ type, value }) => [type, value]));
		const compiled = cache.get(text) ?? compile(tokens);
		// Put last, as the newest in use: the first is then the one that nobody asked for the longest.
		cache.delete(text);
		cache.set(text, compiled);
		const oldest = cache.keys().next();
		if (cache.size > maxCached && !oldest.done) cache.delete(oldest.value);
		return compiled;
	};
}

/** The value of every step from the inside out, or the first fault; slow, and only for what is known to be faulty. */
function walk(expression: Expression, slots: Float64Array): number | Fault {
	const finite = (value: number): number | Fault => (Number.isFinite(value) ? value : { fault: 'overflow', at: expression });
	switch (expression.kind) {
		case 'constant':
			return expression.value;
		case 'slot':
			return finite(slots[expression.slot] ?? Number.NaN);
		case 'negate': {
			const value = walk(expression.operand, slots);
			return typeof value === 'number' ? -value : value;
		}
		case 'binary': {
			const left = walk(expression.left, slots);
			if (typeof left !== 'number') return left;
			const right = walk(expression.right, slots);
			if (typeof right !== 'number') return right;
			if (expression.operator === '/' && right === 0) return { fault: 'division_by_zero', at: expression.right };
			const steps: Readonly<Record<BinaryOperator, number>> = {
				'+': left + right,
				'-': left - right,
				'*': left * right,
				'/': left / right,
			};
			return finite(steps[expression.operator]);
		}
	}
}

function slotsOf(expression: Expression): readonly number[] {
	switch (expression.kind) {
		case 'constant':
			return [];
		case 'slot':
			return [expression.slot];
		case 'negate':
			return slotsOf(expression.operand);
		case 'binary':
			return [...slotsOf(expression.left), ...slotsOf(expression.right)];
	}
}
