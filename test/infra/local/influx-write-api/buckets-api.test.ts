import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSeriesTables } from '#infra/local/adapters/sqlite-time-series/tables.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { startLocal, writeToken } from '#test/support/servers/local.ts';

let directory: string;
let local: LocalServer;
beforeEach(async () => {
	directory = mkdtempSync(join(tmpdir(), 'caudal-'));
	local = await startLocal({ STATE_DIR: directory });
});
afterEach(async () => {
	await local.close();
	rmSync(directory, { recursive: true, force: true });
});

const send = async (method: string, path: string, body?: string, token = writeToken) => {
	const headers = { authorization: `Token ${token}` };
	const response = await fetch(`${local.baseUrl}${path}`, { method, headers, ...(body !== undefined && { body }) });
	const text = await response.text();
	return [response.status, text === '' ? undefined : JSON.parse(text)];
};
const create = (body: unknown, token?: string) => send('POST', '/api/v2/buckets', JSON.stringify(body), token);
const write = async (bucket: string) => (await send('POST', `/api/v2/write?bucket=${bucket}`, 'm f=1'))[0];

test('a bucket can be written to once it was created, also after a restart', async () => {
	expect(await write('new')).toBe(404);
	expect(await create({ orgID: '1', name: 'new', retentionRules: [] })).toEqual([
		201,
		{ id: expect.stringMatching(/^[0-9a-f]{16}$/), type: 'user', name: 'new', retentionRules: [] },
	]);
	expect(await create({ name: 'new' })).toEqual([422, { code: 'conflict', message: 'bucket with name new already exists' }]);
	expect([await write('new'), await write('New')]).toEqual([204, 404]);
	await create({ name: 'empty' });
	await local.close();
	local = await startLocal({ STATE_DIR: directory });
	expect([await write('new'), await write('empty'), await write('other')]).toEqual([204, 204, 404]);
});

test('the databases of the demo, of owners, and those that were written before are known', async () => {
	expect([await write('plant_a'), await write('plant_b'), await write('plant_z')]).toEqual([204, 204, 404]);
	await local.service.series.write('before', []);
	expect(await write('before')).toBe(404);
	const value = { kind: 'float', value: 1 } as const;
	await local.service.series.write('before', [{ measurement: 'm', tags: '[]', field: 'f', value, timeNs: 1n }]);
	// Its last sample is deleted, and the bucket stays.
	await local.service.series.sweep(Date.now());
	expect(await write('before')).toBe(204);
});

test('the databases of a file of an earlier version are known', async () => {
	const file = join(directory, 'earlier.db');
	const earlier = openSeriesTables(file);
	earlier.exec("DROP TABLE bucket; INSERT INTO series VALUES (1, 'old', 'm', 'f', '[]', 1), (2, 'old', 'm', 'g', '[]', 1)");
	earlier.close();
	const opened = openSeriesTables(file);
	expect(opened.prepare('SELECT name FROM bucket').all()).toEqual([{ name: 'old' }]);
	opened.close();
});

test.each([
	['no JSON', 'x'],
	['no name', '{}'],
	['an empty name', '{"name":""}'],
	['a long name', JSON.stringify({ name: 'x'.repeat(201) })],
])('refuses a bucket with %s', async (_, body) => {
	expect(await send('POST', '/api/v2/buckets', body)).toEqual([400, { code: 'invalid', message: expect.any(String) }]);
});

test('wants the token for buckets and organisations, and knows any organisation by the same id', async () => {
	expect((await create({ name: 'new' }, 'wrong'))[0]).toBe(401);
	expect((await send('GET', '/api/v2/orgs?org=x', undefined, 'wrong'))[0]).toBe(401);
	const [status, body] = await send('GET', '/api/v2/orgs?org=x');
	expect([status, body]).toEqual([200, { orgs: [{ id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'x' }] }]);
	expect((await send('GET', '/api/v2/orgs?org=x'))[1]).toEqual(body);
	expect([(await send('GET', '/api/v2/buckets'))[0], (await send('POST', '/api/v2/orgs', '{}'))[0]]).toEqual([405, 405]);
});
