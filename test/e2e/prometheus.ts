import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { byTool } from '#test/support/builders/origin.ts';
import { type AlarmTarget, callOk, signIn, tenants } from './target.ts';

const minuteMs = 60_000;

/** The API of Prometheus (functions/README.md#prometheus-api). */
export const prometheusSuite = (target: () => AlarmTarget): void => {
	describe('the API of Prometheus', () => {
		let token: string;
		let basic: string;
		let flow: number;
		let byte: number;
		let unread: number;
		/** The last whole minute. */
		let end: number;
		const post = async (path: string, body: unknown) => (await callOk(target(), 'POST', path, { token, body })).data;
		const send = (path: string, parameters: ConstructorParameters<typeof URLSearchParams>[0] = {}, init: RequestInit = {}) => {
			const headers = { authorization: basic, ...init.headers };
			return fetch(`${target().baseUrl}/prometheus/api/v1/${path}?${new URLSearchParams(parameters)}`, { ...init, headers });
		};
		const bodyOf = async (...args: Parameters<typeof send>) => JSON.parse(await (await send(...args)).text());
		const own = (metric: string) => `${metric}{process="prometheus"}`;

		beforeAll(async () => {
			await target().people.setRole(tenants.a.schemaName, tenants.a.email, 'administrator', byTool);
			token = await signIn(target(), 'a');
			const { clientId, secret } = await post('/saveMachine', { name: 'Grafana', role: 'viewer' });
			basic = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
			end = Math.floor(Date.now() / minuteMs) * minuteMs;
			const samples = [...Array(20).keys()]
				.filter((minute) => minute !== 4)
				.flatMap((minute) => {
					// One in the middle of each minute, from the last whole one back.
					const at = end - minute * minuteMs - minuteMs / 2;
					return [`prom/flow value=${minute} ${at}`, `prom/byte value=${minute % 2 === 0 ? 129 : 1} ${at}`];
				});
			await target().feed('plant_a', [...samples, `prom/flow value=0 ${end}`, `prom/byte value=128 ${end}`].join('\n'));
			const common = { process: 'prometheus' };
			const queries = (name: string, topic: string) => ({ [name]: makeQuery({ calc_topic: topic }) });
			flow = (await post('/saveVariable', makeBody({ ...common, name: 'Flow "ñ"', varsTsdb: queries('Flow "ñ"', 'prom/flow') })))
				.id;
			byte = (await post('/saveVariable', makeBitsBody({ ...common, varsTsdb: queries('Flow', 'prom/byte') }))).id;
			unread = (await post('/saveVariable', makeBody({ ...common, unit: '', varsTsdb: queries('Flow', 'prom/none') }))).id;
		});

		const valueLabels = () => ({
			__name__: 'caudal_value',
			id: String(flow),
			name: 'Flow "ñ"',
			process: 'prometheus',
			unit: 'L/s',
		});
		const bitLabels = (bit: number, state: string) => ({
			...{ __name__: 'caudal_bit', id: String(byte), name: 'Flow', process: 'prometheus' },
			...{ bit: String(bit), state },
		});

		test('answers current readings with their quality, and leaves out what has no number', async () => {
			const { status, data } = await bodyOf('query', { query: own('caudal_value') });
			expect([status, data.resultType]).toEqual(['success', 'vector']);
			expect(data.result).toEqual([
				{ metric: { ...valueLabels(), quality: expect.any(String) }, value: [expect.any(Number), '0'] },
				{
					metric: { ...valueLabels(), id: String(byte), name: 'Flow', quality: expect.any(String) },
					value: [expect.any(Number), '128'],
				},
			]);
			const { quality } = data.result[0].metric;
			expect(Math.abs(data.result[0].value[0] - Date.now() / 1000)).toBeLessThan(60);
			const same = await bodyOf('query', { query: `caudal_value{id="${flow}", quality="${quality}"}` });
			expect(same.data.result).toHaveLength(1);
			const other = await bodyOf('query', { query: `caudal_value{id="${flow}", quality!="${quality}"}` });
			expect(other.data.result).toEqual([]);
			expect((await bodyOf('query', { query: `{id="${unread}"}` })).data.result).toEqual([]);
		});

		test('answers the states of bits', async () => {
			const { data } = await bodyOf('query', { query: own('caudal_bit') });
			expect(data.result.map(({ metric, value }: { metric: object; value: readonly unknown[] }) => [metric, value[1]])).toEqual([
				[{ ...bitLabels(0, 'Pump 1'), quality: expect.any(String) }, '0'],
				[{ ...bitLabels(7, 'Alarm'), quality: expect.any(String) }, '1'],
			]);
		});

		test('answers windows at their ends, and no point where there is a gap', async () => {
			const range = { start: String(end / 1000 - 300), end: new Date(end).toISOString(), step: '1m' };
			const { data } = await bodyOf('query_range', { query: own('caudal_value'), ...range });
			expect(data).toEqual({
				resultType: 'matrix',
				result: [
					{
						metric: valueLabels(),
						// The window that ended 4 minutes ago has no sample.
						values: [300, 180, 120, 60, 0].map((ago) => [end / 1000 - ago, String(ago / 60)]),
					},
					{
						metric: { ...valueLabels(), id: String(byte), name: 'Flow' },
						values: [300, 180, 120, 60, 0].map((ago) => [end / 1000 - ago, (ago / 60) % 2 === 0 ? '129' : '1']),
					},
				],
			});
			const bits = await bodyOf('query_range', { query: `caudal_bit{id="${byte}", bit="7"}`, ...range });
			expect(bits.data.result).toEqual([
				{
					metric: bitLabels(7, 'Alarm'),
					values: [300, 180, 120, 60, 0].map((ago) => [end / 1000 - ago, (ago / 60) % 2 === 0 ? '1' : '0']),
				},
			]);
		});

		test('answers a start beside the steps by the window before each point, and nothing of the future', async () => {
			const range = { start: String(end / 1000 - 130), end: String(end / 1000 + 3600), step: '60' };
			const { data } = await bodyOf('query_range', { query: `{id="${flow}"}`, ...range });
			expect(data.result[0].values.slice(0, 2)).toEqual([
				[end / 1000 - 130, '3'],
				[end / 1000 - 70, '2'],
			]);
			expect(data.result[0].values.at(-1)[0]).toBeLessThanOrEqual(Date.now() / 1000);
			const later = { start: String(end / 1000 + 3600), end: String(end / 1000 + 7200), step: '60' };
			expect((await bodyOf('query_range', { query: `{id="${flow}"}`, ...later })).data).toEqual({
				resultType: 'matrix',
				result: [],
			});
			expect((await bodyOf('query', { query: `{id="${flow}"}`, time: String(end / 1000 + 7200) })).data.result).toEqual([]);
		});

		test('answers the last step of an end beside the steps, too', async () => {
			const valuesOf = async (start: number, last: number) => {
				const range = { start: String(end / 1000 - start), end: String(end / 1000 - last), step: '60' };
				return (await bodyOf('query_range', { query: `{id="${flow}"}`, ...range })).data.result[0]?.values;
			};
			const expected = [
				[end / 1000 - 130, '3'],
				[end / 1000 - 70, '2'],
				[end / 1000 - 10, '1'],
			];
			expect(await valuesOf(130, 10)).toEqual(expected);
			expect(await valuesOf(130, 5)).toEqual(expected);
			expect(await valuesOf(70, 70)).toEqual(expected.slice(1, 2));
		});

		test('answers a moment of the past by the newest whole minute before it', async () => {
			const at = async (seconds: number) =>
				(await bodyOf('query', { query: `caudal_value{id="${flow}"}`, time: String(seconds) })).data.result;
			const ago = (minutes: number, value: string) => [
				{ metric: { ...valueLabels(), quality: 'good' }, value: [end / 1000 - minutes * 60, value] },
			];
			expect(await at(end / 1000 - 600)).toEqual(ago(10, '10'));
			expect(await at(end / 1000 - 570)).toEqual(ago(9.5, '10'));
			expect(await at(end / 1000 - 541)).toEqual(ago(541 / 60, '10'));
			// The window that ends then is empty.
			expect(await at(end / 1000 - 240)).toEqual(ago(4, '5'));
			expect(await at(end / 1000 - 86_400)).toEqual([]);
			expect(await at(0)).toEqual([]);
			expect(await at(-5e9)).toEqual([]);
			const early = { query: `{id="${flow}"}`, start: '-120', end: '120', step: '6e1' };
			expect((await bodyOf('query_range', early)).data.result).toEqual([]);
		});

		test('answers series, labels, their values and metadata', async () => {
			const matched: [string, string][] = [
				['match[]', own('caudal_value')],
				['match[]', own('caudal_bit')],
			];
			const { data: series } = await bodyOf('series', matched);
			expect(series).toEqual([
				valueLabels(),
				{ ...valueLabels(), id: String(byte), name: 'Flow' },
				bitLabels(0, 'Pump 1'),
				bitLabels(7, 'Alarm'),
				expect.objectContaining({ id: String(unread) }),
			]);
			// A label without text is none.
			expect(series.at(-1)).not.toHaveProperty('unit');
			expect((await bodyOf('series', [...matched, ['limit', '2']])).data).toEqual(series.slice(0, 2));
			const names = ['__name__', 'bit', 'id', 'name', 'process', 'state', 'unit'];
			expect((await bodyOf('labels', [...matched, ['start', '0'], ['end', String(end / 1000)]])).data).toEqual(names);
			const values = async (label: string) => (await bodyOf(`label/${label}/values`, matched)).data;
			expect(await values('name')).toEqual(['Flow', 'Flow "ñ"']);
			expect(await values('state')).toEqual(['Alarm', 'Pump 1']);
			expect(await values('__name__')).toEqual(['caudal_bit', 'caudal_value']);
			expect(await values('constructor')).toEqual([]);
			expect((await bodyOf('label/process/values')).data).toContain('prometheus');
			expect((await bodyOf('metadata', { metric: 'caudal_value' })).data).toEqual({
				caudal_value: [{ type: 'gauge', help: expect.any(String), unit: '' }],
			});
			expect(Object.keys((await bodyOf('metadata')).data)).toEqual(['caudal_value', 'caudal_bit']);
		});

		test('takes the parameters in a form, and HEAD', async () => {
			const body = new URLSearchParams({
				query: `caudal_value{id="${flow}"}`,
				start: String(end / 1000 - 60),
				end: String(end / 1000),
				step: '60',
			});
			const posted = await bodyOf('query_range', {}, { method: 'POST', body });
			expect(posted.data.result).toMatchObject([
				{
					values: [
						[end / 1000 - 60, '1'],
						[end / 1000, '0'],
					],
				},
			]);
			for (const headers of [{ 'content-encoding': 'gzip' }, { 'content-type': 'text/plain' }]) {
				const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
				const refused = await send('query', {}, { method: 'POST', headers: form, body: 'query=1' });
				expect([refused.status, await refused.json()]).toEqual([
					400,
					{ status: 'error', errorType: 'bad_data', error: expect.stringContaining('Content-Encoding') },
				]);
			}
			expect((await bodyOf('query', { query: '1' }, { method: 'POST' })).status).toBe('success');
			const head = await send('labels', {}, { method: 'HEAD' });
			expect([head.status, await head.text()]).toEqual([200, '']);
		});

		test('answers what Grafana sends to test a source, and which API this is', async () => {
			expect(
				await bodyOf('query', {}, { method: 'POST', body: new URLSearchParams({ query: '1+1', time: '4', timeout: '60s' }) }),
			).toEqual({
				status: 'success',
				data: { resultType: 'scalar', result: [4, '2'] },
			});
			const constant = await bodyOf('query_range', { query: '2 * (3 - 1)', start: '0', end: '60', step: '30' });
			expect(constant.data.result).toEqual([
				{
					metric: {},
					values: [
						[0, '4'],
						[30, '4'],
						[60, '4'],
					],
				},
			]);
			const { data } = await bodyOf('status/buildinfo');
			expect(data).toMatchObject({
				version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
				revision: expect.stringContaining('caudal'),
			});
			// Grafana takes a source with features for Mimir.
			expect(data).not.toHaveProperty('features');
		});

		test.each([
			['query', {}, 400, 'bad_data', 'invalid parameter "query"'],
			['query', { query: 'rate(caudal_value[5m])' }, 400, 'bad_data', 'only selectors'],
			['query', { query: '1 / 0' }, 400, 'bad_data', 'parse error'],
			['query', { query: 'max(1, 2)' }, 400, 'bad_data', 'only selectors'],
			['query', { query: '1 <= 2' }, 400, 'bad_data', 'only selectors'],
			['query', { query: 'caudal_value', time: 'yesterday' }, 400, 'bad_data', 'invalid parameter "time"'],
			['query', { query: 'caudal_value', time: '1e300' }, 400, 'bad_data', 'invalid parameter "time"'],
			['query_range', { query: 'caudal_value', start: '0', end: '60' }, 400, 'bad_data', 'invalid parameter "step"'],
			['query_range', { query: 'caudal_value', start: '0', end: '60', step: '0' }, 400, 'bad_data', 'invalid parameter "step"'],
			['query_range', { query: 'caudal_value', start: '0', end: '60', step: '5x' }, 400, 'bad_data', 'invalid parameter "step"'],
			[
				'query_range',
				{ query: 'caudal_value', start: '60', end: '0', step: '5' },
				400,
				'bad_data',
				'end timestamp must not be before start',
			],
			[
				'query_range',
				{ query: 'caudal_value', start: '0', end: '60000', step: '1' },
				400,
				'bad_data',
				'exceeded maximum resolution of 11000 points',
			],
			[
				'query_range',
				{ query: 'caudal_value{quality="good"}', start: '0', end: '60', step: '5' },
				400,
				'bad_data',
				'quality is a label of instant queries only',
			],
			['series', {}, 400, 'bad_data', 'no match[] parameter provided'],
			['labels', { 'match[]': '{' }, 400, 'bad_data', 'parse error'],
			['labels', { limit: '-1' }, 400, 'bad_data', 'invalid parameter "limit"'],
			['rules', {}, 404, 'not_found', 'There is no rules'],
			['label/a/b/values', {}, 404, 'not_found', 'There is no label/a/b/values'],
		] as const)('refuses %s with %o', async (path, parameters, status, errorType, error) => {
			const response = await send(path, parameters);
			expect(response.status).toBe(status);
			expect(await response.json()).toEqual({ status: 'error', errorType, error: expect.stringContaining(error) });
		});

		test('needs credentials, and shows no other tenant', async () => {
			expect((await send('labels', {}, { headers: { authorization: '' } })).status).toBe(401);
			const other = { headers: { authorization: `Bearer ${await signIn(target(), 'b')}` } };
			expect((await bodyOf('series', { 'match[]': own('caudal_value') }, other)).data).toEqual([]);
			expect((await bodyOf('query', { query: `{id="${flow}", process="prometheus"}` }, other)).data.result).toEqual([]);
		});
	});
};
