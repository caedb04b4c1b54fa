import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InfluxConnection, openInfluxConnection } from '#adapters/influx/influx-connection.ts';
import { staticSecret } from '#adapters/secret.ts';
import { listen } from '#test/support/servers/http-server.ts';

const deadlineMs = 600;
const clock = { ms: 0 };
/** The sockets of the server in the order of their first request, and the number of requests so far. */
let sockets: Socket[];
let requests: number;
/** What the server does with a request; by default it answers. */
let handle: (request: IncomingMessage, response: ServerResponse, flux: string) => void;
let server: Awaited<ReturnType<typeof listen>>;
let connection: InfluxConnection;

const answer = (response: ServerResponse): void => {
	response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end();
};
/** Returns a handler that treats requests on the first sockets in its own way, and answers those on later ones. */
const onFirst =
	(count: number, action: (socket: Socket) => void): typeof handle =>
	({ socket }, response) =>
		sockets.indexOf(socket) < count ? action(socket) : answer(response);

const openAt = (url: string, timeLeftMs?: () => number): InfluxConnection =>
	openInfluxConnection({
		url,
		token: staticSecret('token'),
		org: 'utility',
		topicColumn: '_measurement',
		deadlineMs,
		now: () => clock.ms,
		...(timeLeftMs === undefined ? {} : { timeLeftMs }),
	});

/** Sends one script without results, whose response is an empty body. */
const read = (isShort: boolean, text = 'newest', on = connection, database = 'plant') =>
	on.read(database, { isShort }, (run) => run({ text, results: new Map(), sentinel: '' }));
const short = () => read(true);
const slow = { code: 'dependency_slow', payload: { dependency: 'tsdb', cause: expect.stringContaining('deadline') } };
const refused = { code: 'dependency_slow', payload: { retryAfterMs: 2000, cause: expect.stringContaining('not sent') } };

beforeEach(async () => {
	clock.ms = Date.UTC(2024, 2, 15);
	sockets = [];
	requests = 0;
	handle = (_, response) => answer(response);
	server = await listen(async (request, response) => {
		if (!sockets.includes(request.socket)) sockets.push(request.socket);
		requests += 1;
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		handle(request, response, String(JSON.parse(Buffer.concat(chunks).toString()).query));
	});
	connection = openAt(server.url);
});
afterEach(() => {
	connection.close();
	server.close();
});

/** Leaves three idle sockets. */
const openThreeSockets = async (): Promise<void> => {
	await Promise.all([short(), short(), short()]);
	expect(sockets).toHaveLength(3);
	requests = 0;
};

describe('idle sockets', () => {
	test('are used again, and are destroyed once they were idle for 50 s', async () => {
		await openThreeSockets();
		clock.ms += 49_999;
		await short();
		expect(sockets).toHaveLength(3);
		clock.ms += 50_000;
		await short();
		expect(sockets).toHaveLength(4);
	});

	test('are destroyed when the clock was set back, because nobody knows how old they are', async () => {
		await openThreeSockets();
		clock.ms -= 1;
		await short();
		expect(sockets).toHaveLength(4);
	});

	test('three that are reset when they are used cost one request more, not an error', async () => {
		await openThreeSockets();
		handle = onFirst(3, (socket) => socket.resetAndDestroy());
		await short();
		expect([requests, sockets.length]).toEqual([2, 4]);
	});

	test('three that are silent cost one read, and the next one uses a new connection', async () => {
		await openThreeSockets();
		handle = onFirst(3, () => undefined);
		await expect(short()).rejects.toMatchObject(slow);
		expect([requests, sockets.length]).toEqual([1, 3]);
		await short();
		expect([requests, sockets.length]).toEqual([2, 4]);
	});

	test('are not used after a freeze of 60 s', async () => {
		await openThreeSockets();
		handle = onFirst(3, () => undefined);
		clock.ms += 60_000;
		await short();
		expect([requests, sockets.length]).toEqual([1, 4]);
	});

	test('a connection that fails twice before a response is a failure', async () => {
		handle = ({ socket }) => socket.resetAndDestroy();
		await expect(short()).rejects.toMatchObject({ code: 'dependency_failed' });
		expect(requests).toBe(2);
	});
});

describe('a deadline', () => {
	test('destroys the connection of its request', async () => {
		const closed = new Promise<void>((resolve) => {
			handle = ({ socket }) => {
				socket.once('close', () => resolve());
			};
		});
		await expect(short()).rejects.toMatchObject(slow);
		await closed;
	});

	test('is half as long for a short read, unless the read sends a second request', async () => {
		handle = (_, response, flux) => {
			if (flux === 'first') answer(response);
		};
		const ended: string[] = [];
		const endOf = (name: string, reading: Promise<unknown>) =>
			expect(reading.finally(() => ended.push(name))).rejects.toMatchObject(slow);
		const twice = connection.read('plant', { isShort: true }, async (run) => {
			await run({ text: 'first', results: new Map(), sentinel: '' });
			return run({ text: 'second', results: new Map(), sentinel: '' });
		});
		await Promise.all([endOf('twice', twice), endOf('long', read(false)), endOf('short', short())]);
		expect([ended[0], ended.toSorted()]).toEqual(['short', ['long', 'short', 'twice']]);
	});

	test('says to ask for less only for a read that is not short', async () => {
		handle = () => undefined;
		const errors = await Promise.all([true, false].map((isShort) => read(isShort).catch((error: unknown) => error)));
		expect(errors.map((error) => Object(Object(error).payload).remedy)).toEqual([
			undefined,
			'ask for less time or fewer variables',
		]);
	});
});

describe('the breaker of a connection', () => {
	/** Lets three short reads meet their deadline, which opens the breaker. */
	const openBreaker = async (): Promise<void> => {
		handle = () => undefined;
		for (const outcome of await Promise.allSettled([short(), short(), short()]))
			expect(outcome).toMatchObject({ status: 'rejected', reason: slow });
		requests = 0;
	};

	test('refuses every read for 2 s, sends one short read, and an error status to that one closes it', async () => {
		await openBreaker();
		await expect(short()).rejects.toMatchObject(refused);
		await expect(read(false)).rejects.toMatchObject(refused);
		expect(requests).toBe(0);
		clock.ms += 2000;
		handle = (_, response) => response.writeHead(503).end();
		const outcomes = await Promise.allSettled([read(false), short(), short(), short()]);
		const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
		expect(codes).toEqual(['dependency_slow', 'dependency_failed', 'dependency_slow', 'dependency_slow']);
		expect(requests).toBe(1);
		handle = (_, response) => answer(response);
		await Promise.all([read(false), short(), short()]);
	});

	test('refuses the reads of the database that hangs, and sends those of another one', async () => {
		await openBreaker();
		handle = (_, response) => answer(response);
		await read(true, 'newest', connection, 'neighbour');
		await read(false, 'history', connection, 'neighbour');
		await expect(short()).rejects.toMatchObject(refused);
		expect(requests).toBe(2);
	});

	test('stays open when that read meets its deadline, too', async () => {
		await openBreaker();
		clock.ms += 2000;
		await expect(short()).rejects.toMatchObject(slow);
		await expect(short()).rejects.toMatchObject(refused);
		expect(requests).toBe(1);
	});

	test('stays closed for newest values while histories are too slow', async () => {
		handle = (_, response, flux) => {
			if (flux !== 'history') answer(response);
		};
		const histories = Array.from({ length: 5 }, () => read(false, 'history').catch((error: unknown) => error));
		await Promise.all([short(), short(), short()]);
		for (const error of await Promise.all(histories)) expect(error).toMatchObject(slow);
		await Promise.all([short(), short(), short()]);
	});

	test('does not count reads that had less than their whole time', async () => {
		handle = () => undefined;
		const hurried = openAt(server.url, () => deadlineMs / 4);
		for (let attempt = 0; attempt < 4; attempt += 1) await expect(read(true, 'newest', hurried)).rejects.toMatchObject(slow);
		hurried.close();
	});

	test('does not count a response that began and stopped', async () => {
		handle = (_, response) => {
			response.writeHead(200, { 'content-type': 'text/csv' }).write('#');
		};
		for (let attempt = 0; attempt < 4; attempt += 1) await expect(short()).rejects.toMatchObject(slow);
	});

	test('does not count refused connections, which cost no time', async () => {
		server.close();
		for (let attempt = 0; attempt < 4; attempt += 1)
			await expect(short()).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: expect.stringContaining('ECONNREFUSED') },
			});
	});
});
