import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { runProgram } from '#test/support/process.ts';
import { openLocalTarget, writeToken } from '#test/support/servers/local.ts';
import { call, signIn, type Target } from './target.ts';

/** Hourly samples of the simulated plant, in the format of the BATADAL data set (test/data/make-scada.ts). */
const file = fileURLToPath(new URL('../data/scada.csv', import.meta.url));

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The samples of a column of the CSV file. */
type Column = readonly (readonly [time: number, value: number])[];

/** Reads the numeric columns of the CSV file without the code under test. */
const readColumns = (): ReadonlyMap<string, Column> => {
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

/** Computes a history from the samples: the end and the value of each window of whole hours that is not empty. */
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
	['on the hour', at('2026-01-31T05:00:00Z')],
	['just after the hour', at('2026-02-01T11:00:00.001Z')],
	['in the middle of an hour, at the end of a month', at('2026-02-28T12:30:00Z')],
	['a millisecond before a day ends', at('2026-03-01T23:59:59.999Z')],
	['half an hour after the last row', at('2026-04-01T00:30:00Z')],
	['two and a half hours after the last row', at('2026-04-01T02:30:00Z')],
];

describe('a CSV file of a plant, replayed and read by HTTP', () => {
	let target: Target;
	const columns = readColumns();
	const names = [...columns.keys()];
	let now = at('2026-04-02T00:00:00Z');

	beforeAll(async () => {
		target = await openLocalTarget({ RETENTION_DAYS: '36600' }, () => now);
		const options = {
			'--bucket': 'plant_b',
			'--topic': 'plant/{column}',
			'--field': 'value',
			'--time-column': 'DATETIME',
			'--token': writeToken,
		};
		const replay = runProgram('infra/tools/replay/replay.ts', [file, '--url', target.baseUrl, ...Object.entries(options).flat()]);
		expect(await replay.ended, replay.output()).toBe(0);
		expect(replay.output()).toContain('Sent 303 rows, 6,060 points, 20 columns.');
	});
	afterAll(() => target.close());

	const column = (name: string): Column => columns.get(name) ?? expect.unreachable(`no column ${name}`);
	const query = (name: string, overrides = {}) =>
		makeQuery({ calc_topic: `plant/${name}`, calc_time: 6, calc_unit: 'h', calc_period: 1, calc_unit_period: 'h', ...overrides });

	/** Saves variables, reads them in one request at `now` and deletes them. */
	const readAll = async (bodies: readonly Record<string, unknown>[]) => {
		const token = await signIn(target, 'b');
		const ids: number[] = [];
		for (const body of bodies) {
			const saved = await call(target, 'POST', '/saveVariable', { token, body });
			expect(saved.status, saved.text).toBe(200);
			ids.push(saved.body.data.id);
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

		test('reads the newest value of every column', async () => {
			const readings = await readAll(names.map((name) => simple(name)));
			for (const [index, name] of names.entries()) {
				const [time, value] = within(column(name), now - 6 * hourMs, now).at(-1) ?? expect.unreachable();
				const quality = now - time > 2 * hourMs ? 'stale' : 'good';
				expect(readings[index]).toMatchObject({ name, value, time: new Date(time).toISOString(), quality });
			}
		});

		test('reads the mean of the last six hours of every column', async () => {
			const readings = await readAll(
				names.map((name) => simple(name, { calc_type_period: 'mean', calc_time: 12, calc_period: 6 })),
			);
			for (const [index, name] of names.entries()) {
				expectClose(readings[index].value, meanOf(within(column(name), now - 6 * hourMs, now)));
				expect(readings[index].time).toBe(new Date(now).toISOString());
			}
		});

		test('reads histories of every column: three days by six hours, means and last values', async () => {
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

		test('reads a history by calendar months', async () => {
			const window = { calc_type_period: 'mean', calc_time: 2, calc_unit: 'mo', calc_period: 1, calc_unit_period: 'mo' };
			const [reading] = await readAll([simple('networkLevel', window, { type: 'history' })]);
			const starts = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'].map((day) => at(`${day}T00:00:00Z`));
			const expected = starts.slice(0, -1).flatMap((start, index) => {
				const end = Math.min(starts[index + 1] ?? 0, now);
				const part = within(column('networkLevel'), start, end);
				return part.length === 0 ? [] : [[new Date(end).toISOString(), meanOf(part)] as const];
			});
			// A lookback of two months begins within a month, and that month's window is whole.
			const listed = expected.slice(-reading.series.length);
			expect(reading.series.map(([time]: [string]) => time)).toEqual(listed.map(([time]) => time));
			for (const [index, [, value]] of listed.entries()) expectClose(reading.series[index][1], value);
			expect(reading.series.length).toBe(Math.min(3, expected.length));
		});

		test('evaluates equations over several columns, now and as a history', async () => {
			const over = (formula: string, fields = {}, overrides = {}) => {
				const body = makeCalculatedBody(formula, fields);
				const varsTsdb = Object.fromEntries(
					Object.keys(body['varsTsdb'] as object).map((name) => [name, query(name, overrides)]),
				);
				return { ...body, varsTsdb };
			};
			const [sum, ratio, quotient, history] = await readAll([
				over('intakeFlow + filteredFlow - ( washFlow + networkDemand ) * 0.5'),
				over('intakeFlow / networkDemand'),
				over('networkDemand / washFlow'),
				over(
					'( distributionPressure - networkPressure ) * 10',
					{ type: 'history' },
					{ calc_time: 1, calc_unit: 'd', calc_period: 2, calc_type_period: 'mean' },
				),
			]);
			const value = (name: string) => newestOf(within(column(name), now - 6 * hourMs, now)) ?? expect.unreachable();
			const half = (value('washFlow') + value('networkDemand')) * 0.5;
			expectClose(sum.value, value('intakeFlow') + value('filteredFlow') - half);
			expectClose(ratio.value, value('intakeFlow') / value('networkDemand'));
			expect(ratio.quality).toBe(sum.quality);
			// No backwash runs at any of the instants.
			expect([value('washFlow'), quotient.reason.code, quotient.value]).toEqual([0, 'division_by_zero', null]);
			const [a, b] = ['distributionPressure', 'networkPressure'].map((name) =>
				historyOf(column(name), now, dayMs, 2 * hourMs, meanOf),
			);
			const expected = (a ?? []).map(([time, each], index) => [time, ((each ?? 0) - (b?.[index]?.[1] ?? 0)) * 10] as const);
			expect(history.series.map(([time]: [string]) => time)).toEqual(expected.map(([time]) => time));
			for (const [index, [, each]] of expected.entries()) expectClose(history.series[index][1], each);
		});
	});

	test('reads no data before the first row, between two periods and long after the last row', async () => {
		for (const instant of [at('2026-01-28T00:00:00Z'), at('2026-02-15T00:00:00Z'), at('2026-04-01T06:00:00.001Z')]) {
			now = instant;
			for (const { quality, value, time } of await readAll(names.map((name) => simple(name))))
				expect([quality, value, time]).toEqual(['no_data', null, null]);
		}
	});
});
