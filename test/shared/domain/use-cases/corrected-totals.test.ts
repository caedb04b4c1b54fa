import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTotalsRequest } from '#domain/totals/totals-request.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { readTotals } from '#domain/use-cases/read-totals.ts';
import { totalsToJson } from '#http/serialize-totals.ts';
import { linesOf, openReportPlant, tenant, writePlant } from '#test/support/reports/report-plant.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.UTC(2026, 9, 24, 22);
const cases = 150;

const time = fc.integer({ min: -30 * 60, max: 50 * 60 }).map((minute) => start + minute * 60_000);
const number = fc.integer({ min: -10, max: 100_010 });
/** Corrections of every type; the variable is one of those with an own query, by its place. */
const correction = fc.record({
	place: fc.constantFrom('flow' as const, 'level' as const, 'pump' as const, 'meter' as const, 'both' as const),
	type: fc.constantFrom('exclude' as const, 'value' as const, 'exchange' as const),
	from: time,
	minutes: fc.integer({ min: 1, max: 40 * 60 }),
	value: number,
	newInitial: number,
});

const fieldsOf = ({ type, from, minutes, value, newInitial }: Omit<Drawn, 'place'>): object => {
	if (type === 'exchange') return { type, at: from, oldFinal: value, newInitial };
	return { type, from, to: from + minutes * 60_000, ...(type === 'value' ? { value } : {}) };
};
type Drawn = typeof correction extends fc.Arbitrary<infer Value> ? Value : never;

const openPlant = async () => {
	const plant = await openReportPlant(start);
	writePlant(plant.series, start - 3 * dayMs, start + 3 * dayMs, 20 * 60_000);
	plant.clock.now = start + 3 * dayMs;
	const lines = linesOf(plant.ids).map(({ name: _name, unit: _unit, ...line }) => line);
	const count = (range: object) => {
		const request = { lines: [...lines, { key: 'raised', function: 'raised' }], timeZone: 'Europe/Madrid', ...range };
		return readTotals(plant.deps, tenant.schema, tenant.database, parseTotalsRequest(request, plant.clock.now));
	};
	const save = async (drawn: readonly Drawn[]): Promise<readonly number[]> => {
		const ids: number[] = [];
		// A formula has no meter that could be exchanged.
		for (const each of drawn.filter(({ place, type }) => place !== 'both' || type !== 'exchange'))
			ids.push(await plant.correct({ varId: plant.ids[each.place], ...fieldsOf(each) }));
		return ids;
	};
	const revoke = async (id: number) =>
		expect(await deleteBoard(plant.write, tenant.schema, { kind: 'correction', id })).toBe(true);
	return { count, save, revoke };
};

const drawnCorrections = fc.array(correction, { minLength: 1, maxLength: 6 });

test(`totals are the same byte for byte after a correction was revoked, whatever others there are: ${cases} cases`, {
	timeout: 120_000,
}, async () => {
	const { count, save, revoke } = await openPlant();
	const answer = async () =>
		JSON.stringify(totalsToJson(await count({ start, end: start + 49 * hourMs, period: { count: 1, unit: 'd' } })));
	const uncorrected = await answer();
	let effective = 0;
	await fc.assert(
		fc.asyncProperty(drawnCorrections, fc.nat(), async (drawn, turn) => {
			const saved: { readonly id: number; readonly before: string }[] = [];
			for (const each of drawn) {
				const before = await answer();
				for (const id of await save([each])) saved.push({ id, before });
			}
			if ((await answer()) !== uncorrected) effective += 1;
			// The newest first: each time, the answer of before it was saved.
			const inOrder = saved.slice(turn % (saved.length + 1)).reverse();
			for (const { id, before } of inOrder) {
				await revoke(id);
				expect(await answer()).toBe(before);
			}
			// The others in the order in which they were saved.
			for (const { id } of saved.slice(0, saved.length - inOrder.length)) await revoke(id);
			expect(await answer()).toBe(uncorrected);
		}),
		{ numRuns: cases },
	);
	expect(effective).toBeGreaterThan(cases / 2);
});

test(`a day has the same numbers by itself and within a range, whatever corrections there are: ${cases} cases`, {
	timeout: 120_000,
}, async () => {
	const { count, save, revoke } = await openPlant();
	const [first, second] = [start + 24 * hourMs + hourMs, start + 49 * hourMs];
	await fc.assert(
		fc.asyncProperty(drawnCorrections, async (drawn) => {
			const ids = await save(drawn);
			const range = await count({ start, end: second, period: { count: 1, unit: 'd' } });
			const own = [await count({ start, end: first }), await count({ start: first, end: second })];
			// Before what can fail: a failing case is run again, with fewer corrections, in the same plant.
			for (const id of ids) await revoke(id);
			expect(range.bounds).toEqual([start, first, second]);
			for (const [index, line] of range.lines.entries())
				for (const [day, totals] of own.entries())
					expect([line.key, day, totals.lines[index]?.values.total]).toEqual([line.key, day, line.values.windows[day]]);
		}),
		{ numRuns: cases },
	);
});
