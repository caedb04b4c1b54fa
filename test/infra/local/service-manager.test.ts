import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { runProgram } from '#test/support/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-manager-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const messages = join(directory, 'messages');
/** A stand-in for systemd-notify, which keeps what it was called with. */
const program = join(directory, 'systemd-notify');
writeFileSync(program, `#!/bin/sh\necho "$@" "$NOTIFY_SOCKET" >> ${messages}\n`);
chmodSync(program, 0o755);

const serve = (name: string, environment: Readonly<Record<string, string>>) =>
	runProgram('infra/local/serve.ts', [], {
		...{ PORT: '0', STATE_DIR: join(directory, name), AUTH_URL: 'http://127.0.0.1:9', IDP_TOKEN: 't', IDP_PRODUCT_ID: '1' },
		PATH: `${directory}:/usr/bin:/bin`,
		...environment,
	});

const linesSoFar = (): readonly string[] =>
	existsSync(messages) ? readFileSync(messages, 'utf8').trim().split('\n').filter(Boolean) : [];

test('tells systemd that the service answers, then twice in each time of the watchdog that it still runs', async () => {
	const service = serve('watched', { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '400000' });
	await vi.waitFor(() => expect(linesSoFar().length).toBeGreaterThanOrEqual(4), { timeout: 20_000, interval: 50 });
	expect(linesSoFar().slice(0, 3)).toEqual(['READY=1 /run/notify', 'WATCHDOG=1 /run/notify', 'WATCHDOG=1 /run/notify']);
	// A service that does not come to do anything sends nothing, so systemd ends it.
	service.child.kill('SIGSTOP');
	const staysSilent = async (): Promise<void> => {
		const sent = linesSoFar().length;
		await new Promise((resolve) => setTimeout(resolve, 600));
		expect(linesSoFar()).toHaveLength(sent);
	};
	// What it began to send before may still arrive.
	await vi.waitFor(staysSilent, { timeout: 10_000 });
	service.child.kill('SIGCONT');
	service.child.kill('SIGTERM');
	expect(await service.ended).toBe(0);
}, 30_000);

test('does not start when systemd waits and cannot be told', async () => {
	const service = serve('untold', { NOTIFY_SOCKET: '/run/notify', PATH: join(directory, 'absent') });
	expect(await service.ended).toBe(1);
	expect(service.output()).toContain('spawn systemd-notify ENOENT');
}, 30_000);
