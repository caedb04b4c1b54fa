import { beforeEach, describe, expect, test } from 'vitest';
import { claimMs, type Idempotency } from '#domain/ports/idempotency.ts';
import type { IdempotencyRecord, SchemaStore } from '#domain/ports/schema-store.ts';

const now = 1_700_000_000_000;
const first = { key: 's#1#saveVariable#key', token: 'first' };
const second = { ...first, token: 'second' };
const receipt = (changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
	claim: first,
	response: '{"answer":"Ω \\" 😀"}',
	keepUntil: now + 2 * claimMs,
	...changes,
});

/** What every `Idempotency` promises. `open` gives an empty one, with the store that keeps its answers. */
export const idempotencyContract = (
	name: string,
	open: () => Promise<{ idempotency: Idempotency; store: SchemaStore }>,
): void => {
	describe(`Idempotency: ${name}`, () => {
		let idempotency: Idempotency;
		let keep: (kept?: Partial<IdempotencyRecord>) => Promise<unknown>;
		beforeEach(async () => {
			const opened = await open();
			({ idempotency } = opened);
			keep = (kept) => opened.store.commit('s', [], receipt(kept));
		});

		test('is claimed by the first, and running for the next', async () => {
			expect(await idempotency.claim(first, 'body', now)).toEqual({ state: 'claimed' });
			expect(await idempotency.claim(second, 'body', now + 1)).toEqual({ state: 'running' });
			expect(await idempotency.claim({ ...second, key: 'another' }, 'body', now + 1)).toEqual({ state: 'claimed' });
		});

		test('of many at once, exactly one claims', async () => {
			const outcomes = await Promise.all(
				Array.from({ length: 16 }, (_, index) => idempotency.claim({ ...first, token: `request ${index}` }, 'body', now)),
			);
			expect(outcomes.filter(({ state }) => state === 'claimed')).toHaveLength(1);
			expect(outcomes.filter(({ state }) => state === 'running')).toHaveLength(15);
		});

		test('tells another request under the same key, while the first runs and after', async () => {
			await idempotency.claim(first, 'body', now);
			expect(await idempotency.claim(second, 'other body', now + 1)).toEqual({ state: 'other_request' });
			await keep();
			expect(await idempotency.claim(second, 'other body', now + 2)).toEqual({ state: 'other_request' });
		});

		test('a claim lapses after a minute, and not a millisecond before', async () => {
			await idempotency.claim(first, 'body', now);
			expect(await idempotency.claim(second, 'body', now + claimMs - 1)).toEqual({ state: 'running' });
			expect(await idempotency.claim(second, 'other body', now + claimMs)).toEqual({ state: 'claimed' });
			expect(await keep()).toBe('claim_lost');
			expect(await keep({ claim: second })).toBe('committed');
		});

		test('gives the kept answer until it is forgotten, and not from then on', async () => {
			await idempotency.claim(first, 'body', now);
			expect(await keep()).toBe('committed');
			const done = { state: 'done', response: receipt().response };
			expect(await idempotency.claim(second, 'body', now + 1)).toEqual(done);
			expect(await idempotency.claim(second, 'body', now + 2 * claimMs - 1)).toEqual(done);
			expect(await idempotency.claim(second, 'body', now + 2 * claimMs)).toEqual({ state: 'claimed' });
			expect(await idempotency.claim(first, 'body', now + 2 * claimMs + 1)).toEqual({ state: 'running' });
		});

		test('can be claimed again once it is released', async () => {
			await idempotency.claim(first, 'body', now);
			await idempotency.release(first);
			expect(await keep()).toBe('claim_lost');
			expect(await idempotency.claim(second, 'other body', now + 1)).toEqual({ state: 'claimed' });
		});

		test('another request’s release, a release after the answer and one of nothing change nothing', async () => {
			await idempotency.release(first);
			await idempotency.claim(first, 'body', now);
			await idempotency.release(second);
			expect(await idempotency.claim(second, 'body', now + 1)).toEqual({ state: 'running' });
			await keep();
			await idempotency.release(first);
			expect(await idempotency.claim(second, 'body', now + 1)).toMatchObject({ state: 'done' });
		});
	});
};
