import { beforeAll, describe, expect, test } from 'vitest';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { call, callOk, callUntilFree, signIn, type Target } from './target.ts';

/** Saving, listing and deleting variables (shared/domain/variable/README.md#fields and shared/domain/variable/README.md#kinds). */
export const variablesSuite = (target: () => Target): void => {
	describe('variables', () => {
		let token: string;
		beforeAll(async () => {
			token = await signIn(target(), 'b');
		});

		const post = (path: string, body?: unknown) => call(target(), 'POST', path, { token, body });
		const list = async () => (await call(target(), 'GET', '/getVarsTsdb', { token })).body.data;
		const save = async (body: unknown) => (await callOk(target(), 'POST', '/saveVariable', { token, body })).data;
		const find = async (id: number) => (await list()).find((each: { id: number }) => each.id === id);

		test.each([
			['simple', makeBody()],
			['calculated', makeCalculatedBody('( a + b ) * 100 / c')],
			['bit-compressed', makeBitsBody()],
			['named __proto__', makeBody({ name: '__proto__' })],
			['calculated over names of Object.prototype', makeCalculatedBody('constructor + __proto__ - toString')],
		])('returns a variable as stored, and lists the same: %s', async (_, body) => {
			const saved = await save({ ...body, unknown: 1, equation: body['equation'] ?? [], bits: body['bits'] ?? [{ id: 'no' }] });
			expect(saved).toEqual({ ...body, id: saved.id, version: 1 });
			expect(saved.id).toBeGreaterThan(0);
			expect(await find(saved.id)).toEqual(saved);
			expect('equation' in saved).toBe(body['calc'] === true);
			expect('bits' in saved).toBe(body['binary_compressed'] === true);
		});

		test('binary_compressed is false by default and always listed', async () => {
			const { binary_compressed: _, ...body } = makeBody();
			expect((await save(body)).binary_compressed).toBe(false);
		});

		test('the lookback unit is listed under the field name that the client sent', async () => {
			const { calc_unit: unit, ...rest } = makeQuery();
			const saved = await save(makeBody({ varsTsdb: { Flow: { ...rest, calc_unit_topic: unit } } }));
			expect(saved.varsTsdb.Flow).toEqual({ ...rest, calc_unit_topic: unit });
		});

		test('an existing id is updated, an unknown id is refused with 404', async () => {
			const saved = await save(makeBody());
			const updated = await save({ ...saved, unit: 'm3/h' });
			expect(updated).toEqual({ ...saved, unit: 'm3/h', version: 2 });
			expect(await find(saved.id)).toEqual(updated);
			const { status, body } = await post('/saveVariable', makeBody({ id: 987654 }));
			expect(status).toBe(404);
			expect(body).toEqual({ id: errorEntry('not_found') });
		});

		test('lists by ascending id', async () => {
			const ids = (await list()).map(({ id }: { id: number }) => id);
			expect(ids).toEqual([...ids].sort((a: number, b: number) => a - b));
			expect(new Set(ids).size).toBe(ids.length);
		});

		test('deletes once, and never gives the id again', async () => {
			const { id } = await save(makeBody());
			expect((await post(`/deleteVar/${id}?dryRun=1`)).body).toEqual({ data: { tsdbVar: true, usages: [] } });
			expect(await find(id)).toBeDefined();
			expect((await post(`/deleteVar/${id}`)).body).toEqual({ data: { tsdbVar: true } });
			expect((await post(`/deleteVar/${id}`)).body).toEqual({ data: { tsdbVar: false } });
			expect((await post(`/deleteVar/${id}?dryRun=1`)).body).toEqual({ data: { tsdbVar: false, usages: [] } });
			expect(await find(id)).toBeUndefined();
			expect((await post('/saveVariable', makeBody({ id }))).status).toBe(404);
			expect((await save(makeBody())).id).toBeGreaterThan(id);
		});

		test('a dry run returns the variable and its reading, and stores nothing', async () => {
			const before = await list();
			const { status, body } = await post('/saveVariable?dryRun=1', makeBody({ name: 'Dry' }));
			expect(status).toBe(200);
			expect(body.data.variable).toEqual({ ...makeBody({ name: 'Dry' }), id: 0, version: 1 });
			expect(body.data.reading).toMatchObject({ id: 0, name: 'Dry', quality: 'no_data', value: null });
			expect((await post('/saveVariable?dryRun=1', makeBody({ process: '' }))).status).toBe(400);
			expect((await post('/saveVariable?dryRun=1', makeBody({ id: 987654 }))).status).toBe(404);
			expect(await list()).toEqual(before);
		});

		test.each(['true', '', 'yes', '1,1'])('refuses dryRun=%s and neither saves nor deletes', async (value) => {
			const before = await list();
			for (const path of ['/saveVariable', `/deleteVar/${before[0].id}`]) {
				const { status, body } = await post(`${path}?dryRun=${value}`, path === '/saveVariable' ? makeBody() : undefined);
				expect(status).toBe(400);
				expect(Object.keys(body)).toEqual(['dryRun']);
			}
			expect(await list()).toEqual(before);
		});

		test.each(['0', '-1', '1.5', 'abc', '9007199254740992', '01', '1e3', '%31%20'])('refuses /deleteVar/%s', async (id) => {
			const { status, body } = await post(`/deleteVar/${id}`);
			expect(status).toBe(400);
			expect(body).toEqual({ id: errorEntry('bad_path_id') });
		});

		test('refuses a variable that needs more windows than one request may read', async () => {
			const names = Array.from({ length: 11 }, (_, index) => `i${index}`);
			const query = makeQuery({ calc_time: 9999, calc_period: 1 });
			const varsTsdb = Object.fromEntries(names.map((name) => [name, { ...query, calc_topic: name }]));
			for (const path of ['/saveVariable', '/saveVariable?dryRun=1']) {
				const { status, body } = await post(path, makeCalculatedBody(names.join(' + '), { type: 'history', varsTsdb }));
				expect([status, body]).toEqual([400, { varsTsdb: errorEntry('variable_too_large', expect.stringContaining('110,000')) }]);
			}
		});

		test('a dry run of a deletion checks the body and If-Match', async () => {
			const { id } = await save(makeBody());
			const send = (body: string, headers: Record<string, string>) =>
				call(target(), 'POST', `/deleteVar/${id}?dryRun=1`, { token, body, headers });
			expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(415);
			expect((await send('{', {})).status).toBe(400);
			expect((await send('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
			expect((await send('{}', { 'if-match': '"2"' })).status).toBe(412);
			expect((await send('{}', { 'if-match': '"1"' })).body.data.tsdbVar).toBe(true);
		});

		test('takes null for a body of a deletion, and for an optional field', async () => {
			const { id } = await save({
				...makeBody(),
				binary_compressed: null,
				varsTsdb: { Flow: { ...makeQuery(), calc_unit_topic: null } },
			});
			expect(await find(id)).toEqual({ ...makeBody(), id, version: 1 });
			expect((await post(`/deleteVar/${id}`, 'null')).body).toEqual({ data: { tsdbVar: true } });
			expect((await call(target(), 'POST', '/deleteChart/987654', { token, body: 'null' })).status).toBe(200);
			expect((await post('/multipleDataTsdb', { ids: null })).body.data).toHaveLength((await list()).length);
		});

		test('saves a variable without a unit, and removes the outer blanks of its name', async () => {
			const saved = await save(makeBody({ name: ' pH\t', unit: '' }));
			expect(saved).toEqual({ ...makeBody({ name: 'pH', unit: '' }), id: saved.id, version: 1 });
			expect((await post('/saveVariable', makeBody({ name: ' ' }))).body).toEqual({ name: errorEntry('empty') });
		});

		test('refuses bits without binary_compressed for a variable that has bits, and changes its kind with false', async () => {
			const saved = await save(makeBitsBody());
			const { binary_compressed: _, ...unclear } = saved;
			for (const path of ['/saveVariable', '/saveVariable?dryRun=1']) {
				const { status, body } = await post(path, unclear);
				expect([status, body]).toEqual([400, { binary_compressed: errorEntry('compression_unclear') }]);
			}
			expect(await find(saved.id)).toEqual(saved);
			const { bits: _bits, ...plain } = unclear;
			expect(await save({ ...unclear, binary_compressed: false })).toEqual({ ...plain, binary_compressed: false, version: 2 });
			expect(await save(unclear)).toMatchObject({ binary_compressed: false, version: 2 });
		});

		test('twenty concurrent saves are all stored, each with its own id', async () => {
			const before = (await list()).length;
			const saves = Array.from({ length: 20 }, () => callUntilFree(() => post('/saveVariable', makeBody())));
			const ids = (await Promise.all(saves)).map(({ body }) => body.data.id);
			expect(new Set(ids).size).toBe(20);
			expect(await list()).toHaveLength(before + 20);
		});
	});
};
