import type { Expression } from './parse.ts';
import { at, type Closure, type Pair, type Row, type Rows, rows } from './steps.ts';

/** An operand: a slot, a constant, a pair, or anything else: a closure. */
type Operand =
	| { readonly kind: 'slot'; readonly slot: number }
	| { readonly kind: 'constant'; readonly value: number }
	| { readonly kind: 'pair'; readonly pair: Pair }
	| { readonly kind: 'closure'; readonly closure: Closure };

/** The closure that computes `expression`. Its result is finite exactly when that of every step in it is. */
export function closureOf(expression: Expression): Closure {
	switch (expression.kind) {
		case 'constant': {
			const { value } = expression;
			return () => value;
		}
		case 'slot': {
			const { slot } = expression;
			return (slots) => at(slots, slot);
		}
		case 'negate':
			// Exactly what unary minus gives, zeros and infinities too.
			return binaryClosure(rows['*'], { kind: 'constant', value: -1 }, operandOf(expression.operand));
		case 'binary':
			return binaryClosure(rows[expression.operator], operandOf(expression.left), operandOf(expression.right));
	}
}

function binaryClosure(row: Rows, left: Operand, right: Operand): Closure {
	switch (left.kind) {
		case 'slot':
			return withRight(row.slot, left.slot, right);
		case 'constant':
			return withRight(row.constant, left.value, right);
		case 'pair':
			return withRight(row.pair, left.pair, right);
		case 'closure':
			return withRight(row.closure, left.closure, right);
	}
}

function operandOf(expression: Expression): Operand {
	if (expression.kind === 'slot' || expression.kind === 'constant') return expression;
	if (expression.kind === 'binary' && expression.left.kind === 'slot' && expression.right.kind === 'slot') {
		const { operator, left, right } = expression;
		return { kind: 'pair', pair: { operator, i: left.slot, j: right.slot } };
	}
	return { kind: 'closure', closure: closureOf(expression) };
}

function withRight<Left>(row: Row<Left>, left: Left, right: Operand): Closure {
	switch (right.kind) {
		case 'slot':
			return row.slot(left, right.slot);
		case 'constant':
			return row.constant(left, right.value);
		case 'pair':
			return row.pair(left, right.pair);
		case 'closure':
			return row.closure(left, right.closure);
	}
}
