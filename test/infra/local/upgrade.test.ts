import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tablesVersion } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { call, type HttpResponse, signIn, tenants } from '#test/e2e/target.ts';
import { startLocal } from '#test/support/servers/local.ts';

/**
 * A state directory that commit 909af96 wrote: plant_b has four variables, a chart, a diagram, an alarm, a panel, samples and an
 * idempotency key; `expected.json` is what that commit answered at `now`. Its signing key signs nothing else.
 */
const fixture = 'test/data/state-909af96';
const expected = JSON.parse(readFileSync(join(fixture, 'expected.json'), 'utf8'));

describe('a state directory of an older version', () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-upgrade-'));
	let local: LocalServer;
	let token: string;
	const target = () => ({ baseUrl: local.baseUrl, feed: async () => undefined, close: local.close });
	const get = async (path: string) => (await call(target(), 'GET', path, { token })).body;
	const post = (path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
		call(target(), 'POST', path, { token, body, headers });
	const start = async () => {
		local = await startLocal({ STATE_DIR: directory }, () => expected.now);
		token = await signIn(target(), 'b');
	};
	beforeAll(async () => {
		for (const name of ['caudal.db', 'series.db']) copyFileSync(join(fixture, name), join(directory, name));
		await start();
	});
	afterAll(async () => {
		await local.close();
		rmSync(directory, { recursive: true, force: true });
	});

	test('lists and reads what it held', async () => {
		const paths = {
			variables: '/getVarsTsdb',
			charts: '/getCharts',
			diagrams: '/getDiagrams',
			alarms: '/getAlarms',
			panel: '/bombs',
		};
		for (const [name, path] of Object.entries(paths)) expect(await get(path), path).toMatchObject(expected[name]);
		expect(await get('/usages/1')).toMatchObject(expected.usages);
		expect((await post('/multipleDataTsdb')).body).toMatchObject(expected.readings);
		expect(await local.service.users.list()).toMatchObject(expected.users);
	});

	test('keeps everybody an engineer', async () => {
		const { body } = await call(target(), 'POST', '/loginSso', { body: tenants.b });
		expect(body.user).toMatchObject({ email: tenants.b.email, role: 'engineer' });
		const people = await local.service.people.list(tenants.b.schemaName);
		expect(people.map(({ email, role }) => [email, role])).toEqual([[tenants.b.email, 'engineer']]);
	});

	test('evaluates the alarm that it held, on the database of its tenant', async () => {
		const listing = async () => (await call(target(), 'GET', '/getAlarms', { token })).body;
		expect((await listing()).evaluation.unbound).toBe(0);
		await expect.poll(async () => (await listing()).data[0].state, { timeout: 10_000 }).not.toBeNull();
	});

	test('limits failed sign-ins; those from before the upgrade no longer count', async () => {
		const body = { ...tenants.b, email: 'nobody@plant-b.example', tokenApp: 'x' };
		const statuses: number[] = [];
		for (let attempt = 0; attempt < 11; attempt += 1) statuses.push((await call(target(), 'POST', '/loginSso', { body })).status);
		expect(statuses.slice(9)).toEqual([401, 429]);
	});

	test('answers a retry of a request from before, and stores it once', async () => {
		const [, { id, name, unit, type, process, varsTsdb }] = expected.variables.data;
		// The text that was sent then: a retry repeats it to the byte.
		const body = { id: 0, unit, type, process, calc: false, name, varsTsdb };
		const { status, body: answer } = await post('/saveVariable', body, { 'idempotency-key': 'trend-1' });
		expect([status, answer.data]).toMatchObject([200, { id, name, version: 1 }]);
		expect((await get('/getVarsTsdb')).data).toHaveLength(4);
	});

	test('takes saves and deletions, and keeps them', async () => {
		const [level, , flow] = expected.variables.data;
		const saved = await post('/saveVariable', { ...level, process: 'tanks' }, { 'if-match': '"2"' });
		expect([saved.status, saved.body.data?.version]).toEqual([200, 3]);
		const created = await post('/saveVariable', { ...flow, id: 0 });
		expect(created.body.data.id).toBe(9);
		const [chart] = expected.charts.data;
		expect((await post('/saveChart', { ...chart, title: 'Wells' })).body.data).toMatchObject({
			id: 6,
			title: 'Wells',
			version: 3,
		});
		expect((await post('/saveDiagram', expected.diagrams.data[0])).body.data).toMatchObject({ id: 7, version: 1 });
		expect((await post('/saveAlarm', { ...expected.alarms.data[0], id: 0 })).status).toBe(200);
		const { title, pumps, states } = expected.panel.data;
		expect((await post('/bombs', { title: `${title} 2`, pumps, states })).status).toBe(200);
		expect((await post('/deleteVar/2')).body).toEqual({ data: { tsdbVar: true } });
		expect((await get('/getCharts')).data[0].series).toEqual([{ varId: 3 }]);
		await local.close();
		await start();
		const ids = (await get('/getVarsTsdb')).data.map(({ id }: { id: number }) => id);
		expect(ids).toEqual([1, 3, 4, 9]);
		expect((await get('/bombs')).data.title).toBe('Pumps 2');
	});

	test('is copied once before it is changed', () => {
		const folders = readdirSync(directory).filter((name) => name.startsWith('before-'));
		expect(folders).toEqual([expect.stringMatching(/^before-\d+\.\d+\.\d+(-dev)?-[\dT.-]+Z$/)]);
		const [folder = ''] = folders;
		const contentsOf = (file: string) => {
			const database = new DatabaseSync(file);
			const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
			const rows = database.prepare('SELECT * FROM row ORDER BY schema, kind, id').all();
			database.close();
			return { tables, rows };
		};
		const untouched = join(directory, 'untouched.db');
		copyFileSync(join(fixture, 'caudal.db'), untouched);
		expect(contentsOf(join(directory, folder, 'caudal.db'))).toEqual(contentsOf(untouched));
		expect(contentsOf(join(directory, 'caudal.db')).tables).not.toEqual(contentsOf(untouched).tables);
		expect(statSync(join(directory, folder)).mode & 0o777).toBe(0o700);
	});

	test('is private and of the current version afterwards', async () => {
		expect(statSync(directory).mode & 0o777).toBe(0o700);
		for (const name of ['caudal.db', 'series.db', 'lock.db']) {
			const file = join(directory, name);
			expect(statSync(file).mode & 0o777, name).toBe(0o600);
			if (name === 'lock.db') continue;
			const database = new DatabaseSync(file);
			expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: tablesVersion });
			database.close();
		}
	});
});

describe('a service whose state is locked by another process', () => {
	test('refuses writes with 503 and Retry-After, and answers reads meanwhile', async () => {
		const directory = mkdtempSync(join(tmpdir(), 'caudal-locked-'));
		const local = await startLocal({ STATE_DIR: directory });
		const target = { baseUrl: local.baseUrl, feed: async () => undefined, close: local.close };
		const token = await signIn(target, 'a');
		const other = new DatabaseSync(join(directory, 'caudal.db'), { timeout: 0 });
		other.exec('BEGIN IMMEDIATE');
		const body = expected.variables.data[0];
		for (const headers of [{}, { 'idempotency-key': 'k' }]) {
			const answers: number[] = [];
			const note = (response: HttpResponse) => {
				answers.push(response.status);
				return response;
			};
			const [written] = await Promise.all([
				call(target, 'POST', '/saveVariable', { token, headers, body: { ...body, id: 0 } }).then(note),
				call(target, 'GET', '/getVarsTsdb', { token }).then(note),
				call(target, 'GET', '/health').then(note),
			]);
			// Neither read waits for the write.
			expect(answers).toEqual([200, 200, 503]);
			expect(written.headers.get('retry-after')).toBe('1');
		}
		other.exec('ROLLBACK');
		other.close();
		expect((await call(target, 'POST', '/saveVariable', { token, body: { ...body, id: 0 } })).status).toBe(200);
		await local.close();
		rmSync(directory, { recursive: true, force: true });
	});
});
