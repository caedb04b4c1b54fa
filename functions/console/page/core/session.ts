import { batch, computed, signal } from '@preact/signals';
import { mayAct, type Role, roles } from '#domain/access/role.ts';
import { access, api, type Failure, resultOf, type Schemas } from './api.ts';
import type { Credentials } from './credentials.ts';

/** A person who is signed in, and the tenant. */
export interface Session {
	readonly token: string;
	readonly email: string;
	readonly schema: string;
	readonly database: string;
	readonly role: Role;
}

/** The name under which the session is kept while the tab is open. */
const storageKey = 'caudal.session';

/** The session; null before the first sign-in and after signing out. It stays while `expired` asks to sign in again. */
export const session = signal<Session | null>(null);

/** Whether the service no longer takes the token. Screens stay as they are, with what was typed, below the sign-in form. */
export const expired = signal(false);

/** Returns whether the person who is signed in may do what needs a role. What they may never do is not drawn. */
export function may(needs: Role): boolean {
	return session.value !== null && mayAct(session.value.role, needs);
}

/** Whether requests can be sent. */
export const isSignedIn = computed(() => session.value !== null && !expired.value);

access.onRefused = () => {
	if (session.value !== null) expired.value = true;
};

/**
 * Returns a function that says whether the session is still the same as when it was created. An answer to a request of another session must
 * not be shown: another tenant's variables have the same ids.
 */
export function sessionCheck(): () => boolean {
	const checked = beginnings.peek();
	return () => beginnings.peek() === checked;
}

/** How many sessions have begun or ended. A renewed token begins none. */
export const beginnings = signal(0);

/** What happens to the session of this tab. `asked`: it is new, and asks the others for theirs. */
type SessionEvent = 'asked' | 'signedIn' | 'renewed' | 'signedOut';

/** Tells the other tabs of this browser. Set where the session is shared with them (session-tabs.ts). */
export const tabs: { tell: (event: SessionEvent, told: Session | null) => void } = { tell: () => undefined };

const forgetters = new Set<() => void>();

/** Calls `forget` before another tenant's session begins, and when somebody signs out. For what is kept of a tenant: ids are the same in each. */
export function onTenantChange(forget: () => void): void {
	forgetters.add(forget);
}

/** Takes up the session of this tab, where the person asked to keep it, and a portal names no other person or tenant. */
export function restoreSession(given: Partial<Credentials>): void {
	const text = sessionStorage.getItem(storageKey);
	const stored = text === null ? null : parseSession(JSON.parse(text));
	if (stored === null) return;
	if (isSessionOf(stored, given)) enter(stored);
	else sessionStorage.removeItem(storageKey);
}

/** Whether a session is of the person and the tenant that credentials name, as far as they do. */
export function isSessionOf({ email, schema, database }: Session, given: Partial<Credentials>): boolean {
	const { email: givenEmail = email, schemaName = schema, tsdb_name = database } = given;
	return email === givenEmail && schema === schemaName && database === tsdb_name;
}

/** Exchanges credentials for a session. Returns why it was refused, or null. */
export async function signIn(credentials: Credentials, keep: boolean): Promise<Failure | null> {
	access.token = null;
	const result = await resultOf(api.POST('/loginSso', { body: credentials }));
	if (!result.ok) return result.failure;
	const { token, user } = result.data;
	const next = { token, email: user.email, schema: credentials.schemaName, database: credentials.tsdb_name, role: user.role };
	if (keep) sessionStorage.setItem(storageKey, JSON.stringify(next));
	else sessionStorage.removeItem(storageKey);
	enter(next);
	tabs.tell('signedIn', next);
	return null;
}

/** Goes on with a renewed token and the role of now, in all tabs. */
export function renewSession({ token, user }: Schemas['Session']): void {
	if (session.value === null) return;
	const renewed = { ...session.value, token, role: user.role };
	adoptSession(renewed);
	tabs.tell('renewed', renewed);
}

/** Takes up a session of another tab, or one with a renewed token. It is kept where the person asked this tab to keep it. */
export function adoptSession(next: Session): void {
	if (sessionStorage.getItem(storageKey) !== null) sessionStorage.setItem(storageKey, JSON.stringify(next));
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
	sessionStorage.removeItem(storageKey);
	enter(null);
}

/** One batch, so that nothing is asked for the next session before everything of the last one is forgotten. */
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
	// An earlier release kept no role, and whoever signed in to it could save everything.
	const given = typeof value === 'object' && value !== null ? { role: 'engineer', ...value } : null;
	return isSession(given) ? given : null;
}

function isSession(stored: unknown): stored is Session {
	return (
		typeof stored === 'object' &&
		stored !== null &&
		['token', 'email', 'schema', 'database'].every((name) => name in stored) &&
		'role' in stored &&
		roles.some((role) => role === stored.role)
	);
}
