import { createHash } from 'node:crypto';
import type { VersionMatch } from '#domain/transaction/checks.ts';
import type { ApiEvent } from './event.ts';
import { headerOf } from './request.ts';
import { RequestError } from './request-error.ts';

/** One entity tag (RFC 9110, section 8.8.3). */
const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** A list of entity tags; elements may be empty (RFC 9110, section 5.6.1). */
const entityTags = /^[\s,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,(?:\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?)*\s*$/;

/** Characters of a hash in a tag. They hold 132 bits, so no two texts have the same tag. */
const contentTagLength = 22;

/** Returns the ETag header of a stored version: the number in quotes. */
export function etagOf({ version }: { readonly version: number }): { readonly etag: string } {
	return { etag: `"${version}"` };
}

/**
 * Returns the entity tag of a text that changes with a deployment only. It is weak: the compressed form and the plain one have the same
 * tag (RFC 9110, section 8.8.1).
 */
export function contentEtagOf(text: string): string {
	return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, contentTagLength)}"`;
}

/** Returns whether the header If-None-Match names a tag, or is `*`. Tags are compared without regard to `W/` (RFC 9110, section 13.1.2). */
export function isUnchanged(event: ApiEvent, etag: string): boolean {
	const header = headerOf(event, 'if-none-match')?.trim() ?? '';
	if (header === '*') return true;
	const opaque = (tag: string): string => tag.replace(/^W\//, '');
	return [...header.matchAll(entityTag)].some(([tag]) => opaque(tag) === opaque(etag));
}

/**
 * Returns the versions that the header If-Match allows to change (RFC 9110, section 13.1.1). `null`: no header, so any version.
 * `any`: `*`, so any version that exists. A list: these versions; weak tags and tags that are no version match nothing.
 * @throws RequestError 400 when the header is neither `*` nor a list of entity tags.
 */
export function ifMatchOf(event: ApiEvent): VersionMatch {
	const header = headerOf(event, 'if-match');
	if (header === undefined) return null;
	if (header.trim() === '*') return 'any';
	if (!entityTags.test(header))
		throw new RequestError(400, 'If-Match', 'bad_if_match', 'Expected the ETag of what you read, in its quotes, such as "3".');
	return [...header.matchAll(entityTag)].flatMap(([, weak, tag = '']): number[] =>
		weak === undefined && /^[1-9]\d*$/.test(tag) ? [Number(tag)] : [],
	);
}
