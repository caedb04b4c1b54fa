import { beforeEach, describe, expect, test } from 'vitest';
import { claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import type { IdempotencyRecord, SchemaStore } from '#domain/ports/schema-store.ts';

/** In the future: DynamoDB deletes expired items by its own clock. */
const now = Date.UTC(2100, 0, 1);
const first = { key: 's#1#saveVariable#key', token: 'first' };
const second = { ...first, token: 'second' };
const makeRecord = (overrides: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
	claim: first,
	response: '{"answer":"Ω \\" 😀"}',
	keepUntil: now + 2 * claimMs,
	...overrides,
});

/** Tests of every `Idempotency`. `open` creates an empty one and the store that stores its records. */
export function idempotencyContract(name: string, open: () => Promise<{ idempotency: Idempotency; store: SchemaStore }>): void {
	describe(`Idempotency: ${name}`, () => {
		let idempotency: Idempotency;
		let storeRecord: (overrides?: Partial<IdempotencyRecord>) => Promise<unknown>;
		beforeEach(async () => {
			const opened = await open();
			({ idempotency } = opened);
			storeRecord = (overrides) => opened.store.commit('s', [], makeRecord(overrides));
		});

		test('gives the claim to the first request, and reports it as running to the next', async () => {
			expect(await idempotency.claim(first, 'body', now)).toEqual({ state: 'claimed' });
			expect(await idempotency.claim(second, 'body', now + 1)).toEqual({ state: 'running' });
			expect(await idempotency.claim({ ...second, key: 'another' }, 'body', now + 1)).toEqual({ state: 'claimed' });
		});

		test('gives the claim to exactly one of many concurrent requests', async () => {
			const outcomes = await Promise.all(
				Array.from({ length: 16 }, (_, index) => idempotency.claim({ ...first, token: `request ${index}` }, 'body', now)),
			);
			expect(outcomes.filter(({ state }) => state === 'claimed')).toHaveLength(1);
			expect(outcomes.filter(({ state }) => state === 'running')).toHaveLength(15);
		});

		test('recognizes another request with the same key, while the first runs and after it', async () => {
			await idempotency.claim(first, 'body', now);
			expect(await idempotency.claim(second, 'other body', now + 1)).toEqual({ state: 'other_request' });
			await storeRecord();
			expect(await idempotency.claim(second, 'other body', now + 2)).toEqual({ state: 'other_request' });
		});

		test('ends a claim after a minute, and not a millisecond before', async () => {
			await idempotency.claim(first, 'body', now);
			expect(await idempotency.claim(second, 'body', now + claimMs - 1)).toEqual({ state: 'running' });
			expect(await idempotency.claim(second, 'other body', now + claimMs)).toEqual({ state: 'claimed' });
			expect(await storeRecord()).toBe('claim_lost');
			expect(await storeRecord({ claim: second })).toBe('committed');
		});

		test('returns the stored response until it expires, and not from then on', async () => {
			await idempotency.claim(first, 'body', now);
			expect(await storeRecord()).toBe('committed');
			const done = { state: 'done', response: makeRecord().response };
			expect(await idempotency.claim(second, 'body', now + 1)).toEqual(done);
			expect(await idempotency.claim(second, 'body', now + 2 * claimMs - 1)).toEqual(done);
			expect(await idempotency.claim(second, 'body', now + 2 * claimMs)).toEqual({ state: 'claimed' });
			expect(await idempotency.claim(first, 'body', now + 2 * claimMs + 1)).toEqual({ state: 'running' });
		});

		test('gives the claim to another request after its release', async () => {
			await idempotency.claim(first, 'body', now);
			await idempotency.release(first);
			expect(await storeRecord()).toBe('claim_lost');
			expect(await idempotency.claim(second, 'other body', now + 1)).toEqual({ state: 'claimed' });
		});

		test('ignores the release by another request, after the response is stored, and of no claim', async () => {
			await idempotency.release(first);
			await idempotency.claim(first, 'body', now);
			await idempotency.release(second);
			expect(await idempotency.claim(second, 'body', now + 1)).toEqual({ state: 'running' });
			await storeRecord();
			await idempotency.release(first);
			expect(await idempotency.claim(second, 'body', now + 1)).toMatchObject({ state: 'done' });
		});
	});
}
