import { beforeAll, describe, expect, test } from 'vitest';
import { makeBody, makePanel } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { apiGateway, type CallOptions, call, callUntilFree, type Gateway, signIn, type Target } from './target.ts';

/**
 * Idempotency-Key and If-Match (shared/adapters/dynamo/README.md#rows-and-their-versions and
 * shared/domain/transaction/README.md#idempotency).
 */
export const retriesSuite = (target: () => Target, { maxConcurrency }: Gateway = apiGateway): void => {
	describe('retries and concurrent changes', () => {
		let token: string;
		let other: string;
		let keys = 0;
		beforeAll(async () => {
			token = await signIn(target(), 'b');
			other = await signIn(target(), 'a');
		});
		const newKey = (): string => {
			keys += 1;
			return `key-${Date.now()}-${keys}`;
		};
		const request = (method: string, path: string, options: CallOptions = {}) =>
			call(target(), method, path, { token, ...options });
		const post = (path: string, body?: unknown, headers: Record<string, string> = {}) => request('POST', path, { body, headers });
		const withUnit = async (unit: string) =>
			(await request('GET', '/getVarsTsdb')).body.data.filter((each: { unit: string }) => each.unit === unit);

		test('a retry gets the first response and changes nothing', async () => {
			const headers = { 'idempotency-key': newKey() };
			const body = makeBody({ unit: 'once' });
			const first = await post('/saveVariable', body, headers);
			const again = await post('/saveVariable', body, headers);
			expect([again.status, again.text, again.headers.get('etag')]).toEqual([200, first.text, '"1"']);
			expect([first, again].map(({ headers: each }) => each.get('idempotent-replayed'))).toEqual([null, 'true']);
			expect(await withUnit('once')).toHaveLength(1);
			const { id } = first.body.data;
			const deletion = { 'idempotency-key': newKey() };
			expect((await post(`/deleteVar/${id}`, undefined, deletion)).body).toEqual({ data: { tsdbVar: true } });
			expect((await post(`/deleteVar/${id}`, undefined, deletion)).body).toEqual({ data: { tsdbVar: true } });
			expect((await post(`/deleteVar/${id}`)).body).toEqual({ data: { tsdbVar: false } });
			expect((await post('/saveVariable', body, headers)).text).toBe(first.text);
			expect(await withUnit('once')).toHaveLength(0);
		});

		test('one of several concurrent requests with one key is executed, and the others get its response or a 409', async () => {
			const headers = { 'idempotency-key': newKey() };
			const body = makeBody({ unit: 'many at once' });
			const answers = await Promise.all(Array.from({ length: 20 }, () => post('/saveVariable', body, headers)));
			expect(await withUnit('many at once')).toHaveLength(1);
			const texts = new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text));
			expect(texts.size).toBe(1);
			for (const { status, body: answer } of answers) {
				expect([200, 409]).toContain(status);
				if (status === 409) expect(Object.keys(answer)).toEqual(['Idempotency-Key']);
			}
		});

		test('a key with a different body is refused', async () => {
			const headers = { 'idempotency-key': newKey() };
			await post('/saveVariable', makeBody({ unit: 'first body' }), headers);
			const { status, body } = await post('/saveVariable', makeBody({ unit: 'second body' }), headers);
			expect([status, Object.keys(body)]).toEqual([409, ['Idempotency-Key']]);
			expect(await withUnit('second body')).toEqual([]);
		});

		test('an error releases the key: the corrected request is executed', async () => {
			const headers = { 'idempotency-key': newKey() };
			expect((await post('/saveVariable', makeBody({ id: 987654 }), headers)).status).toBe(404);
			expect((await post('/saveVariable', makeBody({ unit: 'corrected' }), headers)).status).toBe(200);
			expect(await withUnit('corrected')).toHaveLength(1);
		});

		test('a key of another tenant or another route is a different key', async () => {
			const headers = { 'idempotency-key': newKey() };
			const body = makeBody({ unit: 'apart' });
			await post('/saveVariable', body, headers);
			expect((await call(target(), 'POST', '/saveVariable', { token: other, body, headers })).body.data.version).toBe(1);
			expect((await post('/saveChart', { id: 0, title: 'C', series: [] }, headers)).status).toBe(200);
			await post('/saveVariable', body);
			expect(await withUnit('apart')).toHaveLength(2);
		});

		test('a dry run does not use the key', async () => {
			const headers = { 'idempotency-key': newKey() };
			const body = makeBody({ unit: 'dry' });
			expect((await post('/saveVariable?dryRun=1', body, headers)).body.data.variable.id).toBe(0);
			expect((await post('/saveVariable', body, headers)).body.data.version).toBe(1);
		});

		test.each([['a key with spaces'], ['k'.repeat(256)], ['']])('refuses the malformed key %j', async (key) => {
			for (const path of ['/saveVariable', '/saveVariable?dryRun=1', '/deleteVar/987654?dryRun=1']) {
				const { status, body } = await post(path, path.startsWith('/save') ? makeBody() : undefined, { 'idempotency-key': key });
				expect([path, status, Object.keys(body)]).toEqual([path, 400, ['Idempotency-Key']]);
			}
		});

		test('If-Match allows a change of the named versions only', async () => {
			const saved = await post('/saveVariable', makeBody({ unit: 'v1' }));
			const { id } = saved.body.data;
			const etag = saved.headers.get('etag') ?? '';
			expect(etag).toBe('"1"');
			const update = (unit: string, match: string) => post('/saveVariable', makeBody({ id, unit }), { 'if-match': match });
			expect((await update('v2', etag)).headers.get('etag')).toBe('"2"');
			const stale = await update('v3', etag);
			expect([stale.status, stale.body]).toEqual([
				412,
				{ request: errorEntry('version_mismatch', expect.stringContaining('2')) },
			]);
			expect((await update('v3', '"1", "2"')).status).toBe(200);
			expect((await update('v4', 'W/"3"')).status).toBe(412);
			expect((await update('v4', '*')).status).toBe(200);
			expect((await update('v5', 'nonsense')).status).toBe(400);
			expect((await withUnit('v4')).map(({ version }: { version: number }) => version)).toEqual([4]);
			expect((await post('/saveVariable', makeBody(), { 'if-match': '*' })).status).toBe(412);
			expect((await post(`/deleteVar/${id}`, undefined, { 'if-match': '"1"' })).status).toBe(412);
			expect((await post(`/deleteVar/${id}`, undefined, { 'if-match': '"4"' })).body).toEqual({ data: { tsdbVar: true } });
		});

		test('the panel and boards have a version and an ETag', async () => {
			const { id } = (await post('/saveVariable', makeBody())).body.data;
			const panel = await post('/bombs', makePanel(id));
			const { version } = panel.body.data;
			expect(panel.headers.get('etag')).toBe(`"${version}"`);
			expect((await request('GET', '/bombs')).headers.get('etag')).toBe(`"${version}"`);
			expect((await post('/bombs', makePanel(id), { 'if-match': `"${version + 1}"` })).status).toBe(412);
			const chart = await post('/saveChart', { id: 0, title: 'C', series: [{ varId: id }] });
			expect(chart.headers.get('etag')).toBe('"1"');
			expect((await post(`/deleteChart/${chart.body.data.id}`, undefined, { 'if-match': '"2"' })).status).toBe(412);
		});

		test('one of two concurrent changes of one version succeeds', async () => {
			const { id } = (await post('/saveVariable', makeBody())).body.data;
			const both = ['x', 'y'].map((unit) => post('/saveVariable', makeBody({ id, unit }), { 'if-match': '"1"' }));
			expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 412]);
		});

		test(`${maxConcurrency} concurrent saves are all stored, each once`, async () => {
			const answers = await Promise.all(
				Array.from({ length: maxConcurrency }, () => callUntilFree(() => post('/saveVariable', makeBody({ unit: 'parallel' })))),
			);
			expect(answers.map(({ status }) => status)).toEqual(Array(maxConcurrency).fill(200));
			const ids = answers.map(({ body }) => body.data.id);
			expect(new Set(ids).size).toBe(maxConcurrency);
			expect((await withUnit('parallel')).map(({ id }: { id: number }) => id)).toEqual(ids.sort((a, b) => a - b));
		});
	});
};
