import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { resourceNames } from '#shared/resource-names.ts';
import { makeAlarmBody, makeBody, makeQuery } from '#test/support/builders/builders.ts';
import { type AttackContext, forbiddenClaims, refusedClaims, refusedHeaders } from '#test/support/builders/token-attacks.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { awsSettings } from '#test/support/servers/aws.ts';
import { callAws } from '#test/support/servers/aws-query.ts';
import { type Cloud, openCloud, proxySecret, runOnEmulator } from '#test/support/servers/cloud.ts';
import { json, publicJwk, signToken, startFakeProvider } from '#test/support/servers/fake-provider.ts';
import { callSns, subscribeQueue } from '#test/support/servers/topic-queue.ts';
import { apiDescriptionSuite } from './api-description.ts';
import { docsSuite } from './docs.ts';
import { docsInBrowserSuite } from './docs-in-browser.ts';
import { oauthClientsSuite } from './oauth-clients.ts';
import { suites } from './suites.ts';
import { apiGateway, call, type Gateway, signIn, tenants } from './target.ts';

/** The emulator's gateway. It starts another process for each request that arrives while all others are busy. */
const emulator: Gateway = {
	...apiGateway,
	sendsChallenge: false,
	preservesBytes: false,
	matchesExactPaths: false,
	maxConcurrency: 8,
};

/** Attacks that the emulator's authorizer accepts and AWS's rejects. The tests of the local authorizer cover them. */
const acceptedByEmulator = new Set(['without an expiry', 'an unknown critical header']);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const partOf = (token: string, index: number) => JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

describe.skipIf(inject('awsEndpoint') === null || inject('influxd') === null)('deployed to an emulator of AWS', () => {
	let cloud: Cloud;
	beforeAll(async () => {
		cloud = await openCloud('dev');
	}, 400_000);
	afterAll(() => cloud.close());

	for (const suite of [...suites, oauthClientsSuite, apiDescriptionSuite, docsSuite, docsInBrowserSuite])
		suite(() => cloud, emulator);

	/** Fetches one of the issuer's documents. */
	const fetchDocument = async (path: string) => {
		const { status, headers, body } = await call({ ...cloud, baseUrl: cloud.issuer }, 'GET', path);
		expect(status).toBe(200);
		expect(headers.get('cache-control')).toBe('public, max-age=3600');
		return body;
	};

	describe('its authorizer', () => {
		let attack: AttackContext;
		const kms = new KMSClient(awsSettings());
		const attackerKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

		beforeAll(async () => {
			const token = await signIn(cloud, 'a');
			const [header, claims] = [partOf(token, 0), partOf(token, 1)];
			const { keys } = await fetchDocument('/.well-known/jwks.json');
			const jwk = keys.find(({ kid }: { kid: string }) => kid === header.kid);
			attack = {
				...{ claims, header, nowSeconds: claims.iat },
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
				attackerToken: async (payload, head) => {
					const signed = `${encode(head)}.${encode(payload)}`;
					return `${signed}.${sign('sha256', Buffer.from(signed), attackerKey).toString('base64url')}`;
				},
			};
		});
		afterAll(() => kms.destroy());

		const statusWith = async (authorization: string | undefined): Promise<number> => {
			const headers = authorization === undefined ? {} : { authorization };
			return (await call(cloud, 'GET', '/getVarsTsdb', { headers })).status;
		};

		test('accepts the issuer’s tokens', async () => {
			expect(await statusWith(`Bearer ${await attack.token()}`)).toBe(200);
		});

		// The names of the attacks do not depend on these claims.
		const example = { claims: {}, nowSeconds: 0 };
		test.each(refusedClaims(example).map(([name], index) => [name, index] as const))(
			'rejects a token %s, unless the emulator is known to accept it',
			async (name, index) => {
				const [, payload = {}] = refusedClaims(attack)[index] ?? [];
				expect(await statusWith(`Bearer ${await attack.token(payload)}`)).toBe(acceptedByEmulator.has(name) ? 200 : 401);
			},
		);

		test.each(refusedHeaders)('rejects %s, unless the emulator is known to accept it', async (name, headerOf) => {
			expect(await statusWith(await headerOf(attack))).toBe(acceptedByEmulator.has(name) ? 200 : 401);
		});

		test.each(forbiddenClaims(example).map(([name], index) => [name, index] as const))(
			'forbids a token with %s',
			async (_, index) => {
				const [, payload = {}] = forbiddenClaims(attack)[index] ?? [];
				expect(await statusWith(`Bearer ${await attack.token(payload)}`)).toBe(403);
			},
		);
	});

	test('the issuer’s documents may be cached for an hour and contain no private key', async () => {
		const discovery = await fetchDocument('/.well-known/openid-configuration');
		expect(discovery).toMatchObject({ issuer: cloud.issuer, jwks_uri: `${cloud.issuer}/.well-known/jwks.json` });
		const { keys } = await fetchDocument('/.well-known/jwks.json');
		expect(keys).toHaveLength(1);
		for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
	});

	test('failed sign-ins count for the address that a proxy with the secret forwards', async () => {
		const body = { email: 'forwarded@utility.test', tokenApp: 'x', schemaName: 's', tsdb_name: 't' };
		const statusFrom = async (address: string, secret: string) => {
			const headers = { 'x-forwarded-for': address, 'x-origin-verify': secret };
			return (await call(cloud, 'POST', '/loginSso', { body, headers })).status;
		};
		for (let index = 0; index < 10; index += 1) expect(await statusFrom('198.51.100.1', proxySecret)).toBe(401);
		expect(await statusFrom('198.51.100.1', proxySecret)).toBe(429);
		expect(await statusFrom('198.51.100.2', proxySecret)).toBe(401);
		for (let index = 0; index < 10; index += 1) expect(await statusFrom(`198.51.100.${20 + index}`, 'wrong')).toBe(401);
		expect(await statusFrom('198.51.100.40', 'wrong')).toBe(429);
	});

	test('the canary may do what its row of the contract says: it signs in and reads', async () => {
		const watched = makeBody({ name: 'Watched', varsTsdb: { Watched: makeQuery({ calc_topic: 'watched/level' }) } });
		await call(cloud, 'POST', '/saveVariable', { token: await signIn(cloud, 'a'), body: watched });
		// Not later than now on a slow machine.
		await cloud.feed(
			'plant_a',
			[180, 120, 60, 0].map((seconds) => `watched/level value=1 ${Date.now() - seconds * 1000}`).join('\n'),
		);
		const path = `/2015-03-31/functions/${resourceNames('dev').function('canary')}/invocations`;
		expect(JSON.parse(await callAws('lambda', 'POST', path))).toEqual({ outcome: 'ok', done: { readings: expect.any(Number) } });
	});

	test('npm run canary says after a deployment what the canary read', async () => {
		expect(await runOnEmulator('infra/tools/canary.ts', ['--env', 'dev'])).toMatch(
			/^The canary of dev signed in and read \d+ variables?\.$/m,
		);
	});

	test('the dispatcher of alarms starts a worker, which reads, stores and publishes as its row of the contract says', async () => {
		const topic = `arn:aws:sns:us-east-1:000000000000:${resourceNames('dev').plantAlarms}`;
		const receive = await subscribeQueue(topic, 'told-plant-alarms');
		// The policy of the topic refuses requests without TLS, and the emulator has no TLS.
		const statement = { Effect: 'Allow', Principal: { AWS: '000000000000' }, Action: 'sns:Publish', Resource: topic };
		const AttributeValue = JSON.stringify({ Version: '2012-10-17', Statement: [statement] });
		await callSns({ Action: 'SetTopicAttributes', TopicArn: topic, AttributeName: 'Policy', AttributeValue });
		const token = await signIn(cloud, 'a');
		const variable = makeBody({ name: 'Told', varsTsdb: { Told: makeQuery({ calc_topic: 'told/level' }) } });
		const { body: saved } = await call(cloud, 'POST', '/saveVariable', { token, body: variable });
		const alarm = makeAlarmBody({ varId: saved.data.id, name: 'Told by the topic' });
		await call(cloud, 'POST', '/saveAlarm', { token, body: alarm });
		const now = Date.now();
		await cloud.feed(
			'plant_a',
			Array.from({ length: 24 }, (_, index) => `told/level value=11 ${now - 120_000 + index * 5000}`).join('\n'),
		);
		const path = `/2015-03-31/functions/${resourceNames('dev').function('dispatchAlarms')}/invocations`;
		const started = JSON.parse(await callAws('lambda', 'POST', path));
		expect(started).toMatchObject({ outcome: 'ok', done: { schemas: expect.any(Number), notStarted: 0 } });
		const told: unknown[] = [];
		await vi.waitFor(
			async () => {
				told.push(...(await receive()).map(({ Message }) => JSON.parse(Message)));
				expect(told).toContainEqual(
					expect.objectContaining({
						schema: 'plant_a',
						alarms: expect.arrayContaining([
							expect.objectContaining({ name: 'Told by the topic', cause: 'condition', value: 11 }),
						]),
					}),
				);
			},
			{ timeout: 180_000 },
		);
	}, 240_000);

	test('a request fails when the function’s role does not allow it', async () => {
		const path = `/2015-03-31/functions/${resourceNames('dev').function('loginSso')}/configuration`;
		const { Role } = JSON.parse(await callAws('lambda', 'GET', path));
		const role = (Action: string, more: Readonly<Record<string, string>> = {}) =>
			callAws(
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
		expect(body).toEqual({ signingKey: errorEntry('dependency_failed') });
		expect((await call(cloud, 'POST', '/loginSso', { body: tenants.a })).status).toBe(200);
	});

	describe('deploying again', () => {
		test('changes nothing without differences', async () => {
			const before = cloud.baseUrl;
			await cloud.synthesize();
			expect((await cloud.deploy()).match(/\(no changes\)/g)).toHaveLength(3);
			expect(cloud.baseUrl).toBe(before);
			expect(await cloud.cdk('diff', '--all', '--fail')).toMatch(/Number of stacks with differences: 0/);
		}, 240_000);

		test('a deployment with other settings keeps stored data, and reads in InfluxQL', async () => {
			const token = await signIn(cloud, 'a');
			const { body } = await call(cloud, 'POST', '/saveVariable', { token, body: makeBody({ unit: 'kept' }) });
			const level = makeBody({ name: 'Moved', varsTsdb: { Moved: makeQuery({ calc_topic: 'moved/level' }) } });
			const { id } = (await call(cloud, 'POST', '/saveVariable', { token, body: level })).body.data;
			await cloud.feed('plant_a', `moved/level value=12.5 ${Date.now() - 60_000}`);
			const readLevel = async () => {
				const read = await call(cloud, 'POST', '/multipleDataTsdb', { token: await signIn(cloud, 'a'), body: { ids: [id] } });
				return read.body.data;
			};
			expect(await readLevel()).toMatchObject([{ id, value: 12.5 }]);
			const others = ['logRetentionDays=14', 'tokenLifetimeSeconds=1800', 'influxLanguage=influxql'];
			await cloud.synthesize(...others.flatMap((setting) => ['-c', setting]));
			const printed = await cloud.deploy();
			expect(printed).not.toMatch(/caudal-dev-service.*\(no changes\)/);
			const after = await signIn(cloud, 'a');
			// A token lives up to a tenth less than the setting.
			const lifetimeSeconds = partOf(after, 1).exp - partOf(after, 1).iat;
			expect(lifetimeSeconds).toBeGreaterThanOrEqual(1620);
			expect(lifetimeSeconds).toBeLessThanOrEqual(1800);
			const { body: listed } = await call(cloud, 'GET', '/getVarsTsdb', { token: after });
			expect(listed.data).toContainEqual(body.data);
			expect(await readLevel()).toMatchObject([{ id, value: 12.5 }]);
			const path = `/2015-03-31/functions/${resourceNames('dev').function('multipleDataTsdb')}/configuration`;
			expect(JSON.parse(await callAws('lambda', 'GET', path)).Environment.Variables).toMatchObject({
				INFLUX_LANGUAGE: 'influxql',
				INFLUX_USER: 'caudal',
			});
		}, 240_000);

		test('a deployment with OpenID providers lets their people in, beside the others', async () => {
			const provider = await startFakeProvider();
			onTestFinished(() => provider.close());
			const entry = { name: 'entra', label: 'Plant account', issuer: provider.issuer, clientId: 'caudal', secret: true };
			const program = {
				name: 'ci',
				label: 'CI',
				issuer: `${provider.issuer}/ci`,
				audiences: ['api'],
				keys: { keys: [publicJwk('rsa')] },
			};
			await cloud.synthesize(
				...['-c', `openIdProviders=${JSON.stringify([entry, { ...program, actors: 'programs' }])}`],
				...['-c', 'consoleUrl=http://localhost:3000/console', '-c', 'publicUrl=https://public.utility.test'],
			);
			await cloud.deploy();
			const secrets = new SecretsManagerClient(awsSettings());
			await secrets.send(
				new PutSecretValueCommand({ SecretId: resourceNames('dev').openIdSecret('entra'), SecretString: 'secret-of-the-client' }),
			);
			secrets.destroy();
			for (const [name, where] of [
				['entra', 'groups=ops'],
				['ci', 'sub=pipeline'],
			] as const)
				await runOnEmulator('infra/tools/grant/grant.ts', [
					...['add', name, '--env', 'dev', '--where', where, '--role', 'engineer'],
					...['--schema', 'plant_openid', '--database', 'plant_openid', '--owner', '7'],
				]);
			expect((await call(cloud, 'GET', '/openIdProviders')).body.data).toEqual({
				credentials: true,
				accounts: false,
				consoleUrl: 'http://localhost:3000/console',
				providers: [{ name: 'entra', label: 'Plant account' }],
			});
			expect((await call(cloud, 'GET', '/openIdProvider?name=entra')).body.data).toMatchObject({
				authorizationEndpoint: `${provider.issuer}/authorize`,
				redirectUri: 'http://localhost:3000/console',
			});
			const seconds = Math.floor(Date.now() / 1000);
			const signed = (claims: Readonly<Record<string, unknown>>) =>
				signToken('rsa', { alg: 'RS256', kid: 'rsa' }, { iat: seconds, exp: seconds + 600, ...claims });
			const nonce = 'n'.repeat(43);
			const idToken = signed({ iss: provider.issuer, sub: 'ada', aud: 'caudal', groups: ['ops'], nonce });
			provider.answers.set(
				'/token',
				json(200, { access_token: 'a', id_token: idToken, refresh_token: 'r', token_type: 'Bearer' }),
			);
			const sent = { provider: 'entra', code: 'code', codeVerifier: 'v'.repeat(43), nonce };
			const signedIn = await call(cloud, 'POST', '/signInOpenId', { body: sent });
			expect([signedIn.status, signedIn.body.tenant], signedIn.text).toEqual([
				200,
				{ schemaName: 'plant_openid', tsdb_name: 'plant_openid' },
			]);
			const basic = Buffer.from('caudal:secret-of-the-client').toString('base64');
			expect(provider.requests.find(({ path }) => path === '/token')?.authorization).toBe(`Basic ${basic}`);
			const { token } = signedIn.body;
			expect((await call(cloud, 'POST', '/saveVariable', { token, body: makeBody() })).status).toBe(200);
			expect((await call(cloud, 'POST', '/renewOpenId', { token, body: {} })).status).toBe(200);
			const out = await call(cloud, 'POST', '/signOut', { token, body: {} });
			expect(out.body.address).toContain(`${provider.issuer}/logout?id_token_hint=`);
			expect((await call(cloud, 'POST', '/saveVariable', { token, body: makeBody() })).body.request.code).toBe('session_ended');
			const second = (await call(cloud, 'POST', '/signInOpenId', { body: sent })).body.token;
			const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
			const told = { iss: provider.issuer, sub: 'ada', aud: 'caudal', events, jti: 'one', iat: Math.floor(Date.now() / 1000) };
			const logout = new URLSearchParams({ logout_token: signed(told) });
			expect((await call(cloud, 'POST', '/backchannelLogout', { body: logout })).status).toBe(200);
			expect((await call(cloud, 'POST', '/saveVariable', { token: second, body: makeBody() })).body.request.code).toBe(
				'session_ended',
			);
			const form = new URLSearchParams({
				grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
				subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
				subject_token: signed({ iss: program.issuer, sub: 'pipeline', aud: 'api' }),
			});
			const exchanged = await call(cloud, 'POST', '/token', { body: form });
			expect(exchanged.status, exchanged.text).toBe(200);
			const asProgram = { token: exchanged.body.access_token, body: makeBody() };
			expect((await call(cloud, 'POST', '/saveVariable', asProgram)).status).toBe(200);
			expect(await fetchDocument('/.well-known/openid-configuration')).toMatchObject({
				token_endpoint: 'https://public.utility.test/token',
				grant_types_supported: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
			});
			expect((await call(cloud, 'POST', '/loginSso', { body: tenants.a })).status).toBe(200);
		}, 400_000);

		test('a deployment after all stacks were destroyed creates an empty service', async () => {
			await cloud.cdk('destroy', '--all', '--force');
			await expect(fetch(`${cloud.baseUrl}/getVarsTsdb`).then(({ status }) => status)).resolves.toBe(404);
			await cloud.deploy();
			await cloud.prepare();
			const token = await signIn(cloud, 'a');
			expect((await call(cloud, 'GET', '/getVarsTsdb', { token })).body).toEqual({ data: [] });
		}, 300_000);
	});
});

describe.skipIf(inject('awsEndpoint') === null || inject('influxd') === null)('a protected environment', () => {
	test('cannot be destroyed, and loses no data when that is tried', async () => {
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
	}, 500_000);
});
