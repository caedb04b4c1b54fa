import { type Dependency, DomainError } from '#domain/errors.ts';
import { isBrokenConnection } from '../broken-connection.ts';
import { redactError } from '../redact.ts';

/**
 * Converts a failure of an AWS service to the domain's error: `dependency_slow` when time was up, else `dependency_failed`. A
 * DomainError stays as it is.
 * @param operation names the request in the log: `KMS Sign`
 * @param deadline aborted when the time of the request was up
 */
export function awsFault(dependency: Dependency, operation: string, error: unknown, deadline: AbortSignal): DomainError {
	if (error instanceof DomainError) return error;
	const code = deadline.aborted || isTimeout(error) ? 'dependency_slow' : 'dependency_failed';
	return new DomainError(code, { dependency, cause: `${operation}: ${redactError(error)}` }, { cause: error });
}

/** The SDK gives a timeout and a broken connection the same name. */
const isTimeout = (error: unknown): boolean =>
	error instanceof Error && error.name === 'TimeoutError' && !isBrokenConnection(error);
