import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startDemoIdp } from '#infra/local/demo/idp.ts';
import { call, type Target, tenants } from '#test/e2e/target.ts';
import { runProgram, startProgram, waitForOutput } from '#test/support/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-serve-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const targetOf = (baseUrl: string): Target => ({ baseUrl, feed: async () => undefined, close: async () => undefined });

/** An identity provider as a vendor's: the service has none of its own. */
const idp = await startDemoIdp('a-token');
afterAll(idp.close);
const provider = { AUTH_URL: idp.url, IDP_TOKEN: 'a-token', IDP_PRODUCT_ID: '1' };

const serve = (environment: Readonly<Record<string, string>>) =>
	runProgram('infra/local/serve.ts', [], { PORT: '0', ...environment });

const serveUntilChecked = async (environment: Readonly<Record<string, string>>) => {
	const program = serve(environment);
	const [, baseUrl = ''] = await waitForOutput(program, /running on (http:\S+),[\s\S]*messages about alarms.*\n/);
	const stop = async () => {
		program.child.kill('SIGTERM');
		return program.ended;
	};
	return { program, baseUrl, stop };
};

describe('npm run serve', () => {
	test.each([
		['no state directory', {}, /STATE_DIR is required\./],
		['a state in memory', { STATE_DIR: 'memory' }, /STATE_DIR must be a folder\./],
		['nobody who may sign in', { STATE_DIR: join(directory, 'nobody') }, /Nobody could sign in: set OPENID_PROVIDERS/],
		['a provider without a token', { STATE_DIR: 'x', AUTH_URL: provider.AUTH_URL }, /IDP_TOKEN is required.*IDP_PRODUCT_ID is/],
		['the demo', { STATE_DIR: 'x', DEMO_PLANT: 'on', DEMO_IDP: 'on' }, /DEMO_PLANT is for npm start\. DEMO_IDP is for/],
		['a short token', { STATE_DIR: 'x', WRITE_TOKEN: 'demo-write-token' }, /WRITE_TOKEN must have 20 characters/],
		[
			'accounts in DynamoDB',
			{ STATE_DIR: 'x', ACCOUNTS: 'on', DYNAMODB_ENDPOINT: 'http://x' },
			/ACCOUNTS cannot be on with DYNAMODB/,
		],
		['a name as its address', { STATE_DIR: 'x', ...provider, HOST: 'caudal.example' }, /HOST must be an IP address/],
	])('prints one line and exits with 1: %s', async (_, environment, expected) => {
		const program = serve(environment);
		expect(await program.ended).toBe(1);
		expect(program.output().trimEnd().split('\n')).toEqual([expect.stringMatching(expected)]);
	});

	test('has nothing of the demo, and makes a write token that it keeps in a file of its owner', async () => {
		const STATE_DIR = join(directory, 'state');
		const file = join(STATE_DIR, 'write-token');
		const first = await serveUntilChecked({ STATE_DIR, ...provider });
		const token = readFileSync(file, 'utf8').trim();
		expect(token).toMatch(/^[\w-]{43}$/);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(first.program.output()).toContain(`its token in ${file}`);
		expect(first.program.output()).not.toContain(token);
		const target = targetOf(first.baseUrl);
		expect((await call(target, 'GET', '/idp/getUser?id=1')).status).toBe(404);
		expect((await call(target, 'POST', '/loginSso', { body: tenants.a })).status).toBe(401);
		expect((await call(target, 'GET', '/console')).text).not.toContain(tenants.a.email);
		const buckets = (sent: string) =>
			fetch(`${first.baseUrl}/api/v2/buckets`, {
				method: 'POST',
				headers: { authorization: `Token ${sent}` },
				body: '{"name":"well"}',
			});
		expect((await buckets('demo-write-token')).status).toBe(401);
		expect((await buckets(token)).status).toBe(201);
		expect(await first.stop()).toBe(0);
		const list = runProgram('infra/tools/user.ts', ['list'], { STATE_DIR });
		expect(await list.ended).toBe(0);
		expect(list.output()).toBe('0 users\n');
		const second = await serveUntilChecked({ STATE_DIR, ...provider });
		expect(readFileSync(file, 'utf8').trim()).toBe(token);
		await second.stop();
		const demo = runProgram('infra/local/start.ts', [], { PORT: '0', STATE_DIR });
		expect(await demo.ended).toBe(1);
		expect(demo.output()).toMatch(/^caudal: STATE_DIR \S+ is of production .*: set another STATE_DIR\.\n$/);
	});

	test('refuses the state of the demo', async () => {
		const STATE_DIR = join(directory, 'demo');
		const demo = await startProgram({ STATE_DIR, DEMO_PLANT: 'off' });
		demo.program.child.kill('SIGTERM');
		await demo.program.ended;
		const program = serve({ STATE_DIR, ...provider });
		expect(await program.ended).toBe(1);
		expect(program.output()).toMatch(/is of the demo \(npm start\), and this is production/);
	});

	test('says what is missing', async () => {
		const bare = { STATE_DIR: join(directory, 'bare'), ...provider, PUBLIC_URL: 'http://caudal.example' };
		const { program, baseUrl, stop } = await serveUntilChecked(bare);
		expect(program.output()).toMatch(
			/NO {2}console at http:\/\/caudal\.example\/console\n.*not https.*\n.*TRUSTED_PROXY_HOPS is 0/,
		);
		expect(program.output()).toContain(`OK  sign-in by ${provider.AUTH_URL}\n`);
		const discovery = await call(targetOf(baseUrl), 'GET', '/.well-known/openid-configuration');
		expect(discovery.body.issuer).toBe('http://caudal.example');
		await stop();
	});

	test('says that nobody is let in yet, and how somebody is', async () => {
		const { program, stop } = await serveUntilChecked({ STATE_DIR: join(directory, 'empty'), ACCOUNTS: 'on' });
		expect(program.output()).toMatch(
			/NO {2}sign-in by accounts\n.*no account: npm run account -- add E-MAIL.*\n.*No grant.*: npm run grant -- add PROVIDER/,
		);
		await stop();
	});

	test('counts failed sign-ins by client behind a proxy', async () => {
		const environment = { STATE_DIR: join(directory, 'proxy'), ...provider, TRUSTED_PROXY_HOPS: '1' };
		const { baseUrl, stop } = await serveUntilChecked(environment);
		const signIn = async (attempt: number, client: string) => {
			const body = { ...tenants.a, email: `nobody${attempt}@plant-a.example` };
			const headers = { 'x-forwarded-for': `203.0.113.9, ${client}` };
			return (await call(targetOf(baseUrl), 'POST', '/loginSso', { body, headers })).status;
		};
		let attempts = 0;
		while ((await signIn(attempts, '192.0.2.1')) === 401 && attempts < 200) attempts += 1;
		expect(attempts).toBeGreaterThan(9);
		expect(await signIn(attempts, '192.0.2.1')).toBe(429);
		expect(await signIn(attempts, '192.0.2.2')).toBe(401);
		await stop();
	});
});

describe('the demo', () => {
	test.each([
		['ALLOWED_HOSTS', 'caudal.example'],
		['PUBLIC_URL', 'https://caudal.example'],
		['HOST', '0.0.0.0'],
	])('does not answer under another name: %s', async (name, value) => {
		const program = runProgram('infra/local/start.ts', [], { PORT: '0', STATE_DIR: 'memory', [name]: value });
		expect(await program.ended).toBe(1);
		expect(program.output()).toMatch(/^caudal: Everybody knows .* under (caudal\.example|0\.0\.0\.0): unset/);
	});
});
