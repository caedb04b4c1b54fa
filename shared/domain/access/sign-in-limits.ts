import { DomainError } from '../errors.ts';
import { type AttemptScope, attemptWindowMs, type CountedAttempt, type SignInAttempts } from '../ports/sign-in-attempts.ts';

/** An attempt to sign in with a normalized e-mail, from a source (`networkOf`). */
export interface SignInAttempt extends CountedAttempt {
	readonly email: string;
	readonly source: string;
}

/** Most attempts within the window (`attemptWindowMs`): of one e-mail from one source, of one e-mail from all, and of all e-mails from one source. */
const maxOfEmailFromSource = 10;
const maxOfEmail = 100;
const maxFromSource = 60;

/** An attempt is usually decided within this time, in milliseconds: it is withdrawn, or has failed. */
const undecidedMs = 5000;

/**
 * Counts an attempt before the identity provider is asked, so that parallel guesses meet the limits
 * (shared/domain/access/README.md#limits-on-sign-in). A source that signed in with the e-mail before has only its own failures counted
 * against it, so that others cannot lock it out.
 * @returns whether the source has signed in with the e-mail before
 * @throws DomainError `sign_in_blocked` when a limit is reached; the attempt is then not counted
 */
export async function countAttempt(attempts: SignInAttempts, attempt: SignInAttempt): Promise<boolean> {
	const { at, email, source } = attempt;
	const [blocking, isKnown] = await Promise.all([
		attempts.count({ email, source }, attempt, maxOfEmailFromSource),
		attempts.isKnown(email, source, at),
	]);
	throwIfBlocked(retryAfterOf(blocking, maxOfEmailFromSource, at));
	if (isKnown) return true;
	const [ofEmail, fromSource] = await Promise.all([
		attempts.count({ email, source: null }, attempt, maxOfEmail),
		attempts.count({ email: null, source }, attempt, maxFromSource),
	]);
	const retryAfterMs = Math.max(retryAfterOf(ofEmail, maxOfEmail, at), retryAfterOf(fromSource, maxFromSource, at));
	if (retryAfterMs > 0) await withdrawAttempt(attempts, attempt);
	throwIfBlocked(retryAfterMs);
	return false;
}

/** Stands for the e-mail of an attempt to sign in with an OpenID provider, which names none. No normalized e-mail has capital letters. */
const openIdKey = 'OPENID';

/**
 * Counts an attempt to sign in with an OpenID provider before the provider is asked. Returns the function that withdraws it.
 * @throws DomainError `sign_in_blocked` when the source has too many failures; the attempt is then not counted
 */
export async function countOpenIdAttempt(
	attempts: SignInAttempts,
	attempt: CountedAttempt & { readonly source: string },
): Promise<() => Promise<void>> {
	const scope = { email: openIdKey, source: attempt.source };
	throwIfBlocked(retryAfterOf(await attempts.count(scope, attempt, maxFromSource), maxFromSource, attempt.at));
	return () => attempts.withdraw(scope, attempt);
}

/** Withdraws an attempt from all scopes in which it was counted. */
export async function withdrawAttempt(attempts: SignInAttempts, attempt: SignInAttempt): Promise<void> {
	const { email, source } = attempt;
	const scopes: readonly AttemptScope[] = [
		{ email, source },
		{ email, source: null },
		{ email: null, source },
	];
	await Promise.all(scopes.map((scope) => attempts.withdraw(scope, attempt)));
}

/**
 * Returns the source in which attempts from an address are counted. An IPv6 address counts as its /64 network, because one subscriber has
 * all of its addresses; an IPv4 address inside IPv6 counts as itself.
 * @example networkOf('2001:db8::7') // '2001:db8:0:0::/64'
 */
export function networkOf(address: string): string {
	// A URL writes IPv6 in one way. The part after % names an interface of the machine, not an address.
	const canonical = URL.parse(`http://[${address.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1);
	// Not IPv6: an IPv4 address, which counts as itself.
	if (canonical === undefined) return address;
	const groups = ipv6GroupsOf(canonical);
	const isIpv4Inside = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
	if (!isIpv4Inside) return `${groups.slice(0, 4).join(':')}::/64`;
	const bytePairs = groups.slice(6).map((group) => Number.parseInt(group, 16));
	// Each of the last two groups holds two bytes of the IPv4 address.
	return bytePairs.flatMap((pair) => [pair >> 8, pair & 0xff]).join('.');
}

/** Returns the eight groups of an IPv6 address: `::` stands for as many groups of 0 as are left out. */
function ipv6GroupsOf(canonical: string): readonly string[] {
	const [left = [], right = []] = canonical.split('::').map((half) => half.split(':').filter((group) => group !== ''));
	return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

/**
 * Returns how long sign-in stays blocked: until the attempt that reached the limit leaves the window, or until the newest attempts
 * are decided, because they may succeed. 0 when it is not blocked.
 * @param times of the attempts that fill the limit, newest first
 */
function retryAfterOf(times: readonly number[], limit: number, now: number): number {
	const [newest, decisive] = [times[0], times[limit - 1]];
	if (newest === undefined || decisive === undefined) return 0;
	const untilDecided = newest + undecidedMs - now;
	const untilFree = decisive + attemptWindowMs - now;
	// 0 would mean that it is not blocked.
	return Math.max(1, untilDecided > 0 ? Math.min(untilDecided, untilFree) : untilFree);
}

function throwIfBlocked(retryAfterMs: number): void {
	if (retryAfterMs > 0) throw new DomainError('sign_in_blocked', { retryAfterMs });
}
