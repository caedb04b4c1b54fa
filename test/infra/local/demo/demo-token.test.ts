import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { demoToken } from '#infra/local/demo/demo-token.ts';
import { listen } from '#infra/local/gateway/http.ts';

let close: () => unknown = () => undefined;
afterEach(() => close());

/** Starts a service that answers every sign-in with a body. */
const serve = async (status: number, body: string): Promise<string> => {
	const server = createServer((_, response) => response.writeHead(status).end(body));
	close = () => server.close();
	return listen(server, 0);
};

test('the token of the demo operator comes from the answer to a sign-in', async () => {
	expect(await demoToken(await serve(200, '{"token":"a.b.c","user":{}}'))).toBe('a.b.c');
});

test.each([
	['a refusal', 401, '{"request":{"code":"credentials_refused"}}'],
	['no JSON', 502, '<html>Bad gateway</html>'],
	['no body', 500, ''],
])('there is no token where the service answers with %s', async (_, status, body) => {
	expect(await demoToken(await serve(status, body))).toBeNull();
});
