import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createKmsTokenSigner } from '#adapters/aws/kms-token-signer.ts';
import { createSsmPublicKeys } from '#adapters/aws/ssm-key-ring.ts';
import type { TokenClaims } from '#domain/ports/token-signer.ts';
import { emptyKeyRing, type KeyRing } from '#domain/signing-keys/key-ring.ts';
import { activate, type NewKey, publicationLeadMs, publish, retire } from '#domain/signing-keys/rotation.ts';
import { ringAfter } from '#test/support/builders/key-rings.ts';
import { type Keys, openKeys } from '#test/support/builders/signing-keys.ts';
import { awsSettings, describeAws } from '#test/support/servers/aws.ts';
import {
	awsError,
	openFaultyProxy,
	type ProxiedRequest,
	type ProxyAction,
	type ProxyResponse,
} from '#test/support/servers/faulty-proxy.ts';

const start = Date.UTC(2026, 10, 21, 12);
const minuteMs = 60_000;
const lifetimeMs = 60 * minuteMs;

const claimsAt = (epochMs: number): TokenClaims => ({
	iss: 'https://issuer.example',
	aud: 'caudal',
	sub: '7',
	email: 'öp@plant.example',
	schema: 'plant_a',
	tsdb: 'plant_a',
	client: '3',
	scope: 'service',
	iat: Math.floor(epochMs / 1000),
	exp: Math.floor((epochMs + lifetimeMs) / 1000),
	auth_time: 1,
	session_exp: 2,
	jti: 'a-token',
});

describeAws('createKmsTokenSigner', () => {
	let keys: Keys;
	let now: number;
	let counted: string[];
	let close: () => void;
	beforeEach(() => {
		keys = openKeys();
		now = start;
		counted = [];
		close = () => undefined;
	});
	afterEach(() => close());

	const signerOf = (endpoint?: string) =>
		createKmsTokenSigner({
			...awsSettings(endpoint),
			parameter: keys.parameter,
			now: () => now,
			// A success is recorded as 0.
			metrics: { count: (name, value = 1) => void counted.push(...Array.from({ length: value }, () => name)) },
		});
	const signerBehindProxy = async (actionFor: (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) => {
		const proxy = await openFaultyProxy(inject('awsEndpoint') ?? '', actionFor);
		close = proxy.close;
		return { signer: signerOf(proxy.url), seen: proxy.seen };
	};
	/** Verifies a token with the keys published now, at the time `epochMs`, and returns its claims. */
	const verify = async (token: string, epochMs = now) => {
		const published = await createSsmPublicKeys({ ...awsSettings(), parameter: keys.parameter }).published();
		const options = {
			issuer: 'https://issuer.example',
			audience: 'caudal',
			algorithms: ['RS256'],
			currentDate: new Date(epochMs),
		};
		return (await jwtVerify(token, createLocalJWKSet({ keys: published.map((key) => ({ ...key })) }), options)).payload;
	};
	const kidOf = (token: string) => decodeProtectedHeader(token).kid;
	const failure = (code: string, cause: string | RegExp) => ({
		code,
		payload: { dependency: 'signingKey', cause: expect.stringMatching(cause) },
	});

	/** Publishes two keys: `a` is active, and `b` may be activated. */
	const twoKeys = async (): Promise<{ a: NewKey; b: NewKey; ring: KeyRing }> => {
		const [a, b] = await Promise.all([keys.makeKey('a'), keys.makeKey('b')]);
		const first = ringAfter(publish(emptyKeyRing, a, start - publicationLeadMs, lifetimeMs));
		const ring = ringAfter(
			publish(ringAfter(activate(first, a.kid, start - publicationLeadMs)), b, start - publicationLeadMs, lifetimeMs),
		);
		await keys.put(ring);
		return { a, b, ring };
	};

	test('signs tokens that verify with the published keys and hold the claims', async () => {
		const { a } = await twoKeys();
		const signer = signerOf();
		const token = await signer.sign(claimsAt(now));
		expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', kid: a.kid, typ: 'JWT' });
		expect(await verify(token)).toEqual(claimsAt(now));
		expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
		const [header, , signature] = token.split('.');
		const forged = `${header}.${Buffer.from(JSON.stringify({ ...claimsAt(now), sub: '8' })).toString('base64url')}.${signature}`;
		await expect(verify(forged)).rejects.toThrow('signature verification failed');
		expect(counted).toEqual([]);
	});

	test('sends KMS one request per token, with the digest alone', async () => {
		const { a } = await twoKeys();
		const { signer, seen } = await signerBehindProxy((proxied) => proxied.forward());
		await signer.sign(claimsAt(now));
		await signer.sign(claimsAt(now));
		expect(seen.map(({ operation }) => operation)).toEqual(['GetParameter', 'Sign', 'Sign']);
		const { Message: message, ...rest } = seen[1]?.body ?? {};
		expect(rest).toEqual({ KeyId: a.kid, MessageType: 'DIGEST', SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' });
		expect(Buffer.from(message, 'base64')).toHaveLength(32);
	});

	test('signs tokens that stay valid all their life while keys are published, activated and retired', async () => {
		const [a, b] = [await keys.makeKey('a'), await keys.makeKey('b')];
		const signer = signerOf();
		const tokens: { token: string; at: number }[] = [];
		const sign = async () => {
			tokens.push({ token: await signer.sign(claimsAt(now)), at: now });
			return kidOf(tokens.at(-1)?.token ?? '');
		};
		/** Verifies every token that has not expired. */
		const verifyAll = async () => {
			for (const { token, at } of tokens) if (now < at + lifetimeMs) await verify(token);
		};
		let ring = ringAfter(publish(emptyKeyRing, a, now, lifetimeMs));
		await keys.put(ring);
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'no key is active'));
		ring = ringAfter(activate(ring, a.kid, now));
		await keys.put(ring);
		// Not a minute later: a key ring without an active key is not cached.
		expect(await sign()).toBe(a.kid);

		ring = ringAfter(publish(ring, b, now, lifetimeMs));
		await keys.put(ring);
		now += publicationLeadMs - 1;
		expect(activate(ring, b.kid, now)).toMatchObject({ outcome: 'refused' });
		expect(await sign()).toBe(a.kid);
		await verifyAll();
		now += 1;
		ring = ringAfter(activate(ring, b.kid, now));
		await keys.put(ring);
		now += minuteMs - 2;
		expect(await sign()).toBe(a.kid);
		now += 2;
		expect(await sign()).toBe(b.kid);
		await verifyAll();

		now += lifetimeMs;
		expect(retire(ring, a.kid, now, lifetimeMs)).toMatchObject({ outcome: 'refused' });
		await verifyAll();
		now += 2 * lifetimeMs;
		await sign();
		ring = ringAfter(retire(ring, a.kid, now, lifetimeMs));
		await keys.put(ring);
		await verifyAll();
		const [first] = tokens;
		await expect(verify(first?.token ?? '', first?.at)).rejects.toThrow('no applicable key found');
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each(['disable', 'scheduleDeletion'] as const)(
		'fails and counts the failure when the key cannot sign any more: %s',
		async (end) => {
			const { a } = await twoKeys();
			const signer = signerOf();
			await signer.sign(claimsAt(now));
			await keys[end](a.kid);
			await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', `KMS Sign: .*${a.kid}`));
			expect(counted).toEqual(['SigningFailures']);
		},
	);

	test.each(['disable', 'scheduleDeletion'] as const)('signs with the key that was activated meanwhile: %s', async (end) => {
		const { a, b, ring } = await twoKeys();
		const signer = signerOf();
		await signer.sign(claimsAt(now));
		await keys.put(ringAfter(activate(ring, b.kid, now)));
		await keys[end](a.kid);
		const tokens = await Promise.all([signer.sign(claimsAt(now)), signer.sign(claimsAt(now))]);
		expect(tokens.map(kidOf)).toEqual([b.kid, b.kid]);
		await verify(tokens[0] ?? '');
		expect(counted).toEqual([]);
	});

	test('fails and counts the failure when KMS does not have the key', async () => {
		const { a } = await twoKeys();
		const kid = '00000000-0000-4000-8000-000000000000';
		await keys.put({ active: kid, keys: [{ ...a, kid, publishedAt: start }] });
		await expect(signerOf().sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'NotFoundException'));
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each<[string, (ring: KeyRing, b: NewKey) => KeyRing]>([
		[
			'belongs to another key',
			(ring, { n }) => ({ ...ring, keys: ring.keys.map((key) => (key.kid === ring.active ? { ...key, n } : key)) }),
		],
		['has another exponent', (ring) => ({ ...ring, keys: ring.keys.map((key) => ({ ...key, e: 'AQAD' })) })],
		['is not a number', (ring) => ({ ...ring, keys: ring.keys.map((key) => ({ ...key, n: '-'.repeat(342) })) })],
	])('returns no token when the published key %s', async (_, damage) => {
		const { b, ring } = await twoKeys();
		await keys.put(damage(ring, b));
		await expect(signerOf().sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'does not verify'));
		expect(counted).toEqual(['SigningFailures']);
	});

	const withChangedSignature = async (
		{ forward }: ProxiedRequest,
		change: (signature: Buffer) => Buffer,
	): Promise<ProxyResponse> => {
		const { status, body } = await forward();
		const Signature = change(Buffer.from(body.Signature, 'base64')).toString('base64');
		return { status, body: { ...body, Signature } };
	};
	const onSign = (actionFor: (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) => (proxied: ProxiedRequest) =>
		proxied.operation === 'Sign' ? actionFor(proxied) : proxied.forward();

	test.each<[string, (proxied: ProxiedRequest) => Promise<ProxyAction> | ProxyAction, string, RegExp]>([
		['does not respond', () => 'silence', 'dependency_slow', /KMS Sign/],
		['sends half a response', () => 'half a response', 'dependency_slow', /KMS Sign/],
		['closes every connection', () => 'close', 'dependency_failed', /KMS Sign/],
		['fails', () => awsError('KMSInternalException', 500), 'dependency_failed', /KMSInternalException/],
		['throttles', () => awsError('ThrottlingException'), 'dependency_failed', /ThrottlingException/],
		['refuses', () => awsError('AccessDeniedException'), 'dependency_failed', /AccessDeniedException/],
		['responds without a signature', () => ({ status: 200, body: {} }), 'dependency_failed', /does not verify/],
		[
			'responds with a short signature',
			(proxied) => withChangedSignature(proxied, (all) => all.subarray(1)),
			'dependency_failed',
			/does not verify/,
		],
		[
			'responds with another signature',
			(proxied) => withChangedSignature(proxied, (all) => Buffer.from(all.map((byte) => byte ^ 1))),
			'dependency_failed',
			/does not verify/,
		],
	])('fails and counts one failure when KMS %s', async (_, actionFor, code, cause) => {
		await twoKeys();
		const { signer } = await signerBehindProxy(onSign(actionFor));
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure(code, cause));
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each<[string, ProxyAction]>([
		['a failure', awsError('KMSInternalException', 500)],
		['throttling', awsError('ThrottlingException')],
		['a closed connection', 'close'],
	])('retries after %s', async (_, action) => {
		await twoKeys();
		let left = 1;
		const { signer } = await signerBehindProxy(
			onSign((proxied) => {
				left -= 1;
				return left >= 0 ? action : proxied.forward();
			}),
		);
		await verify(await signer.sign(claimsAt(now)));
		expect(counted).toEqual([]);
	});

	test('fails and counts the failure when the key ring cannot be read', async () => {
		await keys.putText('{"keys":[]}');
		await expect(signerOf().sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'the key ring is invalid'));
		const { signer } = await signerBehindProxy(() => 'silence');
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_slow', 'SSM GetParameter'));
		expect(counted).toEqual(['SigningFailures', 'SigningFailures']);
	});
});
