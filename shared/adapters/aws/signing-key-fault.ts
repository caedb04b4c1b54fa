import { DomainError } from '#domain/errors.ts';
import { reasonOf } from '../redact.ts';

/** The SDK has one name for time that was up and for connections that broke; the code tells them apart. */
const brokenCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/**
 * A failure of what signs tokens, or holds their keys, as the domain names it: `dependency_slow` where time was up,
 * `dependency_failed` otherwise.
 * @param doing what failed: `KMS Sign`
 * @param deadline aborted when there was no more time
 */
export function signingKeyFault(doing: string, error: unknown, deadline: AbortSignal): DomainError {
	if (error instanceof DomainError) return error;
	const code = deadline.aborted || isTimeout(error) ? 'dependency_slow' : 'dependency_failed';
	return new DomainError(code, { dependency: 'signingKey', cause: `${doing}: ${reasonOf(error)}` }, { cause: error });
}

const isTimeout = (error: unknown): boolean =>
	error instanceof Error && error.name === 'TimeoutError' && !('code' in error && brokenCodes.has(error.code));
