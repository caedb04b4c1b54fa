import type { Failure } from './api.ts';

/** Whether the same request may succeed later, after a new sign-in or when the service has recovered. */
export function mayPassLater({ status }: Failure): boolean {
	return status === 0 || status === 401 || status === 429 || status >= 500;
}
