import { addressCredentials } from './address-credentials.ts';
import { adoptSession, isSessionOf, isSignedIn, leaveSession, parseSession, type Session, session, tabs } from './session.ts';
import { timesOf } from './token-times.ts';

/**
 * Shares the session with the other tabs of this browser by messages. A new tab asks for the session. A sign-in, a renewed token and a
 * sign-out reach every tab, except the tabs of another person or tenant. Where the browser denies messages, each tab has its own session.
 * Returns a function that stops it.
 */
export function startSessionTabs(): () => void {
	const channel = openChannel();
	if (channel === null) return () => undefined;
	tabs.tell = (event, sent = null) => channel.postMessage({ event, session: sent });
	channel.onmessage = ({ data }: MessageEvent<unknown>) => {
		const { event, received } = readMessage(data);
		const own = session.value;
		if (event === 'asked' && own !== null && isSignedIn.value) tabs.tell('signedIn', own);
		if (received === null) return;
		if (own === null && event === 'signedIn' && isSessionOf(received, addressCredentials.value)) adoptSession(received);
		// The tabs of a person of a provider share one session, whichever plant they show.
		const isOne = event === 'signedOut' && own?.tenants !== undefined && own.email === received.email;
		if (own === null || (!isOne && !isSamePerson(own, received))) return;
		if (event === 'signedOut') leaveSession();
		else if (issuedAt(received) > issuedAt(own)) adoptSession(received);
	};
	tabs.tell('asked');
	return () => {
		tabs.tell = () => undefined;
		channel.close();
	};
}

/** Returns the channel between the tabs; null where the browser denies it together with storage. */
function openChannel(): BroadcastChannel | null {
	try {
		return new BroadcastChannel('caudal.session');
	} catch {
		return null;
	}
}

function isSamePerson(own: Session, { email, schema, database }: Session): boolean {
	return isSessionOf(own, { email, schemaName: schema, tsdb_name: database });
}

function issuedAt({ token }: Session): number {
	return timesOf(token)?.issuedAt ?? 0;
}

/** Parses a message of another tab. `received` is its session; null without one. */
function readMessage(data: unknown): { readonly event: unknown; readonly received: Session | null } {
	if (typeof data !== 'object' || data === null || !('event' in data)) return { event: null, received: null };
	return { event: data.event, received: 'session' in data ? parseSession(data.session) : null };
}
