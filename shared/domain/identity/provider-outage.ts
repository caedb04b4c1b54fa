import { DomainError } from '../errors.ts';

/** Tells the operator that a provider is down, and that a session goes on without its word. */
export type ReportOutage = (outage: DomainError) => void;

/**
 * Returns whether a status other than 2xx is that of a provider that is down: a redirect, 5xx, and of 4xx that it did not get the request in time (408)
 * or gets too many (429). The others are its word, if not always about the person.
 */
export function isDownStatus(status: number): boolean {
	return status < 400 || status >= 500 || status === 408 || status === 429;
}

/**
 * Returns whether an error says that a provider is down, which a session outlasts (shared/domain/identity/README.md#a-provider-that-is-down). It is
 * not down where it refuses a person, or the service's own credentials.
 */
export function isOutage(error: unknown): error is DomainError {
	if (!(error instanceof DomainError)) return false;
	return error.code === 'dependency_slow' || ('isDown' in error.payload && error.payload.isDown === true);
}

/** Returns the function that tells the operator of a provider that is down, and returns undefined. It throws every other error. */
export function downAfter(report: ReportOutage): (error: unknown) => undefined {
	return (error) => {
		if (!isOutage(error)) throw error;
		report(error);
	};
}
