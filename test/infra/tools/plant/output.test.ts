import { expect, test } from 'vitest';
import { printable } from '#infra/cli/print.ts';
import type { PlanNumbers } from '#infra/tools/plant/numbers.ts';
import { faultLines, planLines, resultLines } from '#infra/tools/plant/output.ts';
import type { PlanStep, PlantPlan } from '#infra/tools/plant/plan.ts';

// A tab steers nothing.
const codes = [
	...[...Array(0x20).keys()].filter((code) => code !== 0x09),
	0x7f,
	0x80,
	0x9b,
	0x9f,
	0x061c,
	0x200e,
	0x200f,
	0x2028,
	0x202e,
	0x2066,
	0x2069,
];
/** What would steer a terminal, or show text in another order. */
const hostile = codes.map((code) => String.fromCharCode(code)).join('x');

test('nothing of a file steers the terminal, or turns around what is reviewed', () => {
	const step: PlanStep = {
		...{ phase: 0, action: 'change', kind: 'variable', name: hostile, was: hostile, id: 1, version: 1 },
		...{ content: {}, before: {}, isPartial: false },
		fields: [{ path: hostile, before: hostile, after: { [hostile]: hostile } }],
	};
	const plan: PlantPlan = {
		...{ schema: 'plant', steps: [step], faults: [], keepsPanel: false, goal: '' },
		left: [`chart ${JSON.stringify(hostile)}`],
	};
	const [start, end] = ['2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z'];
	const hours = { name: hostile, hours: 24, changed: 0, gained: 0, lost: 0, largest: null };
	const numbers: PlanNumbers = {
		...{ start, end, notBacktested: [hostile] },
		variables: [
			{ ...hours, unknown: null },
			{ ...hours, unknown: hostile },
		],
		alarms: [
			{ name: hostile, before: 1, after: 2, start, end, unknown: null },
			{ name: hostile, before: null, after: null, start, end, unknown: hostile },
		],
	};
	// `print` writes each line so.
	const lines = [
		...planLines(plan, numbers),
		...planLines({ ...plan, steps: [] }, null),
		...resultLines([{ step, outcome: 'failed', message: hostile }]),
		...faultLines('plant.json', [{ path: hostile, message: hostile }]),
	].map(printable);
	const found = lines.flatMap((line) => codes.filter((code) => line.includes(String.fromCharCode(code))));
	expect(found).toEqual([]);
	// They are told, not taken away.
	expect(lines.join('\n')).toContain('\\u009b');
	expect(lines.join('\n')).toContain('\\u202e');
});
