import { Parser } from 'expr-eval';
import { compile as compileMathjs } from 'mathjs';
import { Bench } from 'tinybench';
import { checkEquation } from '#domain/equation/check.ts';
import { compileEquation } from '#domain/equation/compile.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { type BenchRow, sizeOf } from './row.ts';

/** How many times as fast as each library the product must be at least (test/bench/README.md#budgets). */
const budgets = { 'expr-eval': 12, mathjs: 10 } as const;

const single = '( a + b ) * c - d / e';
const mix = [
	'a - b',
	'a * 3.6',
	'( a + b + c ) / 3',
	'100 * ( a - b ) / ( c - d )',
	'- a * ( 1.8 + b ) + 32',
	'a * a + b * b - 2 * a * b',
	'a / ( b + c ) + d / ( e + 1 ) - 0.5 * ( a - ( b - c ) )',
];

/** Number of different rows of values, so that no result can be computed ahead. */
const rows = 64;
/** Number of passes over the rows in one sample, so that a sample is much longer than the clock's resolution. */
const rounds = 20;
const names = ['a', 'b', 'c', 'd', 'e'];
const values = Array.from({ length: rows }, (_, row) => names.map((_, column) => 1 + ((row * 31 + column * 17) % 97) / 7));

/** Evaluates an equation over every row and returns the sum, so that no evaluation can be optimised away. */
type Sum = () => number;

const ours = (equation: string): Sum => {
	const checked = checkEquation(tokensOf(equation), new Set(names));
	if ('faults' in checked) throw new RangeError(`A benchmark's equation is wrong: ${JSON.stringify(checked.faults)}`);
	const compiled = compileEquation(checked.tokens);
	const slots = values.map((row) => {
		const filled = compiled.createSlots();
		for (const [slot, name] of compiled.names.entries()) filled[slot] = row[names.indexOf(name)] ?? Number.NaN;
		return filled;
	});
	return () => {
		let sum = 0;
		for (const each of slots) sum += compiled.evaluate(each);
		return sum;
	};
};

/** The scopes for the libraries. Like the slots, they are created before the measurement. */
const scopes = values.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column] ?? Number.NaN])));

const exprEval = (equation: string): Sum => {
	const expression = new Parser().parse(equation);
	return () => {
		let sum = 0;
		for (const scope of scopes) sum += Number(expression.evaluate(scope));
		return sum;
	};
};

const mathjs = (equation: string): Sum => {
	const compiled = compileMathjs(equation);
	return () => {
		let sum = 0;
		for (const scope of scopes) sum += Number(compiled.evaluate(scope));
		return sum;
	};
};

const sink = new Float64Array(1);

const million = (perSecond: number): string => (perSecond / 1e6).toFixed(1);

const compare = async (name: string, equations: readonly string[]): Promise<readonly BenchRow[]> => {
	const contenders = { ours, 'expr-eval': exprEval, mathjs };
	const bench = new Bench({ time: sizeOf(1000, 10), warmupTime: sizeOf(300, 1) });
	const totals = new Map<string, number>();
	for (const [contender, prepare] of Object.entries(contenders)) {
		const sums = equations.map(prepare);
		totals.set(
			contender,
			sums.reduce((total, sum) => total + sum(), 0),
		);
		bench.add(contender, () => {
			// Stored, so that the engine cannot drop the computation.
			for (let round = 0; round < rounds; round += 1) for (const sum of sums) sink[0] = sum();
		});
	}
	if (new Set([...totals.values()].map((total) => total.toPrecision(12))).size !== 1)
		throw new RangeError(`The contenders differ: ${JSON.stringify([...totals])}`);
	await bench.run();
	const perSecond = (contender: string): number => {
		const result = bench.getTask(contender)?.result;
		if (result?.state !== 'completed') throw new RangeError(`No figures of ${contender}: ${result?.state}`);
		// The median, because pauses of the garbage collector must not count.
		return (1000 / result.latency.p50) * rows * rounds * equations.length;
	};
	return Object.entries(budgets).map(([baseline, times]) => {
		const product = perSecond('ours');
		const library = perSecond(baseline);
		const ratio = product / library;
		return {
			name,
			baseline,
			measured: `${million(product)} against ${million(library)} million/s`,
			ratio,
			budget: `at least ${times}x`,
			met: ratio >= times,
		};
	});
};

/** Compares the evaluations per second of compiled equations with two libraries: one equation, then a mix. */
export const benchEquations = async (): Promise<readonly BenchRow[]> => [
	...(await compare(`equation ${single}`, [single])),
	...(await compare(`mix of ${mix.length} equations`, mix)),
];
