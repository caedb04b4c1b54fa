import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Token } from '#domain/equation/token.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import { countCommonTimes } from '#domain/totals/fold-lines.ts';
import type { LineFunction } from '#domain/totals/line-state.ts';
import { createSignal } from '#domain/totals/signal.ts';
import type { FormulaLine, TotalsLine } from '#domain/totals/totals-request.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { casesOf } from '#test/support/cases.ts';

const functions: readonly LineFunction[] = [
	{ function: 'total', rule: { perMs: 1 } },
	{ function: 'mean', rule: {} },
	{ function: 'onTime', rule: {} },
	{ function: 'starts', rule: {} },
	{ function: 'increase', rule: { dip: 100 } },
];
const signalLine = (key: string, asked: LineFunction): TotalsLine => {
	return { kind: 'signal', key, varId: 1, bit: undefined, holdMs: undefined, asked };
};
const samples = fc.uniqueArray(fc.record({ time: fc.integer({ min: -5, max: 30 }), value: fc.integer({ min: 1, max: 9 }) }), {
	selector: ({ time }) => time,
	maxLength: 20,
});
const signals = fc.array(fc.record({ samples, hold: fc.integer({ min: 1, max: 8 }), asked: fc.constantFrom(...functions) }), {
	minLength: 1,
	maxLength: 4,
});
/** A formula over two earlier lines, by their places. */
const formulas = fc.array(fc.record({ left: fc.nat(), right: fc.nat(), operator: fc.constantFrom('+', '-', '*', '/') }), {
	minLength: 2,
	maxLength: 5,
});

/** A formula with each formula in it written out, so that it uses signals alone. */
const writtenOut = (tokens: readonly Token[], lines: readonly TotalsLine[]): readonly Token[] =>
	tokens.flatMap((token) => {
		const line = lines.find(({ key }) => key === token.value);
		if (line?.kind !== 'formula') return [token];
		return [...tokensOf('('), ...writtenOut(line.equation, lines), ...tokensOf(')')];
	});

test('a formula over formulas has the value that it has with each of them written out', { timeout: casesOf(30_000) }, () => {
	let withValue = 0;
	fc.assert(
		fc.property(signals, formulas, (drawnSignals, drawnFormulas) => {
			const lines: TotalsLine[] = drawnSignals.map(({ asked }, index) => signalLine(`s${index}`, asked));
			const sources = new Map(
				drawnSignals.map(({ samples: drawn, hold }, index) => {
					const [times, values] = [drawn.map(({ time }) => time), drawn.map(({ value }) => value)];
					return [`s${index}`, { signal: createSignal(Float64Array.from(times), Float64Array.from(values), hold) }];
				}),
			);
			for (const [index, { left, right, operator }] of drawnFormulas.entries()) {
				const [a, b] = [lines[left % lines.length]?.key ?? '', lines[right % lines.length]?.key ?? ''];
				lines.push({ kind: 'formula', key: `f${index}`, equation: tokensOf(`${a} ${operator} ${b}`) });
			}
			const chained = evaluateLines(lines, sources, [0, 10, 25]);
			const alone = (line: FormulaLine) => {
				const whole: TotalsLine = { ...line, equation: writtenOut(line.equation, lines) };
				const others = lines.filter(({ kind }) => kind === 'signal');
				return evaluateLines([...others, whole], sources, [0, 10, 25]).at(-1);
			};
			for (const [index, line] of lines.entries()) {
				if (line.kind !== 'formula') continue;
				const numbers = (each: (typeof chained)[number] | undefined) =>
					[each?.values.total, ...(each?.values.windows ?? [])].map((number) => [number?.value, number?.known]);
				expect(numbers(chained[index])).toEqual(numbers(alone(line)));
				if (typeof chained[index]?.values.total.value === 'number') withValue += 1;
			}
		}),
		{ numRuns: casesOf(1000) },
	);
	expect(withValue).toBeGreaterThan(casesOf(200));
});

test('formulas in a chain over one line share one common time', () => {
	const chain = Array.from({ length: 39 }, (_, index): TotalsLine => {
		return { kind: 'formula', key: `f${index}`, equation: tokensOf(`${index === 0 ? 's0' : `f${index - 1}`} + s0`) };
	});
	expect(countCommonTimes([signalLine('s0', { function: 'mean', rule: {} }), ...chain])).toBe(1);
});
