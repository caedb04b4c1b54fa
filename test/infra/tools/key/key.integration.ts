import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createKmsTokenSigner } from '#adapters/aws/kms-token-signer.ts';
import { createSsmPublicKeys } from '#adapters/aws/ssm-key-ring.ts';
import { emptyKeyRing, type KeyRing, type RingKey } from '#domain/signing-keys/key-ring.ts';
import { authorizerCacheMs, type NewKey, publicationLeadMs } from '#domain/signing-keys/rotation.ts';
import { makeNewKey } from '#test/support/builders/key-rings.ts';
import { type Keys, openKeys } from '#test/support/builders/signing-keys.ts';
import { runProgram } from '#test/support/process.ts';
import { awsEnvironment, awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { awsError, openFaultyProxy, type ProxiedRequest, type ProxyAction } from '#test/support/servers/faulty-proxy.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** AWS sends the time in whole seconds. */
const toleranceMs = 3000;
const longAgo = () => Date.now() - 1000 * hourMs;
const time = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d';

describeAws('npm run key', () => {
	let keys: Keys;
	let close: () => void;
	beforeEach(() => {
		keys = openKeys();
		close = () => undefined;
	});
	afterEach(() => close());

	const keyTool = async (args: readonly string[], environment = awsEnvironment()) => {
		const program = runProgram('infra/tools/key/key.ts', [...args, '--env', keys.environment], environment);
		return { code: await program.ended, text: program.output() };
	};
	const openProxy = async (actionOf: (request: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) => {
		const proxy = await openFaultyProxy(inject('awsEndpoint') ?? '', actionOf);
		close = proxy.close;
		return awsEnvironment(proxy.url);
	};
	const interceptPut = (actionOf: (request: ProxiedRequest) => Promise<ProxyAction> | ProxyAction) =>
		openProxy((request) => (request.operation === 'PutParameter' ? actionOf(request) : request.forward()));
	/** Asserts that a step failed with one line of output and wrote nothing. */
	const expectRefusal = async (args: readonly string[], message: RegExp, environment?: Readonly<Record<string, string>>) => {
		const before = await keys.read();
		const { code, text } = await keyTool(args, environment);
		expect([code, text.trim().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
		expect(await keys.read()).toEqual(before);
	};
	/** Asserts that a command succeeded. Returns its output. */
	const expectSuccess = async (args: readonly string[], message: RegExp) => {
		const { code, text } = await keyTool(args);
		expect([code, text]).toEqual([0, expect.stringMatching(message)]);
		return text;
	};
	const published = (key: NewKey, publishedAt = longAgo(), more: Partial<RingKey> = {}): RingKey => ({
		...key,
		publishedAt,
		...more,
	});
	/** Stores a ring in which `a` is active and `b` is published since `publishedAt`. */
	const twoKeys = async (publishedAt: number) => {
		const [a, b] = await Promise.all([keys.makeKey('a'), keys.makeKey('b')]);
		const ring: KeyRing = { active: a.kid, keys: [published(a), published(b, publishedAt)] };
		await keys.put(ring);
		return { a, b, ring };
	};

	test('publishes and activates a first key without waiting, and its signatures verify', async () => {
		await expectSuccess(['list'], /has no signing key: deploy its issuer stack first/);
		const a = await keys.makeKey('a');
		await expectSuccess(['list'], new RegExp(`a  ${a.kid}  Enabled  not published: npm run key -- publish a --env`));
		await expectSuccess(['publish', 'a'], /published a .*\nIt may sign: npm run key -- activate a --env/);
		expect((await keys.read()).ring).toEqual({ active: null, keys: [{ ...a, publishedAt: expect.any(Number) }] });
		await expectSuccess(
			['list'],
			/may sign, published since .* \(just now\)\nNo key is active, so nobody can sign in: npm run key -- activate a/,
		);
		await expectSuccess(['activate', 'a'], /activated a .*: within 5 minutes it signs every new token\n$/);
		const { ring, version } = await keys.read();
		expect([ring.active, version]).toEqual([a.kid, 2]);
		expect(Math.abs((ring.keys[0]?.publishedAt ?? 0) - Date.now())).toBeLessThan(minuteMs);
		await expectSuccess(['list'], new RegExp(`a  ${a.kid}  Enabled  active, published since ${time}`));

		const settings = { ...awsSettings(), parameter: keys.parameter };
		const counted: [string, number][] = [];
		const metrics = { count: (name: string, value = 1) => void counted.push([name, value]) };
		const signer = createKmsTokenSigner({ ...settings, metrics });
		const iat = Math.floor(Date.now() / 1000);
		const claims = {
			iss: 'i',
			aud: 'a',
			sub: '1',
			email: 'e',
			schema: 's',
			tsdb: 't',
			client: '3',
			scope: 'service',
			iat,
			exp: iat + 60,
			auth_time: 1,
			session_exp: 2,
			jti: 'j',
		};
		const jwks = { keys: (await createSsmPublicKeys(settings).published()).map((key) => ({ ...key })) };
		const { payload } = await jwtVerify(await signer.sign(claims), createLocalJWKSet(jwks));
		expect([payload, counted]).toEqual([claims, [['SigningFailures', 0]]]);
	});

	test('a repeated step changes nothing and says so', async () => {
		await twoKeys(longAgo());
		for (const [args, message] of [
			[['publish', 'a'], /^a is already published: nothing to do\.\n$/],
			[['publish', 'b'], /^b is already published: nothing to do\.\nIt may sign: npm run key -- activate b/],
			[['activate', 'a'], /^a is already active: nothing to do\.\n$/],
		] as const)
			await expectSuccess(args, message);
		expect((await keys.read()).version).toBe(1);
	});

	test('rotates: refuses a step that comes too early, and says from when it may be taken', async () => {
		const { a, b, ring } = await twoKeys(Date.now() - publicationLeadMs + 90_000);
		await expectRefusal(['activate', 'b'], new RegExp(`Too early: b may sign from ${time} \\(in [23] min\\)`));
		await expectSuccess(
			['list'],
			new RegExp(`b  ${b.kid}  Enabled  may sign from ${time} \\(in [23] min\\), published since ${time} \\(2 h`),
		);
		await keys.put({ ...ring, keys: [published(a), published(b, Date.now() - publicationLeadMs - toleranceMs)] });
		await expectSuccess(
			['activate', 'b'],
			new RegExp(
				`activated b .*\na no longer signs\\. It may be retired from ${time} \\(in 3 h( 1 min)?\\): npm run key -- retire a`,
			),
		);
		const rotated = (await keys.read()).ring;
		expect([rotated.active, rotated.keys.map(({ signedUntil }) => typeof signedUntil)]).toEqual([b.kid, ['number', 'undefined']]);

		await expectRefusal(
			['retire', 'b'],
			/b is the active key: activate another key first \(npm run key -- activate OTHER --env \w+\), then wait until/,
		);
		await expectRefusal(
			['retire', 'a'],
			new RegExp(`Too early: a may be retired from ${time} \\(in (3 h|2 h 59 min|3 h 1 min)\\)`),
		);
		await expectSuccess(['list'], new RegExp(`a  ${a.kid}  Enabled  stopped ${time} \\(just now\\), may be retired from`));
		const stopped = { signedUntil: Date.now() - hourMs - authorizerCacheMs - toleranceMs };
		await keys.put({ active: b.kid, keys: [published(a, longAgo(), stopped), published(b)] });
		await expectRefusal(['retire', 'a', '--token-lifetime', '86400'], /Too early: a may be retired from .* \(in 23 h\)/);
		await expectSuccess(['list'], /, may be retired\n/);
		await expectSuccess(['retire', 'a'], /retired a .*\nRemove it from signingKeys/);
		expect((await keys.read()).ring.keys.map(({ kid }) => kid)).toEqual([b.kid]);
		await expectRefusal(['retire', 'a'], /No published key is called a: npm run key -- list/);
	});

	test('activates a new key without waiting when the active key is lost', async () => {
		const { a, b } = await twoKeys(Date.now());
		await expectRefusal(['activate', 'b'], /Too early/);
		await keys.disable(a.kid);
		await expectSuccess(['activate', 'b'], /activated b .*\na was lost, so b did not have to wait\. For two hours an authorizer/);
		expect((await keys.read()).ring.active).toBe(b.kid);
	});

	test('publishes only a key that can sign tokens', async () => {
		await expectRefusal(
			['publish', 'a'],
			/KMS has no key alias\/caudal-\w+-a: add a to signingKeys of \w+ in cdk\.json and deploy its issuer stack first/,
		);
		await keys.makeAlias('symmetric', {});
		await expectRefusal(
			['publish', 'symmetric'],
			/cannot sign: it is not an RSA key for signing, and API Gateway accepts no other\. Let the issuer stack create it: npx cdk deploy/,
		);
		await keys.makeAlias('curve', { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
		await expectRefusal(
			['publish', 'curve'],
			/cannot sign: it is not an RSA key for signing, and API Gateway accepts no other\. Let the issuer stack create it: npx cdk deploy/,
		);
		const { kid } = await keys.makeKey('disabled');
		await keys.disable(kid);
		await expectRefusal(['publish', 'disabled'], /disabled cannot sign: KMS reports Disabled\. Repair it in KMS/);
		await expectRefusal(['publish', 'A key'], /small letters, digits and dashes/);
	});

	test('activates no key that KMS cannot sign with, and marks such keys in the list', async () => {
		const { a, b, ring } = await twoKeys(longAgo());
		const lost = makeNewKey(9, { name: 'lost' });
		await keys.put({ ...ring, keys: [...ring.keys, published(lost)] });
		await keys.disable(b.kid);
		await expectRefusal(
			['activate', 'b'],
			/b cannot sign: KMS reports Disabled\. Repair it in KMS \(aws kms enable-key .*\), or activate another key/,
		);
		await expectRefusal(['activate', 'lost'], /lost cannot sign: KMS has no such key\. Instead, activate another key/);
		await keys.scheduleDeletion(a.kid);
		const text = await expectSuccess(['list'], new RegExp(`a     ${a.kid}  PendingDeletion: cannot sign  active`));
		expect(text).toMatch(new RegExp(`b     ${b.kid}  Disabled: cannot sign  may sign`));
		expect(text).toMatch(new RegExp(`lost  ${lost.kid}  missing: cannot sign  may sign`));
		expect(text).toMatch(
			/Nobody can sign in: a cannot sign: KMS reports PendingDeletion\. Repair it in KMS .* The next key may sign immediately/,
		);
		await expectSuccess(['activate', 'a'], /a is already active/);
	});

	test('a re-created key replaces the old one at once: the role may no longer use the old key', async () => {
		const [old, anew] = [await keys.makeKey('old'), await keys.makeKey('a')];
		await keys.put({ active: old.kid, keys: [published({ ...old, name: 'a' })] });
		const text = await expectSuccess(['list'], new RegExp(`a  ${old.kid}  replaced: cannot sign  active`));
		expect(text).toMatch(
			/Nobody can sign in: a cannot sign: its stack now has another key .* publish a .* The next key may sign immediately/,
		);
		await expectSuccess(
			['publish', 'a'],
			new RegExp(`published a ${anew.kid}\\nIt may sign immediately, because the active key cannot: npm run key -- activate a`),
		);
		await expectSuccess(['activate', 'a'], new RegExp(`activated a ${anew.kid}.*\\na was lost, so a did not have to wait`));
		await expectRefusal(['activate', old.kid], /a cannot sign: its stack now has another key of that name/);
		await expectRefusal(
			['retire', 'a'],
			new RegExp(`Several published keys are called a\\. Give the key id instead, one of ${old.kid}, ${anew.kid}`),
		);
	});

	test('changes nothing when the parameter does not hold a key ring', async () => {
		await keys.makeKey('a');
		await keys.putText('{"active":null}');
		for (const args of [['list'], ['publish', 'a'], ['activate', 'a'], ['retire', 'a']]) {
			const { code, text } = await keyTool(args);
			expect([code, text]).toEqual([1, expect.stringMatching(/was changed by hand .*keys.*get-parameter-history/)]);
		}
	});

	test('reports that it replaced what somebody else wrote at the same time', async () => {
		const { a, b, ring } = await twoKeys(longAgo());
		const environment = await interceptPut(async ({ forward }) => {
			await keys.put({ ...ring, keys: [published(a)] });
			return forward();
		});
		const { code, text } = await keyTool(['activate', 'b'], environment);
		expect([code, text]).toEqual([
			1,
			expect.stringMatching(/SOMEBODY ELSE CHANGED THE KEY RING AT THE SAME TIME\. This write became version 3 instead of 2/),
		]);
		expect((await keys.read()).ring.active).toBe(b.kid);
	});

	test('does not replace a first key that somebody else published at the same time', async () => {
		const [, b] = [await keys.makeKey('a'), await keys.makeKey('b')];
		const environment = await interceptPut(async ({ forward }) => {
			await keys.put({ ...emptyKeyRing, keys: [published(b)] });
			return forward();
		});
		const { code, text } = await keyTool(['publish', 'a'], environment);
		expect([code, text]).toEqual([1, expect.stringMatching(/Somebody else published a first key .*Nothing was written/)]);
		expect((await keys.read()).ring.keys.map(({ name }) => name)).toEqual(['b']);
	});

	test('reports a write of unknown outcome, and can be repeated safely', async () => {
		await keys.makeKey('a');
		const environment = await interceptPut(async ({ forward }): Promise<ProxyAction> => {
			await forward();
			return 'close';
		});
		const { code, text } = await keyTool(['publish', 'a'], environment);
		expect([code, text]).toEqual([1, expect.stringMatching(/It is unknown whether the key ring was written/)]);
		await expectSuccess(['publish', 'a'], /a is already published/);
		expect((await keys.read()).version).toBe(1);
	});

	test('sends a write once, because SSM would count a retry as another write', async () => {
		await keys.makeKey('a');
		let puts = 0;
		const environment = await interceptPut(() => {
			puts += 1;
			return awsError('InternalServerError', 500);
		});
		await expectRefusal(['publish', 'a'], /It is unknown whether the key ring was written/, environment);
		expect(puts).toBe(1);
	});

	test.each<[string, () => Record<string, string>, RegExp]>([
		['an invalid region', () => ({ AWS_REGION: '?' }), /Set AWS_REGION/],
		[
			'no credentials',
			() => ({ AWS_ACCESS_KEY_ID: '', AWS_EC2_METADATA_DISABLED: 'true' }),
			/There are no AWS credentials: sign in/,
		],
		['unknown credentials', () => ({ AWS_ACCESS_KEY_ID: 'nobody' }), /AWS does not accept these credentials .*sign in/],
		[
			'an address where nothing listens',
			() => ({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }),
			/AWS cannot be reached .*AWS_ENDPOINT_URL/,
		],
	])('says what to do about %s', async (_, variables, message) => {
		for (const args of [['list'], ['publish', 'a'], ['activate', 'a']])
			await expectRefusal(args, message, { ...awsEnvironment(), ...variables() });
	});

	test('says what to do about a missing region', async () => {
		const { AWS_REGION: _, ...environment } = awsEnvironment();
		await expectRefusal(['list'], /Set AWS_REGION/, environment);
	});

	test('says which call the credentials may not make', async () => {
		const environment = await openProxy(() => awsError('AccessDeniedException'));
		await expectRefusal(['list'], /These credentials may not do that/, environment);
	});
});
