import { describe, expect, test } from 'vitest';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { openReportPlant, tenant } from '#test/support/reports/report-plant.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Tuesday. */
const start = Date.UTC(2026, 9, 20);
const stop = start + 2 * dayMs;

/** The formulas that are saved anew after two days were sealed. */
const formulas = [
	['over a formula in the same time', '2 * inner / volume'],
	['over a formula in less time', '2 * inner / volume + depth'],
	['of starts, which count whole, and hours', '2 * starts / hours'],
	['of starts alone', '2 * starts'],
	['of one line', '3 * volume'],
] as const;

/**
 * Seals two days of a flow of 100 m³/h, of which one hour of two is known, with a pump that starts every 2 h. Then the missing samples come: the flow
 * was 200 m³/h there, and the pump started twice as often.
 */
const openChanged = async (equation: string) => {
	const plant = await openReportPlant(start, {
		lines: ({ flow, level, pump }) => [
			{ key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: flow, per: 'h', range: [0, 500], holdSeconds: 600 },
			{ key: 'depth', name: 'Depth', unit: 'm', function: 'mean', varId: level, range: [0, 6], holdSeconds: 600 },
			{ key: 'hours', name: 'Hours', unit: 'h', function: 'onTime', varId: pump, holdSeconds: 600 },
			{ key: 'starts', name: 'Starts', unit: '', function: 'starts', varId: pump, holdSeconds: 600 },
			{ key: 'inner', name: 'Inner', unit: '', function: 'formula', equation: tokensOf('volume * 10') },
			{ key: 'outer', name: 'Outer', unit: '', function: 'formula', equation: tokensOf('inner + volume + starts + hours') },
		],
	});
	const write = (isLate: boolean) => {
		for (let time = start - dayMs; time < stop + dayMs; time += 10 * minuteMs) {
			if (Math.floor(time / hourMs) % 2 !== (isLate ? 1 : 0)) continue;
			plant.series.write('flow', time, isLate ? 200 : 100);
			plant.series.write('level', time, isLate ? 3 : 2);
			plant.series.write('pump', time, Math.floor(time / (20 * minuteMs)) % 3 === 0 ? 0 : 1);
		}
	};
	write(false);
	for (let day = 1; day <= 5; day += 1) {
		plant.clock.now = start + day * dayMs + hourMs;
		await plant.close();
	}
	write(true);
	const lines = plant.report.lines.map((line) =>
		'key' in line && line.key === 'outer' ? { ...line, equation: tokensOf(equation) } : line,
	);
	await plant.saveReport({ lines });
	return plant;
};

describe('a formula that was changed after samples came to sealed days', () => {
	test.each(formulas)('has the number of the samples of now, and the others their sealed ones: %s', async (_, equation) => {
		const { read, seal, deps, report } = await openChanged(equation);
		const lines = report.lines.map((line) => {
			const { name: _name, unit: _unit, ...counted } = { name: '', unit: '', key: '', ...line };
			return counted.key === 'outer' ? { ...counted, equation: tokensOf(equation) } : counted;
		});
		const request = { lines, start, end: stop, period: { count: 1, unit: 'd' }, timeZone: 'UTC' };
		const total = (key: string, all: Awaited<ReturnType<typeof read>>['lines']) =>
			all.find((line) => line.key === key)?.values.total ?? expect.unreachable();
		const now = (await readTotals(deps, tenant.schema, tenant.database, parseTotalsRequest(request, deps.now()))).lines;
		for (const period of ['month', 'hour']) {
			const sealed = (await read(start, stop, period)).lines;
			expect(total('outer', sealed), period).toEqual(total('outer', now));
			expect(total('volume', sealed), period).toMatchObject({ value: 2400, known: 0.5 });
			expect(total('inner', sealed), period).toMatchObject({ value: 24_000, known: 0.5 });
			expect(total('starts', sealed).value, period).toBeLessThan(total('starts', now).value ?? 0);
		}
		// One of the days has the new definition, too.
		await seal('2026-10-21', '2026-10-21');
		const mixed = (await read(start, stop, 'month')).lines;
		expect(total('outer', mixed)).toEqual(total('outer', now));
		expect(total('volume', mixed)).toMatchObject({ value: 1200 + 3600, known: 0.75 });
	});
});
