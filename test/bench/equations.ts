import { Parser } from 'expr-eval';
import { compile as compileMathjs } from 'mathjs';
import { Bench } from 'tinybench';
import { checkEquation } from '#domain/equation/check.ts';
import { compile } from '#domain/equation/evaluate.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import type { BenchRow } from './row.ts';

/** At least so many times as fast (design section 10). */
const budgets = { 'expr-eval': 25, mathjs: 20 } as const;

const designs = '( a + b ) * c - d / e';
const mix = [
	'a - b',
	'a * 3.6',
	'( a + b + c ) / 3',
	'100 * ( a - b ) / ( c - d )',
	'- a * ( 1.8 + b ) + 32',
	'a * a + b * b - 2 * a * b',
	'a / ( b + c ) + d / ( e + 1 ) - 0.5 * ( a - ( b - c ) )',
];

/** Equations are evaluated over this many rows of values, one after another, so that no result can be known before. */
const rows = 64;
/** A sample goes over the rows so often: far longer than what the clock can tell. */
const rounds = 20;
const names = ['a', 'b', 'c', 'd', 'e'];
const values = Array.from({ length: rows }, (_, row) => names.map((_, column) => 1 + ((row * 31 + column * 17) % 97) / 7));

/** One way of evaluating: `sum` adds up all rows, so that no evaluation can be left out. */
type Sum = () => number;

const ours = (formula: string): Sum => {
	const checked = checkEquation(tokensOf(formula), new Set(names));
	if ('faults' in checked) throw new RangeError(`A benchmark's equation is wrong: ${JSON.stringify(checked.faults)}`);
	const compiled = compile(checked.tokens);
	const slots = values.map((row) => Float64Array.from(compiled.names, (name) => row[names.indexOf(name)] ?? Number.NaN));
	return () => {
		let sum = 0;
		for (const each of slots) sum += compiled.evaluate(each);
		return sum;
	};
};

/** The scopes that the others take, made once, as our slots are. */
const scopes = values.map((row) => Object.fromEntries(names.map((name, column) => [name, row[column] ?? Number.NaN])));

const exprEval = (formula: string): Sum => {
	const expression = new Parser().parse(formula);
	return () => {
		let sum = 0;
		for (const scope of scopes) sum += Number(expression.evaluate(scope));
		return sum;
	};
};

const mathjs = (formula: string): Sum => {
	const compiled = compileMathjs(formula);
	return () => {
		let sum = 0;
		for (const scope of scopes) sum += Number(compiled.evaluate(scope));
		return sum;
	};
};

const sink = new Float64Array(1);

const million = (perSecond: number): string => (perSecond / 1e6).toFixed(1);

const compare = async (name: string, formulas: readonly string[]): Promise<readonly BenchRow[]> => {
	const contenders = { ours, 'expr-eval': exprEval, mathjs };
	const bench = new Bench({ time: 1000, warmupTime: 300 });
	const totals = new Map<string, number>();
	for (const [contender, prepare] of Object.entries(contenders)) {
		const sums = formulas.map(prepare);
		totals.set(
			contender,
			sums.reduce((total, sum) => total + sum(), 0),
		);
		bench.add(contender, () => {
			// Kept where anyone can see it: a compiler leaves out what nobody looks at.
			for (let round = 0; round < rounds; round += 1) for (const sum of sums) sink[0] = sum();
		});
	}
	if (new Set([...totals.values()].map((total) => total.toPrecision(12))).size !== 1)
		throw new RangeError(`The contenders differ: ${JSON.stringify([...totals])}`);
	await bench.run();
	const perSecond = (contender: string): number => {
		const result = bench.getTask(contender)?.result;
		if (result?.state !== 'completed') throw new RangeError(`No figures of ${contender}: ${result?.state}`);
		// The median, because a pause of the collector is none of the equations'.
		return (1000 / result.latency.p50) * rows * rounds * formulas.length;
	};
	return Object.entries(budgets).map(([baseline, times]) => {
		const [own, theirs] = [perSecond('ours'), perSecond(baseline)];
		const ratio = own / theirs;
		return {
			name,
			baseline,
			measured: `${million(own)} against ${million(theirs)} million/s`,
			ratio,
			budget: `at least ${times}x`,
			met: ratio >= times,
		};
	});
};

/** Evaluations a second of compiled equations, ours against the others': the design's equation, then a mix of others. */
export const benchEquations = async (): Promise<readonly BenchRow[]> => [
	...(await compare(`equation ${designs}`, [designs])),
	...(await compare(`mix of ${mix.length} equations`, mix)),
];

if (import.meta.main) console.table(await benchEquations());
