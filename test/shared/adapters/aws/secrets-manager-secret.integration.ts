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
import { type Fate, openFaultyProxy } from '#test/support/servers/faulty-proxy.ts';

type Proxy = Awaited<ReturnType<typeof openFaultyProxy>>;

describeAws('a secret of Secrets Manager itself', () => {
	let client: SecretsManagerClient;
	let proxy: Proxy;
	let fateBefore: (() => Fate | undefined) | undefined;
	const created: string[] = [];

	beforeAll(async () => {
		client = new SecretsManagerClient(awsSettings());
		proxy = await openFaultyProxy(awsSettings().endpoint, (passing) => fateBefore?.() ?? passing.forward());
	});
	afterAll(async () => {
		for (const SecretId of created) await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
		client.destroy();
		proxy.close();
	});

	const create = async (given: { SecretString?: string; SecretBinary?: Uint8Array }): Promise<string> => {
		const Name = `caudal/proof/${randomUUID()}`;
		await client.send(new CreateSecretCommand({ Name, ...given }));
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
	/** How many readings of a secret came through. */
	const readings = (secretId: string): number =>
		proxy.seen.filter(({ operation, body }) => operation === 'GetSecretValue' && body.SecretId === secretId).length;

	test('is read once, without its line end, and read anew once for twenty who were refused', async () => {
		const id = await create({ SecretString: 'token-1\n' });
		const secret = open(id);
		expect(await Promise.all(Array.from({ length: 20 }, () => secret.value()))).toEqual(Array(20).fill('token-1'));
		expect(readings(id)).toBe(1);
		await put(id, 'token-2\n');
		expect(await secret.value()).toBe('token-1');
		expect(await Promise.all(Array.from({ length: 20 }, () => secret.renewed('token-1')))).toEqual(Array(20).fill('token-2'));
		expect(await secret.renewed('token-1')).toBe('token-2');
		expect(await secret.value()).toBe('token-2');
		expect(readings(id)).toBe(2);
	});

	test('is read anew once in ten seconds while it stays the same', async () => {
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
			expect(await secret.renewed('token-1')).toBe('token-1');
			expect(readings(id)).toBe(expected);
		}
	});

	test.each<[string, () => Promise<string>, RegExp]>([
		['binary', () => create({ SecretBinary: Buffer.from('token-1') }), /has no text\. Store/],
		['JSON', () => create({ SecretString: '{"token":"token-1"}' }), /is JSON, and has to be a token\. Store/],
		['a line end', () => create({ SecretString: '\n' }), /is empty\. Store/],
		// AWS says of it that it is not there, an emulator may give it without a text.
		['made and never given a text', () => create({}), /(has no text|cannot be read \(ResourceNotFoundException: .*\))\. Store/],
		['not there', async () => `caudal/proof/${randomUUID()}`, /cannot be read \(ResourceNotFoundException: .*\)\. Store/],
	])('that is %s is an error that says what to do; once that is done, it is read', async (what, make, why) => {
		const id = await make();
		const secret = open(id);
		const error: unknown = await secret.value().catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(SecretError);
		expect(error).toMatchObject({ message: expect.stringMatching(why) });
		expect(String(error)).toContain(`Secret ${id} `);
		expect(String(error)).toContain(`put-secret-value --secret-id ${id} `);
		expect(String(error)).not.toContain('token-1');
		if (what === 'not there') return;
		await put(id, 'token-2');
		expect(await secret.value()).toBe('token-2');
	});

	test('is read at the second attempt where the connection closed at the first', async () => {
		const id = await create({ SecretString: 'token-1' });
		let isFirst = true;
		fateBefore = () => {
			const fate = isFirst ? 'close' : undefined;
			isFirst = false;
			return fate;
		};
		expect(await open(id).value()).toBe('token-1');
		expect(readings(id)).toBe(2);
		fateBefore = undefined;
	});
});
