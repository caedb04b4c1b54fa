import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeSession } from '#test/support/builders/identity.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { hasTimeToRefresh, openProviderDynamo, openSessionTables } from '#wiring/openid-deps.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';

const environment = {
	LAMBDA_TASK_ROOT: '/var/task',
	OPENID_PROVIDERS: 'providers.json',
	OPENID_HTTP: 'off',
	OPENID_TIMEOUT_MS: '3000',
	TABLE_SESSIONS: 'sessions',
	TABLE_SESSION_TOKENS: 'session-tokens',
	AWS_REGION: 'eu-west-1',
	AWS_ACCESS_KEY_ID: 'a',
	AWS_SECRET_ACCESS_KEY: 'b',
};

let close: () => void;
beforeEach(async () => {
	const dynamo = await listen((_, response) => void response.writeHead(200).end('{}'));
	close = dynamo.close;
	for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', dynamo.url);
});
afterEach(() => {
	close();
	vi.unstubAllEnvs();
});

/** What a request may do that has so much time left: begin to refresh, store tokens, and write a session. */
const mayDo = async (remainingMs: number) => {
	let done: unknown;
	const handler = withLambdaDeadline(async () => {
		const dynamo = openProviderDynamo();
		const { sessionTokens, openIdSessions } = openSessionTables(dynamo);
		const session = makeSession();
		const outcomes = await Promise.allSettled([
			sessionTokens.put('sid', { refreshToken: 'new', idToken: null }, session.endsAt),
			openIdSessions.create(session),
		]);
		dynamo.close();
		done = [hasTimeToRefresh(), ...outcomes.map(({ status }) => status === 'fulfilled')];
	});
	await handler(makeEvent('POST /renewOpenId'), { getRemainingTimeInMillis: () => remainingMs });
	return done;
};

test.each([
	[28_000, [true, true, true]],
	// A provider that took its whole time: two requests of 3 s after 16 s were left.
	[16_000, [true, true, false]],
	[15_999, [false, true, false]],
	[10_000, [false, true, false]],
	[6000, [false, false, false]],
])('with %i ms left, a renewal may refresh, store tokens, write sessions: %j', async (remainingMs, expected) => {
	expect(await mayDo(remainingMs)).toEqual(expected);
});
