import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get as getOverHttp } from 'node:http';
import { connect, constants } from 'node:http2';
import { connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDemoIdp } from '#infra/local/demo/idp.ts';
import { tenants } from '#test/e2e/target.ts';
import { makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { type Program, runProgram, waitForOutput } from '#test/support/process.ts';

/** The name of the service, for which an authority of this test gives the certificate. */
const name = 'caudal.example';

/** Returns a port of this machine that nobody uses. */
const freePort = async (): Promise<number> => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	return address !== null && typeof address === 'object' ? address.port : 0;
};

const shipped = (file: string): string => readFileSync(join('infra/local/install', file), 'utf8');

/** Replaces what differs on this machine. A text that is not in the file is a fault. */
const replaced = (text: string, changes: readonly (readonly [from: string, to: string])[]): string => {
	for (const [from] of changes) expect(text).toContain(from);
	return changes.reduce((before, [from, to]) => before.replaceAll(from, to), text);
};

/** What a proxy is started with. */
interface Setup {
	readonly folder: string;
	readonly servicePort: number;
	readonly httpPort: number;
	readonly httpsPort: number;
}

/** Each proxy as Debian has it, with the configuration that the package has. */
const proxies = {
	caddy: ({ folder, servicePort, httpPort, httpsPort }: Setup) => {
		const site = replaced(shipped('Caddyfile'), [
			[`${name} {`, `https://${name}:${httpsPort} {`],
			['#tls /etc/caudal/tls', `tls ${folder}`],
			['/etc/caudal/tls', folder],
			['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
		]);
		const options = `{\n\tadmin off\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n}\n`;
		writeFileSync(join(folder, 'Caddyfile'), options + site.replace(`:${httpsPort} {`, ' {'));
		return ['caddy', ['run', '--config', join(folder, 'Caddyfile')]] as const;
	},
	nginx: ({ folder, servicePort, httpPort, httpsPort }: Setup) => {
		const site = replaced(shipped('nginx.conf'), [
			['listen 80;', `listen 127.0.0.1:${httpPort};`],
			['listen [::]:80;', ''],
			['listen 443 ssl http2;', `listen ${httpsPort} ssl http2;`],
			['listen [::]:443 ssl http2;', ''],
			['/etc/caudal/tls', folder],
			['127.0.0.1:3000', `127.0.0.1:${servicePort}`],
		]);
		const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${folder}/${each};`);
		writeFileSync(
			join(folder, 'nginx.conf'),
			`daemon off; user root; pid ${folder}/pid; error_log stderr; events {} http { gzip on; access_log off; ${paths.join(' ')}\n${site} }`,
		);
		return ['/usr/sbin/nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')]] as const;
	},
};

const missing = Object.entries({ caddy: ['version'], '/usr/sbin/nginx': ['-v'] }).flatMap(([command, args]) =>
	spawnSync(command, args).status === 0 ? [] : [command],
);

/** A response with its body. */
interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, unknown>>;
	readonly body: Buffer;
}

describe.skipIf(missing.length > 0).each(Object.entries(proxies))('behind %s', (proxyName, configure) => {
	const folder = mkdtempSync(join(tmpdir(), `caudal-${proxyName}-`));
	const idpToken = 'a-token';
	let service: Program;
	let idp: Awaited<ReturnType<typeof startDemoIdp>>;
	let proxy: ReturnType<typeof spawn> | undefined;
	let [httpsPort, httpPort] = [0, 0];
	let authority: Buffer;
	let output = '';

	/** Sends a request as browsers do, by HTTP/2 over TLS, from an address of this machine. */
	const call = async (
		path: string,
		{ from = '127.0.0.1', body, ...headers }: Readonly<Record<string, string>> & { from?: string; body?: string | Buffer } = {},
	): Promise<Answer> => {
		const socket = connectTls({
			socket: connectTcp({ host: '127.0.0.1', port: httpsPort, localAddress: from }),
			servername: name,
			ca: authority,
			ALPNProtocols: ['h2'],
		});
		await once(socket, 'secureConnect');
		expect(socket.alpnProtocol).toBe('h2');
		const session = connect(`https://${name}`, { createConnection: () => socket });
		try {
			const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH, HTTP2_HEADER_STATUS } = constants;
			const method = body === undefined ? 'GET' : 'POST';
			const typed = { 'content-type': 'application/json', ...headers };
			const stream = session.request({ [HTTP2_HEADER_METHOD]: method, [HTTP2_HEADER_PATH]: path, ...typed });
			const parts: Buffer[] = [];
			stream.on('data', (part: Buffer) => parts.push(part));
			const events = Promise.all([once(stream, 'response'), once(stream, 'end')]);
			stream.end(body);
			const [[answer]] = await events;
			return { status: Number(answer[HTTP2_HEADER_STATUS]), headers: answer, body: Buffer.concat(parts) };
		} finally {
			session.close();
		}
	};
	const json = ({ body }: Answer) => JSON.parse(body.toString());
	const signIn = (
		headers: Readonly<Record<string, string>> = {},
		email: string = tenants.a.email,
		tokenApp: string = tenants.a.tokenApp,
	) => call('/loginSso', { ...headers, body: JSON.stringify({ ...tenants.a, email, tokenApp }) });

	beforeAll(async () => {
		const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
		const key = (file: string) => ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file];
		openssl(
			'req',
			'-x509',
			...key('authority-key.pem'),
			'-days',
			'2',
			'-subj',
			'/CN=Authority of a test',
			'-out',
			'authority.pem',
		);
		openssl('req', ...key('key.pem'), '-subj', `/CN=${name}`, '-out', 'request.pem');
		writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${name}\n`);
		const signer = ['-CA', 'authority.pem', '-CAkey', 'authority-key.pem', '-CAcreateserial', '-extfile', 'names'];
		openssl('x509', '-req', '-in', 'request.pem', ...signer, '-days', '2', '-out', 'certificate.pem');
		authority = readFileSync(join(folder, 'authority.pem'));

		idp = await startDemoIdp(idpToken);
		const STATE_DIR = join(folder, 'state');
		const provider = { AUTH_URL: idp.url, IDP_TOKEN: idpToken, IDP_PRODUCT_ID: '1' };
		const reached = { PUBLIC_URL: `https://${name}`, TRUSTED_PROXY_HOPS: '1', PORT: '0' };
		const person = ['--email', tenants.a.email, '--id', '1', '--first-name', 'A', '--last-name', 'B', '--client-id', '1'];
		const added = runProgram('infra/tools/user.ts', ['add', ...person], { STATE_DIR, AUTH_URL: idp.url, IDP_TOKEN: idpToken });
		expect(await added.ended, added.output()).toBe(0);
		service = runProgram('infra/local/serve.ts', [], { STATE_DIR, ...provider, ...reached });
		const [, port = ''] = await waitForOutput(service, /running on http:\S+:(\d+),[\s\S]*messages about alarms.*\n/);
		[httpsPort, httpPort] = [await freePort(), await freePort()];
		const [command, args] = configure({ folder, servicePort: Number(port), httpPort, httpsPort });
		mkdirSync(join(folder, 'home'));
		const own = { HOME: join(folder, 'home'), PATH: '/usr/bin:/usr/sbin:/bin' };
		proxy = spawn(command, args, { cwd: folder, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [proxy.stdout, proxy.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
		await vi.waitFor(async () => expect((await call('/health')).status, output).toBe(200), { timeout: 20_000, interval: 100 });
	}, 60_000);
	afterAll(async () => {
		proxy?.kill('SIGTERM');
		service.child.kill('SIGTERM');
		await Promise.all([proxy && once(proxy, 'close'), service.ended]);
		idp.close();
		rmSync(folder, { recursive: true, force: true });
	});

	test('the service answers by HTTP/2 with its own headers, compressed once', async () => {
		const plain = await call('/openapi.json');
		const packed = await call('/openapi.json', { 'accept-encoding': 'gzip' });
		expect(plain.headers['content-encoding']).toBeUndefined();
		expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', etag: plain.headers['etag'], vary: expect.anything() });
		expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
		const unchanged = await call('/openapi.json', { 'if-none-match': String(plain.headers['etag']) });
		expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
		const page = await call('/console', { 'accept-encoding': 'gzip' });
		expect(page.headers).toMatchObject({
			'content-security-policy': expect.stringContaining("default-src 'none'"),
			'strict-transport-security': 'max-age=31536000',
			'cross-origin-opener-policy': 'same-origin',
		});
	});

	test('a version that was read in ETag, compressed, is changed by If-Match', async () => {
		const authorization = `Bearer ${json(await signIn()).token}`;
		// Long enough to be compressed.
		const body = JSON.stringify(makeBody({ varsTsdb: { Flow: makeQuery({ calc_topic: 'topic/'.repeat(150) }) } }));
		const headers = { authorization, 'accept-encoding': 'gzip' };
		const saved = await call('/saveVariable', { ...headers, body });
		expect(saved).toMatchObject({ status: 200, headers: { etag: '"1"', 'content-encoding': 'gzip' } });
		const { data } = JSON.parse(gunzipSync(saved.body).toString());
		const change = (unit: string) =>
			call('/saveVariable', { ...headers, 'if-match': String(saved.headers['etag']), body: JSON.stringify({ ...data, unit }) });
		expect([(await change('m')).status, (await change('ft')).status]).toEqual([200, 412]);
	});

	test('takes 20 MB of line protocol', async () => {
		const authorization = `Token ${readFileSync(join(folder, 'state', 'write-token'), 'utf8').trim()}`;
		expect((await call('/api/v2/buckets', { authorization, body: '{"name": "well_field"}' })).status).toBe(201);
		const line = `well note="${'x'.repeat(10_000)}" `;
		const lines = Array.from({ length: 2000 }, (_, index) => `${line}${1_795_000_000 + index}`);
		const write = (body: string) => call('/api/v2/write?bucket=well_field&precision=s', { authorization, body });
		expect((await write(lines.join('\n'))).status).toBe(204);
	}, 30_000);

	test('limits on sign-in count clients, whatever they say of themselves', async () => {
		const statuses: number[] = [];
		for (let attempt = 0; attempt < 11; attempt += 1)
			statuses.push((await signIn({ 'x-forwarded-for': `192.0.2.${attempt}` }, 'nobody@plant-a.example', 'x')).status);
		expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
		expect((await signIn({ from: '127.0.0.2' }, 'nobody@plant-a.example', 'x')).status).toBe(401);
	});

	test('http leads to https', async () => {
		const response = await new Promise<{ status: number | undefined; location: string | undefined }>((resolve, reject) => {
			getOverHttp({ host: '127.0.0.1', port: httpPort, path: '/console?a=1', headers: { host: name } }, (answer) => {
				answer.resume();
				resolve({ status: answer.statusCode, location: answer.headers.location });
			}).on('error', reject);
		});
		expect([301, 308]).toContain(response.status);
		expect(response.location).toMatch(new RegExp(`^https://${name.replace('.', '\\.')}(:\\d+)?/console\\?a=1$`));
	});
});

test('Caddy and nginx are here (apt-get install caddy nginx-light)', () => {
	expect(missing).toEqual([]);
});
