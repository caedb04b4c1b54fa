import { expect, test } from 'vitest';
import { createHandler } from '#functions/loginSso/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeSignInDeps, operator, signInCredentials } from '#test/support/builders/sign-in-deps.ts';

test('loginSso counts and logs a sign-in that is refused for its tenant, and answers as for any other', async () => {
	const { deps, sessions } = makeSignInDeps();
	const counted: string[] = [];
	const logged: unknown[] = [];
	const handler = createHandler({
		...deps,
		sessions,
		log: { ...silentLog, info: (_, fields) => void logged.push(fields) },
		metrics: { count: (name) => void counted.push(name) },
		trustedProxy: null,
		now: Date.now,
	});
	const respond = (body: unknown) => handler(makeEvent('POST /loginSso', { body }));
	await deps.users.put(operator);
	await deps.owners.set({ kind: 'schema', name: 'plant', clientId: 4 });
	const [refused, wrong] = [await respond(signInCredentials), await respond({ ...signInCredentials, tokenApp: 'wrong' })];
	expect(refused.statusCode).toBe(401);
	expect(refused).toEqual(wrong);
	expect(counted).toEqual(['TenantRefusals']);
	expect(logged).toEqual([{ reason: 'owned_by_another_client', schema: 'plant', database: 'series', clientId: 3 }]);
});

test('loginSso limits failures by the address that a trusted proxy forwards, and by no other forwarded address', async () => {
	const { deps, sessions } = makeSignInDeps();
	const isSecret = async (text: string) => text === 'right';
	const trustedProxy = { header: 'x-origin-verify', hops: 1, isSecret };
	const handler = createHandler({
		...deps,
		sessions,
		log: silentLog,
		metrics: { count: () => undefined },
		trustedProxy,
		now: Date.now,
	});
	const body = { ...signInCredentials, tokenApp: 'wrong' };
	const statusFrom = async (address: string, secret: string) => {
		const headers = { 'x-forwarded-for': `${address}, 203.0.113.7`, 'x-origin-verify': secret };
		return (await handler(makeEvent('POST /loginSso', { body, headers }))).statusCode;
	};
	const statuses: (number | undefined)[] = [];
	for (let index = 0; index < 11; index += 1) statuses.push(await statusFrom('198.51.100.1', 'right'));
	expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
	expect(await statusFrom('198.51.100.2', 'right')).toBe(401);
	// All of these come from the address that the gateway saw.
	for (let index = 0; index < 10; index += 1) expect(await statusFrom(`198.51.100.${10 + index}`, 'wrong')).toBe(401);
	expect(await statusFrom('198.51.100.30', 'wrong')).toBe(429);
});
