import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { listen } from './http-server.ts';

/** The key pairs of the fake provider, by name. Two of each kind that is rotated. */
const pairs = {
	rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
	nextRsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
	rsa1024: generateKeyPairSync('rsa', { modulusLength: 1024 }),
	ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
	ed25519: generateKeyPairSync('ed25519'),
} as const;

/** The name of a key pair, which is its `kid`, too. */
export type KeyName = keyof typeof pairs;

/** A header parameter or a claim, as JSON. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns the public key of a pair as a JWK (RFC 7517). */
export function publicJwk(name: KeyName, more: Fields = {}): Fields {
	return { ...pairs[name].publicKey.export({ format: 'jwk' }), kid: name, use: 'sig', ...more };
}

/** Returns the public key of a pair as PEM: what somebody who forges HS256 has. */
export function publicPem(name: KeyName): string {
	return pairs[name].publicKey.export({ format: 'pem', type: 'spki' }).toString();
}

/** Signs a token as the header's `alg` says. `payload` is an object or the text itself, such as one with a claim twice. */
export function signToken(key: KeyName, header: Fields, payload: Fields | string): string {
	const part = (value: Fields | string) =>
		Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
	const input = `${part(header)}.${part(payload)}`;
	return `${input}.${signatureOf(String(header['alg']), Buffer.from(input), key).toString('base64url')}`;
}

/** Answers with JSON. */
export const json =
	(status: number, body: unknown): RequestListener =>
	(_, response) =>
		void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Answers with a redirect, and with JSON. */
export const redirect =
	(location: string, body: unknown): RequestListener =>
	(_, response) =>
		void response.writeHead(302, { location }).end(JSON.stringify(body));

/** Answers with JSON after 5 MB of spaces. */
export const tooLong =
	(body: unknown): RequestListener =>
	(_, response) =>
		void response.writeHead(200).end(`${' '.repeat(5_000_000)}${JSON.stringify(body)}`);

/** Answers with a body that never ends. */
export const endless: RequestListener = (_, response) => void response.writeHead(200).write('{');

/** Takes the request, and breaks the connection: the answer is lost on the way. */
export const lost: RequestListener = (_, response) => void response.destroy();

/** Answers the first request with one listener and those after it with another. */
export const first = (listener: RequestListener, then: RequestListener): RequestListener => {
	let isFirst = true;
	return (request, response) => {
		(isFirst ? listener : then)(request, response);
		isFirst = false;
	};
};

/** One request that the provider got. */
export interface ReceivedRequest {
	readonly path: string;
	readonly authorization: string | undefined;
	readonly connection: string | undefined;
	readonly form: URLSearchParams;
}

/** An OpenID provider on this machine that does what a test tells it. */
export interface FakeProvider {
	readonly issuer: string;
	/** What it answers, by path. Tests change it. */
	readonly answers: Map<string, RequestListener>;
	/** The document at `/.well-known/openid-configuration`. Tests change it. */
	readonly document: Record<string, unknown>;
	/** The requests, in their order. */
	readonly requests: readonly ReceivedRequest[];
	/** Returns the number of requests to a path. */
	count(path: string): number;
	/** Publishes these keys at `/keys` from now on. */
	publish(...keys: readonly Fields[]): void;
	close(): void;
}

/** The path of the document. */
export const documentPath = '/.well-known/openid-configuration';

/** Starts a provider that publishes the key `rsa`. */
export async function startFakeProvider(): Promise<FakeProvider> {
	const answers = new Map<string, RequestListener>();
	const requests: ReceivedRequest[] = [];
	const { url: issuer, close } = await listen((request, response) => {
		const path = new URL(request.url ?? '/', 'http://localhost').pathname;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const form = new URLSearchParams(Buffer.concat(chunks).toString());
			const { authorization, connection } = request.headers;
			requests.push({ path, authorization, connection, form });
			(answers.get(path) ?? json(404, {}))(request, response);
		});
	});
	const document: Record<string, unknown> = {
		issuer,
		authorization_endpoint: `${issuer}/authorize`,
		token_endpoint: `${issuer}/token`,
		jwks_uri: `${issuer}/keys`,
		userinfo_endpoint: `${issuer}/userinfo`,
		revocation_endpoint: `${issuer}/revoke`,
		end_session_endpoint: `${issuer}/logout`,
		authorization_response_iss_parameter_supported: true,
	};
	answers.set(documentPath, (request, response) => json(200, document)(request, response));
	const publish = (...keys: readonly Fields[]): void => void answers.set('/keys', json(200, { keys }));
	publish(publicJwk('rsa'));
	const count = (path: string): number => requests.filter((each) => each.path === path).length;
	return { issuer, answers, document, requests, count, publish, close };
}

function signatureOf(alg: string, input: Buffer, name: KeyName): Buffer {
	const key: KeyObject = pairs[name].privateKey;
	if (alg === 'none') return Buffer.alloc(0);
	if (alg === 'HS256') return createHmac('sha256', publicPem(name)).update(input).digest();
	if (alg === 'EdDSA' || alg === 'Ed25519') return sign(null, input, key);
	const hash = `sha${alg.slice(2)}`;
	if (alg.startsWith('ES')) return sign(hash, input, { key, dsaEncoding: 'ieee-p1363' });
	const padding = alg.startsWith('PS') ? constants.RSA_PKCS1_PSS_PADDING : constants.RSA_PKCS1_PADDING;
	return sign(hash, input, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST });
}
