import { DomainError } from '../errors.ts';

/** The largest row: DynamoDB takes 400 KB, and a row carries more than what a client sent (design section 3). */
export const maxRowBytes = 350_000;

/** Throws `too_large` where a row, in the wire's form, would be larger than the store takes. */
export function checkRowSize(wire: unknown): void {
	const actual = new TextEncoder().encode(JSON.stringify(wire)).length;
	if (actual > maxRowBytes)
		throw new DomainError('too_large', { field: 'request', what: 'bytes to store', actual, limit: maxRowBytes });
}
