import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { endpoints } from '#shared/contract.ts';
import { runProgram } from '#test/support/process.ts';
import { startLocal } from '#test/support/servers/local.ts';

/** What the endpoints of OpenID providers answer where there is none. */
const withoutProvider: Readonly<Record<string, number>> = {
	openIdProvider: 404,
	signInOpenId: 404,
	renewOpenId: 403,
	backchannelLogout: 400,
};

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
		const code = await program.ended;
		return { code, text: program.output(), response: program.printed() };
	};

	describe('the endpoints, one after the other in one process', () => {
		let invoked: Awaited<ReturnType<typeof invoke>>;
		beforeAll(async () => {
			invoked = await invoke(...endpoints.map(({ name }) => name));
		});

		test.each(endpoints.map(({ name }, index) => ({ name, index })))('runs $name on its event', ({ name, index }) => {
			expect(invoked.code, invoked.text).toBe(0);
			const responses = invoked.response.split(/^(?=\{$)/m);
			expect(responses).toHaveLength(endpoints.length);
			const { statusCode, body } = JSON.parse(responses[index] ?? '');
			expect(statusCode, responses[index]).toBe(withoutProvider[name] ?? 200);
			expect(Object.keys(body).length).toBeGreaterThan(0);
		});
	});

	test('runs one endpoint, on another event where it is named', async () => {
		const event = fileURLToPath(new URL('../../../events/health.json', import.meta.url));
		const { code, text, response } = await invoke('health', '--event', event);
		expect(code, text).toBe(0);
		expect(JSON.parse(response)).toMatchObject({ statusCode: 200 });
	});

	test('refuses one event for several functions', async () => {
		const { code, text } = await invoke('health', 'jwks', '--event', 'events/health.json');
		expect([code, text.trim()]).toEqual([1, 'invoke: --event is the event of one function: give one name.']);
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
