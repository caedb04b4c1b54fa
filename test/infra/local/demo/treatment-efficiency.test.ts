import { expect, test } from 'vitest';
import { compileEquation } from '#domain/equation/compile.ts';
import { lookbackOf } from '#domain/variable/query.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { stepsBetween } from '#infra/local/demo/plant/backfill.ts';
import { step } from '#infra/local/demo/plant/model.ts';
import { samplesOf } from '#infra/local/demo/plant/sensors.ts';
import { initialState } from '#infra/local/demo/plant/state.ts';
import demo from '#infra/local/demo/plant-a.json' with { type: 'json' };

const dayMs = 24 * 3_600_000;
const variable = demo.variables.map(parseVariable).find(({ name }) => name === 'Treatment efficiency');
if (variable === undefined || !variable.calc) throw new Error('The demo has no formula of that name.');
const { names, createSlots, evaluate } = compileEquation(variable.equation);
const queries = names.map((name) => {
	const query = variable.varsTsdb.get(name);
	if (query === undefined) throw new Error(`The formula has no query ${name}.`);
	return query;
});
const [lookbackMs = 0, ...others] = new Set(queries.map((query) => lookbackOf(query).ms));
if (others.length > 0) throw new Error('The inputs have different lookbacks.');

/**
 * Simulates a plant and evaluates the formula after every sample over the means of its inputs.
 * @param days how long ago the plant started; all but the last day is in long steps
 */
const efficienciesOf = (startMs: number, days: number): readonly number[] => {
	/** The times of the samples, and for each input the sums of its first samples. */
	const times: number[] = [];
	const sums = queries.map(() => [0]);
	let state = initialState;
	for (const { fromMs, dtMs } of stepsBetween(startMs, startMs + days * dayMs)) {
		state = step(state, fromMs, dtMs);
		const samples = samplesOf(state, fromMs + dtMs);
		times.push(fromMs + dtMs);
		for (const [slot, { calc_topic: topic }] of queries.entries()) {
			const value = Number(samples.find((sample) => sample.topic === topic)?.value);
			sums[slot]?.push((sums[slot]?.at(-1) ?? 0) + value);
		}
	}
	let from = 0;
	return times.flatMap((nowMs, index) => {
		while ((times[from] ?? nowMs) < nowMs - lookbackMs) from += 1;
		if (index === from) return [];
		const slots = createSlots();
		for (const [slot, sum] of sums.entries()) slots[slot] = ((sum[index] ?? 0) - (sum[from] ?? 0)) / (index - from);
		return [evaluate(slots)];
	});
};

test('the treatment efficiency of the demo stays within 0 and 100 %, whatever the age of the plant and the season', () => {
	const efficiencies = [1, 3, 12].flatMap((days) =>
		[1, 4, 7, 10].flatMap((month) => efficienciesOf(Date.UTC(2026, month, 3, month), days)),
	);
	expect(efficiencies.length).toBeGreaterThan(200_000);
	let [least, most] = [Number.POSITIVE_INFINITY, 0];
	for (const percent of efficiencies) [least, most] = [Math.min(least, percent), Math.max(most, percent)];
	expect(least).toBeGreaterThan(90);
	expect(most).toBeLessThanOrEqual(100);
});
