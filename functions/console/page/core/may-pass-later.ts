import type { Failure } from './api.ts';

/** Whether the same request may succeed later: after signing in again, or once the service is no longer busy or failing. */
export function mayPassLater({ status }: Failure): boolean {
	return status === 0 || status === 401 || status === 429 || status >= 500;
}
