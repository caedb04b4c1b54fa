import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { person } from '#test/support/builders/origin.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { type CallOptions, call, callOk, signIn, type Target, tenants } from './target.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Reports and their days (shared/domain/report/README.md). */
export const reportsSuite = (target: () => Target): void => {
	describe('reports', () => {
		let token: string;
		/** Midnight in UTC, the day before yesterday. The samples are of that day, one an hour. */
		let start: number;
		let flow: number;
		let counter: number;
		let report: number;
		const date = (later = 0) => new Date(start + later * dayMs).toISOString().slice(0, 10);
		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { token, ...options });
		const post = async (path: string, body?: unknown) => (await callOk(target(), 'POST', path, { token, body })).data;
		const get = async (path: string) => (await request('GET', path)).body.data;
		const lines = () => [
			{
				key: 'volume',
				name: 'Volume',
				unit: 'm³',
				decimals: 0,
				group: 'Water',
				function: 'total',
				varId: flow,
				per: 'h',
				holdSeconds: 3600,
				range: [0, 100],
			},
			{ key: 'count', name: 'Metered', unit: 'm³', function: 'increase', varId: counter, holdSeconds: 3600 },
			{ key: 'ratio', name: 'Ratio', unit: '', function: 'formula', equation: tokensOf('volume / count') },
			{ key: 'alarms', name: 'Alarms', unit: '', function: 'raised' },
		];
		const body = (fields: object = {}) => ({ id: 0, title: 'Daily', lines: lines(), ...fields });
		const read = (period: string, from = start, end = start + dayMs) =>
			post('/readReport', { id: report, start: from, end, period });
		const feed = (samples: readonly string[]) => target().feed('plant_a', samples.join('\n'));

		beforeAll(async () => {
			token = await signIn(target(), 'a');
			start = (Math.floor(Date.now() / dayMs) - 2) * dayMs;
			await feed([
				`reported/counter value=100 ${start - 60 * minuteMs}`,
				...[...Array(24).keys()].flatMap((hour) => [
					// Nothing is known from 12:00 to 18:00.
					...(hour >= 12 && hour < 18 ? [] : [`reported/flow value=10 ${start + hour * 60 * minuteMs}`]),
					`reported/counter value=${110 + 10 * hour} ${start + hour * 60 * minuteMs}`,
				]),
				`reported/counter value=350 ${start + dayMs}`,
			]);
			const simple = (topic: string) => makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: topic }) } });
			flow = (await post('/saveVariable', simple('reported/flow'))).id;
			counter = (await post('/saveVariable', simple('reported/counter'))).id;
			const saved = await post('/saveReport', body());
			report = saved.id;
			expect(saved).toEqual({ ...body(), id: report, timeZone: 'UTC', dayStart: '00:00', send: false, version: 1 });
		});

		test('are listed, replaced on condition of their version, and tried without storing', async () => {
			expect(await get(`/getReports?ids=${report}`)).toMatchObject([{ id: report, title: 'Daily', version: 1 }]);
			const stale = await request('POST', '/saveReport', { body: body({ id: report }), headers: { 'if-match': '"7"' } });
			expect(stale.status).toBe(412);
			const tried = await post('/saveReport?dryRun=1', body({ title: 'Tried' }));
			expect(tried).toMatchObject({ report: { id: 0, title: 'Tried' }, bounds: [expect.any(Number), expect.any(Number)] });
			expect(tried.lines.map(({ key }: { key: string }) => key)).toEqual(['volume', 'count', 'ratio', 'alarms']);
			expect((await get('/getReports')).map(({ title }: { title: string }) => title)).not.toContain('Tried');
			expect(await get(`/usages/${flow}`)).toEqual([{ kind: 'report', id: report, name: 'Daily' }]);
		});

		test('answer days and hours with their bounds, and the sum of the hours is the day', async () => {
			const day = await read('day');
			expect(day).toMatchObject({
				...{ id: report, title: 'Daily', timeZone: 'UTC', dayStart: '00:00', period: 'day' },
				...{ bounds: [start, start + dayMs], states: ['provisional'], partial: [false], changed: [], unsealed: [date()] },
			});
			const [volume, count, ratio] = day.lines;
			expect(volume).toMatchObject({
				name: 'Volume',
				unit: 'm³',
				decimals: 0,
				group: 'Water',
				total: { value: 180, known: 0.75, low: 180, high: 780 },
			});
			expect(count).toMatchObject({ total: { value: 240, low: 240, high: 240 } });
			// 180 m³ each in the 18 h in which both are known.
			expect(ratio.total.value).toBe(1);
			const hours = await read('hour');
			expect(hours.lines[0].values).toEqual([...Array(24).keys()].map((hour) => (hour >= 12 && hour < 18 ? null : 10)));
			expect(hours.lines[0].total).toEqual(volume.total);
			expect((await read('month')).partial).toEqual([true]);
		});

		test('keep sealed numbers, tell what changed and why, and are sealed anew with a reason', async () => {
			const before = (await read('day')).lines;
			const { days } = await post('/sealReportDays', { id: report, from: date(), to: date(), reason: 'First' });
			expect(days).toEqual([
				{
					...{ date: date(), revision: 1, sealedAt: expect.any(Number), by: tenants.a.email, reason: 'First' },
					actors: { by: person(tenants.a.email) },
				},
			]);
			expect(await read('day')).toMatchObject({ states: ['sealed'], lines: before, changed: [], unsealed: [] });

			await feed([`reported/flow value=20 ${start + 12 * 60 * minuteMs}`]);
			const late = await read('day');
			expect(late).toMatchObject({ states: ['sealed'], lines: before });
			expect(late.changed).toEqual([
				{ date: date(), start, end: start + dayMs, causes: ['late_samples'], lines: ['volume', 'ratio'] },
			]);

			const exclusion = { id: 0, varId: flow, type: 'exclude', from: start, to: start + 60 * minuteMs, reason: 'Cleaned' };
			const correction = await post('/saveCorrection', exclusion);
			expect((await read('day')).changed).toMatchObject([{ causes: ['correction', 'late_samples'] }]);
			await post('/sealReportDays', { id: report, from: date(), to: date(), reason: 'Outage' });
			const anew = await read('day');
			expect(anew.changed).toEqual([]);
			expect(anew.lines[0].total.value).toBe(190);

			const { versions } = await get(`/reportDay?id=${report}&date=${date()}`);
			expect(versions).toMatchObject([
				{ revision: 1, reason: 'First', lines: [{ value: 180 }, { value: 240 }, { value: 1 }, {}], corrections: [] },
				{ revision: 2, reason: 'Outage', lines: [{ value: 190 }, { value: 240 }, {}, {}], corrections: [{ id: correction.id }] },
			]);
			await post(`/deleteCorrection/${correction.id}`);
			expect((await read('day')).changed).toMatchObject([{ causes: ['correction'] }]);
			await post('/saveReport', body({ id: report, lines: lines().map((line) => ({ ...line, unit: 'L' })) }));
			expect((await read('day')).changed).toMatchObject([
				{ causes: ['line', 'correction'], lines: ['volume', 'count', 'ratio', 'alarms'] },
			]);
		});

		test('name every field that is wrong', async () => {
			const wrongly = async (path: string, sent: object) => {
				const answer = await request('POST', path, { body: sent });
				expect(answer.status).toBe(400);
				return Object.keys(answer.body).sort();
			};
			const wrong = [
				{ key: 'a', name: '', unit: 7, function: 'total', varId: flow, decimals: 7 },
				{ key: 'a', name: 'B', unit: '', function: 'formula', equation: tokensOf('missing + 1') },
			];
			expect(await wrongly('/saveReport', body({ lines: wrong, dayStart: '25:00' }))).toEqual([
				'dayStart',
				'lines.0.decimals',
				'lines.0.name',
				'lines.0.per',
				'lines.0.unit',
				'lines.1.equation.0',
				'lines.1.key',
			]);
			expect(await wrongly('/saveReport', body({ lines: [{ ...lines()[0], varId: 999_999 }] }))).toEqual(['lines.0.varId']);
			expect(await wrongly('/readReport', { id: 0, start: 'x', period: 'second' })).toEqual(['id', 'period', 'start']);
			const seal = { id: report, from: date(2), to: date(2), reason: 'R' };
			expect(await wrongly('/sealReportDays', { ...seal, from: '2026-02-30', reason: '' })).toEqual(['from', 'reason']);
			const today = await request('POST', '/sealReportDays', { body: seal });
			expect(today.body).toEqual({ to: errorEntry('day_not_over') });
			expect((await request('POST', '/readReport', { body: { id: 999_999, start, period: 'day' } })).status).toBe(404);
		});

		test('lose the lines of a deleted variable and the formulas over them, and come back with their sealed days', async () => {
			await post(`/deleteVar/${counter}`);
			const [{ lines: left, version }] = await get(`/getReports?ids=${report}`);
			expect(left.map(({ key }: { key: string }) => key)).toEqual(['volume', 'alarms']);
			expect(await post(`/deleteReport/${report}`)).toEqual({ report: true });
			expect(await post(`/deleteReport/${report}`)).toEqual({ report: false });
			expect((await request('POST', '/readReport', { body: { id: report, start, period: 'day' } })).status).toBe(404);
			const [entry] = await get(`/changes?kind=report&itemId=${report}`);
			expect(entry).toMatchObject({ action: 'deleted', kind: 'report', itemId: report });
			const restored = await post('/restore', { kind: 'report', itemId: report, rowVersion: entry.rowVersion });
			expect(restored).toMatchObject({ id: report, title: 'Daily' });
			expect(restored.version).toBeGreaterThan(version);
			expect(await read('day')).toMatchObject({ states: ['sealed'] });
		});

		test('are of one tenant: another one neither reads, seals nor deletes them', async () => {
			const other = await signIn(target(), 'b');
			const as = (method: string, path: string, sent?: unknown) => request(method, path, { token: other, body: sent });
			expect((await as('POST', '/readReport', { id: report, start, period: 'day' })).status).toBe(404);
			expect((await as('GET', `/reportDay?id=${report}&date=${date()}`)).status).toBe(404);
			expect((await as('POST', '/sealReportDays', { id: report, from: date(), to: date(), reason: 'R' })).status).toBe(404);
			expect((await as('POST', `/deleteReport/${report}`)).body.data).toEqual({ report: false });
			expect((await as('GET', `/getReports?ids=${report}`)).body.data).toEqual([]);
		});
	});
};
