import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { run } from '#test/support/process.ts';
import { openLocalTarget, writeToken } from '#test/support/servers/local.ts';
import { call, signIn, type Target } from './target.ts';

const file = fileURLToPath(new URL('../../../shared/data/batadal.csv', import.meta.url));
const present = existsSync(file);
if (!present) console.warn(`skipped: ${file} is not there, so no real plant is replayed`);

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A column of the CSV: when, and what. */
type Column = readonly (readonly [time: number, value: number])[];

/** The CSV's numeric columns, read here by themselves. */
const readColumns = (): Map<string, Column> => {
	const [head = '', ...rows] = readFileSync(file, 'utf8').trim().split('\n');
	const names = head.split(',');
	const columns = new Map<string, [number, number][]>(names.slice(2, -1).map((name) => [name, []]));
	for (const row of rows) {
		const cells = row.split(',');
		const time = Date.parse(`${(cells[1] ?? '').replace(' ', 'T')}Z`);
		for (const [index, name] of names.entries()) columns.get(name)?.push([time, Number(cells[index])]);
	}
	return columns;
};

const within = (column: Column, from: number, to: number): Column => column.filter(([time]) => time >= from && time < to);
const meanOf = (column: Column): number => column.reduce((sum, [, value]) => sum + value, 0) / column.length;
const newestOf = (column: Column): number | null => column.at(-1)?.[1] ?? null;

/** A history straight from the samples: for each window of whole hours that is not empty, its end and its value. */
const historyOf = (column: Column, now: number, lookbackMs: number, periodMs: number, value: (part: Column) => number | null) => {
	const series: [string, number | null][] = [];
	for (let start = Math.floor((now - lookbackMs) / periodMs) * periodMs; start < now; start += periodMs) {
		const end = Math.min(start + periodMs, now);
		const part = within(column, start, end);
		if (part.length > 0) series.push([new Date(end).toISOString(), value(part)]);
	}
	return series;
};

const at = (text: string): number => Date.parse(text);
const instants: [string, number][] = [
	['on the hour', at('2017-01-20T05:00:00Z')],
	['just after the hour', at('2017-02-10T23:00:00.001Z')],
	['in the middle of an hour, at a month end', at('2017-02-28T12:30:00Z')],
	['a millisecond before a day ends', at('2017-03-19T23:59:59.999Z')],
	['within the last row', at('2017-04-01T00:30:00Z')],
	['an hour and a half after the last row', at('2017-04-01T02:30:00Z')],
];

describe.skipIf(!present)('a real plant, replayed and read by HTTP', () => {
	let target: Target;
	let now = at('2017-04-02T00:00:00Z');
	let columns: Map<string, Column>;
	let names: string[];

	beforeAll(async () => {
		columns = readColumns();
		names = [...columns.keys()];
		target = await openLocalTarget({ RETENTION_DAYS: '36600' }, () => now);
		const options = {
			'--bucket': 'plant_b',
			'--topic': 'ctown/{column}',
			'--field': 'value',
			'--time-column': 'DATETIME',
			'--token': writeToken,
		};
		const replay = run('infra/tools/replay/replay.ts', [file, '--url', target.baseUrl, ...Object.entries(options).flat()]);
		expect(await replay.ended, replay.printed()).toBe(0);
		expect(replay.printed()).toMatch(/89[,. ]?827/);
	});
	afterAll(() => target.close());

	const column = (name: string): Column => columns.get(name) ?? expect.unreachable(`no column ${name}`);
	const query = (name: string, overrides = {}) =>
		makeQuery({ calc_topic: `ctown/${name}`, calc_time: 6, calc_unit: 'h', calc_period: 1, calc_unit_period: 'h', ...overrides });

	/** Saves the variables, reads them in one call at `now`, and deletes them again. */
	const readAll = async (bodies: readonly Record<string, unknown>[]) => {
		const token = await signIn(target, 'b');
		const ids: number[] = [];
		for (const body of bodies) {
			const { status, body: answer } = await call(target, 'POST', '/saveVariable', { token, body });
			expect(status, JSON.stringify(answer)).toBe(200);
			ids.push(answer.data.id);
		}
		const { status, body } = await call(target, 'POST', '/multipleDataTsdb', { token, body: { ids } });
		expect(status).toBe(200);
		for (const id of ids) await call(target, 'POST', `/deleteVar/${id}`, { token });
		return body.data;
	};
	const simple = (name: string, overrides = {}, fields = {}) =>
		makeBody({ name, varsTsdb: { [name]: query(name, overrides) }, ...fields });
	const expectClose = (actual: number | null, expected: number | null): void => {
		if (expected === null || actual === null) expect(actual).toBe(expected);
		else expect(actual).toBeCloseTo(expected, 9);
	};

	describe.each(instants)('%s', (_, instant) => {
		beforeAll(() => {
			now = instant;
		});

		test('newest values of every column', async () => {
			const readings = await readAll(names.map((name) => simple(name)));
			for (const [index, name] of names.entries()) {
				const [time, value] = within(column(name), now - 6 * hourMs, now).at(-1) ?? expect.unreachable();
				const quality = now - time > 2 * hourMs ? 'stale' : 'good';
				expect(readings[index]).toMatchObject({ name, value, time: new Date(time).toISOString(), quality });
			}
		});

		test('means of the last six hours of every column', async () => {
			const readings = await readAll(
				names.map((name) => simple(name, { calc_type_period: 'mean', calc_time: 12, calc_period: 6 })),
			);
			for (const [index, name] of names.entries()) {
				expectClose(readings[index].value, meanOf(within(column(name), now - 6 * hourMs, now)));
				expect(readings[index].time).toBe(new Date(now).toISOString());
			}
		});

		test('histories of every column: three days of six hours, means and last values', async () => {
			for (const [aggregate, value] of [
				['mean', meanOf],
				['last', newestOf],
			] as const) {
				const window = { calc_type_period: aggregate, calc_time: 3, calc_unit: 'd', calc_period: 6 };
				const readings = await readAll(names.map((name) => simple(name, window, { type: 'history' })));
				for (const [index, name] of names.entries()) {
					const expected = historyOf(column(name), now, 3 * dayMs, 6 * hourMs, value);
					const { series } = readings[index];
					expect(series.map(([time]: [string]) => time)).toEqual(expected.map(([time]) => time));
					for (const [point, [, number]] of expected.entries()) expectClose(series[point][1], number);
				}
			}
		});

		test('a history by calendar months', async () => {
			const window = { calc_type_period: 'mean', calc_time: 2, calc_unit: 'mo', calc_period: 1, calc_unit_period: 'mo' };
			const [reading] = await readAll([simple('L_T1', window, { type: 'history' })]);
			const starts = ['2017-01-01', '2017-02-01', '2017-03-01', '2017-04-01', '2017-05-01'].map((day) => at(`${day}T00:00:00Z`));
			const expected = starts.slice(0, -1).flatMap((start, index) => {
				const end = Math.min(starts[index + 1] ?? 0, now);
				const part = within(column('L_T1'), start, end);
				return part.length === 0 ? [] : [[new Date(end).toISOString(), meanOf(part)] as const];
			});
			// Two months back from the middle of a month begin in the month before last, whole.
			const listed = expected.slice(-reading.series.length);
			expect(reading.series.map(([time]: [string]) => time)).toEqual(listed.map(([time]) => time));
			for (const [index, [, value]] of listed.entries()) expectClose(reading.series[index][1], value);
			expect(reading.series.length).toBe(Math.min(3, expected.length));
		});

		test('formulas over several columns, now and as a history', async () => {
			const over = (formula: string, fields = {}, overrides = {}) => {
				const body = makeCalculatedBody(formula, fields);
				const varsTsdb = Object.fromEntries(
					Object.keys(body['varsTsdb'] as object).map((name) => [name, query(name, overrides)]),
				);
				return { ...body, varsTsdb };
			};
			const [sum, ratio, history] = await readAll([
				over('F_PU1 + F_PU2 - ( F_PU4 + F_PU7 ) * 0.5'),
				over('F_PU1 / F_PU3'),
				over(
					'( P_J280 - P_J269 ) * 10',
					{ type: 'history' },
					{ calc_time: 1, calc_unit: 'd', calc_period: 2, calc_type_period: 'mean' },
				),
			]);
			const value = (name: string) => newestOf(within(column(name), now - 6 * hourMs, now)) ?? expect.unreachable();
			expectClose(sum.value, value('F_PU1') + value('F_PU2') - (value('F_PU4') + value('F_PU7')) * 0.5);
			const divisor = value('F_PU3');
			expect(ratio.reason?.code ?? ratio.quality).toBe(divisor === 0 ? 'division_by_zero' : sum.quality);
			expectClose(ratio.value, divisor === 0 ? null : value('F_PU1') / divisor);
			const [a, b] = ['P_J280', 'P_J269'].map((name) => historyOf(column(name), now, dayMs, 2 * hourMs, meanOf));
			const expected = (a ?? []).map(([time, each], index) => [time, ((each ?? 0) - (b?.[index]?.[1] ?? 0)) * 10] as const);
			expect(history.series.map(([time]: [string]) => time)).toEqual(expected.map(([time]) => time));
			for (const [index, [, each]] of expected.entries()) expectClose(history.series[index][1], each);
		});
	});

	test('before the first row and long after the last there is no data, and no number', async () => {
		for (const instant of [at('2017-01-04T00:00:00Z'), at('2017-04-01T06:00:00.001Z')]) {
			now = instant;
			for (const { quality, value, time } of await readAll(names.map((name) => simple(name))))
				expect([quality, value, time]).toEqual(['no_data', null, null]);
		}
	});
});
