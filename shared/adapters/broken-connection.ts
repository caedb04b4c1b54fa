/** Codes of a connection that broke after it was established. `UND_ERR_SOCKET` is the code of `fetch`. */
const brokenCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Whether a request failed because its connection broke. The other side may have carried it out all the same. `fetch` has the error of the
 * connection as the cause of its own.
 */
export function isBrokenConnection(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	return ('code' in error && brokenCodes.has(error.code)) || isBrokenConnection(error.cause);
}
