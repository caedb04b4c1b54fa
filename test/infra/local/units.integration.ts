import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { tellServiceManager } from '#infra/local/service-manager.ts';

const folder = mkdtempSync(join(tmpdir(), 'caudal-units-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const units = ['caudal.service', 'caudal-backup.service', 'caudal-backup.timer'] as const;

/** Writes the units with a program that is on this machine, and returns their files. */
const writeUnits = (): readonly string[] =>
	units.map((name) => {
		const file = join(folder, name);
		const text = readFileSync(join('infra/local/install', name), 'utf8').replace('/usr/local/bin/caudal', process.execPath);
		writeFileSync(file, text);
		return file;
	});

test('systemd finds no fault in the units', () => {
	const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...writeUnits()], { encoding: 'utf8' });
	expect([status, stdout, stderr]).toEqual([0, '', '']);
});

test('the service is exposed to little', () => {
	const security = execFileSync('systemd-analyze', ['security', '--offline=true', writeUnits()[0] ?? ''], { encoding: 'utf8' });
	const [, exposure] = /exposure level for caudal\.service: (\d+\.\d)/.exec(security) ?? [];
	expect(Number(exposure)).toBeLessThanOrEqual(1.6);
});

/** Node.js has no datagram sockets of Unix, so Python listens. */
const listener = `import socket, sys
server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
print('listening', flush=True)
while True: print(server.recv(4096).decode(), flush=True)`;

test("messages reach a socket as systemd's, by systemd's own program", async () => {
	const socket = join(folder, 'notify');
	const child = spawn('python3', ['-c', listener, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	await once(child.stdout, 'data');
	vi.stubEnv('NOTIFY_SOCKET', socket);
	await tellServiceManager({ NOTIFY_SOCKET: socket });
	vi.unstubAllEnvs();
	child.kill();
	await once(child, 'close');
	expect(output).toContain('listening\nREADY=1\n');
});
