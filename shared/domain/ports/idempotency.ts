import { hourMs } from '../milliseconds.ts';
import type { Claim } from './schema-store.ts';

/**
 * How long a claim holds its key. A request that crashed blocks its key no longer than this
 * (shared/domain/transaction/README.md#idempotency).
 */
export const claimMs = 60_000;

/** How long the response of a completed request is kept for its retries. */
export const keepResponseMs = 24 * hourMs;

/**
 * The result of claiming an idempotency key. `claimed`: this request is the first and holds the claim. `running`: the first request
 * is still running. `done`: the first request completed with this response. `other_request`: the key belongs to a different request.
 */
export type ClaimOutcome =
	| { readonly state: 'claimed' }
	| { readonly state: 'running' }
	| { readonly state: 'done'; readonly response: string }
	| { readonly state: 'other_request' };

/** Claims on idempotency keys. `SchemaStore.commit` stores the response of the request that holds the claim. */
export interface Idempotency {
	/**
	 * Claims a key for the request that `fingerprint` identifies. A claim expires after `claimMs`.
	 * @param now epoch milliseconds
	 */
	claim(claim: Claim, fingerprint: string, now: number): Promise<ClaimOutcome>;
	/** Releases a claim, unless its response is stored or another request holds the claim. */
	release(claim: Claim): Promise<void>;
}
