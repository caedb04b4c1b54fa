import { expect, test } from 'vitest';
import { signIn } from '#domain/use-cases/sign-in.ts';
import { createHandler } from '#functions/renewToken/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeSignInDeps, operator, signInCredentials } from '#test/support/builders/sign-in-deps.ts';

const signedIn = 1_795_258_800;

const claims = { sub: '7', email: 'Op@Plant.example', schema: 'plant', tsdb: 'series', iat: String(signedIn) };

const renew = async (given: Readonly<Record<string, string>>, atSeconds: number) => {
	const { deps, signed } = makeSignInDeps();
	await deps.users.put(operator);
	await signIn(deps, signInCredentials, '203.0.113.7', signedIn * 1000);
	const handler = createHandler({ ...deps, log: silentLog, now: () => atSeconds * 1000 });
	const { statusCode, body } = await handler(makeEvent('POST /renewToken', { claims: given }));
	return { statusCode, body: JSON.parse(body ?? ''), signed: signed.slice(1) };
};

test('renewToken answers a token and its user, as loginSso does', async () => {
	const { statusCode, body, signed } = await renew({ ...claims, auth_time: String(signedIn - 7200) }, signedIn + 60);
	const { id, email, firstName, lastName } = operator;
	const user = { id, email, first_name: firstName, last_name: lastName, role: 'engineer' };
	expect([statusCode, body]).toEqual([200, { token: 'token', user }]);
	expect(signed).toMatchObject([{ auth_time: signedIn - 7200, session_exp: signedIn + 36_000 }]);
});

test('renewToken counts the session of a token without auth_time from its iat', async () => {
	expect((await renew(claims, signedIn + 43_199)).signed).toMatchObject([{ auth_time: signedIn, exp: signedIn + 43_200 }]);
	const { statusCode, body } = await renew(claims, signedIn + 43_200);
	expect([statusCode, body.request.code]).toEqual([403, 'session_ended']);
});

test.each([
	['no e-mail', { email: '' }],
	['no user', { sub: '' }],
	['no time', { iat: '' }],
	['a time that is none', { auth_time: '9x' }],
])('renewToken refuses a token with %s', async (_, wrong) => {
	const { statusCode, body } = await renew({ ...claims, ...wrong }, signedIn + 60);
	expect([statusCode, body.request.code]).toEqual([403, 'renewal_refused']);
});
