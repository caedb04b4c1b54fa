import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { addGrant } from '#infra/tools/grant/changes.ts';
import { authorize } from '#test/support/authorize.ts';
import { exchangeForm } from '#test/support/openid/code-flow.ts';
import { type Cognito, cognitoClientId, startCognito } from '#test/support/openid/cognito.ts';
import { startLocal } from '#test/support/servers/local.ts';
import { call, type Target } from './target.ts';

const consoleUrl = 'http://localhost:3000/console';
const resource = 'https://caudal.utility.example';
const signOutUrl = `https://utility-caudal.auth.eu-west-1.amazoncognito.com/logout?client_id=${cognitoClientId}&logout_uri=${consoleUrl}`;

let cognito: Cognito;
let local: LocalServer;
let now: number;
let folder: string;

beforeEach(async () => {
	now = Date.now();
	folder = mkdtempSync(join(tmpdir(), 'cognito-'));
	cognito = await startCognito(() => now);
	const file = join(folder, 'providers.json');
	const names = { name: 'cognito', label: 'Sign in', issuer: cognito.issuer, clientId: cognitoClientId, secret: true };
	writeFileSync(file, JSON.stringify([{ ...names, signOutUrl, audiences: [resource], clients: ['portal'] }]));
	local = await startLocal({ OPENID_PROVIDERS: file, OPENID_SECRET_COGNITO: 'a-secret', CONSOLE_URL: consoleUrl }, () => now);
	const tenant = { schema: 'plant_a', database: 'series_a', owner: 1, role: 'operator' } as const;
	await addGrant(
		local.service,
		{ provider: 'cognito', where: { 'cognito:groups': 'plant-a-ops' }, ...tenant },
		{ at: now, environment: '' },
	);
});
afterEach(async () => {
	await local.close();
	cognito.close();
	rmSync(folder, { recursive: true });
});

const target = (): Target => ({ ...local, feed: async () => undefined });
const signIn = async () => {
	const codeVerifier = randomBytes(32).toString('base64url');
	const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
	const nonce = randomBytes(32).toString('base64url');
	const { data } = (await call(target(), 'GET', '/openIdProvider?name=cognito')).body;
	expect(data).toMatchObject({ issuer: cognito.issuer, requiresIssuer: false, redirectUri: consoleUrl });
	const { clientId, redirectUri, scope } = data;
	const query = await authorize(data.authorizationEndpoint, { clientId, redirectUri, scope, nonce, codeChallenge }, {});
	const body = { provider: 'cognito', code: query.get('code'), codeVerifier, nonce };
	return call(target(), 'POST', '/signInOpenId', { body });
};
const renew = (token: string) => call(target(), 'POST', '/renewOpenId', { token, body: {} });
const saveChart = (token: string) => call(target(), 'POST', '/saveChart', { token, body: { id: 0, title: 'c', series: [] } });

test('people of a user pool sign in by their groups, renew without a new refresh token, and sign out at the address of the settings', async () => {
	const { status, body } = await signIn();
	expect(status).toBe(200);
	expect(body.user).toMatchObject({ name: 'ana@utility.example (cognito)', role: 'operator' });
	const [redeemed] = cognito.requests.filter(({ path }) => path === '/oauth2/token');
	expect(redeemed?.authorization).toBe(`Basic ${Buffer.from(`${cognitoClientId}:a-secret`).toString('base64')}`);
	for (const round of [1, 2]) {
		now += 61_000;
		expect((await renew(body.token)).status, `round ${round}`).toBe(200);
	}
	expect((await saveChart(body.token)).status).toBe(200);
	// A document that names the address of signing out does not change it: Cognito takes no `post_logout_redirect_uri`.
	cognito.document['end_session_endpoint'] = `${cognito.issuer}/logout`;
	const out = await call(target(), 'POST', '/signOut', { token: body.token, body: {} });
	expect(out.body).toEqual({ address: signOutUrl });
	expect(cognito.count('/oauth2/revoke')).toBe(1);
	expect((await saveChart(body.token)).body).toMatchObject({ request: { code: 'session_ended' } });
});

test('who is taken out of the group in the pool is refused at the next renewal', async () => {
	const { token } = (await signIn()).body;
	cognito.groups = [];
	now += 61_000;
	expect(await renew(token)).toMatchObject({ status: 403, body: { request: { code: 'renewal_refused' } } });
	expect((await saveChart(token)).body).toMatchObject({ request: { code: 'session_ended' } });
	expect((await signIn()).body).toMatchObject({ request: { code: 'no_grant', params: { claims: ['cognito:groups='] } } });
});

test('while the pool is down sessions are renewed by the groups of before, and with its next answer by those of then', async () => {
	const { token } = (await signIn()).body;
	const answer = cognito.answers.get('/oauth2/token');
	if (answer === undefined) throw new Error('The pool has no token endpoint.');
	cognito.answers.set('/oauth2/token', (_, response) => void response.writeHead(503).end('<html>Service Unavailable</html>'));
	cognito.groups = [];
	now += 61_000;
	const renewed = await renew(token);
	expect([renewed.status, renewed.body.user.role]).toEqual([200, 'operator']);
	expect((await saveChart(renewed.body.token)).status).toBe(200);
	cognito.answers.set('/oauth2/token', answer);
	now += 61_000;
	expect(await renew(token)).toMatchObject({ status: 403, body: { request: { code: 'renewal_refused' } } });
});

test('a pool that refuses the service’s own client is not down: the token that is held stays as it is', async () => {
	const { token } = (await signIn()).body;
	cognito.answers.set('/oauth2/token', (_, response) => void response.writeHead(400).end('{"error":"invalid_client"}'));
	now += 61_000;
	expect(await renew(token)).toMatchObject({ status: 502, body: { openIdProvider: { code: 'dependency_failed' } } });
	expect((await saveChart(token)).status).toBe(200);
});

test('exchanges an access token that is bound to the service, and none that is for any service of the pool', async () => {
	const exchange = (token: string) => call(target(), 'POST', '/token', { body: exchangeForm(token) });
	const { status, body } = await exchange(cognito.accessToken('portal', resource));
	expect(status).toBe(200);
	expect(body.expires_in).toBeLessThanOrEqual(3600);
	expect((await saveChart(body.access_token)).status).toBe(200);
	const refused = [
		cognito.accessToken('portal'),
		cognito.accessToken('portal', 'https://another.example'),
		cognito.accessToken('sibling', resource),
		cognito.idToken(cognitoClientId),
		cognito.idToken(resource),
	];
	for (const token of refused) expect((await exchange(token)).body).toMatchObject({ error: 'invalid_request' });
});
