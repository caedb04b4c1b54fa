import { beforeEach, describe, expect, test } from 'vitest';
import type { ReportDays } from '#domain/ports/report-days.ts';
import { person } from '#test/support/builders/origin.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';

const report = { schema: 's', reportId: 7 };
const seal = { at: 1, by: null, reason: null };

/** Tests of every `ReportDays`. `open` creates an empty one; `races`: how many writers of one day there are at once. */
export function reportDaysContract(name: string, open: () => Promise<ReportDays>, races: number): void {
	describe(`ReportDays: ${name}`, () => {
		let days: ReportDays;
		beforeEach(async () => {
			days = await open();
		});

		test('is empty at first', async () => {
			expect([await days.list(report, '2026-01-01', '2026-12-31'), await days.newest(report)]).toEqual([[], null]);
			expect(await days.revisions(report, '2026-11-20')).toEqual([]);
		});

		test('returns a day as it was stored, to the last bit', async () => {
			// The last name is stored as an earlier release did.
			for (const [index, by] of [null, person('Ana@plant.example'), 'Ana@plant.example'].entries()) {
				const day = makeStoredDay(`2026-11-2${index}`, { seal: { ...seal, by }, ...(index === 0 ? {} : { rules: index }) });
				expect(await days.put(report, day, null)).toBe(true);
				expect(await days.list(report, day.date, day.date)).toEqual([day]);
			}
		});

		test('lists the days from one date to another, ascending, of one report of one schema', async () => {
			for (const date of ['2026-11-30', '2026-12-01', '2026-11-02', '2026-10-31', '2027-01-01'])
				await days.put(report, makeStoredDay(date), null);
			await days.put({ ...report, reportId: 70 }, makeStoredDay('2026-11-03'), null);
			await days.put({ ...report, schema: 't' }, makeStoredDay('2026-11-04'), null);
			const dates = async (first: string, last: string) => (await days.list(report, first, last)).map(({ date }) => date);
			expect(await dates('2026-11-01', '2026-11-30')).toEqual(['2026-11-02', '2026-11-30']);
			expect(await dates('2026-10-31', '2026-12-01')).toEqual(['2026-10-31', '2026-11-02', '2026-11-30', '2026-12-01']);
			expect(await days.newest(report)).toBe('2027-01-01');
			expect(await days.newest({ ...report, reportId: 70 })).toBe('2026-11-03');
			expect(await days.newest({ ...report, reportId: 71 })).toBeNull();
		});

		test('leaves out a day that cannot be read, and no other', async () => {
			const days20to22 = ['2026-11-20', '2026-11-21', '2026-11-22'].map((date) => makeStoredDay(date));
			// As a newer release may write it.
			for (const day of days20to22)
				await days.put(report, day.date.endsWith('21') ? { ...day, lines: 'later' as never } : day, null);
			expect(await days.list(report, '2026-11-01', '2026-11-30')).toEqual([days20to22[0], days20to22[2]]);
			await days.put(report, { ...makeStoredDay('2026-11-23'), lines: 'later' as never }, null);
			expect(await days.newest(report)).toBe('2026-11-23');
		});

		test('changes only the row that was read, and creates a day once', async () => {
			const first = makeStoredDay('2026-11-20');
			const second = { ...first, rowVersion: 2, countedAt: 5 };
			await days.put(report, first, null);
			expect(await days.put(report, { ...first, countedAt: 6 }, null)).toBe(false);
			expect(await days.put(report, second, first)).toBe(true);
			expect(await days.put(report, { ...second, countedAt: 7 }, first)).toBe(false);
			expect(await days.list(report, first.date, first.date)).toEqual([second]);
			expect(await days.revisions(report, first.date)).toEqual([]);
		});

		test('keeps what was sealed when the day is sealed anew, and nothing else', async () => {
			const first = makeStoredDay('2026-11-20', { seal });
			const noted = { ...first, rowVersion: 2 };
			const second = { ...first, rowVersion: 3, revision: 2 };
			const third = { ...first, rowVersion: 4, revision: 3 };
			await days.put(report, first, null);
			await days.put(report, noted, first);
			expect(await days.put(report, second, noted)).toBe(true);
			expect(await days.put(report, third, second)).toBe(true);
			expect(await days.put(report, { ...third, revision: 4 }, second)).toBe(false);
			expect(await days.revisions(report, first.date)).toEqual([noted, second]);
			expect(await days.list(report, '2026-01-01', '2026-12-31')).toEqual([third]);
			expect(await days.revisions({ ...report, schema: 't' }, first.date)).toEqual([]);
			expect(await days.newest(report)).toBe(first.date);
		});

		test('of many writers of one day at once, one is the writer', async () => {
			const first = makeStoredDay('2026-11-20', { seal });
			await days.put(report, first, null);
			const writers = Array.from({ length: races }, (_, writer) => ({ ...first, rowVersion: 2, revision: 2, countedAt: writer }));
			const written = await Promise.all(writers.map((day) => days.put(report, day, first)));
			expect(written.filter(Boolean)).toHaveLength(1);
			const [stored] = await days.list(report, first.date, first.date);
			expect(stored).toEqual(writers[written.indexOf(true)]);
			expect(await days.revisions(report, first.date)).toEqual([first]);
		});

		test('holds a year of 40 lines', async () => {
			const { lines } = makeStoredDay('2026-01-01');
			const forty = Array.from({ length: 8 }, () => lines).flat();
			for (let day = 0; day < 366; day += 1) {
				const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
				await days.put(report, makeStoredDay(date, { lines: forty }), null);
			}
			const year = await days.list(report, '2026-01-01', '2027-01-01');
			expect(year).toHaveLength(366);
			expect(year.every((day) => day.lines.length === 40)).toBe(true);
		});
	});
}
