import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { endpoints } from '#shared/contract.ts';
import { runProgram } from '#test/support/process.ts';
import { startLocal } from '#test/support/servers/local.ts';

describe('npm run invoke, beside a running service', { timeout: 120_000 }, () => {
	let directory: string;
	let local: LocalServer;
	let environment: Record<string, string>;
	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-'));
		const STATE_DIR = join(directory, 'state');
		local = await startLocal({ STATE_DIR, DEMO_PLANT: 'on' });
		environment = { STATE_DIR, PORT: new URL(local.baseUrl).port };
	});
	afterAll(async () => {
		await local.close();
		rmSync(directory, { recursive: true, force: true });
	});

	const invoke = async (...args: string[]) => {
		const program = runProgram('infra/tools/invoke.ts', args, environment);
		let response = '';
		program.child.stdout?.on('data', (chunk: Buffer) => (response += chunk.toString()));
		return { code: await program.ended, response, text: program.output() };
	};

	test.each(endpoints)('runs $name on its event', async ({ name }) => {
		const { code, text, response } = await invoke(name);
		expect(code, text).toBe(0);
		const { statusCode, body } = JSON.parse(response);
		expect(statusCode, text).toBe(200);
		expect(Object.keys(body).length).toBeGreaterThan(0);
	});

	test('runs a task on the running service: the canary signs in and reads', async () => {
		const { code, text, response } = await invoke('canary');
		expect(code, text).toBe(0);
		const { outcome, done } = JSON.parse(response);
		expect([outcome, done.readings > 0]).toEqual(['ok', true]);
	});

	test('runs one tick of the alarms in the state directory', async () => {
		const { code, text, response } = await invoke('dispatchAlarms');
		expect(code, text).toBe(0);
		expect(JSON.parse(response)).toEqual({ outcome: 'ok', done: { schemas: 1, late: [], notStarted: 0 } });
	});

	test('lists the endpoints and tasks when the name is unknown', async () => {
		const { code, text } = await invoke('nothing');
		expect(code).toBe(1);
		expect(text.trim().split('\n')).toEqual([expect.stringMatching(/getVarsTsdb.*canary/)]);
	});
});
