import type { Claim } from './schema-store.ts';

/** How long a request may hold a claim: one that crashed blocks its key no longer (design section 6). */
export const claimMs = 60_000;

/** How long a first answer is repeated. */
export const keepAnswerMs = 24 * 3_600_000;

/**
 * What a request that comes with a key meets. `claimed`: it is the first, and holds the claim. `running`: the first one is under
 * way. `done`: the first one's answer. `other_request`: the key came with another request.
 */
export type ClaimOutcome =
	| { readonly state: 'claimed' }
	| { readonly state: 'running' }
	| { readonly state: 'done'; readonly response: string }
	| { readonly state: 'other_request' };

/** Requests that must be executed once, however often they are sent. The answer is kept by `SchemaStore.commit`. */
export interface Idempotency {
	/**
	 * Claims a key for the request that `fingerprint` identifies. A claim lapses after `claimMs`.
	 * @param now epoch milliseconds
	 */
	claim(claim: Claim, fingerprint: string, now: number): Promise<ClaimOutcome>;
	/** Gives a claim up, unless its answer is kept already or another request holds it. */
	release(claim: Claim): Promise<void>;
}
