import { effect, type Signal, signal } from '@preact/signals';
import { type Credentials, credentialFields } from './credentials.ts';
import { goTo, hrefOf, leaveGuard, mayLeave, restoreAddress } from './route.ts';
import { isSessionOf, leaveSession, session } from './session.ts';

/** Credentials that a portal put into the address (`#email=…&tokenApp=…&schemaName=…&tsdb_name=…`); `{}` without any. */
export const addressCredentials: Signal<Partial<Credentials>> = signal({});

/**
 * Reads credentials from the address and removes them from it. It also listens for later changes: a portal may open the console in a tab
 * that already shows it. Then only the part after `#` changes, and the page is not loaded again.
 */
export function startAddressCredentials(): void {
	addressCredentials.value = credentialsIn(location.hash);
	if (hasAny(addressCredentials.value)) goTo(`${location.pathname}${location.search}`, { replace: true });
	// Forgotten after the sign-in: after a sign-out, the next person must not find the access key in the form.
	effect(() => {
		if (session.value !== null) addressCredentials.value = {};
	});
	addEventListener('hashchange', () => {
		const given = credentialsIn(location.hash);
		if (!hasAny(given)) return;
		// Whatever follows, the credentials stay neither in the address nor in the browser's history.
		restoreAddress();
		if (session.value !== null && isSessionOf(session.value, given)) return;
		if (!mayLeave()) return;
		// The person has agreed to lose the edits: `goTo` must not ask a second time.
		leaveGuard.editor = null;
		addressCredentials.value = given;
		// Only this tab is signed out. The other tabs keep their session.
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
