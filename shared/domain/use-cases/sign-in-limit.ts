import type { SignInFailure } from '../ports/sign-in-failures.ts';

/** Failures are counted over this time (design section 7). */
export const failureWindowMs = 15 * 60_000;

/** So many failures for an e-mail from one source address block that address; so many from all block all. */
export const maxFailuresPerSource = 10;

export const maxFailures = 100;

/**
 * How long sign-in stays blocked for an e-mail from `source`, in milliseconds; 0 when it is not.
 * @param failures the e-mail's, newest first
 */
export function retryAfterOf(failures: readonly SignInFailure[], source: string, now: number): number {
	const fromSource = failures.filter((failure) => failure.source === source);
	return Math.max(blockedFor(fromSource, maxFailuresPerSource, now), blockedFor(failures, maxFailures, now));
}

function blockedFor(failures: readonly SignInFailure[], limit: number, now: number): number {
	const decisive = failures[limit - 1];
	return decisive === undefined ? 0 : Math.max(0, decisive.at + failureWindowMs - now);
}
