import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { resourceNames } from '#shared/resource-names.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { type Forge, forbiddenClaims, refusedClaims, refusedHeaders } from '#test/support/builders/token-attacks.ts';
import { awsSettings } from '#test/support/servers/aws.ts';
import { askAws } from '#test/support/servers/aws-query.ts';
import { type Cloud, openCloud } from '#test/support/servers/cloud.ts';
import { badInputSuite } from './bad-input.ts';
import { boardsSuite } from './boards.ts';
import { isolationSuite } from './isolation.ts';
import { panelSuite } from './panel.ts';
import { readingsSuite } from './readings.ts';
import { retriesSuite } from './retries.ts';
import { signInSuite } from './sign-in.ts';
import { apiGateway, call, type Gateway, signIn, tenants } from './target.ts';
import { variablesSuite } from './variables.ts';

const suites = [variablesSuite, readingsSuite, panelSuite, boardsSuite, retriesSuite, isolationSuite, badInputSuite, signInSuite];

/** The emulator's gateway; and it starts a process for each request that it is sent while all others are busy. */
const emulator: Gateway = { ...apiGateway, challenges: false, passesBytes: false, exactPaths: false, atOnce: 8 };

/** What the emulator's authorizer lets through, and AWS's does not: this machine's own is tested on it. */
const letThrough = new Set(['that never expires', 'a critical header that nobody knows']);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partOf = (token: string, index: number) => JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

describe.skipIf(inject('awsEndpoint') === null || inject('influxd') === null)('deployed to an emulator of AWS', () => {
	let cloud: Cloud;
	beforeAll(async () => {
		cloud = await openCloud('dev');
	}, 180_000);
	afterAll(() => cloud.close());

	for (const suite of suites) suite(() => cloud, emulator);

	/** One of the issuer's documents. */
	const documentOf = async (path: string) => {
		const { status, headers, body } = await call({ ...cloud, baseUrl: cloud.issuer }, 'GET', path);
		expect(status).toBe(200);
		expect(headers.get('cache-control')).toBe('public, max-age=3600');
		return body;
	};

	describe('its authorizer', () => {
		let forge: Forge;
		const kms = new KMSClient(awsSettings());
		const own = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

		beforeAll(async () => {
			const token = await signIn(cloud, 'a');
			const [header, claims] = [partOf(token, 0), partOf(token, 1)];
			const { keys } = await documentOf('/.well-known/jwks.json');
			const jwk = keys.find(({ kid }: { kid: string }) => kid === header.kid);
			forge = {
				...{ claims, header, seconds: claims.iat },
				publicPem: createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
				token: async (payload = claims, head = header) => {
					const signed = `${encode(head)}.${encode(payload)}`;
					const { Signature = new Uint8Array() } = await kms.send(
						new SignCommand({
							KeyId: header.kid,
							Message: createHash('sha256').update(signed).digest(),
							MessageType: 'DIGEST',
							SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
						}),
					);
					return `${signed}.${Buffer.from(Signature).toString('base64url')}`;
				},
				ownToken: async (payload, head) => {
					const signed = `${encode(head)}.${encode(payload)}`;
					return `${signed}.${sign('sha256', Buffer.from(signed), own).toString('base64url')}`;
				},
			};
		});
		afterAll(() => kms.destroy());

		const statusWith = async (authorization: string | undefined): Promise<number> => {
			const headers = authorization === undefined ? {} : { authorization };
			return (await call(cloud, 'GET', '/getVarsTsdb', { headers })).status;
		};

		test('lets the issuer’s tokens through', async () => {
			expect(await statusWith(`Bearer ${await forge.token()}`)).toBe(200);
		});

		// The claims do not matter here: which attacks there are does not depend on them.
		const example = { claims: {}, seconds: 0 };
		test.each(refusedClaims(example).map(([name], index) => [name, index] as const))('a token %s', async (name, index) => {
			const [, payload = {}] = refusedClaims(forge)[index] ?? [];
			expect(await statusWith(`Bearer ${await forge.token(payload)}`)).toBe(letThrough.has(name) ? 200 : 401);
		});

		test.each(refusedHeaders)('%s', async (name, given) => {
			expect(await statusWith(await given(forge))).toBe(letThrough.has(name) ? 200 : 401);
		});

		test.each(forbiddenClaims(example).map(([name], index) => [name, index] as const))('a token with %s', async (_, index) => {
			const [, payload = {}] = forbiddenClaims(forge)[index] ?? [];
			expect(await statusWith(`Bearer ${await forge.token(payload)}`)).toBe(403);
		});
	});

	test('the issuer’s documents may be kept for an hour, and hold no private part', async () => {
		const discovery = await documentOf('/.well-known/openid-configuration');
		expect(discovery).toMatchObject({ issuer: cloud.issuer, jwks_uri: `${cloud.issuer}/.well-known/jwks.json` });
		const { keys } = await documentOf('/.well-known/jwks.json');
		expect(keys).toHaveLength(1);
		for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
	});

	test('what a function’s role does not grant is refused', async () => {
		const path = `/2015-03-31/functions/${resourceNames('dev').function('loginSso')}/configuration`;
		const { Role } = JSON.parse(await askAws('lambda', 'GET', path));
		const role = (Action: string, more: Readonly<Record<string, string>> = {}) =>
			askAws(
				'iam',
				'POST',
				'/',
				new URLSearchParams({ Action, Version: '2010-05-08', RoleName: Role.split('/').at(-1), ...more }),
			);
		const [, PolicyArn = ''] = /<PolicyArn>(.*?)</.exec(await role('ListAttachedRolePolicies')) ?? [];
		await role('DetachRolePolicy', { PolicyArn });
		const { status, body } = await call(cloud, 'POST', '/loginSso', { body: tenants.a });
		await role('AttachRolePolicy', { PolicyArn });
		expect(status).toBe(502);
		expect(body).toEqual({ signingKey: { message: expect.any(String) } });
		expect((await call(cloud, 'POST', '/loginSso', { body: tenants.a })).status).toBe(200);
	});

	describe('deploying again', () => {
		test('changes nothing, and there is nothing that differs', async () => {
			const before = cloud.baseUrl;
			expect((await cloud.deploy()).match(/\(no changes\)/g)).toHaveLength(3);
			expect(cloud.baseUrl).toBe(before);
			expect(await cloud.cdk('diff', '--all', '--fail')).toMatch(/Number of stacks with differences: 0/);
		}, 60_000);

		test('something else keeps what is stored', async () => {
			const token = await signIn(cloud, 'a');
			const { body } = await call(cloud, 'POST', '/saveVariable', { token, body: makeBody({ unit: 'kept' }) });
			const printed = await cloud.deploy('-c', 'logRetentionDays=14', '-c', 'tokenLifetimeSeconds=1800');
			expect(printed).not.toMatch(/caudal-dev-service.*\(no changes\)/);
			const after = await signIn(cloud, 'a');
			expect(partOf(after, 1).exp - partOf(after, 1).iat).toBe(1800);
			const { body: listed } = await call(cloud, 'GET', '/getVarsTsdb', { token: after });
			expect(listed.data).toContainEqual(body.data);
		}, 60_000);

		test('after destroying everything gives an empty service', async () => {
			await cloud.cdk('destroy', '--all', '--force');
			await expect(fetch(`${cloud.baseUrl}/getVarsTsdb`).then(({ status }) => status)).resolves.toBe(404);
			await cloud.deploy();
			await cloud.prepare();
			const token = await signIn(cloud, 'a');
			expect((await call(cloud, 'GET', '/getVarsTsdb', { token })).body).toEqual({ data: [] });
		}, 120_000);
	});
});

describe.skipIf(inject('awsEndpoint') === null || inject('influxd') === null)('a protected environment', () => {
	test('is deployed, and refuses to be destroyed: nothing of it is gone', async () => {
		const cloud = await openCloud('production');
		try {
			const token = await signIn(cloud, 'a');
			const { body } = await call(cloud, 'POST', '/saveVariable', { token, body: makeBody() });
			await expect(cloud.cdk('destroy', '--all', '--force')).rejects.toThrow(/[Tt]ermination ?[Pp]rotection/);
			const before = cloud.baseUrl;
			expect((await cloud.deploy()).match(/\(no changes\)/g)).toHaveLength(3);
			expect(cloud.baseUrl).toBe(before);
			const { body: listed } = await call(cloud, 'GET', '/getVarsTsdb', { token: await signIn(cloud, 'a') });
			expect(listed).toEqual({ data: [body.data] });
		} finally {
			await cloud.close();
		}
	}, 180_000);
});
