import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { call, type HttpResponse, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { runProgram, startProgram } from '#test/support/process.ts';

const targetOf = (baseUrl: string): Target => ({ baseUrl, feed: async () => undefined, close: async () => undefined });

describe('npm start', () => {
	let directory: string;
	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-'));
	});
	afterAll(() => rmSync(directory, { recursive: true, force: true }));

	test('prints a banner with a token and a curl command that reads the plant', async () => {
		const { program, baseUrl } = await startProgram({ STATE_DIR: 'memory' });
		const text = program.output();
		// The console comes first of all addresses after the service's own.
		expect(text.match(/http:\S+/g)?.slice(0, 2)).toEqual([baseUrl, `${baseUrl}/console`]);
		expect(text).toContain(`${baseUrl}/idp`);
		expect(text).toContain(`${baseUrl}/api/v2/write`);
		expect(text).toContain(`${baseUrl}/docs`);
		const curl = /curl .*-d '(.*)' -H 'Authorization: Bearer ([\w.-]+)'/.exec(text);
		const { status, body } = await call(targetOf(baseUrl), 'POST', '/multipleDataTsdb', { token: curl?.[2], body: curl?.[1] });
		expect(status).toBe(200);
		expect(body.data).toHaveLength(3);
		for (const reading of body.data) expect(reading).toMatchObject({ quality: 'good', value: expect.any(Number) });
		program.child.kill('SIGINT');
		expect(await program.ended).toBe(0);
	});

	test.each([
		['an invalid setting', { PORT: 'http', CORS_ORIGINS: '*' }, /PORT must be .*CORS_ORIGINS must be/],
		['a state directory that cannot be created', { STATE_DIR: '/dev/null/state' }, /STATE_DIR \/dev\/null\/state cannot be used/],
		['nobody who may sign in', { DEMO_IDP: 'off' }, /Nobody could sign in: set OPENID_PROVIDERS/],
	])('prints one line and exits with 1: %s', async (_, environment, expected) => {
		const program = runProgram('infra/local/start.ts', [], { PORT: '0', ...environment });
		expect(await program.ended).toBe(1);
		expect(program.output().trimEnd().split('\n')).toEqual([expect.stringMatching(expected)]);
	});

	test('prints one line when the port is taken', async () => {
		const taken = createServer();
		await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
		const address = taken.address();
		const port = String(address !== null && typeof address === 'object' ? address.port : 0);
		const program = runProgram('infra/local/start.ts', [], { PORT: port, STATE_DIR: 'memory' });
		expect(await program.ended).toBe(1);
		expect(program.output().trimEnd().split('\n')).toEqual([expect.stringContaining(`PORT ${port} `)]);
		taken.close();
	});

	test('prints one line when the state directory is a file', async () => {
		const file = join(directory, 'file');
		writeFileSync(file, '');
		const program = runProgram('infra/local/start.ts', [], { PORT: '0', STATE_DIR: file });
		expect(await program.ended).toBe(1);
		expect(program.output().trimEnd().split('\n')).toHaveLength(1);
	});

	const filesOf = {
		text: (file: string) => writeFileSync(file, 'not a database\n'.repeat(1000)),
		sql: (statements: string) => (file: string) => {
			const database = new DatabaseSync(file);
			database.exec(statements);
			database.close();
		},
	};
	test.each([
		['caudal.db', 'is no database', filesOf.text, /caudal\.db is damaged or no database of Caudal/],
		['series.db', 'is no database', filesOf.text, /series\.db is damaged or no database of Caudal/],
		['caudal.db', 'is of another program', filesOf.sql('CREATE TABLE cookies (name)'), /tables of another program/],
		[
			'series.db',
			'has other columns',
			filesOf.sql('CREATE TABLE series (name)'),
			/STATE_DIR \S+ cannot be used: .*no such column/,
		],
		['series.db', 'is of a later version', filesOf.sql('PRAGMA user_version = 99'), /later version of Caudal \(99; /],
	])('prints one line when %s %s', async (name, _, write, expected) => {
		const folder = mkdtempSync(join(directory, 'bad-'));
		write(join(folder, name));
		const program = runProgram('infra/local/start.ts', [], { PORT: '0', STATE_DIR: folder, DEMO_PLANT: 'off' });
		expect(await program.ended).toBe(1);
		expect(program.output().trimEnd().split('\n')).toEqual([expect.stringMatching(expected)]);
	});

	test('refuses a state directory that all users share', async () => {
		const folder = join(directory, 'shared-by-all');
		mkdirSync(folder);
		chmodSync(folder, 0o1777);
		const program = runProgram('infra/local/start.ts', [], { PORT: '0', STATE_DIR: folder });
		expect(await program.ended).toBe(1);
		expect(program.output()).toMatch(/^caudal: STATE_DIR \S+ is shared by all users: set a folder of its own\.\n$/);
	});

	test('answers saves with 503 when the disk takes no more, and reads go on', async () => {
		// A file of this process may have 1 MB (2,048 blocks).
		const script = `ulimit -S -f 2048; exec '${process.execPath}' --disable-warning=DEP0169 infra/local/start.ts`;
		const STATE_DIR = join(directory, 'full');
		const child = spawn('sh', ['-c', script], { env: { NO_COLOR: '1', PORT: '0', STATE_DIR, DEMO_PLANT: 'off' } });
		const ended = once(child, 'close');
		let output = '';
		for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
		await vi.waitFor(() => expect(output).toContain('Stop with'), { timeout: 20_000, interval: 50 });
		const target = targetOf(/running on (http:\S+)/.exec(output)?.[1] ?? '');
		const token = await signIn(target, 'b');
		const body = makeBody({ unit: 'u'.repeat(60) });
		let refused: HttpResponse | undefined;
		for (let save = 0; save < 400 && refused === undefined; save += 1) {
			const response = await call(target, 'POST', '/saveVariable', { token, body });
			if (response.status !== 200) refused = response;
		}
		expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '1']);
		for (let again = 0; again < 3; again += 1) {
			expect((await call(target, 'POST', '/saveVariable', { token, body })).status).toBe(503);
			expect((await call(target, 'GET', '/getVarsTsdb', { token })).status).toBe(200);
		}
		child.kill('SIGTERM');
		expect((await ended)[0]).toBe(0);
	});

	test('refuses to start a second service on the same state directory', async () => {
		const state = { STATE_DIR: join(directory, 'shared') };
		const { program, baseUrl } = await startProgram(state);
		const second = runProgram('infra/local/start.ts', [], { PORT: '0', ...state });
		expect(await second.ended).toBe(1);
		expect(second.output().trimEnd().split('\n')).toEqual([expect.stringContaining('in use by another running service')]);
		expect((await call(targetOf(baseUrl), 'GET', '/health')).status).toBe(200);
		program.child.kill('SIGTERM');
		expect(await program.ended).toBe(0);
	});

	test('loses no confirmed save when it is killed', async () => {
		const state = { STATE_DIR: join(directory, 'killed'), DEMO_PLANT: 'off' };
		const first = await startProgram(state);
		const target = targetOf(first.baseUrl);
		const token = await signIn(target, 'b');
		const confirmed = new Map<number, string>();
		const saveUntilKilled = async (worker: number): Promise<void> => {
			for (let count = 0; ; count += 1) {
				const unit = `unit ${worker}.${count}`;
				const response: HttpResponse | null = await call(target, 'POST', '/saveVariable', {
					token,
					body: makeBody({ unit }),
				}).catch(() => null);
				if (response?.status !== 200) return;
				confirmed.set(response.body.data.id, unit);
			}
		};
		const workers = Array.from({ length: 8 }, (_, worker) => saveUntilKilled(worker));
		while (confirmed.size < 100) await new Promise((resolve) => setTimeout(resolve, 5));
		first.program.child.kill('SIGKILL');
		await Promise.all([first.program.ended, ...workers]);

		const second = await startProgram(state);
		const restarted = targetOf(second.baseUrl);
		const { body } = await call(restarted, 'GET', '/getVarsTsdb', { token: await signIn(restarted, 'b') });
		const stored = new Map<number, string>(body.data.map(({ id, unit }: { id: number; unit: string }) => [id, unit]));
		for (const [id, unit] of confirmed) expect(stored.get(id)).toBe(unit);
		// Each worker may have had one save in progress that was stored but not confirmed.
		expect(stored.size).toBeLessThanOrEqual(confirmed.size + workers.length);
		const { body: next } = await call(restarted, 'POST', '/saveVariable', {
			token: await signIn(restarted, 'b'),
			body: makeBody(),
		});
		expect(next.data.id).toBeGreaterThan(Math.max(...stored.keys()));
		second.program.child.kill('SIGTERM');
		await second.program.ended;
	});

	test('keeps tokens, sign-in failures and the plant over a restart', async () => {
		const state = { STATE_DIR: join(directory, 'kept') };
		const first = await startProgram(state);
		const port = new URL(first.baseUrl).port;
		const token = await signIn(targetOf(first.baseUrl), 'a');
		const wrong = { email: 'x@y.example', tokenApp: 'x', schemaName: 'x', tsdb_name: 'x' };
		for (let failure = 0; failure < 10; failure += 1) await call(targetOf(first.baseUrl), 'POST', '/loginSso', { body: wrong });
		const before = await call(targetOf(first.baseUrl), 'GET', '/getVarsTsdb', { token });
		first.program.child.kill('SIGTERM');
		expect(await first.program.ended).toBe(0);

		const second = await startProgram({ ...state, PORT: port });
		const target = targetOf(second.baseUrl);
		expect((await call(target, 'GET', '/getVarsTsdb', { token })).text).toBe(before.text);
		expect((await call(target, 'POST', '/loginSso', { body: wrong })).status).toBe(429);
		const all = await call(target, 'POST', '/multipleDataTsdb', { token });
		// At some hours no pump runs, and a flow per pump divides by zero.
		for (const { quality, reason, name } of all.body.data)
			expect(['good', 'stale', 'division_by_zero'], name).toContain(reason?.code ?? quality);
		second.program.child.kill('SIGTERM');
		expect(await second.program.ended).toBe(0);
	});
});
