import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares two secrets in a time that depends on nothing but their lengths. Their hashes are compared, because those have equal lengths, which
 * the comparison needs.
 */
export function constantTimeEqual(a: string, b: string): boolean {
	return timingSafeEqual(digest(a), digest(b));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
