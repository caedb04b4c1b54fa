import { createHash } from 'node:crypto';

/**
 * Returns the entity tag of a text that changes with a deployment only. It is weak: the compressed form and the plain one have the same
 * tag (RFC 9110, section 8.8.1).
 */
export function contentEtagOf(text: string): string {
	return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}
