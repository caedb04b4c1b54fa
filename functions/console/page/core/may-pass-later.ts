import type { Failure } from './api.ts';

/** Whether the same request may succeed later: after a new sign-in (401), or when the service answers again (0), has room (429) or has recovered. */
export function mayPassLater({ status }: Failure): boolean {
	return status === 0 || status === 401 || status === 429 || status >= 500;
}
