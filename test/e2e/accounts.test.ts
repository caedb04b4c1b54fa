import { scryptSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import { accountPersonId, linkMs } from '#domain/identity/account.ts';
import type { Grant } from '#domain/identity/grants.ts';
import { totp } from '#infra/local/adapters/totp.ts';
import { createConsoleLog } from '#infra/local/console-log.ts';
import type { LocalServer } from '#infra/local/server.ts';
import { endSessionsNow } from '#infra/tools/end-sessions.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { type CallOptions, call } from './target.ts';

const minuteMs = 60_000;
const email = 'Ada@Plant.example';
const password = 'correct horse battery';
const salt = Buffer.from('salt');
const cheapHash = `$scrypt$ln=4,r=1,p=1$${salt.toString('base64url')}$${scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 }).toString('base64url')}`;
const person = accountPersonId(digest, email);

/** People with accounts of the service itself (shared/domain/identity/README.md#accounts), over HTTP. */
describe('accounts', () => {
	let local: LocalServer;
	let now: number;
	let lines: string[];
	let state: string;

	beforeEach(async () => {
		now = Date.now();
		lines = [];
		state = mkdtempSync(join(tmpdir(), 'caudal-accounts-'));
		const log = createConsoleLog((line) => lines.push(line));
		local = await startLocal({ ACCOUNTS: 'on', STATE_DIR: state }, () => now, log);
	});
	afterEach(async () => {
		await local.close();
		rmSync(state, { recursive: true });
	});

	const send = (method: string, path: string, options: CallOptions = {}) =>
		call({ ...local, feed: async () => undefined }, method, path, options);
	const post = (path: string, body: unknown, token?: string) =>
		send('POST', path, { body, ...(token === undefined ? {} : { token }) });
	const signIn = (sent: Readonly<Record<string, string>> = {}) => post('/signInPassword', { email, password, ...sent });
	const saveChart = (token: string) => post('/saveChart', { id: 0, title: 'c', series: [] }, token);

	const grant = (changes: Partial<Grant> = {}) =>
		addGrant(
			local.service,
			{
				provider: 'accounts',
				where: { groups: 'ops' },
				schema: 'plant_a',
				database: 'series_a',
				owner: 3,
				role: 'administrator',
				...changes,
			},
			{ at: now, environment: '' },
		);
	/** Makes a link, as the tool does. */
	const newLink = async (): Promise<string> => {
		const token = sessionIds.newSid();
		await local.service.accounts.setLink(email, sessionIds.idOf(token), linkMs, now);
		await endSessionsNow(local.service, (session) => session.person === person);
		return token;
	};
	/** Adds an account whose password costs little to check. */
	const addAccount = async (of = email, groups: readonly string[] = ['ops'], hash = cheapHash): Promise<void> => {
		const { accounts } = local.service;
		await accounts.put({ email: of, name: 'Ada', groups });
		await accounts.setLink(of, of, 1, now);
		await accounts.usePasswordLink(of, hash, now);
	};
	/** The entries of the journal about sign-ins. */
	const sessionEntries = async (token: string) => {
		const from = new Date(now - 60 * minuteMs).toISOString();
		const { body } = await send('GET', `/changes?kind=session&start=${from}`, { token });
		return body.data.map(({ action, actor, reason }: Record<string, unknown>) => [action, actor, reason]);
	};

	test('sign in, read and write, renew, and sign out, with the role of a grant', async () => {
		expect((await send('GET', '/openIdProviders')).body.data).toMatchObject({
			credentials: false,
			accounts: true,
			providers: [],
		});
		await grant();
		await grant({ schema: 'plant_b', database: 'series_b', where: { email }, role: 'viewer' });
		await addAccount();
		const { status, body } = await signIn({ email: 'ADA@plant.example' });
		expect(status).toBe(200);
		expect(body).toEqual({
			token: expect.any(String),
			user: { id: person, name: 'Ada@Plant.example (accounts)', provider: 'accounts', role: 'administrator' },
			tenant: { schemaName: 'plant_a', tsdb_name: 'series_a' },
			tenants: [
				{ schemaName: 'plant_a', tsdb_name: 'series_a', role: 'administrator' },
				{ schemaName: 'plant_b', tsdb_name: 'series_b', role: 'viewer' },
			],
		});
		expect((await saveChart(body.token)).status).toBe(200);
		const other = await post('/renewOpenId', { schemaName: 'plant_b' }, body.token);
		expect(other.body).toMatchObject({ user: { role: 'viewer' }, tenant: { schemaName: 'plant_b' } });
		expect((await saveChart(other.body.token)).status).toBe(403);
		expect((await signIn({ schemaName: 'plant_b' })).body.tenant).toEqual({ schemaName: 'plant_b', tsdb_name: 'series_b' });
		const actor = { kind: 'person', id: person, name: 'Ada@Plant.example (accounts)' };
		expect(await sessionEntries(body.token)).toEqual([['signedIn', actor, undefined]]);
		expect((await post('/signOut', {}, body.token)).body).toEqual({ address: null });
		expect((await saveChart(body.token)).body.request.code).toBe('session_ended');
	});

	test('a renewal reads the account and the grants again', async () => {
		await grant({ where: { groups: 'ops' }, role: 'engineer' });
		await addAccount();
		const { token } = (await signIn()).body;
		now += 2 * minuteMs;
		expect((await post('/renewOpenId', {}, token)).status).toBe(200);
		await local.service.accounts.put({ email, name: 'Ada', groups: ['others'] });
		now += 2 * minuteMs;
		expect((await post('/renewOpenId', {}, token)).body.request.code).toBe('renewal_refused');
		await local.service.accounts.put({ email, name: 'Ada', groups: ['ops'] });
		const again = (await signIn()).body.token;
		await local.service.accounts.setDisabled(email, true, now);
		now += 2 * minuteMs;
		expect((await post('/renewOpenId', {}, again)).body.request.code).toBe('session_ended');
	});

	test('an administrator raises a role in Access, and lowers it to that of the grant only', async () => {
		await grant();
		await grant({ where: { groups: 'staff' }, role: 'viewer' });
		await addAccount();
		await addAccount('bob@plant.example', ['staff']);
		const { token } = (await signIn()).body;
		const bob = (await signIn({ email: 'bob@plant.example' })).body;
		const save = (role: string) => post('/savePerson', { email: bob.user.id, role }, token);
		expect((await saveChart(bob.token)).status).toBe(403);
		expect((await save('operator')).status).toBe(200);
		const raised = (await post('/renewOpenId', {}, bob.token)).body.token;
		expect((await saveChart(raised)).status).toBe(200);
		expect((await save('viewer')).status).toBe(200);
		expect((await saveChart(raised)).body.request.code).toBe('role_too_low');
	});

	test('who has no grant is told what grants look at', async () => {
		await grant();
		await addAccount(email, ['staff']);
		const { status, body } = await signIn();
		expect([status, body.request]).toEqual([
			403,
			expect.objectContaining({ code: 'no_grant', params: { provider: 'accounts', claims: ['groups=staff'] } }),
		]);
	});

	test('a link sets a password once, of several at once, and until its end', async () => {
		await grant();
		await local.service.accounts.put({ email, name: 'Ada', groups: ['ops'] });
		const token = await newLink();
		const refused = (await post('/setPassword', { token, password: 'too short' })).body;
		expect(refused.password).toMatchObject({ code: 'too_short', params: { limit: 12 } });
		expect((await post('/setPassword', { token, password: 'x'.repeat(129) })).body.password.code).toBe('too_long');
		for (const guessable of [email, 'ada ada ada ada', 'password1234', 'aaaaaaaaaaaa'])
			expect((await post('/setPassword', { token, password: guessable })).body.password.code, guessable).toBe(
				'password_guessable',
			);
		const both = await Promise.all(
			['first pump house', 'second pump house'].map((each) => post('/setPassword', { token, password: each })),
		);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
		expect((await post('/setPassword', { token, password })).body.token.code).toBe('link_ended');
		const late = await newLink();
		now += linkMs;
		expect((await post('/setPassword', { token: late, password })).status).toBe(403);
		expect((await post('/setPassword', { token: sessionIds.newSid(), password })).status).toBe(403);
	});

	test('a link, a removal and disabling end the sessions, and nobody signs in any more', async () => {
		await grant();
		for (const change of [
			() => newLink(),
			() => local.service.accounts.setDisabled(email, true, now),
			() => local.service.accounts.remove(email),
		]) {
			await local.service.accounts.remove(email);
			await addAccount();
			const { token } = (await signIn()).body;
			expect((await saveChart(token)).status).toBe(200);
			await change();
			await endSessionsNow(local.service, (session) => session.person === person);
			expect((await saveChart(token)).body.request.code).toBe('session_ended');
			expect((await signIn()).body.request.code).toBe('password_refused');
		}
	});

	test('an account that changes while somebody signs in gives no session', async () => {
		await grant();
		await addAccount();
		const { find } = local.service.accounts;
		let reads = 0;
		local.service.accounts.find = async (of) => {
			reads += 1;
			// Between the check of the password and the storing of the session.
			if (reads === 2) await local.service.accounts.setLink(email, 'other', linkMs, now);
			return find(of);
		};
		expect((await signIn()).body.request.code).toBe('password_refused');
		expect(reads).toBe(2);
		expect(await local.service.openIdSessions.list()).toEqual([]);
	});

	test('wrong passwords are limited as those of loginSso, and one source does not lock out another that is known', async () => {
		await grant();
		await addAccount();
		expect((await signIn()).status).toBe(200);
		const wrong = () => signIn({ password: 'wrong wrong wrong' });
		for (let count = 0; count < 10; count += 1) expect((await wrong()).status).toBe(401);
		const blocked = await signIn();
		expect([blocked.status, blocked.body.request.code]).toEqual([429, 'sign_in_blocked']);
		expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0);
		now += 15 * minuteMs;
		const { token } = (await signIn()).body;
		// The refusals of one address are told once in 15 minutes.
		expect(await sessionEntries(token)).toMatchObject([
			['signedIn', { id: person }, undefined],
			['refused', { id: person, name: 'Ada@Plant.example (accounts)' }, 'credentials'],
			['signedIn', { id: person }, undefined],
		]);
	});

	test('a second factor is set with a code of it, then each code and recovery code signs in once', async () => {
		await grant();
		await addAccount();
		// Between two steps of 30 s, so that no code changes meanwhile.
		now = Math.ceil(now / 30_000) * 30_000 + 10_000;
		const factor = (sent = {}) => post('/setSecondFactor', { email, password, ...sent });
		const { secret, address, recoveryCodes } = (await factor()).body;
		expect([address, recoveryCodes]).toEqual([expect.stringContaining(`secret=${secret}&issuer=Caudal`), null]);
		const codeAt = (stepsAway = 0) => totp.codeAt(secret, Math.floor(now / 30_000) + stepsAway);
		expect((await factor({ secret, code: '000 000' })).body.code.code).toBe('code_refused');
		expect((await factor({ secret: 'SHORT', code: codeAt() })).status).toBe(400);
		expect((await factor({ password: 'wrong wrong wrong', secret, code: codeAt() })).status).toBe(401);
		expect((await signIn()).status).toBe(200);
		const set = await factor({ secret, code: codeAt() });
		expect(set.body.recoveryCodes).toHaveLength(10);
		expect((await factor()).body.request.code).toBe('second_factor_set');

		expect((await signIn()).body.code.code).toBe('code_required');
		expect((await signIn({ code: codeAt(2) })).body.code.code).toBe('code_refused');
		const both = await Promise.all([signIn({ code: codeAt() }), signIn({ code: codeAt() })]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
		expect((await signIn({ code: codeAt(-1) })).status).toBe(401);
		expect((await signIn({ code: codeAt(1) })).status).toBe(200);
		const [recovery] = set.body.recoveryCodes;
		expect((await signIn({ code: recovery.toLowerCase() })).status).toBe(200);
		expect((await signIn({ code: recovery })).status).toBe(401);
		const stored = await local.service.accounts.find(email);
		expect(stored?.secondFactor?.recoveryHashes).toHaveLength(9);
		for (const each of set.body.recoveryCodes) expect(JSON.stringify(stored)).not.toContain(each);
		expect(lines.join('\n')).not.toContain(secret);
	});

	test('wrong codes are limited as wrong passwords', async () => {
		await grant();
		await addAccount();
		const { passwordHash } = (await local.service.accounts.find(email)) ?? {};
		const factor = { secret: totp.newSecret(), recoveryHashes: [] };
		await local.service.accounts.setSecondFactor(email, factor, passwordHash ?? '', now);
		for (let count = 0; count < 3; count += 1) expect((await signIn()).body.code.code).toBe('code_required');
		for (let count = 0; count < 10; count += 1) expect((await signIn({ code: 'AAAA-AAAA' })).status).toBe(401);
		expect((await signIn({ code: 'AAAA-AAAA' })).status).toBe(429);
	});

	test('a session from before a link or a second factor ends, also where nobody ended it', async () => {
		await grant();
		await addAccount();
		const before = (await signIn()).body.token;
		now += 2 * minuteMs;
		// As where the tool was killed after it had made the link.
		await addAccount();
		expect((await post('/renewOpenId', {}, before)).body.request.code).toBe('session_ended');
		const other = (await signIn()).body.token;
		const { secret } = (await post('/setSecondFactor', { email, password })).body;
		const code = totp.codeAt(secret, Math.floor(now / 30_000));
		expect((await post('/setSecondFactor', { email, password, secret, code })).status).toBe(200);
		expect((await saveChart(other)).body.request.code).toBe('session_ended');
	});

	test('a refusal is told to all schemas of the account, whichever was asked for, and where a second factor is set up', async () => {
		await grant();
		await addAccount();
		// The journal tells of known people only.
		await signIn();
		const wrong = { email, password: 'wrong wrong wrong' };
		const refusedAt = async (refuse: () => Promise<unknown>): Promise<number> => {
			// The refusals of one address are told once in 15 minutes.
			now += 16 * minuteMs;
			await refuse();
			const { token } = (await signIn()).body;
			return (await sessionEntries(token)).filter(([action]: unknown[]) => action === 'refused').length;
		};
		expect(await refusedAt(() => post('/signInPassword', { ...wrong, schemaName: 'another' }))).toBe(1);
		expect(await refusedAt(() => post('/setSecondFactor', wrong))).toBe(2);
		expect(lines.join('\n')).toContain('A second factor was refused.');
	});

	test('20 at once all sign in', async () => {
		await grant({ where: { groups: 'ops' } });
		const emails = Array.from({ length: 20 }, (_, index) => `p${index}@plant.example`);
		for (const each of emails) await addAccount(each);
		const answers = await Promise.all(emails.map((each) => signIn({ email: each })));
		expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
	});

	test('an unknown e-mail, a disabled account and one without a password cost a hash, too', async () => {
		await local.service.accounts.put({ email, name: 'Ada', groups: [] });
		expect((await post('/setPassword', { token: await newLink(), password })).body).toEqual({ email });
		const { passwordHash } = (await local.service.accounts.find(email)) ?? {};
		await addAccount('off@plant.example', [], passwordHash ?? '');
		await local.service.accounts.setDisabled('off@plant.example', true, now);
		await local.service.accounts.put({ email: 'new@plant.example', name: 'New', groups: [] });
		const cpuOf = async (of: string): Promise<number> => {
			const before = process.cpuUsage();
			const { status, text } = await signIn({ email: of, password: 'wrong wrong wrong' });
			expect([status, JSON.parse(text).request.code]).toEqual([401, 'password_refused']);
			const { user, system } = process.cpuUsage(before);
			return user + system;
		};
		const known = await cpuOf(email);
		for (const of of ['nobody@plant.example', 'off@plant.example', 'new@plant.example'])
			expect(await cpuOf(of), of).toBeGreaterThan(known / 2);
	});

	test('no password, link or session is in the log, in the journal, in errors or in files of the state', async () => {
		await grant();
		await local.service.accounts.put({ email, name: 'Ada', groups: ['ops'] });
		const link = await newLink();
		const secret = 'a secret that nobody prints';
		const answers = [
			await post('/setPassword', { token: link, password: 'cnry short' }),
			await post('/setPassword', { token: link, password: { secret } }),
			await post('/setPassword', { token: link, password: secret }),
			await post('/setPassword', { token: link, password: secret }),
			await signIn({ password: `${secret}!` }),
			await post('/signInPassword', { email, password: [secret] }),
			await post('/signInPassword', { email, passwort: secret }),
			await post('/signInPassword', `{"email": "${email}", "password": "${secret}`),
		];
		expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 403, 401, 400, 400, 400]);
		const { body } = await signIn({ password: secret });
		const sid = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString()).sid;
		const journal = (await send('GET', '/changes?kind=session', { token: body.token })).text;
		const files = readdirSync(state)
			.map((name) => readFileSync(join(state, name), 'latin1'))
			.join('\n');
		expect(files).toContain('$scrypt$ln=15');
		expect(lines.join('\n')).toContain('A sign-in with an account was refused.');
		for (const text of [lines.join('\n'), journal, files, ...answers.map(({ text }) => text)])
			for (const value of [secret, link, 'cnry short', sid]) expect(text).not.toContain(value);
		expect(lines.join('\n')).not.toContain(email);
	});
});

test('ACCOUNTS_SECOND_FACTOR=required lets nobody in without one', async () => {
	let now = Date.now();
	const local = await startLocal({ ACCOUNTS: 'on', ACCOUNTS_SECOND_FACTOR: 'required' }, () => now);
	onTestFinished(() => local.close());
	const { accounts } = local.service;
	await accounts.put({ email, name: 'Ada', groups: [] });
	await accounts.setLink(email, 'link', linkMs, now);
	await accounts.usePasswordLink('link', cheapHash, now);
	const body = { email, password };
	const target = { ...local, feed: async () => undefined };
	expect((await call(target, 'POST', '/signInPassword', { body })).body.request.code).toBe('second_factor_required');
	expect((await call(target, 'POST', '/setSecondFactor', { body })).body.secret).toMatch(/^[A-Z2-7]{32}$/);
	// An hour later, whoever has got hold of the password sets up no factor of their own.
	now += 61 * minuteMs;
	expect((await call(target, 'POST', '/setSecondFactor', { body })).body.request.code).toBe('second_factor_late');
});
