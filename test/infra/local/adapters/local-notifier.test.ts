import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { testNotification } from '#domain/alarm/test-notification.ts';
import { createConsoleNotifier, createWebhookNotifier } from '#infra/local/adapters/local-notifier.ts';
import { listen } from '#infra/local/gateway/http.ts';

const notification = testNotification('plant_a', 'critical', Date.UTC(2026, 0, 5));
let close: () => unknown = () => undefined;
afterEach(() => close());

/** Starts a server that answers with a status, and records the requests. */
const serve = async (status: number, headers: Record<string, string> = {}) => {
	const requests: { readonly path: string; readonly type: string; readonly body: unknown }[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			requests.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '', body: JSON.parse(text) });
			response.writeHead(status, headers).end('thanks');
		});
	});
	const url = await listen(server, 0);
	close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { url, requests };
};

test('a message is sent as JSON, with its text', async () => {
	const { url, requests } = await serve(202);
	await createWebhookNotifier(`${url}/hook?key=1`).notify(notification);
	expect(requests).toMatchObject([
		{
			path: '/hook?key=1',
			type: 'application/json',
			body: {
				text: expect.stringContaining('CRITICAL alarm in plant_a: Test message'),
				schema: 'plant_a',
				alarms: [{ name: 'Test message', since: '2026-01-05T00:00:00.000Z' }],
			},
		},
	]);
});

test.each([
	[500, {}],
	[503, {}],
	[404, {}],
	[302, { location: '/elsewhere' }],
])('a message that is answered %i was not accepted, and is sent nowhere else', async (status, headers) => {
	const { url, requests } = await serve(status, headers);
	await expect(createWebhookNotifier(url).notify(notification)).rejects.toMatchObject({
		code: 'dependency_failed',
		payload: { dependency: 'notifier', cause: `NOTIFY_URL answered ${status}` },
	});
	expect(requests).toHaveLength(1);
});

test.each([502, 504])(
	'a proxy that answers %i may have passed the message on, so it is unknown whether it was accepted',
	async (status) => {
		const { url, requests } = await serve(status);
		const error = await createWebhookNotifier(`${url}/secret`)
			.notify(notification)
			.catch((thrown: unknown) => thrown);
		expect(error).toMatchObject({ code: 'outcome_unknown', payload: { cause: `NOTIFY_URL answered ${status}` } });
		expect(String(error)).not.toContain('secret');
		expect(requests).toHaveLength(1);
	},
);

test('an address that nobody answers at is a failure that does not repeat the address', async () => {
	const { url } = await serve(200);
	await close();
	const error = await createWebhookNotifier(`${url}/secret`)
		.notify(notification)
		.catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ code: 'dependency_failed' });
	expect(String(error)).not.toContain('secret');
});

test('without an address, the first line is printed', async () => {
	const lines: string[] = [];
	await createConsoleNotifier({ info: (message) => lines.push(message) }).notify(notification);
	expect(lines).toEqual(['CRITICAL alarm in plant_a: Test message']);
});

test('a connection that breaks after the message went out leaves it unknown whether it was accepted', async () => {
	const server = createServer((request) => {
		request.resume().on('end', () => request.socket.destroy());
	});
	const url = await listen(server, 0);
	close = () => server.close();
	const error = await createWebhookNotifier(`${url}/secret`)
		.notify(notification)
		.catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ code: 'outcome_unknown', payload: { cause: 'NOTIFY_URL broke the connection' } });
	expect(String(error)).not.toContain('secret');
});
