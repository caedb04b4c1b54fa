import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPlant } from '#infra/local/demo/plant/run.ts';
import { call, signIn, type Target } from '#test/e2e/target.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';
import { type CountedLine, countInSpreadsheet, type SheetRequest } from '#test/support/spreadsheet/spreadsheet.ts';

const dayMs = 86_400_000;
/** With a past of nine days, the plant fills what is older than a day at 40 s: eight days, and one at 5 s. */
const pastDays = 9;

/** Twelve lines of the demo plant. Some hold for less than the samples are apart, so that much of the time is unknown. */
const twelveLines = [
	{ key: 'taken', varId: 1, function: 'total', per: 'h', range: [0, 450] },
	{ key: 'filtered', varId: 6, function: 'total', per: 'h', holdSeconds: 25, range: [0, 400] },
	{ key: 'loss', function: 'formula', equation: tokensOf('( taken - filtered ) / taken * 100') },
	{ key: 'pumped', varId: 42, function: 'increase', counter: { size: 10_000 } },
	{ key: 'energy', varId: 43, function: 'increase', holdSeconds: 20 },
	{ key: 'specific', function: 'formula', equation: tokensOf('energy / pumped') },
	{ key: 'night', varId: 13, function: 'mean', holdSeconds: 30, range: [0, 450], between: ['01:30', '04:00'] },
	{ key: 'evening', varId: 16, function: 'max', between: ['22:00', '02:30'] },
	{ key: 'hours', varId: 11, function: 'onTime', holdSeconds: 15 },
	{ key: 'starts', varId: 18, bit: 2, function: 'starts', holdSeconds: 40 },
	{ key: 'remote', varId: 36, function: 'min', range: [0, 6] },
	{ key: 'stored', varId: 24, function: 'mean', range: [0, 3000] },
] as const;

/** Expects the numbers of a line as the service answers them to be those of the spreadsheet. */
const expectSame = (line: string, answered: Record<string, unknown>[], sheet: readonly object[]): void => {
	expect(answered, line).toHaveLength(sheet.length);
	for (const [window, expected] of sheet.entries())
		for (const [field, number] of Object.entries(expected)) {
			const found = answered[window]?.[field];
			const name = `${line}, window ${window}: ${field}`;
			if (typeof number !== 'number') expect(found, name).toBe(number);
			else {
				if (typeof found !== 'number') expect.fail(`${name} is ${String(found)} and not ${number}`);
				expect(Math.abs(found - number), `${name} is ${found} and not ${number}`).toBeLessThanOrEqual(
					1e-9 * Math.max(1, Math.abs(number)),
				);
			}
		}
};

/** Returns the numbers of a line of an answer window by window. */
const windowsOf = (line: Record<string, unknown[]>): Record<string, unknown>[] =>
	(line['values'] ?? []).map((value, window) =>
		Object.fromEntries([
			['value', value],
			...['known', 'low', 'high', 'at'].map((field) => [field, line[field]?.[window]] as const),
		]),
	);

const expectLines = (lines: Record<string, never>[], sheet: Readonly<Record<string, CountedLine>>): void => {
	expect(lines.map(({ key }) => key)).toEqual(Object.keys(sheet));
	for (const line of lines) {
		const { windows, total } = sheet[line['key'] ?? ''] ?? expect.unreachable();
		expectSame(`${line['key']}`, windowsOf(line), windows);
		expectSame(`${line['key']}, total`, [line['total'] ?? expect.unreachable()], [total]);
	}
};

describe.each([
	['the last Sunday of March', Date.UTC(2026, 2, 31, 9, 0, 35), Date.UTC(2026, 2, 23, 23), '2026-03-29', 23],
	['the last Sunday of October', Date.UTC(2026, 9, 27, 9, 0, 35), Date.UTC(2026, 9, 19, 22), '2026-10-25', 25],
])('the demo plant in the week of %s, against a spreadsheet of its samples', (_, now, start, changeDate, changeHours) => {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-spreadsheet-'));
	const csv = join(folder, 'samples.csv');
	let target: Target;
	let token: string;
	let variables: SheetRequest['variables'];
	let corrections: SheetRequest['corrections'];
	const request = async (method: string, path: string, body?: unknown) => {
		const answer = await call(target, method, path, { token, body });
		expect(answer.status, answer.text).toBe(200);
		return answer.body.data;
	};
	const count = (rest: Pick<SheetRequest, 'lines' | 'start' | 'end' | 'period' | 'raised' | 'evaluatedFrom'>) =>
		countInSpreadsheet({ ...rest, csv, timeZone: 'Europe/Madrid', variables, corrections, evaluatedUntil: now });

	beforeAll(async () => {
		const rows: string[] = [];
		const plant = createPlant({
			...{ now: () => now, pastMs: pastDays * dayMs, loadState: () => undefined, saveState: () => undefined },
			onWriteFailed: () => expect.unreachable(),
			write: async (samples) => {
				for (const { topic, field, value, timeMs } of samples) rows.push(`${timeMs},${topic},${field},${Number(value)}`);
			},
		});
		await plant.start();
		await plant.filled();
		await plant.stop();
		writeFileSync(csv, rows.join('\n'));
		target = await openLocalTarget({ DEMO_PLANT: 'on', RETENTION_DAYS: `${pastDays}` }, () => now);
		token = await signIn(target, 'a');
		variables = await request('GET', '/getVarsTsdb?limit=1000');
		const flow = { id: 0, varId: 13, type: 'exclude', reason: 'Night flow in doubt' };
		await request('POST', '/saveCorrection', { ...flow, from: start + 2.1 * 3_600_000, to: start + 3 * 3_600_000 });
		corrections = await request('GET', '/getCorrections');
		expect(corrections).toHaveLength(2);
	}, 120_000);
	afterAll(async () => {
		await target?.close();
		rmSync(folder, { recursive: true, force: true });
	});

	test('twelve lines by day are the same', async () => {
		const end = start + 7 * dayMs + (changeHours - 24) * 3_600_000;
		const range = { start, end, period: { count: 1, unit: 'd' }, timeZone: 'Europe/Madrid' };
		const { bounds, lines } = await request('POST', '/totals', { lines: twelveLines, ...range });
		const sheet = await count({ lines: twelveLines, start, end, period: 'day', raised: [], evaluatedFrom: now });
		expect(bounds).toEqual(sheet.bounds);
		expect(bounds).toHaveLength(8);
		expectLines(lines, sheet.lines);
		// The comparison is about numbers, and about numbers that are not known.
		const all = Object.values(sheet.lines).flatMap(({ windows }) => windows);
		expect(all.every(({ value }) => value !== null)).toBe(true);
		expect(all.filter(({ known }) => known !== null && known < 1).length).toBeGreaterThan(30);
	}, 120_000);

	test.each(['day', 'hour'] as const)(
		'the report is the same for the day of the clock change and the one after, by %s',
		async (period) => {
			const [report] = await request('GET', '/getReports');
			expect(report.lines).toHaveLength(13);
			const from = start + 5 * dayMs;
			const end = from + (changeHours + 24) * 3_600_000;
			expect(new Date(from + 12 * 3_600_000).toISOString().slice(0, 10)).toBe(changeDate);
			const { states, bounds, lines } = await request('POST', '/readReport', { id: report.id, start: from, end, period });
			expect(new Set(states)).toEqual(new Set(['provisional']));
			const events = await request('GET', `/alarmEvents?start=${start}&end=${now}`);
			const raised = events
				.filter(({ kind }: { kind: string }) => kind === 'raised')
				.map(({ time, alarm }: { time: string; alarm: { severity: string } }) => ({
					time: Date.parse(time),
					severity: alarm.severity,
				}));
			const sheet = await count({ lines: report.lines, start: from, end, period, raised, evaluatedFrom: now });
			expect(bounds).toEqual(sheet.bounds);
			expectLines(lines, sheet.lines);
			const known = Object.entries(sheet.lines).filter(([key]) => key !== 'raised');
			if (period === 'day') for (const [key, { total }] of known) expect(total.value, key).not.toBeNull();
		},
		120_000,
	);
});
