import { expect, test } from 'vitest';
import type { Correction } from '#domain/board/correction.ts';
import { applyCorrections } from '#domain/totals/apply-corrections.ts';
import { evaluateLines } from '#domain/totals/evaluate-lines.ts';
import { createSignal } from '#domain/totals/signal.ts';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readVectors } from '#test/support/vectors.ts';

/** A line over one window. Times are epoch milliseconds; a sample of null has no number. */
interface WaterCase {
	readonly id: string;
	readonly rule: string;
	readonly line: { readonly function: string };
	readonly timeZone: string;
	readonly start: number;
	readonly end: number;
	readonly samples: readonly (readonly [at: number, value: number | null])[];
	readonly holdMs: number;
	readonly corrections: readonly Partial<Correction>[];
	/** `ok` follows from the others. */
	readonly expect: Readonly<Record<string, unknown>> & { readonly ok?: number };
	readonly note?: string;
}

const rounded = (value: unknown): unknown => (typeof value === 'number' ? expect.closeTo(value, 8) : value);

test.each(readVectors<WaterCase>('water'))('$id $rule: $line.function, $note', (each) => {
	const { line, start, end, timeZone } = each;
	const { lines } = parseTotalsRequest({ lines: [{ key: 'a', varId: 1, ...line }], start, end, timeZone }, end);
	const times = Float64Array.from(each.samples, ([at]) => at);
	const values = Float64Array.from(each.samples, ([, value]) => value ?? Number.NaN);
	const corrections = each.corrections.map((fields) => ({ id: 1, varId: 1, type: 'exclude' as const, reason: 'R', ...fields }));
	const signal = applyCorrections(createSignal(times, values, each.holdMs), corrections, { isCounter: false });
	const [evaluated] = evaluateLines(lines, new Map([['a', { signal }]]), [start, end]);
	const { ok: _ok, ...expected } = each.expect;
	expect(evaluated?.values.total).toMatchObject(
		Object.fromEntries(Object.entries(expected).map(([field, value]) => [field, rounded(value)])),
	);
});
