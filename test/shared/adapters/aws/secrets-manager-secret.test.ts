import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type Secret, SecretError, staticSecret } from '#adapters/secret.ts';
import { awsError, type ProxyAction } from '#test/support/servers/faulty-proxy.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { openStoredSecret, type StoredSecret, secretResponse, storedSecretId } from '#test/support/servers/stored-secret.ts';

const text = '3f9a-c0ffee==';
const remedy = `aws secretsmanager put-secret-value --secret-id ${storedSecretId}`;

/** Returns everything of an error that a log could contain. */
const printed = (error: unknown): string =>
	error instanceof Error
		? `${error.stack} ${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`
		: String(error);

describe('createSecretsManagerSecret', () => {
	let clockMs = 0;
	let stored: StoredSecret;
	afterEach(() => stored.close());
	const open = async (first = text): Promise<Secret> => {
		clockMs = Date.UTC(2026, 10, 2);
		stored = await openStoredSecret(first, { now: () => clockMs });
		return stored.secret;
	};
	const errorOf = async (pending: Promise<string>): Promise<unknown> => {
		const error: unknown = await pending.then(
			() => 'no error',
			(caught: unknown) => caught,
		);
		expect(error).toBeInstanceOf(SecretError);
		return error;
	};

	test('reads on first use, and once', async () => {
		const secret = await open();
		expect(stored.readCount()).toBe(0);
		expect([await secret.value(), await secret.value()]).toEqual([text, text]);
		expect(stored.readCount()).toBe(1);
	});

	test('reads once for twenty concurrent callers', async () => {
		const secret = await open();
		const all = await Promise.all(Array.from({ length: 20 }, () => secret.value()));
		expect(new Set(all)).toEqual(new Set([text]));
		expect(stored.readCount()).toBe(1);
	});

	test.each([['\n'], ['\r\n'], ['\n\n']])('drops the line break %j at the end', async (end) => {
		const secret = await open(`${text}${end}`);
		expect(await secret.value()).toBe(text);
	});

	test('requests the secret by its id', async () => {
		const secret = await open();
		await secret.value();
		expect(stored.seen).toMatchObject([{ operation: 'GetSecretValue', body: { SecretId: storedSecretId } }]);
	});

	test('does not cache a failed read', async () => {
		const secret = await open();
		stored.respondWith(() => awsError('AccessDeniedException'));
		await errorOf(secret.value());
		stored.put(text);
		expect(await secret.value()).toBe(text);
	});

	test('makes two attempts, and no more, when the service fails', async () => {
		const secret = await open();
		stored.respondWith(() => awsError('InternalServiceError', 500));
		await errorOf(secret.value());
		expect(stored.readCount()).toBe(2);
		let first = true;
		stored.respondWith(() => {
			const action: ProxyAction = first ? 'close' : secretResponse(text);
			first = false;
			return action;
		});
		expect(await secret.value()).toBe(text);
		expect(stored.readCount()).toBe(4);
	});

	test.each<[string, ProxyAction, RegExp]>([
		['is empty', secretResponse(''), /is empty/],
		['is a line break', secretResponse('\n'), /is empty/],
		[
			'is binary',
			{ status: 200, body: { Name: storedSecretId, SecretBinary: Buffer.from(text).toString('base64') } },
			/has no text/,
		],
		['is JSON, as the console stores it', secretResponse(`{"token":"${text}"}`), /is JSON/],
		['has a line break in it', secretResponse(`${text}\n${text}`), /is not a token/],
		['has a space in it', secretResponse(`Bearer ${text}`), /is not a token/],
		['is not ASCII', secretResponse(`${text}ñ`), /is not a token/],
		['has no text yet', awsError('ResourceNotFoundException'), /cannot be read \(ResourceNotFoundException: /],
	])('fails when the secret %s, with its id and a remedy and without its text', async (_, action, why) => {
		const secret = await open();
		stored.respondWith(() => action);
		const error = await errorOf(secret.value());
		expect(error).toMatchObject({ message: expect.stringMatching(why) });
		expect(error).toMatchObject({ message: expect.stringContaining(remedy) });
		expect(error).toMatchObject({ message: expect.stringContaining(`Secret ${storedSecretId} `) });
		expect(printed(error)).not.toContain(text);
	});

	test.each<[string, ProxyAction, RegExp]>([
		['access denied', awsError('AccessDeniedException'), /cannot be read: AccessDeniedException: /],
		['a closed connection', 'close', /cannot be read: \w*Error: /],
	])('reports that the secret cannot be read: %s', async (_, action, why) => {
		const secret = await open();
		stored.respondWith(() => action);
		const error = await errorOf(secret.value());
		expect(error).toMatchObject({ message: expect.stringMatching(why) });
		expect(error).toMatchObject({ message: expect.stringContaining(`Secret ${storedSecretId} `) });
	});

	test('times out without a response and with half a response', async () => {
		const actions: readonly ProxyAction[] = ['silence', 'half a response'];
		const messages = actions.map(async (action) => {
			const silent = await openStoredSecret(text);
			silent.respondWith(() => action);
			const error = await errorOf(silent.secret.value());
			silent.close();
			return String(error);
		});
		expect(await Promise.all(messages)).toEqual([
			expect.stringMatching(/cannot be read: TimeoutError: /),
			expect.stringMatching(/cannot be read: \w+Error: /),
		]);
	});

	test('reads again on refresh, once for all concurrent callers', async () => {
		const secret = await open();
		await secret.value();
		stored.put('token-2');
		const all = await Promise.all(Array.from({ length: 20 }, () => secret.refresh(text)));
		expect(new Set(all)).toEqual(new Set(['token-2']));
		expect(await secret.value()).toBe('token-2');
		expect(stored.readCount()).toBe(2);
	});

	test('does not read again when another caller has refreshed the refused text', async () => {
		const secret = await open();
		await secret.value();
		stored.put('token-2');
		await secret.refresh(text);
		expect(await secret.refresh(text)).toBe('token-2');
		expect(stored.readCount()).toBe(2);
	});

	test('reads an unchanged secret again at most every ten seconds', async () => {
		const secret = await open();
		await secret.value();
		expect(await secret.refresh(text)).toBe(text);
		expect(stored.readCount()).toBe(2);
		stored.put('token-2');
		clockMs += 9999;
		expect(await secret.refresh(text)).toBe(text);
		expect(stored.readCount()).toBe(2);
		clockMs += 1;
		expect(await secret.refresh(text)).toBe('token-2');
		expect(stored.readCount()).toBe(3);
	});

	test('reads at once after a refresh that found a change', async () => {
		const secret = await open();
		await secret.value();
		await secret.refresh(text);
		clockMs += 10_000;
		stored.put('token-2');
		await secret.refresh(text);
		stored.put('token-3');
		expect(await secret.refresh('token-2')).toBe('token-3');
		expect(stored.readCount()).toBe(4);
	});

	test('reads again after the clock was set back', async () => {
		const secret = await open();
		await secret.value();
		await secret.refresh(text);
		clockMs -= 3_600_000;
		stored.put('token-2');
		expect(await secret.refresh(text)).toBe('token-2');
	});

	test('keeps the last text when a refresh fails, and tries again ten seconds later', async () => {
		const secret = await open();
		await secret.value();
		stored.respondWith(() => awsError('AccessDeniedException'));
		await errorOf(secret.refresh(text));
		stored.put('token-2');
		clockMs += 9999;
		expect([await secret.value(), await secret.refresh(text)]).toEqual([text, text]);
		expect(stored.readCount()).toBe(2);
		clockMs += 1;
		expect(await secret.refresh(text)).toBe('token-2');
	});

	test('reads on a refresh before the first use', async () => {
		const secret = await open();
		expect(await secret.refresh('older')).toBe(text);
		expect(stored.readCount()).toBe(1);
	});

	test('returns the cached text while another caller waits for a refresh', async () => {
		const secret = await open();
		await secret.value();
		stored.respondWith(async () => {
			await pause(300);
			return secretResponse('token-2');
		});
		const refreshed = secret.refresh(text);
		expect(await secret.value()).toBe(text);
		expect(await refreshed).toBe('token-2');
	});

	test('does not show its text when the object is printed', async () => {
		const secret = await open();
		await secret.value();
		expect(inspect(secret, { depth: 9, showHidden: true })).not.toContain(text);
		expect(JSON.stringify(secret)).not.toContain(text);
	});

	test('does not quote a response that is not JSON', async () => {
		const server = await listen((_, response) => void response.end(`{"SecretString": ${text}}`));
		stored = await openStoredSecret('other', { endpoint: server.url });
		const error = await errorOf(stored.secret.value());
		expect(error).toMatchObject({ message: `Secret ${storedSecretId} cannot be read: the answer is not JSON` });
		expect(printed(error)).not.toContain(text.slice(0, 4));
		server.close();
	});
});

describe('staticSecret', () => {
	test('never changes', async () => {
		const secret = staticSecret(text);
		expect([await secret.value(), await secret.refresh(text), await secret.refresh('other')]).toEqual([text, text, text]);
	});

	test.each([[''], ['two words'], ['line\n'], ['señal']])('rejects %j without quoting it', (bad) => {
		expect(() => staticSecret(bad)).toThrow(SecretError);
		expect(() => staticSecret(bad)).toThrow(/^A token has to be visible ASCII characters, without spaces\.$/);
	});
});
