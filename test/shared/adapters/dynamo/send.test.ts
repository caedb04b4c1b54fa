import { describe, expect, test } from 'vitest';
import { RetriesExhaustedError, sendWithRetry } from '#adapters/dynamo/send.ts';

const limits = { connectTimeoutMs: 1000, requestTimeoutMs: 3000, deadlineMs: 20_000, callMs: 20_000, maxAttempts: 12 };

/** Sends a request that DynamoDB is always too busy for. Each attempt takes `attemptMs` by an injected clock. */
const sendBusy = async (leftMs: number, attemptMs: number) => {
	let attempts = 0;
	const sending = sendWithRetry({ limits, timeLeftMs: () => leftMs - attempts * attemptMs }, async () => {
		attempts += 1;
		throw Object.assign(new Error('busy'), { name: 'ThrottlingException' });
	});
	const error: unknown = await sending.catch((caught: unknown) => caught);
	return { attempts, error };
};

describe('a request to DynamoDB', () => {
	test.each([
		['no attempt', 0, 1000, 0],
		['no attempt after the time', -1, 1000, 0],
		['the attempt that ends the time', 1, 1000, 1],
		['two attempts', 1001, 1000, 2],
		['three attempts', 2001, 1000, 3],
	])('is given up when the time of its request is over, after %s', async (_, leftMs, attemptMs, expected) => {
		const { attempts, error } = await sendBusy(leftMs, attemptMs);
		expect(attempts).toBe(expected);
		expect(error).toBeInstanceOf(RetriesExhaustedError);
		expect(error).toMatchObject({ uncertain: false });
	});

	test('is aborted when the time of its request ends during an attempt', async () => {
		const startedAt = performance.now();
		const sending = sendWithRetry({ limits, timeLeftMs: () => 50 }, async ({ abortSignal }) => {
			const { promise: aborted, reject } = Promise.withResolvers<never>();
			abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
			return aborted;
		});
		await expect(sending).rejects.toMatchObject({ name: 'RetriesExhaustedError', uncertain: true });
		expect(performance.now() - startedAt).toBeLessThan(limits.deadlineMs / 2);
	});
});
