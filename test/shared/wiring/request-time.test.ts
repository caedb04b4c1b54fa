import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
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

test('there is no limit before the first request', async () => {
	// Other tests have handled requests with the module that is loaded already.
	vi.resetModules();
	const fresh = await import('#wiring/request-time.ts');
	expect(fresh.timeLeftMs()).toBe(Number.POSITIVE_INFINITY);
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

test('each request has its own time', async () => {
	expect([await timeLeftIn(1000), await timeLeftIn(28_000)]).toEqual([-2000, 25_000]);
});

test.each(endpoints.filter(({ uses }) => tableNames.some((table) => table in uses)))(
	'a function that uses tables knows the time of its request: $name',
	({ name }) => {
		const index = readFileSync(new URL(`../../../functions/${name}/index.ts`, import.meta.url), 'utf8');
		expect(index).toContain('export const handler = withLambdaDeadline(');
	},
);
