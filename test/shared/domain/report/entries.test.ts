import { beforeEach, describe, expect, test } from 'vitest';
import { boardOf, parseBoard } from '#domain/board/board.ts';
import { reportText } from '#domain/report/report-notification.ts';
import { deleteBoard } from '#domain/use-cases/delete-board.ts';
import { saveEntry } from '#domain/use-cases/save-entry.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { listRead } from '#test/support/reports/report-days.ts';
import { openReportPlant, type ReportPlant, tenant } from '#test/support/reports/report-plant.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const october = { from: Date.UTC(2026, 9, 1), to: Date.UTC(2026, 10, 1) };

describe('entries', () => {
	let plant: ReportPlant;
	const enter = async (fields: object, id = 0): Promise<number> => {
		const days = { from: '2026-10-01', to: '2026-10-31' };
		const entry = { id, reportId: plant.id, key: 'authorised', ...days, value: 100, reason: 'Letter', ...fields };
		return (await saveEntry(plant.write, tenant.schema, boardOf('entry', parseBoard('entry', entry)))).board.content.id;
	};
	beforeEach(async () => {
		const lines = ({ flow }: { flow: number }) => [
			{ key: 'in', name: 'In', unit: 'm³', function: 'total', varId: flow, per: 'h', holdSeconds: 86_400, range: [0, 100] },
			{ key: 'authorised', name: 'Authorised', unit: 'm³', function: 'entered' },
			{ key: 'losses', name: 'Losses', unit: 'm³', function: 'formula', equation: tokensOf('in - authorised') },
		];
		plant = await openReportPlant(october.from, { lines });
		for (let time = october.from; time < october.to + 9 * dayMs; time += hourMs) plant.series.write('flow', time, 10);
		plant.clock.now = october.to + 10 * dayMs;
	});
	const lineOf = async (key: string, period = 'month', { from, to } = october) => {
		const { lines, changed } = await plant.read(from, to, period);
		return { line: lines.find((each) => each.key === key), changed };
	};

	test('count in windows that consist of them, and in no other', async () => {
		const first = await enter({});
		const second = await enter({ from: '2026-11-01', to: '2026-11-05', value: 7, low: 5, high: 8 });
		const both = { from: october.from, to: october.to + 5 * dayMs };
		const { line } = await lineOf('authorised', 'month', both);
		const found = { known: 1, counterFaults: [] };
		expect(line?.values).toEqual({
			windows: [
				{ value: 100, low: 100, high: 100, ...found },
				{ value: 7, low: 5, high: 8, ...found },
			],
			total: { value: 107, low: 105, high: 108, ...found },
		});
		expect(line?.entries).toEqual([first, second]);
		const losses = (await lineOf('losses', 'month', both)).line;
		expect(losses?.values.windows[0]).toMatchObject({ value: 7340, low: 7340, high: 7340, known: 1 });
		expect(losses?.mixed).toBe(true);
		expect(losses?.terms?.[0]).toEqual({ key: 'authorised', width: 3 });
		for (const period of ['hour', 'day', 'week'])
			expect(
				(await lineOf('authorised', period, { from: october.from, to: october.from + 10 * dayMs })).line?.values.windows.every(
					({ value }) => value === null,
				),
			).toBe(true);
		const asHours = (await lineOf('authorised', 'hour', { from: october.to, to: october.to + 5 * dayMs })).line;
		expect(asHours?.values.total.value).toBe(7);
	});

	test('of a sealed month apply at once, and stay where the days were sealed with them', async () => {
		await plant.seal('2026-10-01', '2026-10-31');
		expect((await lineOf('authorised')).line?.values.total.value).toBeNull();
		const id = await enter({});
		const calls = { ...plant.series.calls };
		const entered = await lineOf('authorised');
		expect(entered.line?.values.total.value).toBe(100);
		expect(entered.changed).toHaveLength(31);
		expect(entered.changed[0]).toMatchObject({ date: '2026-10-01', causes: ['entry'], lines: ['authorised', 'losses'] });
		// Nothing is counted from samples for it.
		expect(plant.series.calls.readSamples).toBe(calls.readSamples);
		const sealed = await plant.seal('2026-10-01', '2026-10-31', 'Letter of the works');
		expect(sealed.map(({ revision }) => revision)).toEqual(Array(31).fill(2));
		expect((await lineOf('authorised')).changed).toEqual([]);
		await enter({ value: 140 }, id);
		const changed = await lineOf('authorised');
		expect(changed.line?.values.total.value).toBe(100);
		expect(changed.changed).toHaveLength(31);
		expect((await lineOf('losses')).line?.values.total.value).toBe(7340);
		await deleteBoard(plant.write, tenant.schema, { kind: 'entry', id });
		expect((await lineOf('authorised')).line?.values.total.value).toBe(100);
		await plant.seal('2026-10-01', '2026-10-31', 'Was wrong');
		expect((await lineOf('authorised')).line?.values.total.value).toBeNull();
	});

	test('are counted by the task before it seals a day', async () => {
		plant.clock.now = october.from + 26 * hourMs;
		await plant.close();
		await enter({ from: '2026-10-01', to: '2026-10-01', value: 3 });
		await plant.close();
		const [day] = await listRead(plant.stored, { schema: tenant.schema, reportId: plant.id }, '2026-10-01', '2026-10-01');
		expect(day?.lines[1]?.value.value).toBe(3);
		expect((await lineOf('authorised', 'day', { from: october.from, to: october.from + dayMs })).line?.values.total.value).toBe(
			3,
		);
	});

	test('need a report with such a line, days in order, and a value within its bounds', async () => {
		await expect(enter({ reportId: 999 })).rejects.toMatchObject({ code: 'not_found' });
		await expect(enter({ key: 'in' })).rejects.toMatchObject({ payload: { issues: [{ path: 'key', code: 'no_entered_line' }] } });
		await expect(enter({ from: '2026-11-01' })).rejects.toMatchObject({ payload: { issues: [{ path: 'to' }] } });
		await expect(enter({ to: '2027-10-02' })).rejects.toMatchObject({ payload: { issues: [{ path: 'from' }] } });
		await expect(enter({ low: 101, high: 99 })).rejects.toMatchObject({
			payload: { issues: [{ path: 'low' }, { path: 'high' }] },
		});
		await enter({ to: '2027-10-01', low: 100, high: 100 });
	});

	test('have author and time of the save that changed something', async () => {
		const id = await enter({ author: 'somebody else' });
		const [row] = await plant.deps.store.get(tenant.schema, [{ kind: 'entry', id }]);
		expect(row?.board.content).toMatchObject({ author: plant.write.origin.actor, time: plant.clock.now });
		plant.clock.now += hourMs;
		await enter({}, id);
		const [again] = await plant.deps.store.get(tenant.schema, [{ kind: 'entry', id }]);
		expect(again).toEqual(row);
	});
});

describe('a watched night flow', () => {
	const from = Date.UTC(2026, 8, 1);
	const night = {
		key: 'night',
		name: 'Night flow',
		unit: 'm³/h',
		function: 'leastMean',
		over: 3600,
		between: ['02:00', '04:00'],
	};
	const reference = { from: '2026-09-01', nights: 7 };
	const watch = { rise: 2, nights: 3 };
	/** The flow of each night: seven of the reference, then others. */
	const flows = [17, 18, 16, 17, 17.5, 16.5, 17, 17, 25, 25, 25, 25, 17, 25];
	const openWatched = async (fields: object = {}) => {
		const lines = ({ flow }: { flow: number }) => [{ ...night, varId: flow, holdSeconds: 3600, reference, watch, ...fields }];
		const plant = await openReportPlant(from, { lines });
		for (const [day, value] of flows.entries())
			for (let time = from + day * dayMs; time < from + (day + 1) * dayMs; time += hourMs / 4)
				plant.series.write('flow', time, value);
		for (const day of flows.keys()) {
			plant.clock.now = from + (day + 1) * dayMs + hourMs;
			await plant.close();
			await plant.close();
		}
		return plant;
	};

	test('is told of once, on the day that ends as many nights as the watch says', async () => {
		const { sent, read } = await openWatched();
		expect(sent.map(({ date }) => date)).toEqual(['2026-09-11']);
		const [message] = sent;
		expect(message?.raised).toEqual([{ name: 'Night flow', since: '2026-09-09', nights: 3, certain: true }]);
		expect(message?.numbers.map(({ name, value }) => [name, value])).toEqual([['Night flow', 25]]);
		if (message !== undefined) expect(reportText(message)).toContain('Night flow rose: 3 nights since 2026-09-09\n');
		const of = async (day: number) => (await read(from, from + day * dayMs, 'day')).lines[0];
		expect((await of(10))?.raised).toBeUndefined();
		expect((await of(12))?.raised).toEqual({ since: '2026-09-09', nights: 4, certain: true });
		expect((await of(13))?.raised).toBeUndefined();
		const line = await of(9);
		expect(line?.reference).toEqual({ value: 17, low: 17, high: 17, spread: expect.closeTo(0.7413, 9), taken: 7 });
		expect(line?.rise?.windows.at(-1)).toMatchObject({
			value: 8,
			low: 8,
			high: 8,
			percent: { value: expect.closeTo(47.0588, 3) },
		});
		expect(line?.rise?.windows).toHaveLength(9);
	});

	test('is told of again after a night that was as usual', async () => {
		const { sent } = await openWatched({ watch: { rise: 2, nights: 1 } });
		expect(sent.map(({ date }) => date)).toEqual(['2026-09-09', '2026-09-14']);
	});

	test('has no reference before its last night is over, and keeps sealed days where another one is pinned', async () => {
		const plant = await openWatched({ reference: { from: '2026-09-10', nights: 7 } });
		expect(plant.sent).toEqual([]);
		const before = await plant.read(from, from + 10 * dayMs, 'day');
		expect(before.lines[0]).toMatchObject({ reference: null });
		expect(before.lines[0]?.rise).toBeUndefined();
		await plant.saveReport({ lines: [{ ...night, varId: plant.ids.flow, holdSeconds: 3600, reference, watch }] });
		const after = await plant.read(from, from + 10 * dayMs, 'day');
		expect(after.changed).toEqual([]);
		expect(after.lines[0]?.reference).toMatchObject({ value: 17 });
	});
});
