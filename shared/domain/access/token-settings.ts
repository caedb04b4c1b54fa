import type { Role } from './role.ts';

/** The largest share by which a token's lifetime is shortened at random, so that tokens issued together do not expire together. */
const lifetimeVariation = 0.1;

/** The token claims that are the same for every user (shared/domain/use-cases/README.md#tokens). */
export interface TokenSettings {
	readonly issuer: string;
	readonly audience: string;
	/** The scope of viewers, and that of all other roles. */
	readonly scopes: { readonly read: string; readonly service: string };
	/** The longest lifetime. Each token lives up to a tenth less. */
	readonly lifetimeSeconds: number;
	/** How long after signing in tokens are renewed. */
	readonly sessionSeconds: number;
}

/** Returns when a new token ends. It and `issuedAt` are in seconds since the epoch. */
export function endOfToken(
	{ lifetimeSeconds }: Pick<TokenSettings, 'lifetimeSeconds'>,
	random: () => number,
	issuedAt: number,
): number {
	return issuedAt + Math.ceil(lifetimeSeconds * (1 - lifetimeVariation * random()));
}

/** Returns the widest scope of a role. */
export function scopeOfRole(scopes: TokenSettings['scopes'], role: Role): string {
	return role === 'viewer' ? scopes.read : scopes.service;
}

/**
 * Returns the scope of a token: the widest that was asked for, or the widest of all if none was. Undefined: the role may not have one that
 * was asked for.
 * @param asked the scopes that a client asks for, separated by spaces
 */
export function grantedScope(scopes: TokenSettings['scopes'], role: Role, asked: string): string | undefined {
	const allowed = role === 'viewer' ? [scopes.read] : [scopes.service, scopes.read];
	const wanted = asked.split(' ').filter((each) => each !== '');
	if (wanted.some((each) => !allowed.includes(each))) return undefined;
	return allowed.find((each) => wanted.length === 0 || wanted.includes(each));
}
