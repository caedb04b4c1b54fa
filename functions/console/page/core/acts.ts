import type { Failure, Result } from './api.ts';
import { mayPassLater } from './may-pass-later.ts';

/** The headers of a request that changes something. */
export interface ActHeaders {
	/** Names the act: the service answers a repeated request like the first one, and does nothing again. */
	readonly 'Idempotency-Key': string;
	/** The version that must still be stored; absent where there is none. */
	readonly 'If-Match'?: string;
}

/** Sends requests that change something: saves, deletions and others. */
export interface Acts {
	/**
	 * Sends an act. The same content on the same version, sent again after an answer that was lost, is the same act.
	 * @param content tells the acts of one sender apart
	 * @param version the version that must still be stored; null where there is none
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
	/** The keys of the acts of which it is not known whether they happened. */
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

/** Whether it is not known yet if the act happened: no answer came, a retry may succeed, or its first request still runs. */
const isUndecided = (failure: Failure): boolean =>
	failure.kind === 'unreachable' || mayPassLater(failure) || failure.errors['Idempotency-Key']?.params['reason'] === 'running';
