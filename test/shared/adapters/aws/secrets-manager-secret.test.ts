import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { type Secret, SecretError, staticSecret } from '#adapters/secret.ts';
import { type Fate, fault } from '#test/support/servers/faulty-proxy.ts';
import { listen } from '#test/support/servers/http-server.ts';
import { holding, openStoredSecret, type StoredSecret, storedId } from '#test/support/servers/stored-secret.ts';

const text = '3f9a-c0ffee==';
const storing = `aws secretsmanager put-secret-value --secret-id ${storedId}`;

/** All that could come into a log of an error. */
const told = (error: unknown): string =>
	error instanceof Error
		? `${error.stack} ${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`
		: String(error);

describe('a secret of Secrets Manager', () => {
	let clockMs = 0;
	let stored: StoredSecret;
	afterEach(() => stored.close());
	const open = async (first = text): Promise<Secret> => {
		clockMs = Date.UTC(2026, 10, 2);
		stored = await openStoredSecret(first, { now: () => clockMs });
		return stored.secret;
	};
	const refusedWith = async (pending: Promise<string>): Promise<unknown> => {
		const error: unknown = await pending.then(
			() => 'no error',
			(caught: unknown) => caught,
		);
		expect(error).toBeInstanceOf(SecretError);
		return error;
	};

	test('is read when it is first asked for, and once', async () => {
		const secret = await open();
		expect(stored.readings()).toBe(0);
		expect([await secret.value(), await secret.value()]).toEqual([text, text]);
		expect(stored.readings()).toBe(1);
	});

	test('is read once by twenty who ask at once', async () => {
		const secret = await open();
		const all = await Promise.all(Array.from({ length: 20 }, () => secret.value()));
		expect(new Set(all)).toEqual(new Set([text]));
		expect(stored.readings()).toBe(1);
	});

	test.each([['\n'], ['\r\n'], ['\n\n']])('does not have the line end %j after it', async (end) => {
		const secret = await open(`${text}${end}`);
		expect(await secret.value()).toBe(text);
	});

	test('is asked for by its id', async () => {
		const secret = await open();
		await secret.value();
		expect(stored.seen).toMatchObject([{ operation: 'GetSecretValue', body: { SecretId: storedId } }]);
	});

	test('a reading that failed is not kept', async () => {
		const secret = await open();
		stored.meet(() => fault('AccessDeniedException'));
		await refusedWith(secret.value());
		stored.put(text);
		expect(await secret.value()).toBe(text);
	});

	test('the whole reading is made twice, and no more, where the service fails', async () => {
		const secret = await open();
		stored.meet(() => fault('InternalServiceError', 500));
		await refusedWith(secret.value());
		expect(stored.readings()).toBe(2);
		let first = true;
		stored.meet(() => {
			const fate: Fate = first ? 'close' : holding(text);
			first = false;
			return fate;
		});
		expect(await secret.value()).toBe(text);
		expect(stored.readings()).toBe(4);
	});

	test.each<[string, Fate, RegExp]>([
		['is empty', holding(''), /is empty/],
		['is a line end', holding('\n'), /is empty/],
		['is binary', { status: 200, body: { Name: storedId, SecretBinary: Buffer.from(text).toString('base64') } }, /has no text/],
		['is JSON, as the console stores it', holding(`{"token":"${text}"}`), /is JSON/],
		['has a line break in it', holding(`${text}\n${text}`), /is not a token/],
		['has a space in it', holding(`Bearer ${text}`), /is not a token/],
		['is not ASCII', holding(`${text}ñ`), /is not a token/],
		['has no text yet', fault('ResourceNotFoundException'), /cannot be read \(ResourceNotFoundException: /],
	])('that %s: says whose it is and what to do, and not what it holds', async (_, fate, why) => {
		const secret = await open();
		stored.meet(() => fate);
		const error = await refusedWith(secret.value());
		expect(error).toMatchObject({ message: expect.stringMatching(why) });
		expect(error).toMatchObject({ message: expect.stringContaining(storing) });
		expect(error).toMatchObject({ message: expect.stringContaining(`Secret ${storedId} `) });
		expect(told(error)).not.toContain(text);
	});

	test.each<[string, Fate, RegExp]>([
		['access denied', fault('AccessDeniedException'), /cannot be read: AccessDeniedException: /],
		['a closed connection', 'close', /cannot be read: \w*Error: /],
	])('that cannot be read, for %s, says so', async (_, fate, why) => {
		const secret = await open();
		stored.meet(() => fate);
		const error = await refusedWith(secret.value());
		expect(error).toMatchObject({ message: expect.stringMatching(why) });
		expect(error).toMatchObject({ message: expect.stringContaining(`Secret ${storedId} `) });
	});

	test('is not waited for without end: neither for an answer nor for the rest of one', async () => {
		const fates: readonly Fate[] = ['silence', 'half an answer'];
		const messages = fates.map(async (fate) => {
			const silent = await openStoredSecret(text);
			silent.meet(() => fate);
			const error = await refusedWith(silent.secret.value());
			silent.close();
			return String(error);
		});
		expect(await Promise.all(messages)).toEqual([
			expect.stringMatching(/cannot be read: TimeoutError: /),
			expect.stringMatching(/cannot be read: \w+Error: /),
		]);
	});

	test('renewed: read anew, and the same reading for all who were refused', async () => {
		const secret = await open();
		await secret.value();
		stored.put('token-2');
		const all = await Promise.all(Array.from({ length: 20 }, () => secret.renewed(text)));
		expect(new Set(all)).toEqual(new Set(['token-2']));
		expect(await secret.value()).toBe('token-2');
		expect(stored.readings()).toBe(2);
	});

	test('renewed by one, it is not read for another who was refused with the old one', async () => {
		const secret = await open();
		await secret.value();
		stored.put('token-2');
		await secret.renewed(text);
		expect(await secret.renewed(text)).toBe('token-2');
		expect(stored.readings()).toBe(2);
	});

	test('while it stays the same, it is read anew once in ten seconds', async () => {
		const secret = await open();
		await secret.value();
		expect(await secret.renewed(text)).toBe(text);
		expect(stored.readings()).toBe(2);
		stored.put('token-2');
		clockMs += 9999;
		expect(await secret.renewed(text)).toBe(text);
		expect(stored.readings()).toBe(2);
		clockMs += 1;
		expect(await secret.renewed(text)).toBe('token-2');
		expect(stored.readings()).toBe(3);
	});

	test('once it has changed, the next change is read at once', async () => {
		const secret = await open();
		await secret.value();
		await secret.renewed(text);
		clockMs += 10_000;
		stored.put('token-2');
		await secret.renewed(text);
		stored.put('token-3');
		expect(await secret.renewed('token-2')).toBe('token-3');
		expect(stored.readings()).toBe(4);
	});

	test('a clock that was set back does not keep it from being read', async () => {
		const secret = await open();
		await secret.value();
		await secret.renewed(text);
		clockMs -= 3_600_000;
		stored.put('token-2');
		expect(await secret.renewed(text)).toBe('token-2');
	});

	test('where it cannot be read anew, the last one stays, and the next try is ten seconds later', async () => {
		const secret = await open();
		await secret.value();
		stored.meet(() => fault('AccessDeniedException'));
		await refusedWith(secret.renewed(text));
		stored.put('token-2');
		clockMs += 9999;
		expect([await secret.value(), await secret.renewed(text)]).toEqual([text, text]);
		expect(stored.readings()).toBe(2);
		clockMs += 1;
		expect(await secret.renewed(text)).toBe('token-2');
	});

	test('renewed while it is not known is read', async () => {
		const secret = await open();
		expect(await secret.renewed('older')).toBe(text);
		expect(stored.readings()).toBe(1);
	});

	test('does not wait for a reading that others wait for while it has a value', async () => {
		const secret = await open();
		await secret.value();
		stored.meet(async () => {
			await pause(300);
			return holding('token-2');
		});
		const renewed = secret.renewed(text);
		expect(await secret.value()).toBe(text);
		expect(await renewed).toBe('token-2');
	});

	test('is not seen in what is printed of the object', async () => {
		const secret = await open();
		await secret.value();
		expect(inspect(secret, { depth: 9, showHidden: true })).not.toContain(text);
		expect(JSON.stringify(secret)).not.toContain(text);
	});

	test('an answer that is no JSON is not quoted', async () => {
		const server = await listen((_, response) => void response.end(`{"SecretString": ${text}}`));
		stored = await openStoredSecret('other', { endpoint: server.url });
		const error = await refusedWith(stored.secret.value());
		expect(error).toMatchObject({ message: `Secret ${storedId} cannot be read: the answer is not JSON` });
		expect(told(error)).not.toContain(text.slice(0, 4));
		server.close();
	});
});

describe('a fixed secret', () => {
	test('stays what it is', async () => {
		const secret = staticSecret(text);
		expect([await secret.value(), await secret.renewed(text), await secret.renewed('other')]).toEqual([text, text, text]);
	});

	test.each([[''], ['two words'], ['line\n'], ['señal']])('is not made of %j, which is not quoted', (bad) => {
		expect(() => staticSecret(bad)).toThrow(SecretError);
		expect(() => staticSecret(bad)).toThrow(/^A token has to be visible ASCII characters, without spaces\.$/);
	});
});
