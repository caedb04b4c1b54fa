import { effect, type Signal, signal } from '@preact/signals';
import { type Credentials, credentialFields } from './credentials.ts';
import { goTo, hrefOf, leaveGuard, mayLeave, restoreAddress } from './route.ts';
import { isSessionOf, leaveSession, session } from './session.ts';

/** Credentials that a portal put into the address (`#email=…&tokenApp=…&schemaName=…&tsdb_name=…`); `{}` without any. */
export const addressCredentials: Signal<Partial<Credentials>> = signal({});

/**
 * Takes credentials from the address, and erases them from it. A portal may also open the console where it is open already: only the
 * part after `#` changes then, and nothing is loaded.
 */
export function startAddressCredentials(): void {
	addressCredentials.value = credentialsIn(location.hash);
	if (hasAny(addressCredentials.value)) goTo(`${location.pathname}${location.search}`, { replace: true });
	// Used once: after a sign-out, the next person must not find the access key in the form.
	effect(() => {
		if (session.value !== null) addressCredentials.value = {};
	});
	addEventListener('hashchange', () => {
		const given = credentialsIn(location.hash);
		if (!hasAny(given)) return;
		restoreAddress();
		if (session.value !== null && isSessionOf(session.value, given)) return;
		if (!mayLeave()) return;
		leaveGuard.editor = null;
		addressCredentials.value = given;
		// The other tabs stay with their person.
		leaveSession();
		goTo(hrefOf('overview'), { replace: true });
	});
}

function credentialsIn(hash: string): Partial<Credentials> {
	const sent = new URLSearchParams(hash.slice(1));
	return Object.fromEntries(credentialFields.flatMap((field) => (sent.has(field) ? [[field, sent.get(field) ?? '']] : [])));
}

function hasAny(given: Partial<Credentials>): boolean {
	return Object.keys(given).length > 0;
}
