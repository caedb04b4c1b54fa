import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { trustCertificates } from '#infra/tools/preflight/trust-certificates.ts';

/** Whether this machine can make certificates. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const before = getCACertificates();
let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'trust-'));
	if (!hasOpenssl) return;
	const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
	const key = ['-newkey', 'rsa:2048', '-nodes'];
	for (const name of ['other', 'server']) {
		const files = ['-keyout', `${name}-key.pem`, '-out', `${name}.pem`];
		execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', ...names, ...files], { cwd: folder, stdio: 'pipe' });
	}
	writeFileSync(
		join(folder, 'bundle.pem'),
		['other.pem', 'server.pem'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
	);
});
afterAll(() => {
	setDefaultCACertificates(before);
	rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!hasOpenssl)('fetch accepts a server with a certificate of the file, after that and not before', async () => {
	const [key, cert] = ['server-key.pem', 'server.pem'].map((name) => readFileSync(join(folder, name)));
	const server = createServer({ key, cert }, (_, response) => response.end('well'));
	server.listen(0);
	await once(server, 'listening');
	const address = server.address();
	const url = `https://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`;
	try {
		await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
		trustCertificates(join(folder, 'bundle.pem'));
		expect(await (await fetch(url)).text()).toBe('well');
	} finally {
		server.closeAllConnections();
		server.close();
	}
});

test('a file that cannot be used is refused as it is at deployment', () => {
	expect(() => trustCertificates(join(folder, 'none.pem'))).toThrow(/^caBundle .*none\.pem cannot be used/);
});
