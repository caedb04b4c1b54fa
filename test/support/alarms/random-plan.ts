import type { PointFault } from '#domain/ports/time-series.ts';
import type { FedSample } from '#test/support/fakes/sampled-time-series.ts';
import { type Random, randomFrom } from './random.ts';

/** An input of a random alarm. `samples` are ascending. */
export interface PlannedInput {
	readonly name: string;
	readonly lookbackMs: number;
	readonly samples: readonly FedSample[];
}

/** A formula as the oracle knows it. */
export interface PlannedFormula {
	readonly text: string;
	readonly names: readonly string[];
	readonly value: (...operands: readonly number[]) => number;
	/** The names at fault where there is no value. */
	readonly culprits: readonly string[];
}

/** A random alarm with the samples of its inputs, in plain terms. Times are epoch milliseconds. */
export interface AlarmPlan {
	readonly from: number;
	readonly to: number;
	readonly inputs: readonly PlannedInput[];
	/** Null: one query, whose value is the alarm's. */
	readonly formula: PlannedFormula | null;
	readonly isByte: boolean;
	readonly bit: number | undefined;
	readonly condition: '>' | '>=' | '<' | '<=' | '==' | '!=';
	readonly threshold: number;
	readonly deadband: number;
	readonly onDelaySeconds: number;
	readonly offDelaySeconds: number;
	readonly noDataSeconds: number | null;
	readonly periodSeconds: number;
}

const formulas: readonly PlannedFormula[] = [
	{ text: '3 - 1', names: [], value: () => 2, culprits: [] },
	{ text: 'a * 2 - 1', names: ['a'], value: (a = 0) => a * 2 - 1, culprits: [] },
	{ text: '1 / a', names: ['a'], value: (a = 0) => 1 / a, culprits: ['a'] },
	{ text: 'a - b', names: ['a', 'b'], value: (a = 0, b = 0) => a - b, culprits: [] },
	{ text: 'b / a', names: ['b', 'a'], value: (b = 0, a = 0) => b / a, culprits: ['a'] },
	{ text: '( a + b ) / 2', names: ['a', 'b'], value: (a = 0, b = 0) => (a + b) / 2, culprits: [] },
	{ text: 'a + b - c', names: ['a', 'b', 'c'], value: (a = 0, b = 0, c = 0) => a + b - c, culprits: [] },
	{ text: 'c / ( a - b )', names: ['c', 'a', 'b'], value: (c = 0, a = 0, b = 0) => c / (a - b), culprits: ['a', 'b'] },
];

/** Returns the plan of a seed. `gaps`: many samples are followed by a hole in which the alarm can be raised for lack of data. */
export function planOfSeed(seed: number, { gaps = false }: { readonly gaps?: boolean } = {}): AlarmPlan {
	const random = randomFrom(seed);
	const from = Date.UTC(2026, 0, 1) + random.integer(0, 1_000_000) * 1000;
	const to = from + random.integer(100, gaps ? 2000 : 600) * 1000;
	const isByte = random.chance(0.15);
	const formula = isByte || random.chance(0.4) ? null : random.pick(formulas);
	const names = formula?.names ?? ['Flow'];
	const isOrdered = random.chance(0.75);
	const bit = isByte && random.chance(0.7) ? random.integer(0, 7) : undefined;
	const strayBit = !isByte && random.chance(0.01) ? 3 : undefined;
	const inputs = names.map((name): PlannedInput => {
		const lookbackMs = random.pick([2000, 5000, 7500, 20_000, 20_000, 45_000, 90_000, 200_000, 600_000]);
		return { name, lookbackMs, samples: samplesOf(random, from - 2 * lookbackMs, to + 20_000, isByte, gaps ? 0.15 : 0.02) };
	});
	return {
		from,
		to,
		inputs,
		formula,
		isByte,
		bit: bit ?? strayBit,
		condition: random.pick(isOrdered ? ['>', '>=', '<', '<='] : ['==', '!=']),
		threshold: bit === undefined ? random.pick([-1, 0, 0.5, 1, 1, 2]) : random.integer(0, 1),
		deadband: isOrdered && bit === undefined ? random.pick([0, 0, 0.5, 1, 2]) : 0,
		onDelaySeconds: random.pick([0, 0, 0, 1, 3, 10, 45, 120]),
		offDelaySeconds: random.pick([0, 0, 1, 10, 10, 60, 120]),
		noDataSeconds: random.pick(gaps ? [60, 61, 90] : [null, null, 0, 60, 61, 90, 200]),
		periodSeconds: random.pick([1, 1, 5, 40]),
	};
}

const faults: readonly PointFault[] = ['several_series', 'precision'];

/** Samples at a rate that changes, with holes. Values stay for a while, so that delays end. */
function samplesOf(random: Random, start: number, end: number, isByte: boolean, holes: number): readonly FedSample[] {
	const samples: FedSample[] = [];
	let everyMs = 1000;
	let change = 0.3;
	let value: FedSample[1] = 0;
	for (let time = start; time < end; ) {
		if (samples.length === 0 || random.chance(0.05)) {
			everyMs = random.pick([200, 1000, 1000, 2000, 5000, 12_000, 30_000]);
			change = random.pick([0, 0.1, 0.3, 1]);
		}
		if (random.chance(change)) value = anyValue(random, isByte);
		samples.push([time, value]);
		const holeMs = random.chance(holes) ? random.pick([5000, 30_000, 100_000, 250_000]) : 0;
		// Some samples are on the second, where a wrong limit would show.
		const jitterMs = random.chance(0.5) ? random.integer(-300, 300) : 0;
		time += Math.max(1, everyMs + holeMs + jitterMs);
		if (random.chance(0.2)) time = Math.ceil(time / 1000) * 1000;
	}
	return samples;
}

function anyValue(random: Random, isByte: boolean): FedSample[1] {
	if (random.chance(0.06)) return random.pick(faults);
	if (isByte) return random.chance(0.06) ? random.pick([256, -1, 0.5]) : random.integer(0, 255);
	return random.pick([-2, -1, 0, 0, 0.5, 1, 1, 1.5, 2, 3]);
}
