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
import { type Answer, type Fate, fault, openFaultyProxy, type Passing } from '#test/support/servers/faulty-proxy.ts';

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
	scope: 'service',
	iat: Math.floor(epochMs / 1000),
	exp: Math.floor((epochMs + lifetimeMs) / 1000),
	jti: 'a-token',
});

describeAws('tokens signed by KMS', () => {
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
			metrics: { count: (name) => void counted.push(name) },
		});
	const signerBehind = async (fateOf: (passing: Passing) => Promise<Fate> | Fate) => {
		const proxy = await openFaultyProxy(inject('awsEndpoint') ?? '', fateOf);
		close = proxy.close;
		return { signer: signerOf(proxy.url), seen: proxy.seen };
	};
	/** Whether whoever has the keys that are published now takes the token, `epochMs` being now. */
	const verified = async (token: string, epochMs = now) => {
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

	/** `a` signs, and has since long; `b` may. */
	const twoKeys = async (): Promise<{ a: NewKey; b: NewKey; ring: KeyRing }> => {
		const [a, b] = await Promise.all([keys.makeKey('a'), keys.makeKey('b')]);
		const first = ringAfter(publish(emptyKeyRing, a, start - publicationLeadMs, lifetimeMs));
		const ring = ringAfter(
			publish(ringAfter(activate(first, a.kid, start - publicationLeadMs)), b, start - publicationLeadMs, lifetimeMs),
		);
		await keys.put(ring);
		return { a, b, ring };
	};

	test('verify with the published keys, and say what they were given', async () => {
		const { a } = await twoKeys();
		const signer = signerOf();
		const token = await signer.sign(claimsAt(now));
		expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', kid: a.kid, typ: 'JWT' });
		expect(await verified(token)).toEqual(claimsAt(now));
		expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
		const [header, , signature] = token.split('.');
		const forged = `${header}.${Buffer.from(JSON.stringify({ ...claimsAt(now), sub: '8' })).toString('base64url')}.${signature}`;
		await expect(verified(forged)).rejects.toThrow('signature verification failed');
		expect(counted).toEqual([]);
	});

	test('KMS is given the digest alone, and asked once for each', async () => {
		const { a } = await twoKeys();
		const { signer, seen } = await signerBehind((passing) => passing.forward());
		await signer.sign(claimsAt(now));
		await signer.sign(claimsAt(now));
		expect(seen.map(({ operation }) => operation)).toEqual(['GetParameter', 'Sign', 'Sign']);
		const { Message: message, ...asked } = seen[1]?.body ?? {};
		expect(asked).toEqual({ KeyId: a.kid, MessageType: 'DIGEST', SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256' });
		expect(Buffer.from(message, 'base64')).toHaveLength(32);
	});

	test('are valid all their life while keys are published, activated and retired', async () => {
		const [a, b] = [await keys.makeKey('a'), await keys.makeKey('b')];
		const signer = signerOf();
		const given: { token: string; at: number }[] = [];
		const sign = async () => {
			given.push({ token: await signer.sign(claimsAt(now)), at: now });
			return kidOf(given.at(-1)?.token ?? '');
		};
		/** Every token that has not expired is taken now. */
		const allVerify = async () => {
			for (const { token, at } of given) if (now < at + lifetimeMs) await verified(token);
		};
		let ring = ringAfter(publish(emptyKeyRing, a, now, lifetimeMs));
		await keys.put(ring);
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'no key is active'));
		ring = ringAfter(activate(ring, a.kid, now));
		await keys.put(ring);
		// Without waiting for a minute: there was no key to go on with.
		expect(await sign()).toBe(a.kid);

		ring = ringAfter(publish(ring, b, now, lifetimeMs));
		await keys.put(ring);
		now += publicationLeadMs - 1;
		expect(activate(ring, b.kid, now)).toMatchObject({ outcome: 'refused' });
		expect(await sign()).toBe(a.kid);
		await allVerify();
		now += 1;
		ring = ringAfter(activate(ring, b.kid, now));
		await keys.put(ring);
		now += minuteMs - 2;
		expect(await sign()).toBe(a.kid);
		now += 2;
		expect(await sign()).toBe(b.kid);
		await allVerify();

		now += lifetimeMs;
		expect(retire(ring, a.kid, now, lifetimeMs)).toMatchObject({ outcome: 'refused' });
		await allVerify();
		now += 2 * lifetimeMs;
		await sign();
		ring = ringAfter(retire(ring, a.kid, now, lifetimeMs));
		await keys.put(ring);
		await allVerify();
		const [first] = given;
		await expect(verified(first?.token ?? '', first?.at)).rejects.toThrow('no applicable key found');
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each(['disable', 'scheduleDeletion'] as const)('a key that can sign no more is a fault, and counted: %s', async (end) => {
		const { a } = await twoKeys();
		const signer = signerOf();
		await signer.sign(claimsAt(now));
		await keys[end](a.kid);
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', `KMS Sign: .*${a.kid}`));
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each(['disable', 'scheduleDeletion'] as const)('goes on with the key that is active meanwhile: %s', async (end) => {
		const { a, b, ring } = await twoKeys();
		const signer = signerOf();
		await signer.sign(claimsAt(now));
		await keys.put(ringAfter(activate(ring, b.kid, now)));
		await keys[end](a.kid);
		const tokens = await Promise.all([signer.sign(claimsAt(now)), signer.sign(claimsAt(now))]);
		expect(tokens.map(kidOf)).toEqual([b.kid, b.kid]);
		await verified(tokens[0] ?? '');
		expect(counted).toEqual([]);
	});

	test('a key that is none of KMS’s is a fault, and counted', async () => {
		const { a } = await twoKeys();
		const kid = '00000000-0000-4000-8000-000000000000';
		await keys.put({ active: kid, keys: [{ ...a, kid, publishedAt: start }] });
		await expect(signerOf().sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'NotFoundException'));
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each<[string, (ring: KeyRing, b: NewKey) => KeyRing]>([
		[
			'is another one’s',
			(ring, { n }) => ({ ...ring, keys: ring.keys.map((key) => (key.kid === ring.active ? { ...key, n } : key)) }),
		],
		['has another exponent', (ring) => ({ ...ring, keys: ring.keys.map((key) => ({ ...key, e: 'Aw' })) })],
		['is no number at all', (ring) => ({ ...ring, keys: ring.keys.map((key) => ({ ...key, n: '-'.repeat(342) })) })],
	])('nothing is handed out where the published key %s', async (_, garbled) => {
		const { b, ring } = await twoKeys();
		await keys.put(garbled(ring, b));
		await expect(signerOf().sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'does not verify'));
		expect(counted).toEqual(['SigningFailures']);
	});

	const changed = async ({ forward }: Passing, change: (signature: Buffer) => Buffer): Promise<Answer> => {
		const { status, body } = await forward();
		const Signature = change(Buffer.from(body.Signature, 'base64')).toString('base64');
		return { status, body: { ...body, Signature } };
	};
	const onSign = (fateOf: (passing: Passing) => Promise<Fate> | Fate) => (passing: Passing) =>
		passing.operation === 'Sign' ? fateOf(passing) : passing.forward();

	test.each<[string, (passing: Passing) => Promise<Fate> | Fate, string, RegExp]>([
		['answers nothing', () => 'silence', 'dependency_slow', /KMS Sign/],
		['answers half', () => 'half an answer', 'dependency_slow', /KMS Sign/],
		['closes every connection', () => 'close', 'dependency_failed', /KMS Sign/],
		['fails', () => fault('KMSInternalException', 500), 'dependency_failed', /KMSInternalException/],
		['has too much to do', () => fault('ThrottlingException'), 'dependency_failed', /ThrottlingException/],
		['refuses', () => fault('AccessDeniedException'), 'dependency_failed', /AccessDeniedException/],
		['answers no signature', () => ({ status: 200, body: {} }), 'dependency_failed', /does not verify/],
		[
			'answers a short signature',
			(passing) => changed(passing, (all) => all.subarray(1)),
			'dependency_failed',
			/does not verify/,
		],
		[
			'answers another signature',
			(passing) => changed(passing, (all) => Buffer.from(all.map((byte) => byte ^ 1))),
			'dependency_failed',
			/does not verify/,
		],
	])('is a fault, and counted once, where KMS %s', async (_, fateOf, code, cause) => {
		await twoKeys();
		const { signer } = await signerBehind(onSign(fateOf));
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure(code, cause));
		expect(counted).toEqual(['SigningFailures']);
	});

	test.each<[string, Fate]>([
		['a failure', fault('KMSInternalException', 500)],
		['throttling', fault('ThrottlingException')],
		['a closed connection', 'close'],
	])('%s of a moment is not noticed', async (_, fate) => {
		await twoKeys();
		let left = 1;
		const { signer } = await signerBehind(
			onSign((passing) => {
				left -= 1;
				return left >= 0 ? fate : passing.forward();
			}),
		);
		await verified(await signer.sign(claimsAt(now)));
		expect(counted).toEqual([]);
	});

	test('a ring that cannot be read is a fault, and counted', async () => {
		await keys.putText('{"keys":[]}');
		await expect(signerOf().sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_failed', 'the key ring is not one'));
		const { signer } = await signerBehind(() => 'silence');
		await expect(signer.sign(claimsAt(now))).rejects.toMatchObject(failure('dependency_slow', 'SSM GetParameter'));
		expect(counted).toEqual(['SigningFailures', 'SigningFailures']);
	});
});
