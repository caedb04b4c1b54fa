import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two secrets are equal, in a time that depends on their lengths at most. */
export const constantTimeEqual = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
