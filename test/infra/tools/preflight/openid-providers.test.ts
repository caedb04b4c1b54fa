import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProviderReads } from '#adapters/openid/openid-providers.ts';
import { openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import { type CheckedProviders, checkOpenIdProviders } from '#infra/tools/preflight/check-openid-providers.ts';
import { documentPath, type FakeProvider, json, publicJwk, startFakeProvider } from '#test/support/servers/fake-provider.ts';

const consoleUrl = 'https://console.example/console';

let fake: FakeProvider;
beforeEach(async () => {
	fake = await startFakeProvider();
});
afterEach(() => fake.close());

type Settings = Readonly<Record<string, unknown>>;

/** Checks providers at the fake one: each beside the other has a client id of its own. */
const check = (settings: readonly Settings[], more: Partial<CheckedProviders> = {}) =>
	checkOpenIdProviders({
		providers: v.parse(
			openIdProvidersSchema,
			settings.map((each, index) => ({ name: `p${index}`, label: 'P', issuer: fake.issuer, clientId: `c${index}`, ...each })),
		),
		consoleUrl,
		isPrivate: false,
		reads: createProviderReads({ timeoutMs: 1000, httpToo: false, now: Date.now }),
		missingSecret: async () => [],
		...more,
	});

const checkOne = async (settings: Settings = {}, more: Partial<CheckedProviders> = {}) => {
	const [result] = await check([settings], more);
	return { subject: result?.subject, missing: result?.missing, notes: result?.notes };
};

const register = `Register this redirect address there: ${consoleUrl}`;

describe('checkOpenIdProviders', () => {
	test('finds nothing missing, and says what is registered at the provider', async () => {
		expect(await checkOne()).toEqual({
			subject: `the OpenID provider p0 at ${fake.issuer}`,
			missing: [],
			notes: [register, 'It names itself in its answers (RFC 9207).'],
		});
	});

	test('names the redirect address with the provider’s name', async () => {
		expect((await checkOne({ via: true })).notes).toContain(`${register}?via=p0`);
	});

	test('finds an issuer that is written otherwise', async () => {
		const message = 'Its document names another issuer: write it as the document does, a slash at its end included.';
		expect(await checkOne({ issuer: `${fake.issuer}/` })).toMatchObject({ missing: [message], notes: [register] });
	});

	test('finds a provider that fails, which is no fault where only the functions reach it', async () => {
		fake.answers.set(documentPath, json(500, {}));
		const message = 'It cannot be used (p0 document: status 500): check its issuer and the network.';
		expect(await checkOne()).toMatchObject({ missing: [message] });
		const { missing, notes } = await checkOne({}, { isPrivate: true });
		expect([missing, notes]).toEqual([[], [register, `${message} With openIdInVpc, the functions’ network counts.`]]);
	});

	test.each([
		['none', []],
		['a short RSA key', [publicJwk('rsa1024')]],
		['a key for encryption', [publicJwk('rsa', { use: 'enc' })]],
		['a key of a refused algorithm', [publicJwk('rsa', { alg: 'RSA-OAEP' })]],
		['a key of an unknown curve', [publicJwk('ec', { crv: 'secp256k1' })]],
	])('finds that no key can verify tokens: %s', async (_, keys) => {
		fake.publish(...keys);
		expect((await checkOne()).missing).toEqual([
			'It has no key that this service can verify tokens with: RSA from 2048 bits, EC or Ed25519.',
		]);
	});

	test.each(['rsa', 'ec', 'ed25519'] as const)('accepts a key of kind %s', async (name) => {
		fake.publish(publicJwk('rsa1024'), publicJwk(name));
		expect((await checkOne()).missing).toEqual([]);
	});

	test('finds an address that a button needs', async () => {
		delete fake.document['token_endpoint'];
		expect((await checkOne()).missing).toEqual(['Its document has no token_endpoint, which a button needs.']);
	});

	test('finds the secret of a client that is not set', async () => {
		const more = { missingSecret: async (name: string) => [`Set ${name}.`] };
		expect((await checkOne({ secret: true }, more)).missing).toEqual(['Set p0.']);
		expect((await checkOne({ secret: false }, more)).missing).toEqual([]);
	});

	test('warns of several buttons, one of whose providers cannot be told apart', async () => {
		delete fake.document['authorization_response_iss_parameter_supported'];
		const silent = 'It does not name itself in its answers (RFC 9207).';
		const warning = `${silent} Set via: otherwise its answer can be taken for that of another provider.`;
		expect((await checkOne()).notes).toEqual([register, silent]);
		const results = await check([{}, { via: true }, { clientId: undefined, audiences: ['urn:caudal'] }]);
		expect(results.map(({ notes }) => notes)).toEqual([[register, warning], [`${register}?via=p1`, silent], []]);
	});

	test('checks the keys only of a provider without a button', async () => {
		delete fake.document['authorization_endpoint'];
		const programs = { clientId: undefined, audiences: ['urn:caudal'], actors: 'programs' };
		expect(await checkOne(programs, { consoleUrl: null })).toMatchObject({ missing: [], notes: [] });
		expect(await checkOne({ ...programs, keys: { keys: [publicJwk('rsa1024')] } })).toMatchObject({
			missing: [expect.any(String)],
		});
	});
});
