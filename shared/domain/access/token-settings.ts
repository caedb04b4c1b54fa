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
