import { describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import type { SignInAttempts } from '#domain/ports/sign-in-attempts.ts';
import type { Users } from '#domain/ports/users.ts';
import { signIn } from '#domain/use-cases/sign-in.ts';
import { makeSignInDeps, signInCredentials } from '#test/support/builders/sign-in-deps.ts';

/** In the future: DynamoDB deletes expired items by its own clock, and an attempt counts for 15 minutes only. */
const now = Date.UTC(2100, 0, 1);

/** Tests that parallel guesses meet the limits of sign-in. `open` creates empty stores. */
export function parallelSignInsContract(
	name: string,
	open: () => Promise<{ readonly attempts: SignInAttempts; readonly users: Users }>,
): void {
	describe(`400 parallel sign-ins: ${name}`, () => {
		test.each([
			['from one source with one e-mail', 10, () => '203.0.113.7', () => 'op@plant.example'],
			['from one source with an e-mail each', 60, () => '203.0.113.7', (index: number) => `op${index}@plant.example`],
			['from one IPv6 network', 10, (index: number) => `2001:db8::${index.toString(16)}`, () => 'op@plant.example'],
			[
				'from a source each with one e-mail',
				100,
				(index: number) => `198.51.${index >> 8}.${index & 255}`,
				() => 'op@plant.example',
			],
		])('%s: exactly %i reach the provider', async (_, limit, sourceOf, emailOf) => {
			const { deps, calls } = makeSignInDeps(await open());
			const guess = async (index: number) => {
				const sent = { ...signInCredentials, email: emailOf(index), tokenApp: `guess ${index}` };
				const error: unknown = await signIn(deps, sent, sourceOf(index), now).catch((thrown: unknown) => thrown);
				return error instanceof DomainError ? error.code : error;
			};
			const outcomes = await Promise.all(Array.from({ length: 400 }, (_, index) => guess(index)));
			expect(calls.filter((call) => call.startsWith('getUser'))).toHaveLength(limit);
			expect(outcomes.filter((outcome) => outcome === 'credentials_refused')).toHaveLength(limit);
			expect(outcomes.filter((outcome) => outcome === 'sign_in_blocked')).toHaveLength(400 - limit);
		});
	});
}
