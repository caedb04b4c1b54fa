import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';

/** The longest request: a sign-in that read a grant or an owner before a change has stored its session after this time, in milliseconds. */
const longestRequestMs = 30_000;

/** The stores of the sessions of OpenID providers. */
export type SessionStores = Pick<Stores, 'openIdSessions' | 'openIdSessionTokens'>;

/** Ends the sessions of OpenID providers that a command concerns. @returns how many */
export async function endSessionsNow(
	{ openIdSessions, openIdSessionTokens }: SessionStores,
	concerns: (session: OpenIdSession) => boolean,
): Promise<number> {
	const concerned = (await openIdSessions.list()).filter(concerns);
	for (const { id } of concerned) {
		await openIdSessions.remove(id);
		await openIdSessionTokens.remove(id);
	}
	return concerned.length;
}

/**
 * Ends the sessions that a command concerns, at once and again after the longest request, because a sign-in may have read just before the
 * command what it changed. Whoever another grant lets in signs in again.
 * @returns how many
 */
export async function endSessions(
	stores: SessionStores,
	concerns: (session: OpenIdSession) => boolean,
	pause: (ms: number) => Promise<unknown>,
): Promise<number> {
	const atOnce = await endSessionsNow(stores, concerns);
	await pause(longestRequestMs);
	return atOnce + (await endSessionsNow(stores, concerns));
}
