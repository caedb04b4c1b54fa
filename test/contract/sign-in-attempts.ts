import { beforeEach, describe, expect, test } from 'vitest';
import { type AttemptScope, attemptWindowMs, knownSourceMs, type SignInAttempts } from '#domain/ports/sign-in-attempts.ts';

/** In the future: DynamoDB deletes expired items by its own clock. */
const now = Date.UTC(2100, 0, 1);
const email = 'operator@plant-a.example';
const source = '203.0.113.7';
const scopes: readonly AttemptScope[] = [
	{ email, source },
	{ email, source: null },
	{ email: null, source },
];

/** Tests of every `SignInAttempts`. `open` creates an empty one. */
export function signInAttemptsContract(name: string, open: () => Promise<SignInAttempts>): void {
	describe(`SignInAttempts: ${name}`, () => {
		let attempts: SignInAttempts;
		let ids = 0;
		beforeEach(async () => {
			attempts = await open();
		});

		const make = (at = now) => {
			ids += 1;
			return { id: `attempt-${ids}`, at };
		};
		const [scope, ...otherScopes] = scopes as [AttemptScope, ...AttemptScope[]];

		test.each(scopes)('counts attempts up to the limit, then returns the times that fill it: %j', async (each) => {
			for (const at of [now - 2, now, now - 1]) expect(await attempts.count(each, make(at), 3)).toEqual([]);
			for (let again = 0; again < 2; again += 1) expect(await attempts.count(each, make(), 3)).toEqual([now, now - 1, now - 2]);
			expect(await attempts.count(each, make(), 4)).toEqual([]);
		});

		test.each(scopes)('of 400 parallel attempts exactly as many are counted as the limit allows: %j', async (each) => {
			const outcomes = await Promise.all(Array.from({ length: 400 }, () => attempts.count(each, make(), 10)));
			expect(outcomes.filter((blocking) => blocking.length === 0)).toHaveLength(10);
			for (const blocking of outcomes) expect([0, 10]).toContain(blocking.length);
		});

		test('separates scopes', async () => {
			expect(await attempts.count(scope, make(), 1)).toEqual([]);
			for (const other of [...otherScopes, { email, source: '203.0.113.8' }, { email: `${email}.`, source }])
				expect(await attempts.count(other, make(), 1)).toEqual([]);
			expect(await attempts.count(scope, make(), 1)).toEqual([now]);
		});

		test('counts a withdrawn attempt no longer, and withdraws nothing else', async () => {
			const [first, second] = [make(), make(now + 1)];
			for (const attempt of [first, second]) await attempts.count(scope, attempt, 2);
			await attempts.withdraw(scope, make());
			for (const other of otherScopes) await attempts.withdraw(other, first);
			expect(await attempts.count(scope, make(), 2)).toEqual([now + 1, now]);
			for (let again = 0; again < 2; again += 1) await attempts.withdraw(scope, first);
			expect(await attempts.count(scope, make(now + 2), 2)).toEqual([]);
			expect(await attempts.count(scope, make(), 2)).toEqual([now + 2, now + 1]);
			for (const other of otherScopes) expect(await attempts.count(other, make(), 1)).toEqual([]);
		});

		test('counts an attempt for the whole window, and no longer', async () => {
			for (const at of [now, now + 5]) await attempts.count(scope, make(at), 2);
			expect(await attempts.count(scope, make(now + attemptWindowMs - 1), 2)).toEqual([now + 5, now]);
			expect(await attempts.count(scope, make(now + attemptWindowMs), 2)).toEqual([]);
			expect(await attempts.count(scope, make(now + attemptWindowMs + 4), 2)).toEqual([now + attemptWindowMs, now + 5]);
		});

		test('knows a source for 30 days after its last sign-in with the e-mail', async () => {
			expect(await attempts.isKnown(email, source, now)).toBe(false);
			await attempts.remember(email, source, now - 1);
			await attempts.remember(email, source, now);
			expect(await attempts.isKnown(email, source, now + knownSourceMs - 1)).toBe(true);
			expect(await attempts.isKnown(email, source, now + knownSourceMs)).toBe(false);
			expect(await attempts.isKnown(email, '203.0.113.8', now)).toBe(false);
			expect(await attempts.isKnown('other@plant-a.example', source, now)).toBe(false);
			expect(await attempts.count(scope, make(), 1)).toEqual([]);
		});
	});
}
