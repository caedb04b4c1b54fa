import { beforeEach, describe, expect, test } from 'vitest';
import { withCircuit } from '#adapters/provider-circuit.ts';
import { DomainError } from '#domain/errors.ts';
import type { IdentityProvider } from '#domain/ports/identity-provider.ts';

const down = new DomainError('dependency_failed', { dependency: 'identityProvider', cause: 'status 503', isDown: true });
const refused = new DomainError('dependency_failed', { dependency: 'identityProvider', cause: 'status 401', isDown: false });

describe('withCircuit', () => {
	let now: number;
	let calls: number;
	let answer: () => Promise<null>;
	let provider: IdentityProvider;
	beforeEach(() => {
		now = 1_000_000;
		calls = 0;
		answer = async () => null;
		const call = async () => {
			calls += 1;
			return (await answer()) ?? [];
		};
		const client = {
			getUser: async () => {
				calls += 1;
				return answer();
			},
			getSchemaProduct: call,
			listProductxUserxClient: call,
		};
		provider = withCircuit(client, () => now);
	});

	/** What a renewal asks of a user of client 3. */
	const renew = async (id: number) =>
		Promise.allSettled([provider.getUser(id), provider.getSchemaProduct(3, 5), provider.listProductxUserxClient(id, 3)]);

	test('passes answers and refusals on, and asks on', async () => {
		expect(await renew(7)).toEqual([
			{ status: 'fulfilled', value: null },
			{ status: 'fulfilled', value: [] },
			{ status: 'fulfilled', value: [] },
		]);
		answer = () => Promise.reject(refused);
		for (const id of [7, 8, 9, 10]) expect((await renew(id))[0]).toEqual({ status: 'rejected', reason: refused });
		expect(calls).toBe(15);
	});

	test('two users’ renewals without an answer are the last that wait for one, until 10 s are over; then two calls are made', async () => {
		answer = () => Promise.reject(down);
		await renew(7);
		await renew(8);
		expect(calls).toBe(6);
		expect((await renew(9)).map((each) => (each.status === 'rejected' ? each.reason : each))).toEqual(
			Array.from({ length: 3 }, () =>
				expect.objectContaining({ code: 'dependency_slow', payload: expect.objectContaining({ retryAfterMs: 10_000 }) }),
			),
		);
		expect(calls).toBe(6);
		now += 10_000;
		answer = async () => null;
		await renew(9);
		// One about user 9, of whom nothing is known, and one about client 3, who had no answer.
		expect(calls).toBe(8);
		await renew(9);
		expect(calls).toBe(11);
	});

	test('one user’s faults, however many, do not keep the others from being asked about', async () => {
		for (let each = 0; each < 5; each += 1) {
			answer = () => Promise.reject(down);
			await Promise.allSettled([provider.getUser(7), provider.listProductxUserxClient(7, 3)]);
		}
		answer = async () => null;
		calls = 0;
		await renew(8);
		expect(calls).toBe(3);
	});
});
