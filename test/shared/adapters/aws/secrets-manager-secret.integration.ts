import { randomUUID } from 'node:crypto';
import {
	CreateSecretCommand,
	DeleteSecretCommand,
	PutSecretValueCommand,
	SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { type Secret, SecretError } from '#adapters/secret.ts';
import { awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { openFaultyProxy, type ProxyAction } from '#test/support/servers/faulty-proxy.ts';

type Proxy = Awaited<ReturnType<typeof openFaultyProxy>>;

describeAws('createSecretsManagerSecret on an emulator', () => {
	let client: SecretsManagerClient;
	let proxy: Proxy;
	let actionInstead: (() => ProxyAction | undefined) | undefined;
	const created: string[] = [];

	beforeAll(async () => {
		client = new SecretsManagerClient(awsSettings());
		proxy = await openFaultyProxy(awsSettings().endpoint, (proxied) => actionInstead?.() ?? proxied.forward());
	});
	afterAll(async () => {
		for (const SecretId of created) await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
		client.destroy();
		proxy.close();
	});

	const create = async (content: { SecretString?: string; SecretBinary?: Uint8Array }): Promise<string> => {
		const Name = `caudal/test/${randomUUID()}`;
		await client.send(new CreateSecretCommand({ Name, ...content }));
		created.push(Name);
		return Name;
	};
	const put = async (SecretId: string, SecretString: string): Promise<void> => {
		await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
	};
	const open = (secretId: string, now?: () => number): Secret =>
		createSecretsManagerSecret({
			...awsSettings(proxy.url),
			secretId,
			...(now === undefined ? {} : { now }),
		});
	/** Returns the number of requests that read a secret. */
	const readCount = (secretId: string): number =>
		proxy.seen.filter(({ operation, body }) => operation === 'GetSecretValue' && body.SecretId === secretId).length;

	test('reads once, drops the line break, and reads once more for twenty callers that were refused', async () => {
		const id = await create({ SecretString: 'token-1\n' });
		const secret = open(id);
		expect(await Promise.all(Array.from({ length: 20 }, () => secret.value()))).toEqual(Array(20).fill('token-1'));
		expect(readCount(id)).toBe(1);
		await put(id, 'token-2\n');
		expect(await secret.value()).toBe('token-1');
		expect(await Promise.all(Array.from({ length: 20 }, () => secret.refresh('token-1')))).toEqual(Array(20).fill('token-2'));
		expect(await secret.refresh('token-1')).toBe('token-2');
		expect(await secret.value()).toBe('token-2');
		expect(readCount(id)).toBe(2);
	});

	test('reads an unchanged secret again at most every ten seconds', async () => {
		let clockMs = Date.UTC(2026, 10, 2);
		const id = await create({ SecretString: 'token-1' });
		const secret = open(id, () => clockMs);
		await secret.value();
		for (const [laterMs, expected] of [
			[0, 2],
			[9999, 2],
			[1, 3],
		] as const) {
			clockMs += laterMs;
			expect(await secret.refresh('token-1')).toBe('token-1');
			expect(readCount(id)).toBe(expected);
		}
	});

	test.each<[string, () => Promise<string>, RegExp]>([
		['binary', () => create({ SecretBinary: Buffer.from('token-1') }), /has no text\. Store/],
		['JSON', () => create({ SecretString: '{"token":"token-1"}' }), /is JSON, and has to be a token\. Store/],
		['a line break', () => create({ SecretString: '\n' }), /is empty\. Store/],
		// AWS reports it as missing. An emulator may return it without a text.
		['created without a text', () => create({}), /(has no text|cannot be read \(ResourceNotFoundException: .*\))\. Store/],
		['missing', async () => `caudal/test/${randomUUID()}`, /cannot be read \(ResourceNotFoundException: .*\)\. Store/],
	])('fails with a remedy when the secret is %s, and reads it once it has a text', async (what, make, why) => {
		const id = await make();
		const secret = open(id);
		const error: unknown = await secret.value().catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(SecretError);
		expect(error).toMatchObject({ message: expect.stringMatching(why) });
		expect(String(error)).toContain(`Secret ${id} `);
		expect(String(error)).toContain(`put-secret-value --secret-id ${id} `);
		expect(String(error)).not.toContain('token-1');
		if (what === 'missing') return;
		await put(id, 'token-2');
		expect(await secret.value()).toBe('token-2');
	});

	test('reads at the second attempt when the connection closed at the first', async () => {
		const id = await create({ SecretString: 'token-1' });
		let isFirst = true;
		actionInstead = () => {
			const action = isFirst ? 'close' : undefined;
			isFirst = false;
			return action;
		};
		expect(await open(id).value()).toBe('token-1');
		expect(readCount(id)).toBe(2);
		actionInstead = undefined;
	});
});
