import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterEach, expect, test } from 'vitest';
import { testNotification } from '#domain/alarm/test-notification.ts';
import { formatError } from '#http/error-log.ts';
import { createConsoleNotifier, createWebhookNotifier } from '#infra/local/adapters/local-notifier.ts';
import { addressSchema } from '#infra/local/adapters/message-address.ts';
import { webhookHeaders, webhookSecrets } from '#infra/local/adapters/webhook-signature.ts';
import { listen } from '#infra/local/gateway/http.ts';

const notification = testNotification('plant_a', 'critical', Date.UTC(2026, 0, 5));
const severities = ['info', 'warning', 'critical'] as const;
const signedBy = (url: string, keys: readonly Buffer[]) =>
	createWebhookNotifier([{ name: 'NOTIFY_URL', format: 'caudal', url, keys: [...keys], severities: [...severities] }], Date.now);
const unsigned = (url: string) => signedBy(url, []);
const closers: (() => unknown)[] = [];
const close = () => closers.splice(0).map((each) => each());
afterEach(close);

/** Starts a server that answers with a status, and records the requests. `answer` sets the statuses of the next ones; the last one stays. */
const serve = async (status: number, headers: Record<string, string> = {}) => {
	const requests: {
		readonly path: string;
		readonly type: string;
		readonly body: unknown;
		readonly text: string;
		readonly headers: Readonly<Record<string, string>>;
	}[] = [];
	let statuses = [status];
	const answer = (...next: number[]) => {
		statuses = next;
	};
	const server = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			const sent = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
			requests.push({ path: request.url ?? '', type: sent['content-type'] ?? '', body: JSON.parse(text), text, headers: sent });
			response.writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200, headers).end('thanks');
		});
	});
	const url = await listen(server, 0);
	closers.push(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url, requests, answer };
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
	close();
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
	closers.push(() => server.close());
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
	await signedBy(url, keys).notify(notification);
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

test('a message that is sent again has its id, also a reminder, the next reminder has another one, and none is signed without a secret', async () => {
	const { url, requests } = await serve(200);
	const [alarm] = notification.alarms;
	if (alarm === undefined) throw new Error('The test message has no alarm.');
	const raised = { ...notification, alarms: [{ ...alarm, eventId: 'e1' }] };
	const reminder = (remindedFrom: number | null) => ({
		...notification,
		kind: 'reminder' as const,
		alarms: [{ ...alarm, kind: 'reminder' as const, eventId: null, remindedFrom }],
	});
	const sent = [raised, raised, reminder(1), reminder(1), reminder(900_001), reminder(null), reminder(null)];
	for (const each of sent) await unsigned(url).notify(each);
	expect(requests.flatMap(({ body }) => JSON.stringify(body)).join()).not.toContain('remindedFrom');
	const ids = requests.map(({ headers }) => headers['webhook-id']);
	expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 2, 2, 4, 5, 5]);
	expect(requests.filter(({ headers }) => 'webhook-signature' in headers)).toEqual([]);
});

const addressOf = (name: string, fields: object) => ({ ...v.parse(addressSchema, fields), name });
const acceptedBy = (requests: readonly { readonly body: unknown }[]) =>
	requests.map(({ body }) =>
		v.parse(v.object({ alarms: v.array(v.object({ id: v.number() })) }), body).alarms.map(({ id }) => id),
	);
const alarmsOf = (...alarms: readonly object[]) => {
	const [template] = notification.alarms;
	if (template === undefined) throw new Error('The test message has no alarm.');
	return {
		...notification,
		alarms: alarms.map((each, index) => ({ ...template, id: index + 1, eventId: `e${index}`, ...each })),
	};
};

test('each address gets the alarms of its severities, with their kind and severity, and no message without any', async () => {
	const { url, requests } = await serve(200);
	const addresses = [
		addressOf('all', { format: 'caudal', url: `${url}/all` }),
		addressOf('info', { format: 'caudal', url: `${url}/info`, severities: ['info'] }),
		addressOf('warning', { format: 'caudal', url: `${url}/warning`, severities: ['warning'] }),
	];
	const cleared = { severity: 'info', kind: 'cleared', cause: null } as const;
	await createWebhookNotifier(addresses, Date.now).notify(alarmsOf({}, cleared));
	expect(requests.map(({ path }) => path).toSorted()).toEqual(['/all', '/info']);
	expect(requests.find(({ path }) => path === '/info')?.body).toMatchObject({
		kind: 'cleared',
		severity: 'info',
		alarms: [{ id: 2 }],
	});
});

test('an address that fails keeps no other from being told, and is sent alone what it has not accepted', async () => {
	const good = await serve(200);
	const bad = await serve(500);
	let now = Date.UTC(2026, 0, 5);
	const notifier = createWebhookNotifier(
		[
			addressOf('NOTIFY_FILE 0 (caudal)', { format: 'caudal', url: `${bad.url}/token` }),
			addressOf('NOTIFY_FILE 1 (caudal)', { format: 'caudal', url: good.url }),
		],
		() => now,
	);
	const reminder = { kind: 'reminder', eventId: null } as const;
	const warning = { severity: 'warning' } as const;
	const fails = (...alarms: readonly object[]) =>
		expect(notifier.notify(alarmsOf(...alarms))).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { cause: 'NOTIFY_FILE 0 (caudal) answered 500' },
		});
	await fails({}, reminder, warning);
	await fails({}, reminder, warning);
	expect([acceptedBy(good.requests), bad.requests.length]).toEqual([[[1, 2, 3]], 2]);
	// Only the alarm with news, and critical alarms when the next reminder is due.
	await fails({ eventId: 'later' }, reminder, warning);
	now += 900_000;
	await fails({ eventId: 'later' }, reminder, warning);
	expect(acceptedBy(good.requests)).toEqual([[1, 2, 3], [1], [1, 2]]);
	bad.answer(200);
	await notifier.notify(alarmsOf({ eventId: 'later' }, reminder, warning));
	// Everybody has it: what comes next is news for all.
	await notifier.notify(alarmsOf(reminder));
	expect(acceptedBy(good.requests)).toEqual([[1, 2, 3], [1], [1, 2], [1]]);
	expect(acceptedBy(bad.requests).slice(-2)).toEqual([[1, 2, 3], [1]]);
});

test('of several failures the error names each, and a refusal decides its code', async () => {
	const servers = [await serve(500), await serve(502), await serve(502)];
	const [refusing, ...unknown] = servers.map(({ url }, index) =>
		addressOf(`a${index}`, { format: 'slack', url: `${url}/token` }),
	);
	if (refusing === undefined) throw new Error('There is no address.');
	const thrownBy = (addresses: Parameters<typeof createWebhookNotifier>[0]) =>
		createWebhookNotifier(addresses, Date.now)
			.notify(notification)
			.catch((error: unknown) => error);
	expect(await thrownBy([...unknown, refusing])).toMatchObject({
		code: 'dependency_failed',
		payload: { cause: 'a1 answered 502; a2 answered 502; a0 answered 500' },
	});
	const error = await thrownBy(unknown);
	expect(error).toMatchObject({ code: 'outcome_unknown', payload: { cause: 'a1 answered 502; a2 answered 502' } });
	expect(formatError(error)).not.toContain('token');
});

test('PagerDuty gets an event for each alarm, and those it accepted do not come again', async () => {
	const { url, requests, answer } = await serve(202);
	const notifier = createWebhookNotifier([addressOf('p', { format: 'pagerduty', url, routingKey: 'key' })], Date.now);
	answer(202, 429);
	await expect(notifier.notify(alarmsOf({}, {}, {}))).rejects.toMatchObject({ payload: { cause: 'p answered 429' } });
	answer(202);
	await notifier.notify(alarmsOf({}, {}, {}));
	const keys = requests.map(({ body }) => v.parse(v.object({ dedup_key: v.string() }), body).dedup_key);
	expect(keys).toEqual([1, 2, 2, 3].map((id) => `caudal/${id}/plant_a`));
	expect(requests.some(({ headers }) => 'webhook-id' in headers)).toBe(false);
});

test('an incident in PagerDuty is acknowledged and ends with its alarm, whatever severity that has by then', async () => {
	const { url, requests } = await serve(202);
	const address = { format: 'pagerduty', url, routingKey: 'key', severities: ['critical'] };
	const notifier = createWebhookNotifier([addressOf('p', address)], Date.now);
	const lowered = { severity: 'warning' } as const;
	await notifier.notify(alarmsOf({}, lowered));
	await notifier.notify(alarmsOf({ ...lowered, kind: 'acknowledged' }));
	await notifier.notify(alarmsOf({ ...lowered, kind: 'cleared', cause: null }, { ...lowered, cause: null }));
	expect(requests.map(({ body }) => body)).toMatchObject([
		{ event_action: 'trigger', dedup_key: 'caudal/1/plant_a' },
		{ event_action: 'acknowledge', dedup_key: 'caudal/1/plant_a' },
		{ event_action: 'resolve', dedup_key: 'caudal/1/plant_a' },
		{ event_action: 'resolve', dedup_key: 'caudal/2/plant_a' },
	]);
});

test('the numbers of a day are told to addresses with the severity info, and again only to the one that failed', async () => {
	const [good, bad, other] = [await serve(200), await serve(500), await serve(200)];
	const notifier = createWebhookNotifier(
		[
			addressOf('a', { format: 'caudal', url: good.url }),
			addressOf('b', { format: 'slack', url: bad.url }),
			addressOf('c', { format: 'caudal', url: other.url, severities: ['critical'] }),
		],
		Date.now,
	);
	const day = {
		...{ schema: 'plant_a', reportId: 4, title: 'Daily', date: '2026-01-05', from: 0, to: 1, timeZone: 'UTC' },
		...{ isRepeated: false, numbers: [] },
	};
	await expect(notifier.notifyReport(day)).rejects.toMatchObject({ code: 'dependency_failed' });
	bad.answer(200);
	await notifier.notifyReport(day);
	expect([good, bad, other].map(({ requests }) => requests.length)).toEqual([1, 2, 0]);
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
