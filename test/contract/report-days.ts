import { beforeEach, describe, expect, test } from 'vitest';
import type { ReportDays, ReportKey } from '#domain/ports/report-days.ts';
import { person } from '#test/support/builders/origin.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';

const report = { schema: 's', reportId: 7 };
const seal = { at: 1, by: null, reason: null };

/** A day as a newer release may write it. */
const newer = (date: string, rowVersion: number) => makeStoredDay(date, { rowVersion, lines: 'later' as never });

/** An empty `ReportDays`, and what it stores of a revision. */
export interface DaysBackend {
	readonly days: ReportDays;
	readonly keptText: (report: ReportKey, date: string, revision: number) => Promise<string>;
}

/** Tests of every `ReportDays`. `races`: how many writers of one day there are at once. */
export function reportDaysContract(name: string, open: () => Promise<DaysBackend>, races: number): void {
	describe(`ReportDays: ${name}`, () => {
		let days: ReportDays;
		let keptText: DaysBackend['keptText'];
		beforeEach(async () => {
			({ days, keptText } = await open());
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

		test('names a day that cannot be read, and returns the others', async () => {
			const [day20, , day22] = ['2026-11-20', '2026-11-21', '2026-11-22'].map((date) => makeStoredDay(date));
			for (const day of [day20, newer('2026-11-21', 5), day22]) await days.put(report, day ?? expect.unreachable(), null);
			expect(await days.list(report, '2026-11-01', '2026-11-30')).toEqual([
				day20,
				{ date: '2026-11-21', rowVersion: 5, isUnread: true },
				day22,
			]);
			await days.put(report, newer('2026-11-23', 1), null);
			expect(await days.newest(report)).toBe('2026-11-23');
		});

		test('names a day that is stored at the date of another one', async () => {
			await days.put(report, { ...makeStoredDay('2026-11-20'), toJSON: () => makeStoredDay('2026-11-21') } as never, null);
			expect(await days.list(report, '2026-11-01', '2026-11-30')).toEqual([
				{ date: '2026-11-20', rowVersion: 1, isUnread: true },
			]);
		});

		test('keeps a day that cannot be read, sealed or not, when another one takes its place', async () => {
			const sealed = makeStoredDay('2026-11-21', { seal, rowVersion: 4, revision: 4 });
			await days.put(report, sealed, null);
			await days.put(report, { ...newer('2026-11-21', 5), seal, revision: 5 }, sealed);
			const [unread = null] = await days.list(report, '2026-11-21', '2026-11-21');
			const next = makeStoredDay('2026-11-21', { rowVersion: 6, revision: 6, seal });
			const last = { ...next, rowVersion: 7, revision: 7 };
			expect(await days.put(report, next, null)).toBe(false);
			expect(await days.put(report, next, unread)).toBe(true);
			expect(await days.put(report, { ...next, countedAt: 9 }, unread)).toBe(false);
			expect(await days.list(report, '2026-11-21', '2026-11-21')).toEqual([next]);
			// The row that was kept is told of in the log, and is not in the way of later ones.
			expect(await days.put(report, last, next)).toBe(true);
			expect(await days.revisions(report, '2026-11-21')).toEqual([sealed, next]);
			expect(await keptText(report, '2026-11-21', 5)).toContain('later');
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
			expect(year.every((day) => !('isUnread' in day) && day.lines.length === 40)).toBe(true);
		});
	});
}
