import type { Failure, Result } from './api.ts';
import { mayPassLater } from './may-pass-later.ts';

/** The headers of a request that changes something. */
export interface ActHeaders {
	/** The idempotency key. The service answers a repeated request with the same key like the first one, and does nothing again. */
	readonly 'Idempotency-Key': string;
	/** The version that must still be stored. Absent for a new item. */
	readonly 'If-Match'?: string;
}

/** Sends requests that change something: saves, deletions and others. */
export interface Acts {
	/**
	 * Sends a request. If an answer was lost, sending the same content and version again reuses the key, so that nothing is done twice.
	 * @example
	 * await acts.send({ content: body, version: 3 }, (header) => resultOf(api.POST('/saveChart', { params: { header }, body })));
	 */
	send<Data>(act: Act, request: (header: ActHeaders) => Promise<Result<Data>>): Promise<Result<Data>>;
}

/** Identifies a request that changes something. A repetition of the request has an equal act. */
export interface Act {
	/** The data that is sent. It must be JSON. */
	readonly content: unknown;
	/** The version that must still be stored. Null or absent for a new item. */
	readonly version?: number | null;
}

/** Creates a sender of acts. `newKey` returns a key that was never used. */
export function createActs(newKey: () => string = () => crypto.randomUUID()): Acts {
	/** The idempotency keys of requests that the service may or may not have carried out, by the text of their act. */
	const pendingKeys = new Map<string, string>();
	return {
		send: async ({ content, version = null }, request) => {
			const actText = JSON.stringify([content, version]);
			const key = pendingKeys.get(actText) ?? newKey();
			pendingKeys.set(actText, key);
			const result = await request({
				'Idempotency-Key': key,
				...(version === null ? {} : { 'If-Match': `"${version}"` }),
			});
			if (result.ok || !isUndecided(result.failure)) pendingKeys.delete(actText);
			return result;
		},
	};
}

/** Whether the service may have carried out a failed request: no answer came, a retry may succeed, or the first request with its key still runs. */
export function isUndecided(failure: Failure): boolean {
	return (
		failure.kind === 'unreachable' || mayPassLater(failure) || failure.errors['Idempotency-Key']?.params['reason'] === 'running'
	);
}
