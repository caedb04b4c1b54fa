import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createKmsTokenSigner } from '#adapters/aws/kms-token-signer.ts';
import { createSsmPublicKeys } from '#adapters/aws/ssm-key-ring.ts';
import { emptyKeyRing, type KeyRing, type RingKey } from '#domain/signing-keys/key-ring.ts';
import { authorizerCacheMs, type NewKey, publicationLeadMs } from '#domain/signing-keys/rotation.ts';
import { makeNewKey } from '#test/support/builders/key-rings.ts';
import { type Keys, openKeys } from '#test/support/builders/signing-keys.ts';
import { run } from '#test/support/process.ts';
import { awsEnvironment, awsSettings, describeAws } from '#test/support/servers/aws.ts';
import { type Fate, fault, openFaultyProxy, type Passing } from '#test/support/servers/faulty-proxy.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** AWS tells its clock in whole seconds. */
const toleranceMs = 3000;
const longAgo = () => Date.now() - 1000 * hourMs;
const moment = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d';

describeAws('npm run key', () => {
	let keys: Keys;
	let close: () => void;
	beforeEach(() => {
		keys = openKeys();
		close = () => undefined;
	});
	afterEach(() => close());

	const keyTool = async (args: readonly string[], environment = awsEnvironment()) => {
		const program = run('infra/tools/key/key.ts', [...args, '--env', keys.environment], environment);
		return { code: await program.ended, text: program.printed() };
	};
	const behind = async (fateOf: (passing: Passing) => Promise<Fate> | Fate) => {
		const proxy = await openFaultyProxy(inject('awsEndpoint') ?? '', fateOf);
		close = proxy.close;
		return awsEnvironment(proxy.url);
	};
	const onPut = (fateOf: (passing: Passing) => Promise<Fate> | Fate) =>
		behind((passing) => (passing.operation === 'PutParameter' ? fateOf(passing) : passing.forward()));
	/** That a step failed, in one line, and wrote nothing. */
	const refuses = async (args: readonly string[], words: RegExp, environment?: Readonly<Record<string, string>>) => {
		const before = await keys.read();
		const { code, text } = await keyTool(args, environment);
		expect([code, text.trim().split('\n')]).toEqual([1, [expect.stringMatching(words)]]);
		expect(await keys.read()).toEqual(before);
	};
	const takes = async (args: readonly string[], words: RegExp) => {
		const { code, text } = await keyTool(args);
		expect([code, text]).toEqual([0, expect.stringMatching(words)]);
		return text;
	};
	const published = (key: NewKey, publishedAt = longAgo(), more: Partial<RingKey> = {}): RingKey => ({
		...key,
		publishedAt,
		...more,
	});
	/** `a` signs, `b` is published since `publishedAt`. */
	const twoKeys = async (publishedAt: number) => {
		const [a, b] = await Promise.all([keys.makeKey('a'), keys.makeKey('b')]);
		const ring: KeyRing = { active: a.kid, keys: [published(a), published(b, publishedAt)] };
		await keys.put(ring);
		return { a, b, ring };
	};

	test('publishes a first key, lets it sign at once, and what it signs is taken', async () => {
		await takes(['list'], /has no signing key: deploy its issuer stack first/);
		const a = await keys.makeKey('a');
		await takes(['list'], new RegExp(`a  ${a.kid}  Enabled  not published: npm run key -- publish a --env`));
		await takes(['publish', 'a'], /published a .*\nIt may sign: npm run key -- activate a --env/);
		expect((await keys.read()).ring).toEqual({ active: null, keys: [{ ...a, publishedAt: expect.any(Number) }] });
		await takes(
			['list'],
			/may sign, published since .* \(just now\)\nNo key signs, so nobody can sign in: npm run key -- activate a/,
		);
		await takes(['activate', 'a'], /activated a .*within 5 minutes everywhere\n$/);
		const { ring, version } = await keys.read();
		expect([ring.active, version]).toEqual([a.kid, 2]);
		expect(Math.abs((ring.keys[0]?.publishedAt ?? 0) - Date.now())).toBeLessThan(minuteMs);
		await takes(['list'], new RegExp(`a  ${a.kid}  Enabled  signs, published since ${moment}`));

		const settings = { ...awsSettings(), parameter: keys.parameter };
		const counted: string[] = [];
		const signer = createKmsTokenSigner({ ...settings, metrics: { count: (name) => void counted.push(name) } });
		const iat = Math.floor(Date.now() / 1000);
		const claims = {
			iss: 'i',
			aud: 'a',
			sub: '1',
			email: 'e',
			schema: 's',
			tsdb: 't',
			scope: 'service',
			iat,
			exp: iat + 60,
			jti: 'j',
		};
		const jwks = { keys: (await createSsmPublicKeys(settings).published()).map((key) => ({ ...key })) };
		const { payload } = await jwtVerify(await signer.sign(claims), createLocalJWKSet(jwks));
		expect([payload, counted]).toEqual([claims, []]);
	});

	test('a step taken again changes nothing, and says so', async () => {
		await twoKeys(longAgo());
		for (const [args, words] of [
			[['publish', 'a'], /^a is published already: nothing to do\.\n$/],
			[['publish', 'b'], /^b is published already: nothing to do\.\nIt may sign: npm run key -- activate b/],
			[['activate', 'a'], /^a signs already: nothing to do\.\n$/],
		] as const)
			await takes(args, words);
		expect((await keys.read()).version).toBe(1);
	});

	test('rotates: refuses what comes too early, with the time at which it does not', async () => {
		const { a, b, ring } = await twoKeys(Date.now() - publicationLeadMs + 90_000);
		await refuses(['activate', 'b'], new RegExp(`Too early: b may sign from ${moment} \\(in [23] min\\)`));
		await takes(
			['list'],
			new RegExp(`b  ${b.kid}  Enabled  may sign from ${moment} \\(in [23] min\\), published since ${moment} \\(2 h`),
		);
		await keys.put({ ...ring, keys: [published(a), published(b, Date.now() - publicationLeadMs - toleranceMs)] });
		await takes(
			['activate', 'b'],
			new RegExp(
				`activated b .*\na signs no more\\. It may be retired from ${moment} \\(in 3 h( 1 min)?\\): npm run key -- retire a`,
			),
		);
		const rotated = (await keys.read()).ring;
		expect([rotated.active, rotated.keys.map(({ signedUntil }) => typeof signedUntil)]).toEqual([b.kid, ['number', 'undefined']]);

		await refuses(['retire', 'b'], /b signs: let another key sign first/);
		await refuses(['retire', 'a'], new RegExp(`Too early: a may be retired from ${moment} \\(in (3 h|2 h 59 min|3 h 1 min)\\)`));
		await takes(['list'], new RegExp(`a  ${a.kid}  Enabled  stopped ${moment} \\(just now\\), may be retired from`));
		const stopped = { signedUntil: Date.now() - hourMs - authorizerCacheMs - toleranceMs };
		await keys.put({ active: b.kid, keys: [published(a, longAgo(), stopped), published(b)] });
		await refuses(['retire', 'a', '--token-lifetime', '86400'], /Too early: a may be retired from .* \(in 23 h\)/);
		await takes(['list'], /, may be retired\n/);
		await takes(['retire', 'a'], /retired a .*\nTake it out of signingKeys/);
		expect((await keys.read()).ring.keys.map(({ kid }) => kid)).toEqual([b.kid]);
		await refuses(['retire', 'a'], /No published key is called a: npm run key -- list/);
	});

	test('goes back to a key that stopped, at once', async () => {
		const { a, b } = await twoKeys(longAgo());
		await keys.put({ active: b.kid, keys: [published(a, longAgo(), { signedUntil: Date.now() }), published(b)] });
		await takes(['activate', 'a'], /activated a .*\nb signs no more/);
		expect((await keys.read()).ring.keys[0]).not.toHaveProperty('signedUntil');
	});

	test('lets a young key sign at once where the one that signs is lost', async () => {
		const { a, b } = await twoKeys(Date.now());
		await refuses(['activate', 'b'], /Too early/);
		await keys.disable(a.kid);
		await takes(['activate', 'b'], /activated b .*\na was lost, so b did not have to wait: for two hours an authorizer/);
		expect((await keys.read()).ring.active).toBe(b.kid);
	});

	test('publishes only what can sign tokens', async () => {
		await refuses(
			['publish', 'a'],
			/KMS has no key alias\/caudal-\w+-a: add a to signingKeys of \w+ in cdk\.json and deploy its issuer stack first/,
		);
		await keys.makeAlias('symmetric', {});
		await refuses(['publish', 'symmetric'], /is no RSA key for signing/);
		await keys.makeAlias('curve', { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' });
		await refuses(['publish', 'curve'], /is no RSA key for signing/);
		const { kid } = await keys.makeKey('disabled');
		await keys.disable(kid);
		await refuses(['publish', 'disabled'], /disabled cannot sign: KMS says Disabled/);
		await refuses(['publish', 'A key'], /small letters, digits and dashes/);
	});

	test('lets nothing sign that KMS cannot sign with, and marks dead keys', async () => {
		const { a, b, ring } = await twoKeys(longAgo());
		const lost = makeNewKey(9, { name: 'lost' });
		await keys.put({ ...ring, keys: [...ring.keys, published(lost)] });
		await keys.disable(b.kid);
		await refuses(['activate', 'b'], /b cannot sign: KMS says Disabled\. Mend it there/);
		await refuses(['activate', 'lost'], /lost cannot sign: KMS says that it has no such key/);
		await keys.scheduleDeletion(a.kid);
		const text = await takes(['list'], new RegExp(`a     ${a.kid}  PendingDeletion: a dead key  signs`));
		expect(text).toMatch(new RegExp(`b     ${b.kid}  Disabled: a dead key  may sign`));
		expect(text).toMatch(new RegExp(`lost  ${lost.kid}  missing in KMS: a dead key`));
		expect(text).toMatch(/a cannot sign, so nobody can sign in: mend it in KMS/);
		await takes(['activate', 'a'], /a signs already/);
	});

	test('a key made anew under an old name takes the place of the one before at once: that one is its stack’s no more', async () => {
		const [old, anew] = [await keys.makeKey('old'), await keys.makeKey('a')];
		await keys.put({ active: old.kid, keys: [published({ ...old, name: 'a' })] });
		const text = await takes(['list'], new RegExp(`a  ${old.kid}  replaced in its stack by another key: a dead key  signs`));
		expect(text).toMatch(/a cannot sign, so nobody can sign in: its stack has another key .* publish a .* it need not wait/);
		await takes(
			['publish', 'a'],
			new RegExp(`published a ${anew.kid}\\nIt may sign now, for a cannot: npm run key -- activate a`),
		);
		await takes(['activate', 'a'], new RegExp(`activated a ${anew.kid}.*\\na was lost, so a did not have to wait`));
		await refuses(['activate', old.kid], /a cannot sign: its stack has another key of that name now/);
		await refuses(
			['retire', 'a'],
			new RegExp(`Several published keys are called a: give the key id instead, one of ${old.kid}, ${anew.kid}`),
		);
	});

	test('says so where there is no room for another key, and when there will be', async () => {
		await keys.makeKey('a');
		const signedUntil = Date.now() - authorizerCacheMs;
		const others = Array.from({ length: 7 }, (_, index) => published(makeNewKey(index + 2), longAgo(), { signedUntil }));
		await keys.put({ active: makeNewKey(1).kid, keys: [published(makeNewKey(1)), ...others] });
		await refuses(['publish', 'a'], new RegExp(`no more keys: the first may be retired from ${moment} \\(in 1 h`));
		await refuses(
			['publish', 'a', '--token-lifetime', '60'],
			/no more keys: the first may be retired from .* \(in [12] min\)|retire one/,
		);
	});

	test('says so where a key is published as another', async () => {
		const { a, ring } = await twoKeys(longAgo());
		await keys.put({ ...ring, keys: [published({ ...a, n: 'n'.repeat(342) })] });
		await refuses(['publish', 'a'], /a is published with another public key than KMS has.*aws ssm get-parameter-history --name/);
	});

	test('touches nothing that it has not written', async () => {
		await keys.makeKey('a');
		await keys.putText('{"active":null}');
		for (const args of [['list'], ['publish', 'a'], ['activate', 'a'], ['retire', 'a']]) {
			const { code, text } = await keyTool(args);
			expect([code, text]).toEqual([1, expect.stringMatching(/is not as this tool writes it .*keys.*get-parameter-history/)]);
		}
	});

	test('says loudly that someone else wrote at the same time', async () => {
		const { a, b, ring } = await twoKeys(longAgo());
		const environment = await onPut(async ({ forward }) => {
			await keys.put({ ...ring, keys: [published(a)] });
			return forward();
		});
		const { code, text } = await keyTool(['activate', 'b'], environment);
		expect([code, text]).toEqual([
			1,
			expect.stringMatching(/SOMEONE ELSE WROTE AT THE SAME TIME\. This became version 3 and had to be 2/),
		]);
		expect((await keys.read()).ring.active).toBe(b.kid);
	});

	test('overwrites no first key that someone else published at the same time', async () => {
		const [, b] = [await keys.makeKey('a'), await keys.makeKey('b')];
		const environment = await onPut(async ({ forward }) => {
			await keys.put({ ...emptyKeyRing, keys: [published(b)] });
			return forward();
		});
		const { code, text } = await keyTool(['publish', 'a'], environment);
		expect([code, text]).toEqual([1, expect.stringMatching(/Someone else published a first key .*Nothing was written/)]);
		expect((await keys.read()).ring.keys.map(({ name }) => name)).toEqual(['b']);
	});

	test('says so where it cannot know whether it wrote, and is taken again without harm', async () => {
		await keys.makeKey('a');
		const environment = await onPut(async ({ forward }): Promise<Fate> => {
			await forward();
			return 'close';
		});
		const { code, text } = await keyTool(['publish', 'a'], environment);
		expect([code, text]).toEqual([1, expect.stringMatching(/It is not known whether this was written/)]);
		await takes(['publish', 'a'], /a is published already/);
		expect((await keys.read()).version).toBe(1);
	});

	test('a write is sent once, for SSM would count another', async () => {
		await keys.makeKey('a');
		let puts = 0;
		const environment = await onPut(() => {
			puts += 1;
			return fault('InternalServerError', 500);
		});
		await refuses(['publish', 'a'], /It is not known whether this was written/, environment);
		expect(puts).toBe(1);
	});

	test.each<[string, () => Record<string, string>, RegExp]>([
		['a region that is none', () => ({ AWS_REGION: '?' }), /Set AWS_REGION/],
		[
			'no credentials',
			() => ({ AWS_ACCESS_KEY_ID: '', AWS_EC2_METADATA_DISABLED: 'true' }),
			/There are no AWS credentials: sign in/,
		],
		['credentials of nobody', () => ({ AWS_ACCESS_KEY_ID: 'nobody' }), /AWS does not take these credentials .*sign in/],
		[
			'an address where nothing is',
			() => ({ AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }),
			/AWS cannot be reached .*AWS_ENDPOINT_URL/,
		],
	])('says what to do about %s', async (_, given, words) => {
		for (const args of [['list'], ['publish', 'a'], ['activate', 'a']])
			await refuses(args, words, { ...awsEnvironment(), ...given() });
	});

	test('says what to do about no region', async () => {
		const { AWS_REGION: _, ...environment } = awsEnvironment();
		await refuses(['list'], /Set AWS_REGION/, environment);
	});

	test('says what these credentials may not do', async () => {
		const environment = await behind(() => fault('AccessDeniedException'));
		await refuses(['list'], /These credentials may not do that/, environment);
	});
});
