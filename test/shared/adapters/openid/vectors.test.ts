import type { RequestListener } from 'node:http';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenIdProviders } from '#adapters/openid/openid-providers.ts';
import { staticSecret } from '#adapters/secret.ts';
import { DomainError, type ErrorCode } from '#domain/errors.ts';
import { interactiveProvider, openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import {
	documentPath,
	endless,
	type FakeProvider,
	first,
	json,
	type KeyName,
	lost,
	publicJwk,
	redirect,
	signToken,
	startFakeProvider,
	tooLong,
} from '#test/support/servers/fake-provider.ts';
import { readVectors } from '#test/support/vectors.ts';

type Fields = Readonly<Record<string, unknown>>;
type Kind = 'idToken' | 'refreshedIdToken' | 'logoutToken' | 'foreignToken';
type Fault = 'redirect' | 'tooLong' | 'endless' | 'status500' | 'html' | 'lost' | 'noObjects';

/** One case. Claims, parameters of a header, and fields of a key or of the document that are null are left out. */
interface Vector {
	readonly name: string;
	/** What is done with the provider. */
	readonly kind: Kind | 'userinfo' | 'clientAuthentication' | 'discovery' | 'redeem' | 'endSession';
	/** Settings of the provider beside those of every case. */
	readonly provider?: Fields;
	readonly header?: Fields;
	readonly claims?: Fields;
	/** Times among the claims, in seconds from now. */
	readonly times?: Readonly<Record<string, number>>;
	readonly key?: KeyName;
	readonly published?: readonly ({ readonly key: KeyName } & Fields)[];
	/** The keys that are published after the service has read those before. */
	readonly rotatedTo?: readonly ({ readonly key: KeyName } & Fields)[];
	/** The token is one of another kind. */
	readonly asKind?: Kind;
	readonly tampered?: boolean;
	/** The token itself, its payload, or the start of its payload. */
	readonly text?: string;
	readonly payloadText?: string;
	readonly payloadPrefix?: string;
	readonly duplicateSub?: readonly [string, string];
	readonly expectedIssuer?: string;
	/** A path that must not be asked. */
	readonly untouched?: string;
	readonly userinfo?: Fields;
	readonly document?: Fields;
	readonly token?: readonly [number, Fields];
	/** A text of the provider that is in no error. */
	readonly untold?: string;
	readonly clientId?: string;
	readonly clientAuthentication?: string;
	readonly secret?: string;
	/** The credentials of Basic, decoded; null: none. */
	readonly authorization?: string | null;
	readonly fault?: { readonly of: 'document' | 'keys' | 'userinfo' | 'token'; readonly is: Fault };
	/** The fault is over at the second request. */
	readonly repeated?: boolean;
	readonly answer: 'accepted' | 'invalid_grant' | ErrorCode;
	readonly sub?: string;
}

const now = Date.UTC(2026, 10, 21, 12);
const clientId = 'client-1';
const sent = { code: 'code-of-the-sign-in', codeVerifier: 'verifier-of-it', redirectUri: 'https://console.example/console' };
/** Nothing of a token or of a request may be in an error. */
const secrets = ['code-of-the-sign-in', 'verifier-of-it', 'subject-', 'nonce-of', 'sid-of', 'client-secret', 'eyJ'];

/** What is wrong with an answer, and what would be right of it. */
const faults: Readonly<Record<Fault, (good: unknown) => RequestListener>> = {
	redirect: (good) => redirect('/elsewhere', good),
	tooLong,
	endless: () => endless,
	status500: (good) => json(500, good),
	html: () => (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
	lost: () => lost,
	noObjects: () => json(200, { keys: ['rsa'] }),
};

const paths = { document: documentPath, keys: '/keys', userinfo: '/userinfo', token: '/token' } as const;

let fake: FakeProvider;
beforeEach(async () => {
	fake = await startFakeProvider();
});
afterEach(() => fake.close());

describe('OpenID providers', () => {
	test.each(readVectors<Vector>('openid'))('$kind: $name: $answer', async (vector) => {
		prepare(vector);
		const outcome = await act(vector).catch((error: unknown) => {
			if (error instanceof DomainError) return error;
			throw error;
		});
		if (!(outcome instanceof DomainError)) {
			expect(outcome).toEqual(vector.answer === 'invalid_grant' ? vector.answer : expect.any(Object));
			if (vector.sub !== undefined) expect(outcome).toMatchObject({ sub: vector.sub });
			expect(['accepted', 'invalid_grant']).toContain(vector.answer);
		} else {
			expect([outcome.code, outcome.message]).toEqual([vector.answer, expect.any(String)]);
			if (outcome.code !== 'sign_in_refused') expect(outcome.payload).toMatchObject({ dependency: 'openIdProvider' });
			for (const secret of [...secrets, vector.untold ?? sent.code]) expect(outcome.message).not.toContain(secret);
		}
		expect(fake.count('/elsewhere') + fake.count(vector.untouched ?? '/elsewhere')).toBe(0);
		if (vector.kind === 'redeem') expect(fake.count('/token')).toBe(1);
	});
});

/** Returns the fields that are not null, with the fake provider's address in texts. */
function present(fields: Fields): Fields {
	const filled: Fields = JSON.parse(JSON.stringify(fields).replaceAll('{issuer}', fake.issuer));
	return Object.fromEntries(
		Object.entries(filled).flatMap(([name, value]) => {
			if (value === null) return [];
			return [[name, value === '{jwk}' ? publicJwk('nextRsa') : value]];
		}),
	);
}

function publish(keys: NonNullable<Vector['published']>): void {
	fake.publish(...keys.map(({ key, ...more }) => present(publicJwk(key, more))));
}

function prepare({ document = {}, published, userinfo, token, fault, repeated }: Vector): void {
	for (const [name, value] of Object.entries(document)) {
		if (value === null) delete fake.document[name];
		else Object.assign(fake.document, present({ [name]: value }));
	}
	if (published !== undefined) publish(published);
	const good = {
		document: fake.document,
		keys: { keys: [publicJwk('rsa')] },
		userinfo: userinfo ?? { sub: 'subject-1' },
		token: { access_token: 'a', id_token: 'i' },
	};
	fake.answers.set('/userinfo', json(200, good.userinfo));
	const [status, body] = token ?? [200, good.token];
	fake.answers.set('/token', json(status, JSON.parse(JSON.stringify(body).replaceAll('{code}', sent.code))));
	if (fault === undefined) return;
	const path = paths[fault.of];
	const listener = faults[fault.is](good[fault.of]);
	fake.answers.set(path, repeated === true ? first(listener, json(200, good[fault.of])) : listener);
}

function createProviders(vector: Vector) {
	const isForeign = vector.kind === 'foreignToken';
	const isProgram = vector.provider?.['actors'] === 'programs';
	const providers = v.parse(openIdProvidersSchema, [
		{
			name: 'fake',
			label: 'Fake',
			issuer: fake.issuer,
			...(isProgram ? {} : { clientId: vector.clientId ?? clientId }),
			secret: vector.secret !== undefined,
			...(vector.clientAuthentication === undefined ? {} : { clientAuthentication: vector.clientAuthentication }),
			...(isForeign ? { audiences: ['urn:caudal'], clients: ['program-1'] } : {}),
			...vector.provider,
		},
	]);
	return createOpenIdProviders({
		providers,
		secrets: () => staticSecret(vector.secret ?? 'client-secret'),
		timeoutMs: vector.fault?.is === 'endless' ? 200 : 3000,
		httpToo: false,
		now: () => now,
	});
}

/** Does what a case says, and returns what the adapter answered. */
async function act(vector: Vector): Promise<unknown> {
	const adapter = createProviders(vector);
	const interactive = () => {
		const provider = interactiveProvider(adapter.providers, 'fake');
		if (provider === null) throw new Error('The settings have no provider.');
		return provider;
	};
	const ofToken = async () => {
		const token = tokenOf(vector);
		if (vector.kind === 'logoutToken') return (await adapter.verifyLogoutToken(token)).claims;
		if (vector.kind === 'foreignToken') return (await adapter.verifyForeign(token)).claims;
		const expected =
			vector.kind === 'idToken'
				? { nonce: 'nonce-of-the-sign-in' }
				: { issuer: vector.expectedIssuer ?? fake.issuer, subject: 'subject-1' };
		return adapter.verifyIdToken(interactive(), token, expected);
	};
	switch (vector.kind) {
		case 'userinfo':
			return adapter.userinfo(interactive(), 'access-token', 'subject-1');
		case 'discovery':
			return adapter.authorization(interactive());
		case 'endSession':
			return { address: expectText(await adapter.endSessionEndpoint(interactive()), `${fake.issuer}/logout`) };
		case 'redeem':
			return adapter.redeem(interactive(), sent);
		case 'clientAuthentication': {
			const tokens = await adapter.redeem(interactive(), sent);
			const [request] = fake.requests.filter(({ path }) => path === '/token');
			const credentials = request?.authorization?.replace(/^Basic /, '');
			expect(credentials === undefined ? null : atob(credentials)).toBe(vector.authorization);
			const inForm = [request?.form.get('client_id'), request?.form.get('client_secret')];
			expect(inForm).toEqual(vector.authorization === null ? [vector.clientId, vector.secret] : [null, null]);
			return tokens;
		}
		default:
			if (vector.rotatedTo !== undefined) {
				// The service has the keys from before.
				await adapter.verifyIdToken(
					interactive(),
					tokenOf({ ...vector, key: 'rsa', header: vector.header?.['kid'] === null ? vector.header : {} }),
					{
						nonce: 'nonce-of-the-sign-in',
					},
				);
				publish(vector.rotatedTo);
			}
			if (vector.repeated === true) await expect(ofToken()).rejects.toMatchObject({ code: 'dependency_failed' });
			return ofToken();
	}
}

function expectText(text: string | null, expected: string): string | null {
	expect(text).toBe(expected);
	return text;
}

/** Makes the token of a case. */
function tokenOf(vector: Vector): string {
	if (vector.text !== undefined) return vector.text;
	const seconds = now / 1000;
	const kind = vector.asKind ?? vector.kind;
	const times = Object.entries(vector.times ?? {}).map(([name, ahead]) => [name, seconds + ahead]);
	const claims = present({ ...goodClaims(kind, seconds), ...Object.fromEntries(times), ...vector.claims });
	const header = present({ alg: 'RS256', kid: 'rsa', typ: goodTypes[kind] ?? 'JWT', ...vector.header });
	const text = JSON.stringify(claims);
	const duplicated = vector.duplicateSub?.map((sub) => `"sub":${JSON.stringify(sub)}`).join();
	const payload =
		vector.payloadText ??
		(duplicated === undefined ? `{${vector.payloadPrefix ?? ''}${text.slice(1)}` : `${text.slice(0, -1)},${duplicated}}`);
	const token = signToken(vector.key ?? 'rsa', header, payload);
	if (vector.tampered !== true) return token;
	const at = token.lastIndexOf('.') + 10;
	return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

const goodTypes: Readonly<Record<string, string>> = { logoutToken: 'logout+jwt', foreignToken: 'at+jwt' };

function goodClaims(kind: Vector['kind'], seconds: number): Fields {
	const base = { iss: fake.issuer, sub: 'subject-1', aud: clientId, iat: seconds, exp: seconds + 300 };
	if (kind === 'idToken') return { ...base, nonce: 'nonce-of-the-sign-in' };
	if (kind === 'foreignToken') return { ...base, aud: 'urn:caudal', azp: 'program-1' };
	if (kind !== 'logoutToken') return base;
	return { ...base, sid: 'sid-of-the-session', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };
}
