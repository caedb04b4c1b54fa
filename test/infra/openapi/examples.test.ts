import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiEndpoints } from '#infra/openapi/api-endpoints.ts';
import { call, signIn, type Target, tenants } from '#test/e2e/target.ts';
import { operationOf, requestOf } from '#test/support/openapi/api-description.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

const examplesOf = (method: string, path: string): readonly unknown[] => {
	const examples = requestOf(operationOf(method, path))?.examples ?? {};
	return Object.values(examples).map(({ value }) => value);
};

/** The requests that the curl commands of a Markdown text send to the service. */
const curlRequestsIn = (text: string) =>
	text.split(/(?=\bcurl )/).flatMap((command) => {
		const [, path] = /^curl -s .*?http:\/\/127\.0\.0\.1:3000(\S+)/.exec(command) ?? [];
		if (path === undefined) return [];
		const [, body] = /-d '([^']*)'/s.exec(command) ?? [];
		return [{ path, body, method: body === undefined && !command.includes('-X POST') ? 'GET' : 'POST' }];
	});

describe('the examples of requests', () => {
	test('are the requests that README.md shows', () => {
		const requests = curlRequestsIn(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8'));
		expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
			'POST /loginSso',
			'POST /multipleDataTsdb',
			'POST /saveVariable',
			'POST /multipleDataTsdb',
			'GET /bombs',
		]);
		for (const { method, path, body } of requests) {
			if (body === undefined) expect(operationOf(method, path).requestBody?.required ?? false).toBe(false);
			else expect(examplesOf(method, path)).toContainEqual(JSON.parse(body));
		}
	});

	test('include the variable that functions/README.md shows', () => {
		const text = readFileSync(new URL('../../../functions/README.md', import.meta.url), 'utf8');
		const [, variable = ''] = /## A variable\n\n```json\n(.*?)```/s.exec(text) ?? [];
		expect(examplesOf('POST', '/saveVariable')).toContainEqual(JSON.parse(variable));
	});
});

test('the example of a sign-in is the demo tenant', () => {
	expect(examplesOf('POST', '/loginSso')).toEqual([tenants.a]);
});

describe('on the demo plant', () => {
	let target: Target;
	let token: string;
	beforeAll(async () => {
		// The times in examples are before this one.
		target = await openLocalTarget({ DEMO_PLANT: 'on' }, () => Date.parse('2026-11-21T10:00:00Z'));
		token = await signIn(target, 'a');
	});
	afterAll(() => target.close());

	// Those that need an OpenID provider or accounts are sent in test/e2e/openid.test.ts and accounts.test.ts.
	const examples = apiEndpoints
		.filter((endpoint) => !('setting' in endpoint && ['openIdProviders', 'accounts'].includes(endpoint.setting)))
		.flatMap(({ method, path, auth }) => examplesOf(method, path).map((body) => ({ method, path, auth, body })))
		.filter(({ body }) => !JSON.stringify(body).includes('token-exchange'));

	/** The input of a restoration like the example's: its chart is not in the demo. */
	const deletedChart = async () => {
		const { body } = await call(target, 'POST', '/saveChart', { token, body: { id: 0, title: 'Chart', series: [] } });
		await call(target, 'POST', `/deleteChart/${body.data.id}`, { token });
		return { kind: 'chart', itemId: body.data.id, rowVersion: 2 };
	};

	test.each(examples)('the example is accepted: $method $path $body', async ({ method, path, auth, body }) => {
		const sent = path === '/restore' ? await deletedChart() : path === '/token' ? new URLSearchParams(Object(body)) : body;
		const { status, text } = await call(target, method, path.replace('{id}', '32'), {
			...(auth === 'bearer' ? { token } : {}),
			body: sent,
		});
		expect(status, text).toBe(200);
	});
});
