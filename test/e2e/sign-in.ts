import { describe, expect, test } from 'vitest';
import { readManifest } from '#infra/openapi/manifest.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { apiGateway, call, type Gateway, type Target, tenants } from './target.ts';

/** Sign-in and tokens (shared/domain/use-cases/README.md#sign-in). */
export const signInSuite = (target: () => Target, { sendsChallenge, matchesExactPaths }: Gateway = apiGateway): void => {
	describe('sign-in', () => {
		const post = (body: unknown, headers = {}) => call(target(), 'POST', '/loginSso', { body, headers });

		test('returns a token and the user', async () => {
			const { status, body } = await post(tenants.a);
			expect(status).toBe(200);
			expect(Object.keys(body).sort()).toEqual(['token', 'user']);
			expect(body.user).toEqual({
				id: 1,
				email: tenants.a.email,
				first_name: expect.any(String),
				last_name: expect.any(String),
				role: expect.any(String),
			});
			const claims = JSON.parse(Buffer.from(body.token.split('.')[1], 'base64url').toString());
			expect(claims).toMatchObject({
				sub: '1',
				email: tenants.a.email,
				schema: 'plant_a',
				tsdb: 'plant_a',
				scope: 'service',
				client: '1',
			});
			// Lifetimes vary by a tenth.
			expect(claims.exp - claims.iat).toBeGreaterThanOrEqual(3240);
			expect(claims.exp - claims.iat).toBeLessThanOrEqual(3600);
		});

		test('accepts the e-mail in any case, and ignores cookies and unknown fields', async () => {
			const sent = { ...tenants.a, email: tenants.a.email.toUpperCase(), __proto__: null, extra: { nested: true } };
			expect((await post(sent, { cookie: 'session=1; other=2' })).status).toBe(200);
		});

		test('gives the same response for every kind of wrong credentials', async () => {
			const wrongCredentials = [
				{ ...tenants.b, tokenApp: 'wrong' },
				{ ...tenants.b, email: 'nobody@plant-b.example' },
				{ ...tenants.b, schemaName: 'plant_a' },
				{ ...tenants.b, tsdb_name: 'plant_a' },
				{ ...tenants.b, tokenApp: tenants.a.tokenApp },
			];
			const answers = await Promise.all(wrongCredentials.map((sent) => post(sent)));
			for (const { status, text } of answers) {
				expect(status).toBe(401);
				expect(text).toBe(answers[0]?.text);
			}
			expect(answers[0]?.body).toEqual({ request: errorEntry('credentials_refused') });
		});

		test('names every field that is missing or invalid', async () => {
			const { status, body } = await post({ email: '', tokenApp: 5, schemaName: 'plant_a' });
			expect(status).toBe(400);
			expect(Object.keys(body).sort()).toEqual(['email', 'tokenApp', 'tsdb_name']);
			expect((await call(target(), 'POST', '/loginSso')).body).toEqual({ request: errorEntry('body_required') });
		});

		test('blocks an e-mail after ten failures, with the time to wait', async () => {
			const sent = { ...tenants.a, email: 'blocked@plant-a.example' };
			for (let failure = 0; failure < 10; failure += 1) expect((await post(sent)).status).toBe(401);
			const { status, headers, body } = await post(sent);
			expect(status).toBe(429);
			expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
			expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
			expect(body).toEqual({ request: errorEntry('sign_in_blocked') });
			expect((await post(tenants.a)).status).toBe(200);
		});
	});

	describe('renewing a token', () => {
		const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

		test('gives another token of the same person, tenant and session, with which the service answers', async () => {
			const { token, user } = (await call(target(), 'POST', '/loginSso', { body: tenants.a })).body;
			const { status, body } = await call(target(), 'POST', '/renewToken', { token });
			expect([status, body]).toEqual([200, { token: expect.any(String), user }]);
			const [first, second] = [claimsOf(token), claimsOf(body.token)];
			const { sub, email, schema, tsdb, client, scope, auth_time, session_exp } = first;
			expect(second).toMatchObject({ sub, email, schema, tsdb, client, scope, auth_time, session_exp });
			expect(session_exp - auth_time).toBe(43_200);
			expect(auth_time).toBe(first.iat);
			expect(second.jti).not.toBe(first.jti);
			// A renewed token can be renewed, and the one before it stays valid.
			for (const each of [token, body.token]) {
				expect((await call(target(), 'GET', '/getVarsTsdb', { token: each })).status).toBe(200);
				expect((await call(target(), 'POST', '/renewToken', { token: each })).status).toBe(200);
			}
		});
	});

	describe('protected routes', () => {
		test.each([
			['POST', '/renewToken'],
			['GET', '/getVarsTsdb'],
			['POST', '/saveVariable'],
			['POST', '/deleteVar/1'],
			['POST', '/multipleDataTsdb'],
			['POST', '/history'],
			['GET', '/bombs'],
			['POST', '/bombs'],
			['GET', '/usages/1'],
			['GET', '/getCharts'],
			['GET', '/getDiagrams'],
			['GET', '/getAlarms'],
			['POST', '/saveChart'],
			['POST', '/saveDiagram'],
			['POST', '/saveAlarm'],
			['POST', '/deleteChart/1'],
			['POST', '/deleteDiagram/1'],
			['POST', '/deleteAlarm/1'],
		])('%s %s answers 401 without a token and with an invalid one', async (method, path) => {
			for (const token of [undefined, 'nonsense', 'a.b.c']) {
				const { status, body, headers } = await call(target(), method, path, { token });
				expect(status).toBe(401);
				expect(body).toEqual({ message: 'Unauthorized' });
				if (sendsChallenge) expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
			}
		});

		if (matchesExactPaths)
			test('health needs no token, and answers the version of the release', async () => {
				const { version } = readManifest();
				expect((await call(target(), 'GET', '/health')).body).toEqual({ status: 'ok', version });
			});
	});
};
