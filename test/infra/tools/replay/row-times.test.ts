import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { createRowTimes } from '#infra/tools/replay/row-times.ts';
import { createCellTimeReader } from '#infra/tools/replay/time.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';

const minute = 60_000;

/** Clock changes back, each with the instant and the length of the repeated time. */
const changes = {
	'Europe/Madrid': [Date.parse('2026-10-25T01:00:00Z'), 60],
	'America/New_York': [Date.parse('2026-11-01T06:00:00Z'), 60],
	'Australia/Lord_Howe': [Date.parse('2026-04-04T15:00:00Z'), 30],
	'Africa/Casablanca': [Date.parse('2026-02-15T02:00:00Z'), 60],
} as const;

/** A row of a file, with the instant that its clock time was written for. */
interface WrittenRow {
	readonly timeMs: number;
	readonly series: bigint;
}

/** Writes local times as a file has them, and reads them again. */
const readBack = (zoneName: string, rows: readonly WrittenRow[]): readonly (number | null)[] => {
	const zone = openTimeZone(zoneName);
	if (zone === null) throw new Error(`no zone ${zoneName}`);
	const readTime = createCellTimeReader({ timeZone: zoneName, nowMs: Date.parse('2026-12-01T00:00:00Z') });
	const result: (number | null)[] = rows.map(() => Number.NaN);
	const addRow = createRowTimes(({ line }, timeMs) => {
		// Every row is told once.
		expect(result[line]).toBeNaN();
		result[line] = timeMs;
	});
	for (const [line, { timeMs, series }] of rows.entries()) {
		const cell = new Date(localTimeAt(timeMs, zone)).toISOString().slice(0, 19).replace('T', ' ');
		const instants = readTime(cell);
		expect(instants).toContain(timeMs);
		addRow({ line, instants: instants ?? [], series });
	}
	addRow();
	return result;
};

const zoneNames = Object.keys(changes);
const changeOf = (zoneName: string): readonly [changeMs: number, minutes: number] =>
	Object.entries(changes).find(([name]) => name === zoneName)?.[1] ?? [0, 0];

const anyZone = fc.constantFrom(...zoneNames);
const runs = { numRuns: casesOf(150), seed: firstSeed };

describe('the hour that occurs twice', () => {
	test('is told apart in every regular series over it, ascending and descending', () => {
		let repeated = 0;
		fc.assert(
			fc.property(
				anyZone,
				fc.constantFrom(1, 2, 5, 10, 15, 30, 60),
				fc.integer({ min: 1, max: 30 }),
				fc.integer({ min: 1, max: 30 }),
				fc.boolean(),
				(zoneName, stepMinutes, rowsBefore, rowsAfter, isDescending) => {
					const [changeMs, minutes] = changeOf(zoneName);
					// With a row of each hour, the shorter repeated time of Lord Howe has one row. Its order tells nothing.
					fc.pre(stepMinutes <= minutes);
					const perHour = minutes / stepMinutes;
					const times = Array.from({ length: rowsBefore + 2 * perHour + rowsAfter }, (_, index) => ({
						timeMs: changeMs - minutes * minute + (index - rowsBefore) * stepMinutes * minute,
						series: 1n,
					}));
					const rows = isDescending ? times.reverse() : times;
					repeated += 2 * perHour;
					expect(readBack(zoneName, rows)).toEqual(rows.map(({ timeMs }) => timeMs));
				},
			),
			runs,
		);
		expect(repeated).toBeGreaterThan(1000);
	});

	test('is told rightly or not at all in every irregular series, with gaps and rows of some columns only', () => {
		const counts = { right: 0, untold: 0 };
		fc.assert(
			fc.property(
				anyZone,
				fc.array(fc.record({ step: fc.integer({ min: 1, max: 40 }), series: fc.bigInt({ min: 1n, max: 7n }) }), {
					maxLength: 60,
				}),
				fc.integer({ min: -100, max: 30 }),
				fc.boolean(),
				(zoneName, steps, startMinutes, isDescending) => {
					const [changeMs] = changeOf(zoneName);
					let timeMs = changeMs + startMinutes * minute;
					const times = steps.map(({ step, series }) => {
						timeMs += step * minute;
						return { timeMs, series };
					});
					const rows = isDescending ? times.reverse() : times;
					for (const [index, read] of readBack(zoneName, rows).entries()) {
						counts[read === null ? 'untold' : 'right'] += 1;
						if (read !== null) expect(read).toBe(rows[index]?.timeMs);
					}
				},
			),
			runs,
		);
		expect(Math.min(counts.right, counts.untold)).toBeGreaterThan(100);
	});

	test('is told apart where the series of one time are on rows of their own', () => {
		for (const zoneName of zoneNames) {
			const [changeMs, minutes] = changeOf(zoneName);
			const rows = Array.from({ length: 60 }, (_, index) => ({
				timeMs: changeMs + (Math.floor(index / 3) - 10) * (minutes / 2) * minute,
				series: 1n << BigInt(index % 3),
			}));
			expect(readBack(zoneName, rows)).toEqual(rows.map(({ timeMs }) => timeMs));
		}
	});

	/** Clock times of Madrid's repeated hour, with the row before and after it. */
	const read = (clocks: readonly string[]): readonly (number | null)[] => {
		const readTime = createCellTimeReader({ timeZone: 'Europe/Madrid', nowMs: 0 });
		const result: (number | null)[] = [];
		const addRow = createRowTimes((_, timeMs) => result.push(timeMs));
		for (const [line, clock] of clocks.entries())
			addRow({ line, instants: readTime(`2026-10-25 ${clock}:00`) ?? [], series: 1n });
		addRow();
		return result;
	};
	const isTold = (clocks: readonly string[]): boolean => !read(clocks).includes(null);

	test.each([
		['both hours', ['01:30', '02:00', '02:30', '02:00', '02:30', '03:00']],
		['each hour once', ['01:00', '02:00', '02:00', '03:00']],
		['both hours, from the first row on', ['02:00', '02:30', '02:00', '02:30', '03:00']],
		['both hours, to the last row', ['01:30', '02:00', '02:30', '02:00', '02:30']],
		['both hours alone, in an order that has one reading', ['02:00', '02:15', '02:30', '02:00', '02:15', '02:30']],
		['both hours, descending', ['03:00', '02:30', '02:00', '02:30', '02:00', '01:30']],
		['a turn of half of the hour', ['01:31', '02:01', '02:31', '02:01', '02:31', '03:01']],
	])('is told apart by %s', (_, clocks) => expect(isTold(clocks)).toBe(true));

	test.each([
		['one of the hours', ['01:30', '02:00', '02:30', '03:00']],
		['one row of it', ['01:00', '02:00', '03:00']],
		['one of the hours at the end of the file', ['01:30', '02:00', '02:30']],
		['a row that occurs twice in one of the hours', ['01:45', '02:00', '02:15', '02:15', '02:30', '02:45', '03:00']],
		['two rows in the wrong order', ['01:50', '02:00', '02:20', '02:10', '02:30', '02:40', '02:50', '03:00']],
		['an hour that occurs three times', ['01:30', '02:00', '02:30', '02:00', '02:30', '02:00', '02:30', '03:00']],
		['rows around it that go back', ['03:00', '02:00', '02:30', '02:00', '02:30', '03:00']],
		['two rows alone', ['02:00', '02:00']],
		['a late row before an outage', ['01:00', '02:05', '02:45', '02:40', '03:30']],
		['a late row of short steps before an outage', ['01:50', '02:05', '02:10', '02:08', '02:20', '03:30']],
		['a late row after an outage, descending', ['03:30', '02:40', '02:45', '02:05', '01:00']],
		['a late row, one of two', ['01:50', '02:45', '02:40', '03:30']],
		['a row that occurs twice before an outage', ['01:50', '02:00', '02:00', '03:30']],
		['a row that occurs twice between long steps', ['01:00', '02:05', '02:45', '02:45', '03:30']],
		['a turn of less than half of the hour', ['01:31', '02:01', '02:31', '02:02', '02:32', '03:02']],
	])('is not told by %s', (_, clocks) => {
		const times = read(clocks);
		// The rows outside that hour are read.
		expect(times.filter((timeMs) => timeMs === null).length).toBe(clocks.filter((clock) => clock.startsWith('02')).length);
	});

	test('of another year has an order of its own', () => {
		const readTime = createCellTimeReader({ timeZone: 'Europe/Madrid', nowMs: 0 });
		const times: (number | null)[] = [];
		const addRow = createRowTimes((_, timeMs) => times.push(timeMs));
		const cells = ['2025-10-26 02:00', '2025-10-26 02:30', '2026-10-25 02:00', '2026-10-25 02:30', '2026-10-25 02:00'];
		for (const [line, cell] of [...cells, '2026-10-25 02:30', '2026-10-25 03:00'].entries())
			addRow({ line, instants: readTime(cell) ?? [], series: 1n });
		addRow();
		expect(times.map((timeMs) => (timeMs === null ? null : new Date(timeMs).toISOString().slice(0, 16)))).toEqual([
			null,
			null,
			'2026-10-25T00:00',
			'2026-10-25T00:30',
			'2026-10-25T01:00',
			'2026-10-25T01:30',
			'2026-10-25T02:00',
		]);
	});
});
