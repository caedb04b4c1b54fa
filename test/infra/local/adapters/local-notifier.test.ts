import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterEach, expect, test } from 'vitest';
import { testNotification } from '#domain/alarm/test-notification.ts';
import { createConsoleNotifier, createWebhookNotifier } from '#infra/local/adapters/local-notifier.ts';
import { webhookHeaders, webhookSecrets } from '#infra/local/adapters/webhook-signature.ts';
import { listen } from '#infra/local/gateway/http.ts';

const notification = testNotification('plant_a', 'critical', Date.UTC(2026, 0, 5));
const unsigned = (url: string) => createWebhookNotifier(url, { keys: [], now: Date.now });
let close: () => unknown = () => undefined;
afterEach(() => close());

/** Starts a server that answers with a status, and records the requests. */
const serve = async (status: number, headers: Record<string, string> = {}) => {
	const requests: {
		readonly path: string;
		readonly type: string;
		readonly body: unknown;
		readonly text: string;
		readonly headers: Readonly<Record<string, string>>;
	}[] = [];
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const sent = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
			requests.push({ path: request.url ?? '', type: sent['content-type'] ?? '', body: JSON.parse(text), text, headers: sent });
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
	await unsigned(`${url}/hook?key=1`).notify(notification);
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
	await expect(unsigned(url).notify(notification)).rejects.toMatchObject({
		code: 'dependency_failed',
		payload: { dependency: 'notifier', cause: `NOTIFY_URL answered ${status}` },
	});
	expect(requests).toHaveLength(1);
});

test.each([502, 504])(
	'a proxy that answers %i may have passed the message on, so it is unknown whether it was accepted',
	async (status) => {
		const { url, requests } = await serve(status);
		const error = await unsigned(`${url}/secret`)
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
	const error = await unsigned(`${url}/secret`)
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
	const error = await unsigned(`${url}/secret`)
		.notify(notification)
		.catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ code: 'outcome_unknown', payload: { cause: 'NOTIFY_URL broke the connection' } });
	expect(String(error)).not.toContain('secret');
});

const secrets = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`);
const [old = '', next = '', other = ''] = secrets;

test('standardwebhooks verifies a message with either of two secrets, and with no other', async () => {
	const { url, requests } = await serve(200);
	const keys = v.parse(webhookSecrets, `${old} ${next}`);
	const notifier = createWebhookNotifier(url, { keys, now: Date.now });
	await notifier.notify(notification);
	const [{ text, headers } = { text: '', headers: {} }] = requests;
	for (const secret of [old, next]) expect(new Webhook(secret).verify(text, headers)).toEqual(requests[0]?.body);
	expect(() => new Webhook(other).verify(text, headers)).toThrow('No matching signature found');
	expect(() => new Webhook(old).verify(text.replace('plant_a', 'plant_b'), headers)).toThrow('No matching signature found');
	expect(() => new Webhook(old).verify(text, { ...headers, 'webhook-id': 'msg_other' })).toThrow('No matching signature found');
});

test('a signature is that of standardwebhooks, and a message that is too old is refused there', () => {
	const at = Date.UTC(2026, 10, 20, 8, 0, 0, 999);
	const headers = webhookHeaders(v.parse(webhookSecrets, old), 'msg_1', at, '{"a":"ü"}');
	expect(headers).toEqual({
		'webhook-id': 'msg_1',
		'webhook-timestamp': String(Math.floor(at / 1000)),
		'webhook-signature': new Webhook(old).sign('msg_1', new Date(at), '{"a":"ü"}'),
	});
	expect(() => new Webhook(old).verify('{"a":"ü"}', headers)).toThrow('timestamp');
});

test('a message that is sent again has its id, a reminder another one each time, and none is signed without a secret', async () => {
	const { url, requests } = await serve(200);
	const [alarm] = notification.alarms;
	if (alarm === undefined) throw new Error('The test message has no alarm.');
	const raised = { ...notification, alarms: [{ ...alarm, eventId: 'e1' }] };
	const reminder = {
		...notification,
		kind: 'reminder' as const,
		alarms: [{ ...alarm, kind: 'reminder' as const, eventId: 'e1' }],
	};
	for (const each of [raised, raised, reminder, reminder]) await unsigned(url).notify(each);
	const ids = requests.map(({ headers }) => headers['webhook-id']);
	expect([new Set(ids.slice(0, 2)).size, new Set(ids).size]).toEqual([1, 3]);
	expect(requests.filter(({ headers }) => 'webhook-signature' in headers)).toEqual([]);
});

test.each([
	'',
	'secret',
	'whsec_',
	`whsec_${Buffer.alloc(23).toString('base64')}`,
	`whsec_${Buffer.alloc(65).toString('base64')}`,
	secrets.join(' '),
])('no secrets are: %s', (text) => {
	expect(v.safeParse(webhookSecrets, text).success).toBe(false);
});
