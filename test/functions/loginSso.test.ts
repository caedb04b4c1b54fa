import { expect, test } from 'vitest';
import { createHandler } from '#functions/loginSso/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeSignInDeps, operator, signInCredentials } from '#test/support/builders/sign-in-deps.ts';

test('loginSso counts and logs a sign-in that is refused for its tenant, and answers as for any other', async () => {
	const { deps } = makeSignInDeps();
	const counted: string[] = [];
	const logged: unknown[] = [];
	const handler = createHandler({
		...deps,
		log: { ...silentLog, info: (_, fields) => void logged.push(fields) },
		metrics: { count: (name) => void counted.push(name) },
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
