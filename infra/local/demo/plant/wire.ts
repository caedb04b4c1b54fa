import { plantSeries } from './series.ts';

/** A JSON object as a client sends it. */
export type Wire = Readonly<Record<string, unknown>>;

/** How a query reads: the wire's words, less the lookback's unit, whose key depends on the variable's kind (specification section 2.4). */
export interface Reading {
	readonly calc_time: number;
	readonly unit: 's' | 'm' | 'h';
	readonly calc_period: number;
	readonly calc_unit_period: 's' | 'm' | 'h';
	readonly calc_type_period: 'last' | 'mean';
}

/** What every variable says of itself; `type` is `last` unless given. */
export interface Label {
	readonly name: string;
	readonly unit: string;
	readonly process: string;
	readonly type?: 'last' | 'history';
}

/** One of the plant's series under the name that an equation gives it. */
export interface Operand {
	readonly name: string;
	readonly series: keyof typeof plantSeries;
}

/** A simple variable: one query, named as the variable. */
export function simple(label: Label, series: Operand['series'], reading: Reading): Wire {
	return {
		type: 'last',
		...label,
		calc: false,
		binary_compressed: false,
		varsTsdb: { [label.name]: query({ series }, reading, 'calc_unit') },
	};
}

/** A byte of named bits; `positions` has each name's bit, 0 = least significant. */
export function bitCompressed(
	label: Label,
	series: Operand['series'],
	reading: Reading,
	positions: Readonly<Record<string, number>>,
): Wire {
	return {
		...simple(label, series, reading),
		binary_compressed: true,
		bits: Object.entries(positions).map(([name, bit]) => ({ id: bit + 1, name, bit })),
	};
}

/** A calculated variable; every operand is read in the same way. */
export function calculated(label: Label, reading: Reading, equation: readonly (string | Operand)[]): Wire {
	return {
		type: 'last',
		...label,
		calc: true,
		binary_compressed: false,
		equation: equation.map(token),
		varsTsdb: Object.fromEntries(
			equation.filter((part) => typeof part !== 'string').map((part) => [part.name, query(part, reading, 'calc_unit_topic')]),
		),
	};
}

function query({ series }: Pick<Operand, 'series'>, { unit, ...reading }: Reading, unitKey: 'calc_unit' | 'calc_unit_topic') {
	const { topic, field } = plantSeries[series];
	return { calc_topic: topic, calc_field: field, [unitKey]: unit, ...reading };
}

function token(part: string | Operand) {
	if (typeof part !== 'string') return { value: part.name, type: 'variable' };
	return { value: part, type: /^\d/.test(part) ? 'number' : 'operator' };
}
