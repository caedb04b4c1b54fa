import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type FakeProvider, json, type KeyName, publicJwk, signToken, startFakeProvider } from '../servers/fake-provider.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The answers of a user pool as Cognito writes them. Addresses and ids are placeholders; times are those of the test. */
interface CognitoAnswers {
	readonly document: Fields;
	/** ID tokens and access tokens are signed by a key each. */
	readonly keys: readonly { readonly key: KeyName; readonly of: 'idToken' | 'accessToken' }[];
	readonly idToken: Fields;
	readonly accessToken: Fields;
	/** The answers of the token endpoint, beside the tokens. */
	readonly code: Fields;
	readonly refresh: Fields;
	readonly usedCode: Fields;
}

const answersText = readFileSync(new URL('../../vectors/cognito.json', import.meta.url), 'utf8');
const lifeSeconds = 3600;

/** The id of the pool's client whose secret is `a-secret`. */
export const cognitoClientId = '1h2j3k4l5m';

/** A provider that answers as a Cognito user pool does. */
export interface Cognito extends FakeProvider {
	/** The groups of its one person. Tests change them. */
	groups: readonly string[];
	/** Returns an access token, as an app client gets it; with `resource` one that is bound to that service (RFC 8707). */
	accessToken(clientId: string, resource?: string): string;
	/** Returns an ID token of a client, as Cognito signs it. */
	idToken(clientId: string): string;
}

/**
 * Starts a provider that answers as recorded in test/vectors/cognito.json.
 * @param now epoch milliseconds
 */
export async function startCognito(now: () => number = Date.now): Promise<Cognito> {
	const fake = await startFakeProvider();
	const { issuer } = fake;
	const filled = (values: Readonly<Record<string, string>>): CognitoAnswers =>
		JSON.parse(answersText.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''));
	const answers = filled({ issuer, domain: issuer });
	for (const field of Object.keys(fake.document)) delete fake.document[field];
	Object.assign(fake.document, answers.document);
	const sign = (of: 'idToken' | 'accessToken', values: Readonly<Record<string, string>>, more: Fields): string => {
		const key = answers.keys.find((each) => each.of === of)?.key ?? 'rsa';
		const iat = Math.floor(now() / 1000);
		const times = { auth_time: iat, iat, exp: iat + lifeSeconds };
		const groups = cognito.groups.length === 0 ? undefined : cognito.groups;
		const claims = { ...filled({ issuer, ...values })[of], 'cognito:groups': groups, ...times, ...more };
		return signToken(key, { kid: key, alg: 'RS256' }, claims);
	};
	/** The nonces of the codes that were not redeemed. */
	const nonces = new Map<string, string>();
	const authorize = ({ url = '' }: IncomingMessage): string => {
		const query = new URL(url, issuer).searchParams;
		const code = `code-${fake.count('/oauth2/authorize')}`;
		nonces.set(code, query.get('nonce') ?? '');
		return `${query.get('redirect_uri')}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`;
	};
	/** Returns the answer to a code or a refresh token; null: Cognito does not know it. */
	const answerTo = (form: URLSearchParams): Fields | null => {
		const code = form.get('code') ?? '';
		const nonce = nonces.get(code);
		const isRefresh = form.get('refresh_token') === answers.code['refresh_token'];
		if (nonce === undefined && !isRefresh) return null;
		nonces.delete(code);
		const values = { clientId: cognitoClientId, nonce: nonce ?? '' };
		// A refreshed ID token has no nonce.
		const id_token = sign('idToken', values, isRefresh ? { nonce: undefined } : {});
		return { id_token, access_token: sign('accessToken', values, {}), ...(isRefresh ? answers.refresh : answers.code) };
	};
	fake.answers.set(
		'/.well-known/jwks.json',
		json(200, { keys: answers.keys.map(({ key }) => publicJwk(key, { alg: 'RS256' })) }),
	);
	fake.answers.set('/oauth2/authorize', (request, response) => {
		response.writeHead(302, { location: authorize(request) }).end();
	});
	fake.answers.set('/oauth2/token', (request, response) => {
		const answer = answerTo(fake.requests.at(-1)?.form ?? new URLSearchParams());
		json(answer === null ? 400 : 200, answer ?? answers.usedCode)(request, response);
	});
	fake.answers.set('/oauth2/revoke', (_, response) => void response.end());
	const cognito: Cognito = {
		...fake,
		groups: ['plant-a-ops'],
		accessToken: (clientId, resource) => sign('accessToken', { clientId }, resource === undefined ? {} : { aud: resource }),
		idToken: (clientId) => sign('idToken', { clientId, nonce: 'n' }, {}),
	};
	return cognito;
}
