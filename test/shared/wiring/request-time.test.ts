import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { sendWithRetry } from '#adapters/dynamo/send.ts';
import { ok } from '#http/api-response.ts';
import { callerOf } from '#http/caller.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import { defaultRequestsPerSchema } from '#http/schema-limit.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { endpoints } from '#shared/contract.ts';
import { tableNames } from '#shared/tables.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { hasTimeFor, timeLeftMs, withLambdaDeadline } from '#wiring/request-time.ts';

/** Handles a request whose function has `remainingMs` left. Returns the time left for DynamoDB when other dependencies take `otherMs`. */
const timeLeftIn = async (remainingMs: number, otherMs?: number): Promise<number> => {
	let left = Number.NaN;
	const handler = withLambdaDeadline(async () => {
		left = timeLeftMs(otherMs);
		return { statusCode: 200 };
	});
	expect(await handler(makeEvent('GET /health'), { getRemainingTimeInMillis: () => remainingMs })).toEqual({ statusCode: 200 });
	return left;
};

test('there is no limit outside of requests, before and after one', async () => {
	expect(timeLeftMs()).toBe(Number.POSITIVE_INFINITY);
	await timeLeftIn(1000);
	expect(timeLeftMs()).toBe(Number.POSITIVE_INFINITY);
});

test.each([
	['a write', 28_000, undefined, 25_000],
	['a read, which then asks InfluxDB', 28_000, 8000, 17_000],
	['a read with a long deadline for InfluxDB', 28_000, 25_000, 10_000],
	['a request that is nearly over', 2000, 8000, -9000],
])('DynamoDB may take what the response and the other dependencies leave: %s', async (_, remainingMs, otherMs, expected) => {
	expect(await timeLeftIn(remainingMs, otherMs)).toBe(expected);
});

test.each([
	[20_000, true],
	[19_999, false],
])('of %i ms that are left, 17 s may be used: %s', async (remainingMs, expected) => {
	let hasTime: boolean | null = null;
	const handler = withLambdaDeadline(async () => {
		hasTime = hasTimeFor(17_000);
		return { statusCode: 200 };
	});
	await handler(makeEvent('GET /health'), { getRemainingTimeInMillis: () => remainingMs });
	expect(hasTime).toBe(expected);
});

describe('of two requests at once in one environment, each keeps its own deadline', () => {
	/** Runs work as a request whose function has `remainingMs` left. */
	const requestOf = <Result>(remainingMs: number, work: () => Promise<Result>): Promise<Result> =>
		withLambdaDeadline(work)(undefined, { getRemainingTimeInMillis: () => remainingMs });

	test('through promises, timers and events', async () => {
		const events = new EventTarget();
		const timesOf = (remainingMs: number) =>
			requestOf(remainingMs, async () => {
				const first = timeLeftMs();
				await pause(1);
				const afterTimer = timeLeftMs();
				await new Promise((resolve) => events.addEventListener('both', resolve, { once: true }));
				return [first, afterTimer, timeLeftMs(), hasTimeFor(10_000)];
			});
		const both = Promise.all([timesOf(5000), timesOf(28_000)]);
		await pause(20);
		events.dispatchEvent(new Event('both'));
		expect(await both).toEqual([
			[2000, 2000, 2000, false],
			[25_000, 25_000, 25_000, true],
		]);
	});

	test('and a request to DynamoDB is sent, or not, by the deadline of the request that it serves', async () => {
		const dynamo = {
			limits: { requestTimeoutMs: 1000, deadlineMs: 1000, callMs: 1000, connectTimeoutMs: 1000, maxAttempts: 1 },
			timeLeftMs,
		};
		let sent = 0;
		const sending = () =>
			sendWithRetry(dynamo, async () => {
				sent += 1;
				return 'answered';
			}).catch(() => 'no time is left');
		const send = (remainingMs: number) =>
			requestOf(remainingMs, async () => {
				await pause(1);
				return sending();
			});
		expect(await Promise.all([send(3000), send(28_000), send(2000)])).toEqual(['no time is left', 'answered', 'no time is left']);
		expect(sent).toBe(1);
	});
});

test.each(endpoints.filter(({ auth, uses }) => auth !== 'none' || tableNames.some((table) => table in uses)))(
	'a function that uses tables, or serves tenants, knows the time of its request and the limit of its schema: $name',
	({ name }) => {
		const index = readFileSync(new URL(`../../../functions/${name}/index.ts`, import.meta.url), 'utf8');
		expect(index).toContain('export const handler = withLambdaDeadline(');
	},
);

test('requests of a schema are limited in an environment that serves several at once, and others are served beside them', async () => {
	const waiting: (() => void)[] = [];
	const handler = withLambdaDeadline(
		createLambdaHandler(silentLog, async (event) => {
			if (callerOf(event).schema === 'hangs') await new Promise<void>((resolve) => waiting.push(resolve));
			return ok({});
		}),
	);
	const send = async (schema: string) =>
		(await handler(makeEvent('GET /usages', { claims: { schema, tsdb: 'd' } }), { getRemainingTimeInMillis: () => 28_000 }))
			.statusCode;
	const hanging = Array.from({ length: defaultRequestsPerSchema }, () => send('hangs'));
	expect([await send('hangs'), await send('served')]).toEqual([503, 200]);
	for (const resolve of waiting) resolve();
	expect(new Set(await Promise.all(hanging))).toEqual(new Set([200]));
});
