import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
	interactiveProvider,
	isDocumentAddress,
	isProviderAddress,
	isProviderName,
	type OpenIdProvider,
	openIdProvidersSchema,
	providerFaults,
	redirectAddress,
} from '#domain/identity/provider-settings.ts';

type Sent = Readonly<Record<string, unknown>>;

const entra: Sent = { name: 'entra', label: 'Entra', issuer: 'https://login.example/v2.0', clientId: 'caudal' };
const github: Sent = {
	name: 'github',
	label: 'GitHub',
	issuer: 'https://token.example',
	audiences: ['caudal'],
	actors: 'programs',
};

const issuesOf = (...providers: readonly Sent[]): readonly string[] => {
	const { issues = [] } = v.safeParse(openIdProvidersSchema, providers);
	return issues.map(({ message }) => message);
};
const parse = (...providers: readonly Sent[]): readonly OpenIdProvider[] => v.parse(openIdProvidersSchema, providers);
const surroundings = { ownIssuer: 'https://caudal.example', consoleUrl: 'https://caudal.example/console', httpToo: false };

describe('a list of providers', () => {
	test('has defaults', () => {
		expect(parse(entra)).toEqual([
			{
				...entra,
				secret: false,
				clientAuthentication: 'basic',
				scopes: 'openid email profile',
				parameters: {},
				userinfo: false,
				recheck: 'refresh',
				via: false,
				signOut: 'provider',
				audiences: [],
				clients: [],
				actors: 'people',
			},
		]);
	});

	test.each<[string, readonly Sent[], RegExp]>([
		['a name with a capital letter', [{ ...entra, name: 'Entra' }], /1 to 20 characters of a-z/],
		['a name of 21 characters', [{ ...entra, name: 'a'.repeat(21) }], /1 to 20 characters/],
		['no label', [{ ...entra, label: '' }], /must not be empty/],
		['a label of 41 characters', [{ ...entra, label: 'a'.repeat(41) }], /at most 40 characters/],
		['a field beside the table', [{ ...entra, clientSecret: 'hush' }], /clientSecret/],
		['scopes without openid', [{ ...entra, scopes: 'email openid2' }], /must hold openid/],
		['a parameter that the page writes', [{ ...entra, parameters: { state: 'x' } }], /must not hold response_type/],
		['its clientId among the audiences', [{ ...entra, audiences: ['caudal'] }], /an ID token would be exchanged/],
		['programs with a button', [{ ...github, clientId: 'other' }], /programs have no button/],
		['neither clientId nor audiences', [{ ...entra, clientId: undefined }], /needs clientId or audiences/],
		['two with one name', [entra, { ...github, name: 'entra' }], /unique names/],
		[
			'two with one issuer and a common audience',
			[github, { ...github, name: 'other', audiences: ['x', 'caudal'] }],
			/one issuer and a common audience/,
		],
		['eleven', Array.from({ length: 11 }, (_, index) => ({ ...entra, name: `entra-${index}` })), /at most 10/],
		['keys that are no key set', [{ ...entra, keys: [{ kty: 'RSA' }] }], /Expected Array/],
		[
			'the clientId of one among the audiences of another with its issuer',
			[entra, { ...github, issuer: entra['issuer'] }],
			/an ID token would be exchanged/,
		],
	])('is refused with %s', (_, providers, expected) => {
		expect(issuesOf(...providers).join('\n')).toMatch(expected);
	});

	test('may have two providers with one issuer and other audiences, and keys', () => {
		const keys = { keys: [{ kty: 'RSA', n: 'x', e: 'AQAB' }] };
		const other = { ...github, name: 'other', audiences: ['x'] };
		expect(issuesOf(entra, { ...github, keys }, other, { ...other, name: 'third', issuer: entra['issuer'] })).toEqual([]);
	});
});

describe('what the rest of the settings says of providers', () => {
	const faultsOf = (provider: Sent, others: Partial<typeof surroundings> | { readonly consoleUrl: null } = {}) =>
		providerFaults(parse(provider), { ...surroundings, ...others });

	test.each([
		['Auth0, with a slash at its end', 'https://tenant.eu.auth0.example/'],
		['authentik, with a path and a slash', 'https://auth.example/application/o/caudal/'],
		['Keycloak', 'https://sso.example/realms/plant'],
		['this machine', 'http://localhost:8080/realms/plant'],
		['this machine by its address', 'http://[::1]:8080'],
	])('allows the issuer of %s, byte for byte', (_, issuer) => {
		expect(faultsOf({ ...entra, issuer })).toEqual([]);
		expect(parse({ ...entra, issuer })[0]?.issuer).toBe(issuer);
	});

	test.each([
		['an issuer without TLS', { ...entra, issuer: 'http://login.example' }, {}, /^entra: .* must be an https/],
		['an issuer with a password', { ...entra, issuer: 'https://a:b@login.example' }, {}, /without a password/],
		['an issuer that is no address', { ...entra, issuer: 'login.example' }, {}, /must be an https/],
		['a sign-out address that runs', { ...entra, signOutUrl: 'javascript:alert(1)' }, {}, /must be an https/],
		['the own issuer', { ...entra, issuer: surroundings.ownIssuer }, {}, /its own provider/],
		['a button without consoleUrl', entra, { consoleUrl: null }, /consoleUrl is required/],
	])('refuses %s', (_, provider, others, expected) => {
		expect(faultsOf(provider, others)).toEqual([expect.stringMatching(expected)]);
	});

	test('needs no consoleUrl without a button, and allows http in a private network', () => {
		expect(faultsOf(github, { consoleUrl: null })).toEqual([]);
		expect(faultsOf({ ...entra, issuer: 'http://dex.internal' }, { httpToo: true })).toEqual([]);
	});
});

test.each([
	['https://x.example/a', true],
	['http://127.0.0.1:1', true],
	['http://localhost.example', false],
	['http://127.0.0.1.example', false],
	['ftp://x.example', false],
	['file:///etc/passwd', false],
	['javascript:alert(1)', false],
	['//x.example', false],
	['https://user@x.example', false],
	['https://:secret@x.example', false],
	['', false],
])('whether requests may go to %j: %s', (address, allowed) => {
	expect(isProviderAddress(address, false)).toBe(allowed);
});

describe('an address of a document', () => {
	const issuer = 'https://idp.example/realms/plant';

	test.each([
		'https://idp.example/token',
		'https://token.idp.example',
		'https://10.0.0.7/token',
		'https://localhost.example',
		'https://127.example',
		'https://[2001:db8::1]',
		'https://[::ffff:10.0.0.7]',
		'https://[64:ff9b::10.0.0.7]',
	])('of a provider elsewhere may be %s', (address) => {
		expect(isDocumentAddress(address, issuer, false)).toBe(true);
	});

	test.each([
		'http://idp.example/token',
		'http://localhost:9001/token',
		'https://localhost',
		'https://a.localhost./',
		'https://127.0.0.1/token',
		'https://127.1.2.3',
		'https://2130706433/',
		'https://0x7f.1/',
		'https://0.0.0.0',
		'https://169.254.169.254/latest/meta-data',
		'https://[::1]',
		'https://[::]',
		'https://[::ffff:127.0.0.1]',
		'https://[::ffff:169.254.169.254]',
		'https://[::ffff:0.1.2.3]',
		'https://[::127.0.0.1]',
		'https://[::169.254.169.254]',
		'https://[64:ff9b::127.0.0.1]',
		'https://[64:ff9b::169.254.169.254]',
		'https://[64:ff9b::0.0.0.0]',
		'https://[fe80::1]',
		'https://[febf::1]',
		'https://[fd00:ec2::254]',
		'https://user@idp.example',
	])('of a provider elsewhere is not %s, also where http is allowed', (address) => {
		expect([isDocumentAddress(address, issuer, false), isDocumentAddress(address, issuer, true)]).toEqual([false, false]);
	});

	test('of a provider on this machine may be there', () => {
		expect(isDocumentAddress('http://127.0.0.1:8080/token', 'http://localhost:8080', false)).toBe(true);
		expect(isDocumentAddress('https://idp.example/token', 'http://localhost:8080', false)).toBe(true);
		expect(isDocumentAddress('http://idp.example/token', 'http://localhost:8080', false)).toBe(false);
	});

	test('is http where the issuer of a private network is', () => {
		const dex = 'http://dex.internal';
		expect(isDocumentAddress('http://dex.internal/token', dex, true)).toBe(true);
		expect(isDocumentAddress('https://dex.internal/token', dex, true)).toBe(true);
		expect(isDocumentAddress('http://dex.internal/token', dex, false)).toBe(false);
		expect(isDocumentAddress('https://localhost/token', dex, true)).toBe(false);
		expect(isDocumentAddress('http://127.0.0.1:9001/', dex, true)).toBe(false);
	});
});

test('finds a provider with a button by its name', () => {
	const providers = parse(entra, github);
	expect(interactiveProvider(providers, 'entra')?.clientId).toBe('caudal');
	expect([interactiveProvider(providers, 'github'), interactiveProvider(providers, 'none')]).toEqual([null, null]);
	expect([isProviderName('entra-2'), isProviderName('Entra'), isProviderName('')]).toEqual([true, false, false]);
});

test('the redirect address names the provider only where it must', () => {
	const consoleUrl = 'https://caudal.example/console';
	expect(redirectAddress({ name: 'entra', via: false }, consoleUrl)).toBe(consoleUrl);
	expect(redirectAddress({ name: 'entra', via: true }, consoleUrl)).toBe(`${consoleUrl}?via=entra`);
});
