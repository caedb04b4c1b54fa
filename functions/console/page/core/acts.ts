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
	 * @param content what is saved or deleted; a repeated request is recognised by it
	 * @param version the version that must still be stored; null for a new item
	 * @example
	 * await acts.send(body, 3, (header) => resultOf(api.POST('/saveChart', { params: { header }, body })));
	 */
	send<Data>(
		content: unknown,
		version: number | null,
		request: (header: ActHeaders) => Promise<Result<Data>>,
	): Promise<Result<Data>>;
}

/** Creates a sender of acts. `newKey` returns a key that was never used. */
export function createActs(newKey: () => string = () => crypto.randomUUID()): Acts {
	/** The keys of requests that the service may or may not have carried out. */
	const pending = new Map<string, string>();
	return {
		send: async (content, version, request) => {
			const act = JSON.stringify([content, version]);
			const key = pending.get(act) ?? newKey();
			pending.set(act, key);
			const result = await request({
				'Idempotency-Key': key,
				...(version === null ? {} : { 'If-Match': `"${version}"` }),
			});
			if (result.ok || !isUndecided(result.failure)) pending.delete(act);
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
