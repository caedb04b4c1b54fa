import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are equal, in a time that depends on their lengths at most. */
export function constantTimeEqual(a: string, b: string): boolean {
	return timingSafeEqual(digest(a), digest(b));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
