import type { Result } from './api.ts';

/** Gives the requests of one form their keys, for the header `Idempotency-Key`. */
export interface ActKeys {
	/** Returns the key under which content is sent. The same content after an answer that was lost is the same act, with the same key. */
	keyOf(content: string): string;
	/** Notes how the last act was answered. */
	answered(result: Result<unknown>): void;
}

/** Creates the keys of a form that has sent nothing yet. `newKey` returns a key that was never used. */
export function createActKeys(newKey: () => string = () => crypto.randomUUID()): ActKeys {
	/** The last act of which it is not known whether it happened. */
	let pending: { readonly content: string; readonly key: string } | null = null;
	return {
		keyOf: (content) => {
			pending = pending?.content === content ? pending : { content, key: newKey() };
			return pending.key;
		},
		answered: (result) => {
			const isKnown = result.ok || (result.failure.kind !== 'unreachable' && result.failure.status < 500);
			if (isKnown) pending = null;
		},
	};
}
