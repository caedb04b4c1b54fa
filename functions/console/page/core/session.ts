import { batch, computed, signal } from '@preact/signals';
import { mayAct, type Role, roles } from '#domain/access/role.ts';
import { access, api, type Failure, resultOf, type Schemas } from './api.ts';
import type { Credentials } from './credentials.ts';
import type { OpenIdAnswer } from './openid-api.ts';
import { keptByTab } from './storage.ts';

/** A person who is signed in, and the tenant. */
export interface Session {
	readonly token: string;
	/** What tells people apart: the e-mail, or the id of a person of an OpenID provider (`person:…`). */
	readonly email: string;
	readonly schema: string;
	readonly database: string;
	readonly role: Role;
	/** The name that is shown in place of `email`. */
	readonly name?: string;
	/** Every tenant that a person of an OpenID provider may use. */
	readonly tenants?: OpenIdAnswer['tenants'];
}

/** The key of the session in the storage of this tab. */
const storageKey = 'caudal.session';

/** The session; null before the first sign-in and after signing out. It stays while `expired` asks to sign in again. */
export const session = signal<Session | null>(null);

/** The name under which the signed-in person is shown. */
export const personName = computed(() => session.value?.name ?? session.value?.email);

/** Whether the signed-in person may use other tenants, too. */
export const hasSeveralPlants = computed(() => (session.value?.tenants?.length ?? 0) > 1);

/** Whether the service no longer accepts the token. The screens and everything typed in them stay, below the sign-in form. */
export const expired = signal(false);

/** Returns whether the signed-in person has at least this role. Controls that the person may not use are not drawn. */
export function may(needs: Role): boolean {
	return session.value !== null && mayAct(session.value.role, needs);
}

/** Whether requests can be sent. */
export const isSignedIn = computed(() => session.value !== null && !expired.value);

access.onRefused = () => {
	if (session.value !== null) expired.value = true;
};

/**
 * Returns a function that says whether the session is still the one that began before this call. An answer to a request of another
 * session must not be shown: another tenant's variables have the same ids.
 */
export function sessionCheck(): () => boolean {
	const checked = beginnings.peek();
	return () => beginnings.peek() === checked;
}

/** Counts how often a session has begun or ended. A renewed token does not count. */
export const beginnings = signal(0);

/** An event of the session of this tab. `asked`: this tab is new, and asks the other tabs for their session. */
type SessionEvent = 'asked' | 'signedIn' | 'renewed' | 'signedOut';

/** Sends an event to the other tabs of this browser, with the session that it concerns. session-tabs.ts sets the function. */
export const tabs: { tell: (event: SessionEvent, sent?: Session | null) => void } = { tell: () => undefined };

/** The functions that forget the data of a tenant. */
const forgetters = new Set<() => void>();

/**
 * Calls `forget` before another tenant's session begins, and when somebody signs out. Data of a tenant must be forgotten then, because
 * all tenants use the same ids.
 */
export function onTenantChange(forget: () => void): void {
	forgetters.add(forget);
}

/** Restores the stored session of this tab, unless the credentials of a portal name another person or tenant. */
export function restoreSession(given: Partial<Credentials>): void {
	const text = keptByTab.read(storageKey);
	const stored = text === null ? null : parseSession(jsonOf(text));
	if (stored === null) return;
	if (isSessionOf(stored, given)) enter(stored);
	else keptByTab.remove(storageKey);
}

/** Parses JSON; null for a text that is not JSON. */
function jsonOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** Whether a session belongs to the person and the tenant of the credentials. Credentials that are not given are not compared. */
export function isSessionOf({ email, schema, database }: Session, given: Partial<Credentials>): boolean {
	const { email: givenEmail = email, schemaName = schema, tsdb_name = database } = given;
	return email === givenEmail && schema === schemaName && database === tsdb_name;
}

/**
 * Exchanges credentials for a session. Returns why it was refused, or null.
 * @param isKept whether this tab stores the session, so that it survives a reload
 */
export async function signIn(credentials: Credentials, { isKept }: { readonly isKept: boolean }): Promise<Failure | null> {
	access.token = null;
	const result = await resultOf(api.POST('/loginSso', { body: credentials }));
	if (!result.ok) return result.failure;
	const { token, user } = result.data;
	startSession(
		{ token, email: user.email, schema: credentials.schemaName, database: credentials.tsdb_name, role: user.role },
		isKept,
	);
	return null;
}

/** Begins a session. `isKept`: this tab stores it, so that it survives a reload. */
export function startSession(next: Session, isKept: boolean): void {
	if (isKept) keptByTab.write(storageKey, JSON.stringify(next));
	else keptByTab.remove(storageKey);
	enter(next);
	tabs.tell('signedIn', next);
}

/** Whether this tab stores its session, or that of somebody who signed in earlier. */
export function isSessionKept(): boolean {
	return keptByTab.read(storageKey) !== null;
}

/** Returns the session of a person who signed in with an OpenID provider, or who renewed it. */
export function openIdSessionOf({ token, user, tenant, tenants }: OpenIdAnswer): Session {
	const { id: email, name, role } = user;
	return { token, email, name, schema: tenant.schemaName, database: tenant.tsdb_name, role, tenants };
}

/** Continues the session with a renewed token and the present role, in all tabs. */
export function renewSession(answer: Schemas['Session'] | OpenIdAnswer): void {
	if (session.value === null) return;
	const { token, user } = answer;
	const renewed = 'tenants' in answer ? openIdSessionOf(answer) : { ...session.value, token, role: user.role };
	adoptSession(renewed);
	tabs.tell('renewed', renewed);
}

/**
 * Takes over the session of another tab, or a session with a renewed token. It is stored if the person wanted this tab to stay signed in. If
 * somebody is signed in in this tab, it must be a session of the same person and tenant.
 */
export function adoptSession(next: Session): void {
	if (isSessionKept()) keptByTab.write(storageKey, JSON.stringify(next));
	if (!isSignedIn.value) {
		enter(next);
		return;
	}
	batch(() => {
		access.token = next.token;
		session.value = next;
	});
}

/** Ends the session in all tabs, and forgets the token. */
export function signOut(): void {
	const ended = session.value;
	leaveSession();
	tabs.tell('signedOut', ended);
}

/** Ends the session in this tab, and forgets the token. */
export function leaveSession(): void {
	keptByTab.remove(storageKey);
	enter(null);
}

/** Changes the session in one batch, so that no request of the next session is sent before all data of the last one is forgotten. */
function enter(next: Session | null): void {
	batch(() => {
		beginnings.value = beginnings.peek() + 1;
		const last = session.value;
		if (last?.schema !== next?.schema || last?.database !== next?.database) for (const forget of forgetters) forget();
		access.token = next?.token ?? null;
		session.value = next;
		expired.value = false;
	});
}

/** Returns a session that was stored or sent by another tab; null for anything else. */
export function parseSession(value: unknown): Session | null {
	// An earlier release stored no role, because everybody who was signed in could save everything.
	const given = typeof value === 'object' && value !== null ? { role: 'engineer', ...value } : null;
	return isSession(given) ? given : null;
}

function isSession(stored: unknown): stored is Session {
	return (
		typeof stored === 'object' &&
		stored !== null &&
		['token', 'email', 'schema', 'database'].every((name) => name in stored) &&
		'role' in stored &&
		roles.some((role) => role === stored.role) &&
		(!('tenants' in stored) || Array.isArray(stored.tenants))
	);
}
