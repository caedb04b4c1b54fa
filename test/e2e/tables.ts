import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { type AlarmTarget, call, callOk, signIn, tenants } from './target.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Tables by address, and who may read them (functions/README.md#tables-by-address). */
export const tablesSuite = (target: () => AlarmTarget): void => {
	describe('tables by address', () => {
		let token: string;
		/** The header Authorization of a machine. */
		let basic: string;
		let flow: number;
		let level: number;
		let report: number;
		/** Midnight in UTC, the day before yesterday. The samples are of that day and the next one, one an hour. */
		let start: number;
		const date = (later = 0) => new Date(start + later * dayMs).toISOString().slice(0, 10);
		const post = async (path: string, body: unknown) => (await callOk(target(), 'POST', path, { token, body })).data;
		const get = (path: string, headers: Readonly<Record<string, string>> = { authorization: basic }, method = 'GET') =>
			fetch(`${target().baseUrl}${path}`, { method, headers });
		const textOf = async (path: string) => (await get(path)).text();
		const json = async (path: string) => (await call(target(), 'GET', path, { headers: { authorization: basic } })).body;
		const basicOf = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
		const newMachine = () => post('/saveMachine', { name: 'Excel', role: 'viewer' });

		beforeAll(async () => {
			await target().people.setRole(tenants.a.schemaName, tenants.a.email, 'administrator', byTool);
			token = await signIn(target(), 'a');
			const { clientId, secret } = await newMachine();
			basic = basicOf(clientId, secret);
			start = (Math.floor(Date.now() / dayMs) - 2) * dayMs;
			const samples = [...Array(48).keys()].map((hour) => `tabled/flow value=${hour < 24 ? 10 : 20} ${start + hour * hourMs}`);
			await target().feed('plant_a', samples.join('\n'));
			// A name that a spreadsheet would take for a formula.
			const named = { name: '=1+1', unit: 'm³/h', varsTsdb: { '=1+1': makeQuery({ calc_topic: 'tabled/flow' }) } };
			flow = (await post('/saveVariable', makeBody(named))).id;
			level = (await post('/saveVariable', makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'tabled/level' }) } }))).id;
			// They are about times before the samples, and are read with every table that counts these variables.
			for (const [varId, hours] of [
				[flow, 9],
				[flow, 8],
				[level, 9],
			] as const)
				await post('/saveCorrection', {
					...{ id: 0, varId, type: 'exclude', reason: 'Sensor cleaned' },
					...{ from: start - hours * hourMs, to: start - hours * hourMs + 1000 },
				});
			const line = { function: 'total', varId: flow, per: 'h', holdSeconds: 3600, range: [0, 100] };
			const lines = [
				{ ...line, key: 'volume', name: '@Volume, "pumped"', unit: 'm³', decimals: 1 },
				{ key: 'raised', name: 'Alarms', unit: '', function: 'raised' },
				{ ...line, key: 'state', name: '@Volume, "pumped"', unit: 'm³', between: ['00:00', '06:00'] },
			];
			report = (await post('/saveReport', { id: 0, title: 'Daily', lines })).id;
		});

		test('have the days of a report, in each form, by extension and by Accept', async () => {
			const path = `/table/report/${report}`;
			const table = await json(`${path}?from=${date()}&to=${date(1)}`);
			expect(table).toEqual({
				timeZone: 'UTC',
				columns: [
					{ key: 'start', name: 'Start', unit: '', type: 'date' },
					{ key: 'state', name: 'State', unit: '', type: 'text' },
					{ key: 'volume', name: '@Volume, "pumped"', unit: 'm³', type: 'number' },
					{ key: 'raised', name: 'Alarms', unit: '', type: 'number' },
					// Neither a key nor a heading is there twice.
					{ key: 'state 2', name: '@Volume, "pumped"', unit: 'm³', type: 'number' },
				],
				data: [
					{ start: date(), state: expect.any(String), volume: 240, raised: null, 'state 2': 60 },
					{ start: date(1), state: expect.any(String), volume: 480, raised: null, 'state 2': 120 },
				],
			});
			const csv = await textOf(`${path}.csv?date=last-2-days`);
			expect(parse(csv)).toEqual([
				['Start', 'State', `'@Volume, "pumped" [m³]`, 'Alarms', `'@Volume, "pumped" [m³] 2`],
				[date(), table.data[0].state, '240', '', '60'],
				[date(1), table.data[1].state, '480', '', '120'],
			]);
			const yesterday = await get(path, { authorization: basic, accept: 'text/html, text/csv;q=0.9, */*;q=0.1' });
			expect(yesterday.headers.get('content-type')).toBe('text/csv; charset=utf-8');
			expect(yesterday.headers.get('content-disposition')).toBe(`attachment; filename="report-${report}.csv"`);
			expect((await yesterday.text()).split('\r\n')[1]).toBe(`${date(1)},${table.data[1].state},480,,120`);
			const book = await get(`${path}.xlsx`, { authorization: basic, accept: 'text/csv' });
			expect(book.headers.get('content-type')).toContain('spreadsheetml');
			expect(Buffer.from(await book.arrayBuffer()).toString('latin1', 0, 2)).toBe('PK');
		});

		test('have totals, histories and readings of variables', async () => {
			const days = `ids=${flow}&from=${date()}&to=${date(1)}`;
			const totals = await textOf(`/table/totals.csv?${days}&function=total&per=h&holdSeconds=3600&period=day&columns=all`);
			expect(parse(totals)).toEqual([
				['Start', 'End', `'=1+1 [m³]`, `'=1+1 known`, `'=1+1 low [m³]`, `'=1+1 high [m³]`, `'=1+1 fault`],
				[date(), `${date(1)}T00:00:00+00:00`, '240', '1', '240', '240', ''],
				[date(1), `${date(2)}T00:00:00+00:00`, '480', '1', '480', '480', ''],
			]);
			expect((await json(`/table/totals?ids=${level}&function=starts&holdSeconds=60`)).data).toEqual([
				{ start: date(1), [level]: null },
			]);
			expect((await json(`/table/totals?ids=${flow},${level}&function=mean&holdSeconds=3600`)).data).toEqual([
				{ start: date(1), [flow]: 20, [level]: null },
			]);
			const history = await json(`/table/history?${days}&aggregates=mean,count&period=day`);
			expect(history.data).toEqual([
				{ start: date(), [`${flow}.mean`]: 10, [`${flow}.count`]: 24 },
				{ start: date(1), [`${flow}.mean`]: 20, [`${flow}.count`]: 24 },
			]);
			const quarters = await json(`/table/history?ids=${flow}&date=${date()}&period=12h&timeZone=Asia/Kolkata`);
			expect(quarters.data.map((row: { readonly start: string }) => row.start)).toEqual([
				`${date()}T00:00:00+05:30`,
				`${date()}T12:00:00+05:30`,
			]);
			const all = (await json('/table/readings')).data.map((row: { readonly id: number }) => row.id);
			expect(all).toEqual(expect.arrayContaining([flow, level]));
			const readings = await json(`/table/readings?ids=${flow},987654&columns=all`);
			expect(readings.data).toMatchObject([
				{ id: flow, name: '=1+1', unit: 'm³/h' },
				{ id: 987654, name: null, value: null, quality: 'missing_reference', reason: 'missing_reference' },
			]);
		});

		test('count a report of several variables', async () => {
			const line = { function: 'mean', unit: '', holdSeconds: 3600 };
			const lines = [flow, level].map((varId) => ({ ...line, key: String(varId), name: String(varId), varId }));
			const { id } = await post('/saveReport', { id: 0, title: 'Both', lines });
			expect((await json(`/table/report/${id}`)).data).toMatchObject([{ [flow]: 20, [level]: null }]);
		});

		test('have the decimal sign of a locale, and a byte order mark on demand', async () => {
			const path = `/table/history.csv?ids=${flow}&date=${date()}&aggregates=mean&period=day`;
			expect((await textOf(`${path}&columns=all&locale=es-ES`)).split('\r\n')[1]).toBe(
				`${date()};${date(1)}T00:00:00+00:00;10;good`,
			);
			const bytes = new Uint8Array(await (await get(`${path}&bom=1`)).arrayBuffer());
			expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
		});

		test('have a tag while they are the same', async () => {
			const path = `/table/report/${report}.csv?date=${date()}`;
			const tag = (await get(path)).headers.get('etag') ?? '';
			const again = await get(path, { authorization: basic, 'if-none-match': tag });
			expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
			expect((await get(path.replace('.csv', '.xlsx'), { authorization: basic, 'if-none-match': tag })).status).toBe(200);
		});

		test('are read with a token, too, and by nobody else', async () => {
			const path = `/table/report/${report}`;
			expect((await get(path, { authorization: `Bearer ${token}` })).status).toBe(200);
			expect((await get(path, { authorization: `Bearer ${await signIn(target(), 'b')}` })).status).toBe(404);
			const { clientId, secret } = await newMachine();
			for (const authorization of [
				'',
				'Basic',
				'Basic !',
				basicOf(clientId, 'cdl_wrong'),
				basicOf(clientId, `${secret}x`),
				`Bearer ${token}x`,
			]) {
				const refused = await get(path, { authorization });
				expect([refused.status, await refused.json()], authorization).toEqual([401, { message: 'Unauthorized' }]);
				expect(refused.headers.get('cache-control')).toBe('no-store');
			}
		});

		test('are refused to a machine that was deleted before it asked', async () => {
			const { clientId, secret } = await newMachine();
			await callOk(target(), 'POST', `/deleteMachine/${clientId}`, { token });
			expect((await get('/table/readings', { authorization: basicOf(clientId, secret) })).status).toBe(401);
		});

		test('name what is wrong with the days of a report as they were asked for', async () => {
			const fieldsOf = async (query: string) =>
				Object.keys(
					(await call(target(), 'GET', `/table/report/${report}?${query}`, { headers: { authorization: basic } })).body,
				);
			expect(await fieldsOf('date=9999-12-31')).toEqual(['date']);
			expect(await fieldsOf('from=9999-12-31')).toEqual(['from']);
			expect(await fieldsOf('from=2026-02-02&to=2026-02-01')).toEqual(['from']);
		});

		test.each([
			['/table/report/987654', 404, 'id'],
			['/table/report/x.csv', 400, 'id'],
			['/table/report/1?date=tomorrow', 400, 'date'],
			['/table/report/1?date=today&to=2026-11-20', 400, 'date'],
			['/table/report/1?Period=day', 400, 'Period'],
			['/table/totals?ids=1', 400, 'function'],
			['/table/totals?function=mean', 400, 'ids'],
			['/table/totals?ids=0&function=mean', 400, 'ids'],
			['/table/totals?ids=1&function=total', 400, 'per'],
			['/table/totals?ids=1&function=mean&date=last-400-days', 400, 'date'],
			['/table/totals?ids=1&function=mean&from=2026-02-02&to=2026-02-01', 400, 'from'],
			['/table/history?ids=1&from=2026-02-02&to=2026-02-01', 400, 'from'],
			['/table/history?ids=x', 400, 'ids.0'],
			['/table/history?ids=', 400, 'ids.0'],
			['/table/readings?ids=', 400, 'ids.0'],
			['/table/readings?ids=1,', 400, 'ids.1'],
			['/table/history?ids=1&period=fortnight', 400, 'period'],
			['/table/readings?locale=1', 400, 'locale'],
			['/table/readings?timeZone=Mars', 400, 'timeZone'],
		])('are refused with what is wrong: %s', async (path, status, field) => {
			const answer = await call(target(), 'GET', path, { headers: { authorization: basic } });
			expect([answer.status, Object.keys(answer.body)]).toEqual([status, [field]]);
		});
	});
};
