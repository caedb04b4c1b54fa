import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { call, callOk, signIn, type Target } from './target.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Totals over a range of four windows of 15 minutes (shared/domain/totals/README.md). */
export const totalsSuite = (target: () => Target): void => {
	describe('totals', () => {
		let token: string;
		/** A multiple of 15 minutes, about two hours ago. */
		let start: number;
		let flow: number;
		let counter: number;
		beforeAll(async () => {
			token = await signIn(target(), 'a');
			start = Math.floor(Date.now() / (15 * minuteMs)) * 15 * minuteMs - 2 * hourMs;
			const at = (minutes: number) => start + minutes * minuteMs;
			await target().feed(
				'plant_a',
				[
					// Unknown from minute 17 to 30: a sample holds for two minutes.
					...[...Array(16).keys(), ...Array.from({ length: 30 }, (_, index) => 30 + index)].map(
						(minute) => `totals/flow value=${minute < 30 ? 120 : 60} ${at(minute)}`,
					),
					// Turns at 100,000, and is exchanged in the last window.
					`totals/counter value=99000 ${at(-30)}`,
					`totals/counter value=99500 ${at(5)}`,
					`totals/counter value=100 ${at(15)}`,
					`totals/counter value=1100 ${at(30)}`,
					`totals/counter value=1500 ${at(44)}`,
					`totals/counter value=60000 ${at(50)}`,
					`totals/byte value=1i ${at(-1)}`,
					`totals/byte value=0i ${at(10)}`,
					`totals/byte value=3i ${at(20)}`,
					`totals/text value="open" ${at(1)}`,
				].join('\n'),
			);
			flow = await save(simple('totals/flow'));
			counter = await save(simple('totals/counter'));
		});

		const post = (body: unknown) => call(target(), 'POST', '/totals', { token, body });
		const save = async (body: Record<string, unknown>): Promise<number> =>
			(await callOk(target(), 'POST', '/saveVariable', { token, body })).data.id;
		const query = (topic: string, fields = {}) =>
			makeQuery({ calc_topic: topic, calc_period: 1, calc_unit_period: 'm', ...fields });
		const simple = (topic: string, fields = {}) => makeBody({ varsTsdb: { Flow: query(topic, fields) } });
		const count = async (...lines: Record<string, unknown>[]) => {
			const range = { start, end: start + hourMs, period: { count: 15, unit: 'm' } };
			const body = { lines: lines.map((line, index) => ({ key: `l${index}`, ...line })), ...range };
			return (await callOk(target(), 'POST', '/totals', { token, body })).data;
		};

		test('a volume has the share of the time that is known, and bounds for the rest', async () => {
			const { lines, ...windows } = await count({ varId: flow, function: 'total', per: 'h', range: [0, 240] });
			expect(windows).toEqual({
				bounds: [0, 15, 30, 45, 60].map((minutes) => start + minutes * minuteMs),
				period: { count: 15, unit: 'm' },
				timeZone: 'UTC',
				dayStart: '00:00',
			});
			const known = 2 / 15;
			expect(lines).toEqual([
				{
					key: 'l0',
					values: [30, 4, 15, 15],
					known: [1, known, 1, 1],
					low: [30, 4, 15, 15],
					high: [30, 56, 15, 15],
					total: { value: 64, known: 47 / 60, low: 64, high: 116 },
				},
			]);
		});

		test('a mean is weighted by time, and extremes have their times', async () => {
			const { lines } = await count({ varId: flow, function: 'mean' }, { varId: flow, function: 'max' });
			expect(lines[0].values).toEqual([120, 120, 60, 60]);
			expect(lines[0].total).toEqual({ value: (64 / 47) * 60, known: 47 / 60, low: null, high: null });
			expect(lines[1]).toMatchObject({
				values: [120, 120, 60, 60],
				at: [0, 15, 30, 45].map((minutes) => start + minutes * minuteMs),
				low: [120, 120, 60, 60],
				high: [120, null, 60, 60],
			});
		});

		test('a counter that turned advances, and one that was exchanged has a fault and no number', async () => {
			const { lines } = await count({ varId: counter, function: 'increase', counter: { size: 100_000 }, holdSeconds: 3600 });
			expect(lines).toEqual([
				{
					key: 'l0',
					values: [1100, 1000, 400, null],
					known: [1, 1, 1, 1],
					low: [1100, 1000, 400, null],
					high: [1100, 1000, 400, null],
					total: { value: null, known: 1, low: null, high: null },
					faults: [
						{
							code: 'counter_jumped',
							window: 3,
							from: { at: start + 44 * minuteMs, value: 1500 },
							to: { at: start + 50 * minuteMs, value: 60_000 },
						},
					],
				},
			]);
		});

		test('a counter and a flow are compared over the same time, and not over the whole day', async () => {
			const begin = start - 24 * hourMs;
			const silent = (minute: number): boolean => minute >= 360 && minute < 720;
			const quarters = Array.from({ length: 97 }, (_, index) => 15 * index);
			await target().feed(
				'plant_a',
				[
					...quarters.filter((minute) => !silent(minute)).map((minute) => `totals/pumped value=100 ${begin + minute * minuteMs}`),
					...quarters.map((minute) => `totals/energy value=${(50 * minute) / 60} ${begin + (minute - 8) * minuteMs}`),
				].join('\n'),
			);
			const [pumped, energy] = [await save(simple('totals/pumped')), await save(simple('totals/energy'))];
			const lines = [
				{ key: 'volume', varId: pumped, function: 'total', per: 'h', range: [0, 400], holdSeconds: 900 },
				{ key: 'energy', varId: energy, function: 'increase', holdSeconds: 1800 },
				{ key: 'runs', varId: pumped, function: 'starts', holdSeconds: 900 },
				{ key: 'perVolume', function: 'formula', equation: tokensOf('energy / volume') },
				{ key: 'mixed', function: 'formula', equation: tokensOf('runs / volume') },
			];
			const body = { lines, start: begin, end: begin + 24 * hourMs };
			const { data } = await callOk(target(), 'POST', '/totals', { token, body });
			const [volume, total, , perVolume, mixed] = data.lines;
			expect([volume.total.value, total.total.value]).toEqual([1800, 1200]);
			expect(perVolume.total.value).toBeCloseTo(0.5, 12);
			expect(perVolume.total).toMatchObject({ known: 0.75, low: 1200 / 4200, high: 1200 / 1800 });
			expect([perVolume.mixed, mixed.mixed]).toEqual([undefined, true]);
		});

		test('a momentary reading of a counter is in doubt in both windows, also in each of them alone', async () => {
			await target().feed(
				'plant_a',
				[99_985, 99_990, 0, 99_992, 99_996]
					.map((value, index) => `totals/momentary value=${value} ${start + 5 * (index + 1) * minuteMs}`)
					.join('\n'),
			);
			const varId = await save(simple('totals/momentary'));
			const lines = [{ key: 'l', varId, function: 'increase', counter: { size: 100_000 }, holdSeconds: 3600 }];
			const range = { start, end: start + 30 * minuteMs, period: { count: 15, unit: 'm' } };
			const { body } = await post({ lines, ...range });
			const [line] = body.data.lines;
			expect([line.values, line.low, line.high]).toEqual(Array(3).fill([null, null]));
			const reading = (minute: number, value: number) => ({ at: start + minute * minuteMs, value });
			const faults = [
				{ code: 'counter_fell', window: 0, from: reading(10, 99_990), to: reading(15, 0) },
				{ code: 'counter_jumped', window: 1, from: reading(15, 0), to: reading(20, 99_992) },
			];
			expect(line.faults).toEqual(faults);
			for (const [index, fault] of faults.entries()) {
				const from = start + 15 * index * minuteMs;
				const alone = await post({ lines, start: from, end: from + 15 * minuteMs });
				expect(alone.body.data.lines[0]).toMatchObject({ values: [null], faults: [{ ...fault, window: 0 }] });
			}
			const after = await post({ lines, start: start + 20 * minuteMs, end: start + 30 * minuteMs });
			expect(after.body.data.lines[0].values).toEqual([4]);
		});

		test('a bit has run hours and starts', async () => {
			const varId = await save(makeBitsBody({ bits: [{ id: 1, name: 'b', bit: 1 }], varsTsdb: { Flow: query('totals/byte') } }));
			const bit = { varId, bit: 1, holdSeconds: 3600 };
			const { lines } = await count({ ...bit, function: 'onTime' }, { ...bit, function: 'starts' });
			expect(lines[0].values).toEqual([0, 10 / 60, 0.25, 0.25]);
			expect(lines[1].values).toEqual([0, 1, 0, 0]);
			expect(lines[1].total).toEqual({ value: 1, known: 1, low: 1, high: 1 });
		});

		test('a formula takes the time in which all of its lines are known', async () => {
			const both = await save(makeCalculatedBody('a * 2', { varsTsdb: { a: query('totals/flow') } }));
			const byte = await save(simple('totals/byte'));
			const { lines } = await count(
				{ key: 'double', varId: both, function: 'total', per: 'h' },
				{ key: 'on', varId: byte, function: 'mean', holdSeconds: 3600 },
				{ key: 'each', function: 'formula', equation: tokensOf('double * on') },
				{ key: 'none', function: 'formula', equation: tokensOf('each / ( on - on )') },
			);
			expect(lines[2].values).toEqual([60 * (10 / 15), 0, 30 * 3, 30 * 3]);
			expect(lines[2].known).toEqual([1, 2 / 15, 1, 1]);
			expect(lines[3]).toMatchObject({ values: [null, null, null, null], total: { value: null } });
			expect(lines[3].faults).toContainEqual({ code: 'division_by_zero', window: 0 });
		});

		test('a line that cannot be read has a fault, and the others are not affected', async () => {
			const text = await save(simple('totals/text'));
			const { lines } = await count(
				{ varId: 999_999, function: 'mean' },
				{ varId: text, function: 'mean' },
				{ varId: flow, function: 'starts' },
				{ function: 'raised' },
			);
			expect(lines[0]).toMatchObject({ values: [null, null, null, null], faults: [{ code: 'missing_reference' }] });
			expect(lines[1]).toMatchObject({ values: [null, null, null, null], faults: [{ code: 'not_numeric' }] });
			expect(lines[2].values).toEqual([0, 0, 0, 0]);
			expect(lines[3].values).toHaveLength(4);
		});

		test('the range is one window without a period, and its total is the same', async () => {
			const line = { key: 'l0', varId: flow, function: 'total', per: 'h', range: [0, 240] };
			const { body } = await post({ lines: [line], start, end: start + hourMs });
			const { lines } = await count(line);
			expect(body.data.period).toBeNull();
			expect(body.data.lines[0].values).toEqual([lines[0].total.value]);
			expect(body.data.lines[0].total).toEqual(lines[0].total);
		});

		test('every wrong field is named at once', async () => {
			const windowed = await save(simple('totals/flow', { calc_type_period: 'mean' }));
			const wrong = await post({
				lines: [
					{ key: 'a', varId: flow, function: 'total' },
					{ key: 'a', varId: flow, function: 'mean', per: 'h' },
					{ key: 'f', function: 'formula', equation: tokensOf('a + later') },
					{ key: 'later', varId: flow, function: 'sum' },
				],
				start: 'yesterday',
			});
			expect(wrong.status).toBe(400);
			expect(Object.keys(wrong.body).toSorted()).toEqual(
				['lines.0.per', 'lines.1.key', 'lines.1.per', 'lines.2.equation.2', 'lines.3.function', 'start'].toSorted(),
			);
			const refused = await post({
				lines: [
					{ key: 'a', varId: windowed, function: 'mean' },
					{ key: 'b', varId: flow, bit: 1, function: 'mean' },
				],
				start,
			});
			expect(refused.status).toBe(400);
			expect(Object.keys(refused.body)).toEqual(['lines.0.holdSeconds', 'lines.1.bit']);
		});

		test('more than 400 windows are refused', async () => {
			const refused = await post({
				lines: [{ key: 'a', varId: flow, function: 'mean' }],
				start,
				period: { count: 1, unit: 's' },
			});
			expect(refused.status).toBe(413);
			expect(refused.body.period).toEqual(errorEntry('too_large'));
		});
	});
};
