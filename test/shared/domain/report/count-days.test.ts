import { describe, expect, test } from 'vitest';
import { openReportPlant, type ReportPlant, writePlant } from '#test/support/reports/report-plant.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Tuesday. */
const start = Date.UTC(2026, 9, 20);

/** A day from before the report, which no task stores. */
const earlier = start - 12 * dayMs;

/** Opens a plant with samples from before the report on, and closes some of its days. */
const openPlant = async (closedDays: number) => {
	const plant = await openReportPlant(start);
	writePlant(plant.series, earlier - dayMs, start + (closedDays + 1) * dayMs, 1_800_000);
	for (let day = 1; day <= closedDays; day += 1) {
		plant.clock.now = start + day * dayMs + hourMs;
		await plant.close();
	}
	return plant;
};

const totalOf = ({ lines }: Awaited<ReturnType<ReportPlant['read']>>, key: string) =>
	lines.find((line) => line.key === key)?.values.total ?? expect.unreachable();

describe('days that are counted to read a report', () => {
	test('with too many samples are named as changed with all lines of a cause, and their sealed numbers stay', async () => {
		const { series, read } = await openPlant(5);
		const sealed = await read(start, start + dayMs, 'day');
		series.write('level', start + 5 * hourMs + 1, 2);
		const count = series.countSamples.bind(series);
		series.countSamples = async (database, keys) => (await count(database, keys)).map((samples) => samples * 10_000);
		const { lines, changed } = await read(start, start + dayMs, 'day');
		expect(lines).toEqual(sealed.lines);
		expect(changed).toMatchObject([{ date: '2026-10-20', causes: ['late_samples'], lines: ['mean', 'least', 'sum', 'ratio'] }]);
		// A day that is not stored has no other numbers.
		await expect(read(earlier, earlier + dayMs, 'day')).rejects.toMatchObject({ code: 'too_large' });
	});

	test('may lie on both sides of a sealed one', async () => {
		const { read, seal } = await openPlant(5);
		await seal('2026-10-09', '2026-10-09');
		const range = { from: earlier, to: earlier + 3 * dayMs };
		const together = await read(range.from, range.to, 'day');
		expect(together.states).toEqual(['counted', 'sealed', 'counted']);
		for (const index of [0, 2]) {
			const alone = await read(range.from + index * dayMs, range.from + (index + 1) * dayMs, 'day');
			for (const [line, { values }] of together.lines.entries())
				expect(values.windows[index]).toEqual(alone.lines[line]?.values.windows[0]);
		}
	});

	test('merge with a sealed day in which a line counted something else', async () => {
		const { read, saveReport, report } = await openPlant(5);
		const metered = report.lines.find((line) => 'key' in line && line.key === 'metered') ?? expect.unreachable();
		const lines = report.lines.map((line) => ('key' in line && line.key === 'hours' ? { ...metered, key: 'hours' } : line));
		await saveReport({ lines });
		const month = await read(start, start + 5 * dayMs, 'month');
		expect(totalOf(month, 'hours')).toEqual(totalOf(month, 'metered'));
		expect(month.changed.map(({ causes, lines: keys }) => [causes, keys])).toEqual([
			[['line', 'variable'], ['hours']],
			[['line', 'variable'], ['hours']],
		]);
	});

	test('by hours give a provisional day the sum of its hours', async () => {
		const { read, series } = await openPlant(2);
		const [time = expect.unreachable()] = series.timesIn('level', start + dayMs + 12 * hourMs, start + 2 * dayMs);
		// As many samples as before: nothing tells that the day has changed.
		series.write('level', time, 0);
		const [ofDay, ofHours] = [
			await read(start + dayMs, start + 2 * dayMs, 'day'),
			await read(start + dayMs, start + 2 * dayMs, 'hour'),
		];
		expect([ofDay.states, new Set(ofHours.states)]).toEqual([['provisional'], new Set(['provisional'])]);
		expect(totalOf(ofDay, 'least').value).toBeGreaterThan(0);
		expect(totalOf(ofHours, 'least').value).toBe(0);
	});
});

describe('hours of a report', () => {
	const withLines = async (closedDays: number) => {
		const plant = await openReportPlant(start, {
			lines: ({ level, flow }) => [
				{ key: 'night', name: 'Night flow', unit: 'm³/h', function: 'leastMean', varId: flow, over: 1800, range: [0, 200] },
				{ key: 'mean', name: 'Mean', unit: 'm', function: 'mean', varId: level },
				{
					...{ key: 'high', name: 'High', unit: '', function: 'excursions', varId: level, holdSeconds: 60 },
					...{ limits: [null, 2.5], forSeconds: 3600 },
				},
			],
		});
		// Each day the level is high from 5:00 to 7:10, and unknown from 5:50 to 6:20.
		for (let time = start - dayMs; time < start + (closedDays + 1) * dayMs; time += 60_000) {
			const minute = (time % dayMs) / 60_000;
			plant.series.write('flow', time, 100 + (minute % 60));
			if (minute < 350 || minute >= 380) plant.series.write('level', time, minute >= 300 && minute < 430 ? 3 : 2);
		}
		for (let day = 1; day <= closedDays; day += 1) {
			plant.clock.now = start + day * dayMs + hourMs;
			await plant.close();
		}
		return plant;
	};

	test('have no least mean, whatever the range, and the other lines are not affected', async () => {
		const { read } = await withLines(2);
		for (const hours of [1, 2, 24]) {
			const { lines } = await read(start + dayMs - hourMs, start + dayMs + (hours - 1) * hourMs, 'hour');
			const [night = expect.unreachable(), mean] = lines;
			// They have no time that counts, rather than time of which nothing is known.
			const empty = { value: null, known: null };
			expect(night.values.windows.map(({ value, known }) => ({ value, known }))).toEqual(Array(hours).fill(empty));
			expect(night.faults).toMatchObject([{ code: 'period_too_short' }]);
			expect(mean?.values.windows.every(({ value }) => value !== null)).toBe(true);
			expect(mean?.faults).toEqual([]);
		}
	});

	test('of a day that is stored have its least mean as their total', async () => {
		const { read } = await withLines(2);
		const nightIn = async (day: number, period: string) => {
			const { lines } = await read(start + day * dayMs, start + (day + 1) * dayMs, period);
			return lines[0]?.values.total;
		};
		expect(await nightIn(1, 'day')).toMatchObject({ value: expect.any(Number), known: 1 });
		expect(await nightIn(1, 'hour')).toEqual(await nightIn(1, 'day'));
	});

	test('tell a sealed day as changed only where the day has other numbers', async () => {
		const { read, series } = await withLines(5);
		// One more sample with the value of the one before: the day is suspected, and no number differs.
		series.write('level', start + 9 * hourMs + 1, 2);
		const [ofDay, ofHours] = [await read(start, start + dayMs, 'day'), await read(start, start + dayMs, 'hour')];
		expect(ofDay.changed).toEqual([]);
		expect(ofHours.changed).toEqual(ofDay.changed);
		// A sample with another value changes the mean.
		series.write('level', start + 9 * hourMs + 2, 2.4);
		const changed = (await read(start, start + dayMs, 'hour')).changed;
		expect(changed).toMatchObject([{ date: '2026-10-20', lines: ['mean'] }]);
		expect((await read(start, start + dayMs, 'day')).changed).toEqual(changed);
	});
});

test('a day is stored with the corrections that may decide it: from a day before its beginning until its end', async () => {
	const { correct, ids, seal } = await openPlant(3);
	const end = start + dayMs;
	const found = await Promise.all(
		[
			{ from: start - 2 * dayMs, to: start - dayMs },
			{ from: start - 2 * dayMs, to: start - dayMs + 1 },
			{ from: end, to: end + hourMs },
			{ from: end + 1, to: end + hourMs },
		].map((span) => correct({ varId: ids.flow, type: 'exclude', ...span })),
	);
	const [day] = await seal('2026-10-20', '2026-10-20');
	expect(day?.corrections.map(({ id }) => id)).toEqual(found.slice(1, 3).toSorted((a, b) => a - b));
});
