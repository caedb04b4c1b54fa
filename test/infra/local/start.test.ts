import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, call, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { run, startProgram } from '#test/support/process.ts';

const targetOf = (baseUrl: string): Target => ({ baseUrl, feed: async () => undefined, close: async () => undefined });

describe('npm start', () => {
	let directory: string;
	beforeAll(() => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-'));
	});
	afterAll(() => rmSync(directory, { recursive: true, force: true }));

	test('its first screen shows a token and a line that shows a reading', async () => {
		const { program, baseUrl } = await startProgram({ STATE_DIR: 'memory' });
		const text = program.printed();
		expect(text).toContain(`${baseUrl}/idp`);
		expect(text).toContain(`${baseUrl}/api/v2/write`);
		const curl = /curl .*-d '(.*)' -H 'Authorization: Bearer ([\w.-]+)'/.exec(text);
		const { status, body } = await call(targetOf(baseUrl), 'POST', '/multipleDataTsdb', { token: curl?.[2], body: curl?.[1] });
		expect(status).toBe(200);
		expect(body.data).toHaveLength(3);
		for (const reading of body.data) expect(reading).toMatchObject({ quality: 'good', value: expect.any(Number) });
		program.child.kill('SIGINT');
		expect(await program.ended).toBe(0);
	});

	test.each([
		['a setting that is wrong', { PORT: 'http', CORS_ORIGINS: '*' }, /PORT must be .*CORS_ORIGINS must be/],
		['a state directory that cannot be', { STATE_DIR: '/dev/null/state' }, /STATE_DIR \/dev\/null\/state cannot be written/],
	])('says in one line what is wrong and exits 1: %s', async (_, environment, expected) => {
		const program = run('infra/local/start.ts', [], { PORT: '0', ...environment });
		expect(await program.ended).toBe(1);
		expect(program.printed().trimEnd().split('\n')).toEqual([expect.stringMatching(expected)]);
	});

	test('says in one line that the port is taken', async () => {
		const taken = createServer();
		await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
		const address = taken.address();
		const port = String(address !== null && typeof address === 'object' ? address.port : 0);
		const program = run('infra/local/start.ts', [], { PORT: port, STATE_DIR: 'memory' });
		expect(await program.ended).toBe(1);
		expect(program.printed().trimEnd().split('\n')).toEqual([expect.stringContaining(`PORT ${port} `)]);
		taken.close();
	});

	test('a file where the state directory should be is one line, too', async () => {
		const file = join(directory, 'file');
		writeFileSync(file, '');
		const program = run('infra/local/start.ts', [], { PORT: '0', STATE_DIR: file });
		expect(await program.ended).toBe(1);
		expect(program.printed().trimEnd().split('\n')).toHaveLength(1);
	});

	test('a second service on the same state is refused; the first goes on', async () => {
		const state = { STATE_DIR: join(directory, 'shared') };
		const { program, baseUrl } = await startProgram(state);
		const second = run('infra/local/start.ts', [], { PORT: '0', ...state });
		expect(await second.ended).toBe(1);
		expect(second.printed().trimEnd().split('\n')).toEqual([expect.stringContaining('in use by another running service')]);
		expect((await call(targetOf(baseUrl), 'GET', '/health')).status).toBe(200);
		program.child.kill('SIGTERM');
		expect(await program.ended).toBe(0);
	});

	test('killed in the middle of saves and started again, nothing answered is lost', async () => {
		const state = { STATE_DIR: join(directory, 'killed'), DEMO_PLANT: 'off' };
		const first = await startProgram(state);
		const target = targetOf(first.baseUrl);
		const token = await signIn(target, 'b');
		const answered = new Map<number, string>();
		const saveUntilDead = async (worker: number): Promise<void> => {
			for (let count = 0; ; count += 1) {
				const unit = `unit ${worker}.${count}`;
				const answer: Answer | null = await call(target, 'POST', '/saveVariable', { token, body: makeBody({ unit }) }).catch(
					() => null,
				);
				if (answer?.status !== 200) return;
				answered.set(answer.body.data.id, unit);
			}
		};
		const workers = Array.from({ length: 8 }, (_, worker) => saveUntilDead(worker));
		while (answered.size < 100) await new Promise((resolve) => setTimeout(resolve, 5));
		first.program.child.kill('SIGKILL');
		await Promise.all([first.program.ended, ...workers]);

		const second = await startProgram(state);
		const again = targetOf(second.baseUrl);
		const { body } = await call(again, 'GET', '/getVarsTsdb', { token: await signIn(again, 'b') });
		const stored = new Map<number, string>(body.data.map(({ id, unit }: { id: number; unit: string }) => [id, unit]));
		for (const [id, unit] of answered) expect(stored.get(id)).toBe(unit);
		// At most the one save that each worker had under way is there without having been answered.
		expect(stored.size).toBeLessThanOrEqual(answered.size + workers.length);
		const { body: next } = await call(again, 'POST', '/saveVariable', { token: await signIn(again, 'b'), body: makeBody() });
		expect(next.data.id).toBeGreaterThan(Math.max(...stored.keys()));
		second.program.child.kill('SIGTERM');
		await second.program.ended;
	});

	test('started again it keeps its tokens, its sign-in failures and its plant', async () => {
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
		for (const reading of all.body.data) expect(['good', 'stale'], JSON.stringify(reading)).toContain(reading.quality);
		second.program.child.kill('SIGTERM');
		expect(await second.program.ended).toBe(0);
	});
});
