import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

const stored = new Map<string, string>();
let isDenied = false;
const attempt = <Result>(act: () => Result): Result => {
	if (isDenied) throw new Error('denied');
	return act();
};
vi.stubGlobal('sessionStorage', {
	getItem: (key: string) => attempt(() => stored.get(key) ?? null),
	setItem: (key: string, text: string) => attempt(() => stored.set(key, text)),
	removeItem: (key: string) => attempt(() => stored.delete(key)),
});
const { authorizationAddress, codeOf, isEnded, keepFlow, longestFlowMs, newFlow, takeFlow } = await import(
	'#page/openid/flow.ts'
);
// Other files share the process.
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
	stored.clear();
	isDenied = false;
});

const authorization = {
	...{
		authorizationEndpoint: 'https://login.example/authorize?policy=b2c',
		issuer: 'https://login.example/',
		clientId: 'caudal',
	},
	...{ requiresIssuer: true, scope: 'openid email', parameters: { access_type: 'offline', prompt: 'consent' } },
	redirectUri: 'https://scada.example/console?via=entra',
};
const beginning = { provider: 'entra', again: null, isWindow: false, isKept: true, hash: '#/trend?ids=4' };
const begun = (changed: Partial<typeof authorization> = {}) => newFlow(beginning, { ...authorization, ...changed }, 1000);
const answer = { code: 'c', iss: authorization.issuer, via: 'entra' };

test('a flow has three random values of 32 bytes, which are never those of another', () => {
	const values = Array.from({ length: 50 }, () => begun()).flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
	expect(new Set(values).size).toBe(150);
	for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
});

test('the address asks for a code with the hash of the verifier, and keeps what the endpoint and the settings ask for', async () => {
	const flow = begun();
	const address = new URL(await authorizationAddress(authorization, flow));
	expect(address.origin + address.pathname).toBe('https://login.example/authorize');
	expect(Object.fromEntries(address.searchParams)).toEqual({
		...{ policy: 'b2c', access_type: 'offline', prompt: 'consent', response_type: 'code', client_id: 'caudal' },
		...{ redirect_uri: authorization.redirectUri, scope: 'openid email', state: flow.state, nonce: flow.nonce },
		...{ code_challenge_method: 'S256', code_challenge: createHash('sha256').update(flow.verifier).digest('base64url') },
	});
	expect(address.href).not.toContain(flow.verifier);
});

describe('the answer of a provider', () => {
	const read = (changed: Readonly<Record<string, string | null>>, flow = begun(), nowMs = 1000) => {
		const entries = Object.entries({ ...answer, state: flow.state, ...changed });
		const sent = entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
		return codeOf(new URLSearchParams(sent), flow, nowMs);
	};

	test('has a code', () => expect(read({})).toEqual({ code: 'c' }));
	test('may be a refusal, whatever it says beside that', () => {
		expect(read({ code: null, error: 'access_denied', error_description: 'Call 555' })).toBe('refused');
		expect(read({ error: 'x' })).toBe('refused');
	});
	test('without a code is none', () => expect(read({ code: null })).toBeNull());
	test.each([
		['another state', { state: 'other' }],
		['no state', { state: null }],
		['another issuer', { iss: 'https://login.example' }],
		['no issuer', { iss: null }],
		['another way', { via: 'google' }],
		['no way', { via: null }],
	])('with %s is none, nor is such a refusal', (_, changed) => {
		expect(read(changed)).toBeNull();
		expect(read({ ...changed, code: null, error: 'access_denied' })).toBeNull();
	});
	test('needs an issuer and a way only where the provider has them, and may have no others', () => {
		const plain = begun({ requiresIssuer: false, redirectUri: 'https://scada.example/console' });
		expect(read({ iss: null, via: null }, plain)).toEqual({ code: 'c' });
		expect(read({ via: null }, plain)).toEqual({ code: 'c' });
		expect(read({ iss: 'https://other.example', via: null }, plain)).toBeNull();
		expect(read({ iss: null }, plain)).toBeNull();
	});
	test('is waited for ten minutes', () => {
		expect(read({}, begun(), 1000 + longestFlowMs)).toEqual({ code: 'c' });
		expect(read({}, begun(), 1001 + longestFlowMs)).toBeNull();
		// Somebody has set the clock back.
		expect(read({}, begun(), 999)).toBeNull();
	});
	test('is no code for any other state', () => {
		fc.assert(fc.property(fc.string(), (state) => read({ state }) === null));
	});
});

test('a flow is kept by the tab, and taken once', () => {
	const flow = begun();
	expect(keepFlow(flow)).toBe(true);
	expect(takeFlow()).toEqual(flow);
	expect(takeFlow()).toBeNull();
	expect(stored.size).toBe(0);
});

test('says where the browser stores nothing', () => {
	isDenied = true;
	expect(keepFlow(begun())).toBe(false);
	expect(takeFlow()).toBeNull();
});

test.each(['', '{', 'null', '[]', '"x"', '{"state":"s"}'])('the stored text %j is no flow, and is removed', (text) => {
	stored.set('caudal.flow', text);
	expect(takeFlow()).toBeNull();
	expect(stored.size).toBe(0);
});

test('a person and a tenant are told from anything else', () => {
	expect(isEnded({ email: 'person:1', schema: 'a', database: 'a' })).toBe(true);
	for (const value of [null, 'x', [], { email: 'person:1', schema: 'a' }]) expect(isEnded(value)).toBe(false);
});
