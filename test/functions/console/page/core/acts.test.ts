import { describe, expect, test } from 'vitest';
import { type ActHeaders, createActs } from '#page/core/acts.ts';
import type { Result } from '#page/core/api.ts';

const done: Result<null> = { ok: true, data: null, etag: null };
const unreachable: Result<null> = { ok: false, failure: { kind: 'unreachable', status: 0, errors: {}, retryAfterMs: null } };
const refusedWith = (status: number): Result<null> => ({
	ok: false,
	failure: { kind: 'refused', status, errors: {}, retryAfterMs: null },
});

const running: Result<null> = {
	ok: false,
	failure: {
		kind: 'refused',
		status: 409,
		errors: { 'Idempotency-Key': { code: 'key_in_use', message: 'It still runs.', params: { reason: 'running' } } },
		retryAfterMs: null,
	},
};

/** Sends acts, answered by what the test says, and returns their headers. */
const openActs = () => {
	let keys = 0;
	const acts = createActs(() => {
		keys += 1;
		return `key ${keys}`;
	});
	const sent: ActHeaders[] = [];
	return {
		sent,
		send: (content: unknown, version: number | null, answer: Result<null>) =>
			acts.send({ content, version }, async (header) => {
				sent.push(header);
				return answer;
			}),
		keys: () => sent.map((header) => header['Idempotency-Key']),
	};
};

describe('acts', () => {
	test('name themselves, and the version that must still be stored', async () => {
		const { sent, send } = openActs();
		expect(await send('a', 3, done)).toBe(done);
		await send('b', null, done);
		expect(sent).toEqual([{ 'Idempotency-Key': 'key 1', 'If-Match': '"3"' }, { 'Idempotency-Key': 'key 2' }]);
	});

	test.each([
		['is lost', unreachable],
		['is an error of the service', refusedWith(503)],
		['is that the session has ended', refusedWith(401)],
		['is that there are too many requests', refusedWith(429)],
		['is that the first request still runs', running],
	])('keep their key while the answer %s', async (_, answer) => {
		const { send, keys } = openActs();
		await send('a', 3, answer);
		await send('a', 3, answer);
		await send('a', 3, done);
		expect(keys()).toEqual(['key 1', 'key 1', 'key 1']);
	});

	test.each([
		['done', done],
		['refused', refusedWith(409)],
	])('that are %s are over: the same content again is another act', async (_, answer) => {
		const { send, keys } = openActs();
		await send('a', 3, answer);
		await send('a', 3, done);
		expect(keys()).toEqual(['key 1', 'key 2']);
	});

	test('of another content, or on another version, have another key, and leave the first one its own', async () => {
		const { send, keys } = openActs();
		await send(['variable', 1], 3, unreachable);
		await send(['variable', 1], 4, unreachable);
		await send(['variable', 2], 3, unreachable);
		await send(['variable', 1], 3, done);
		expect(keys()).toEqual(['key 1', 'key 2', 'key 3', 'key 1']);
	});
});
