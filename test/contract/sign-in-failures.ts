import { beforeEach, describe, expect, test } from 'vitest';
import { failureWindowMs, type SignInFailures } from '#domain/ports/sign-in-failures.ts';

const now = 1_700_000_000_000;
const email = 'operator@plant-a.example';

/** Tests of every `SignInFailures`. `open` creates an empty one. */
export function signInFailuresContract(name: string, open: () => Promise<SignInFailures>): void {
	describe(`SignInFailures: ${name}`, () => {
		let failures: SignInFailures;
		beforeEach(async () => {
			failures = await open();
		});

		test('is empty at first', async () => {
			expect(await failures.recent(email, 0, 10)).toEqual([]);
		});

		test('returns the failures at or after a time, newest first', async () => {
			for (const at of [now, now - 2, now - 1]) await failures.record(email, { at, source: `source ${at - now}` });
			expect(await failures.recent(email, now - 1, 10)).toEqual([
				{ at: now, source: 'source 0' },
				{ at: now - 1, source: 'source -1' },
			]);
			expect(await failures.recent(email, now + 1, 10)).toEqual([]);
		});

		test('returns the newest failures up to a limit', async () => {
			for (let at = now; at < now + 5; at += 1) await failures.record(email, { at, source: 's' });
			expect((await failures.recent(email, 0, 2)).map(({ at }) => at)).toEqual([now + 4, now + 3]);
			expect((await failures.recent(email, 0, 5)).map(({ at }) => at)).toHaveLength(5);
		});

		test('keeps every failure of one moment and source', async () => {
			await Promise.all(Array.from({ length: 20 }, () => failures.record(email, { at: now, source: '192.0.2.1' })));
			expect(await failures.recent(email, now, 100)).toEqual(Array(20).fill({ at: now, source: '192.0.2.1' }));
		});

		test('separates e-mails, and treats them alike in any case', async () => {
			await failures.record('Operator@Plant-A.example', { at: now, source: 's' });
			await failures.record('other@plant-a.example', { at: now, source: 't' });
			for (const same of [email, 'OPERATOR@PLANT-A.EXAMPLE'])
				expect(await failures.recent(same, 0, 10)).toEqual([{ at: now, source: 's' }]);
			expect(await failures.recent('perator@plant-a.example', 0, 10)).toEqual([]);
		});

		test('keeps failures for the whole window', async () => {
			await failures.record(email, { at: now, source: 'first' });
			await failures.record(email, { at: now + failureWindowMs, source: 'last' });
			expect((await failures.recent(email, now, 10)).map(({ source }) => source)).toEqual(['last', 'first']);
		});
	});
}
