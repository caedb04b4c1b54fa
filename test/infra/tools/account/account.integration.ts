import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CallOptions, call } from '#test/e2e/target.ts';
import { runProgram, waitForOutput } from '#test/support/process.ts';

const email = 'ada@plant.example';
const password = 'correct horse battery';

describe('caudal account, beside a service in production', () => {
	let directory: string;
	let environment: Readonly<Record<string, string>>;
	let service: ReturnType<typeof runProgram>;
	let baseUrl: string;
	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-account-'));
		environment = { STATE_DIR: join(directory, 'state'), ACCOUNTS: 'on', PUBLIC_URL: 'https://caudal.example' };
		service = runProgram('infra/tools/caudal.ts', ['serve'], { ...environment, PORT: '0' });
		[, baseUrl = ''] = await waitForOutput(service, /running on (\S+),[\s\S]*messages about alarms.*\n/);
		expect(service.output()).toContain('sign-in by accounts');
	});
	afterAll(async () => {
		service.child.kill('SIGTERM');
		expect(await service.ended).toBe(0);
		rmSync(directory, { recursive: true, force: true });
	});

	const caudal = async (command: string, of: Readonly<Record<string, string>> = {}) => {
		const program = runProgram('infra/tools/caudal.ts', command.split(' '), { ...environment, ...of });
		return { code: await program.ended, text: program.output() };
	};
	const post = (path: string, options: CallOptions) =>
		call({ baseUrl, feed: async () => undefined, close: async () => undefined }, 'POST', path, options);
	const linkIn = (text: string): string => /^https:\/\/caudal\.example\/console#set-password=([\w-]{43})$/m.exec(text)?.[1] ?? '';

	test('an account gets a link, a password and a session, which a removal ends', async () => {
		const added = await caudal(`account add ${email} --name Ada --group ops --group leads`);
		expect(added.code).toBe(0);
		expect(added.text).toContain(`no grant lets it in yet: caudal grant add accounts --where email=${email} --schema NAME`);
		const tenant = '--schema plant_a --database plant_a --owner 1 --role administrator';
		expect((await caudal(`grant add accounts --where groups=ops ${tenant}`)).code).toBe(0);
		const set = { token: linkIn(added.text), password };
		expect((await post('/setPassword', { body: set })).body).toEqual({ email });
		const { token } = (await post('/signInPassword', { body: { email, password } })).body;
		const save = async () => (await post('/saveChart', { token, body: { id: 0, title: 'c', series: [] } })).status;
		expect(await save()).toBe(200);
		expect((await caudal('account list')).text).toBe(
			`${email}  has a password  Ada, groups=ops, groups=leads, administrator of plant_a\n1 account\n`,
		);
		const removed = await caudal(`account remove ${email}`);
		expect(removed).toEqual({ code: 0, text: `done ${email}; 1 session ended; reads end with their tokens\n` });
		expect(await save()).toBe(403);
		expect((await post('/signInPassword', { body: { email, password } })).status).toBe(401);
	});

	test('a removal that was interrupted before it ended the sessions ends them when it is run again', async () => {
		const { text } = await caudal(`account add ${email} --name Ada --group ops`);
		await post('/setPassword', { body: { token: linkIn(text), password } });
		const { token } = (await post('/signInPassword', { body: { email, password } })).body;
		const database = new DatabaseSync(join(environment['STATE_DIR'] ?? '', 'caudal.db'), { timeout: 5000 });
		database.exec('DELETE FROM account');
		database.close();
		expect(await caudal(`account remove ${email}`)).toEqual({
			code: 1,
			text: `account: There is no account ${email}: caudal account list shows them. 1 session ended; reads end with their tokens\n`,
		});
		expect((await post('/saveChart', { token, body: { id: 0, title: 'c', series: [] } })).status).toBe(403);
	});

	test('an account whose groups cannot be read hides no other, and is added again', async () => {
		await caudal(`account add ${email} --name Ada --group ops`);
		await caudal('account add bob@plant.example --name Bob');
		const database = new DatabaseSync(join(environment['STATE_DIR'] ?? '', 'caudal.db'), { timeout: 5000 });
		database.prepare("UPDATE account SET groups = '{}' WHERE email = ?").run(email);
		database.close();
		expect((await caudal('account list')).text).toMatch(
			/ada@plant.example {2}cannot be read: add it again.*\nbob@.*\n2 accounts\n/,
		);
		expect((await caudal(`account link ${email}`)).text).toContain(`it cannot be read: caudal account add ${email}`);
		expect((await caudal(`account add ${email} --name Ada --group ops`)).text).toContain('changed');
		expect((await caudal('account list')).text).toContain(`${email}  has a link until`);
		for (const each of [email, 'bob@plant.example']) await caudal(`account remove ${each}`);
	});

	test('a link of a disabled account says that it waits', async () => {
		await caudal(`account add ${email} --name Ada --group ops`);
		await caudal(`account disable ${email}`);
		expect((await caudal(`account link ${email}`)).text).toContain(
			`it is disabled: caudal account enable ${email} lets it use the link`,
		);
		await caudal(`account remove ${email}`);
	});

	test('a second link, disabling and changed groups end the sessions', async () => {
		await caudal(`account add ${email} --name Ada --group ops`);
		for (const [command, state] of [
			[`account link ${email}`, /has a link until \d{4}-/],
			[`account disable ${email}`, /disabled/],
			[`account reset-second-factor ${email}`, /has a link until \d{4}-/],
			[`account add ${email} --name Ada --group staff`, /has a password {2}Ada, groups=staff\n/],
		] as const) {
			await caudal(`account enable ${email}`);
			await caudal(`account add ${email} --name Ada --group ops`);
			const body = { token: linkIn((await caudal(`account link ${email}`)).text), password };
			expect((await post('/setPassword', { body })).status).toBe(200);
			expect((await post('/signInPassword', { body: { email, password } })).status).toBe(200);
			expect((await caudal(command)).text).toContain('1 session ended');
			expect((await caudal('account list')).text).toMatch(state);
		}
	});

	test('says what is wrong, and what to do', async () => {
		const unknown = await caudal('account link nobody@plant.example');
		expect(unknown).toEqual({
			code: 1,
			text: 'account: There is no account nobody@plant.example: caudal account list shows them.\n',
		});
		expect((await caudal('account add nobody --name X')).text).toContain('It must be an e-mail address.');
		expect((await caudal('account list', { ACCOUNTS: 'off' })).text).toContain('the service must have ACCOUNTS=on');
		expect((await caudal('account list', { STATE_DIR: 'memory' })).text).toContain('STATE_DIR=memory stores nothing');
	});

	test('a provider of OPENID_PROVIDERS cannot have the name of accounts', async () => {
		const file = join(directory, 'providers.json');
		writeFileSync(file, JSON.stringify([{ name: 'accounts', label: 'A', issuer: 'https://idp.example', clientId: 'c' }]));
		const refused = await caudal('serve', { OPENID_PROVIDERS: file, STATE_DIR: join(directory, 'other') });
		expect([refused.code, refused.text]).toEqual([
			1,
			expect.stringContaining("accounts is the name of the service's own accounts"),
		]);
	});
});
