import type { Authorization } from '#page/core/openid-api.ts';
import type { Session } from '#page/core/session.ts';
import { keptByTab } from '#page/core/storage.ts';

/** How long the answer of a provider is waited for, in milliseconds. */
export const longestFlowMs = 600_000;

/** A person and a tenant whose session has ended. */
export type Ended = Pick<Session, 'email' | 'schema' | 'database'>;

/** What a person has begun: where, for whom, and how the page goes on after it. */
export interface Beginning {
	/** The name of the provider. */
	readonly provider: string;
	/** Whose session has ended; null: somebody signs in anew. */
	readonly again: Ended | null;
	/** Whether the window was opened for this only, and answers the tab that waits. */
	readonly isWindow: boolean;
	/** Whether the tab is to stay signed in after a reload. */
	readonly isKept: boolean;
	/** The hash of the address to come back to. */
	readonly hash: string;
}

/** A sign-in whose answer the page waits for (OpenID Connect Core, section 3.1.2; RFC 7636). This tab stores it while the provider has the page. */
export interface Flow extends Beginning {
	readonly state: string;
	readonly nonce: string;
	readonly verifier: string;
	readonly issuer: string;
	/** Whether the answer must name the issuer (RFC 9207). */
	readonly requiresIssuer: boolean;
	/** The provider that the redirect address names; null: it names none. */
	readonly via: string | null;
	/** Epoch milliseconds of this browser. */
	readonly startedAt: number;
}

const storageKey = 'caudal.flow';

/** Begins a flow with new random values. */
export function newFlow(beginning: Beginning, { issuer, requiresIssuer, redirectUri }: Authorization, startedAt: number): Flow {
	const via = new URL(redirectUri).searchParams.get('via');
	return { ...beginning, state: random(), nonce: random(), verifier: random(), issuer, requiresIssuer, via, startedAt };
}

/** Returns the address at the provider that asks the person to sign in. Needs a secure context, as hashing does. */
export async function authorizationAddress(authorization: Authorization, { state, nonce, verifier }: Flow): Promise<string> {
	const { authorizationEndpoint, clientId, scope, parameters, redirectUri } = authorization;
	const address = new URL(authorizationEndpoint);
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
	const sent = {
		...parameters,
		...{ response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state, nonce },
		...{ code_challenge: base64Url(new Uint8Array(hash)), code_challenge_method: 'S256' },
	};
	for (const [name, value] of Object.entries(sent)) address.searchParams.set(name, value);
	return address.href;
}

/** Stores a flow in this tab. Returns whether the browser did that. */
export function keepFlow(flow: Flow): boolean {
	const text = JSON.stringify(flow);
	keptByTab.write(storageKey, text);
	return keptByTab.read(storageKey) === text;
}

/** Removes the flow from the storage of this tab, and returns it; null without one. */
export function takeFlow(): Flow | null {
	const flow = takeKept(storageKey);
	return isFlow(flow) ? flow : null;
}

/** Removes JSON from the storage of this tab, and returns its value; null for anything else. */
export function takeKept(key: string): unknown {
	const text = keptByTab.read(key);
	keptByTab.remove(key);
	try {
		return JSON.parse(text ?? 'null');
	} catch {
		return null;
	}
}

/**
 * Returns the code in the answer of a provider; `refused`: the provider did not sign the person in; null: it is not the answer to the
 * flow, but somebody else's, another provider's, or late. Of the answer's other texts nothing is used.
 */
export function codeOf(answer: URLSearchParams, flow: Flow, nowMs: number): { readonly code: string } | 'refused' | null {
	const waitedMs = nowMs - flow.startedAt;
	const issuer = answer.get('iss');
	const isOf =
		answer.get('state') === flow.state &&
		answer.get('via') === flow.via &&
		(issuer === null ? !flow.requiresIssuer : issuer === flow.issuer);
	if (!isOf || waitedMs < 0 || waitedMs > longestFlowMs) return null;
	if (answer.has('error')) return 'refused';
	const code = answer.get('code');
	return code === null ? null : { code };
}

/** Whether a person and a tenant are those whose session has ended. */
export function isWaitedFor(found: Session, { email, schema, database }: Ended): boolean {
	return found.email === email && found.schema === schema && found.database === database;
}

/** Whether a stored value names a person and a tenant. */
export function isEnded(value: unknown): value is Ended {
	return hasAll(value, ['email', 'schema', 'database']);
}

function isFlow(value: unknown): value is Flow {
	return hasAll(value, [
		'provider',
		'again',
		'state',
		'nonce',
		'verifier',
		'issuer',
		'requiresIssuer',
		'via',
		'startedAt',
		'hash',
	]);
}

/** Whether a value that this page has stored is an object with these properties. */
function hasAll(value: unknown, names: readonly string[]): boolean {
	return typeof value === 'object' && value !== null && names.every((name) => name in value);
}

/** Returns 32 random bytes in base64url: 43 characters. */
function random(): string {
	return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64Url(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replaceAll('=', '');
}
