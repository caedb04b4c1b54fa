import type { VersionMatch } from '#domain/transaction/version-match.ts';
import type { ApiEvent } from './event.ts';
import { headerOf } from './request.ts';
import { RequestError } from './request-error.ts';

/** One entity tag (RFC 9110, section 8.8.3), and a list of them in which places may be empty (section 5.6.1). */
const entityTag = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

const listOfTags = /^[\s,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:\s*,(?:\s*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?)*\s*$/;

/** The entity tag of a version (RFC 9110, section 8.8.3). */
export function etagOf({ version }: { readonly version: number }): { readonly etag: string } {
	return { etag: `"${version}"` };
}

/**
 * The versions that the client means to change, from If-Match (RFC 9110, section 13.1.1): `*`, or entity tags, of which a weak
 * one and one that is no version match nothing. Throws RequestError 400 for anything else.
 */
export function ifMatchOf(event: ApiEvent): VersionMatch {
	const header = headerOf(event, 'if-match');
	if (header === undefined) return null;
	if (header.trim() === '*') return 'any';
	if (!listOfTags.test(header))
		throw new RequestError(400, 'If-Match', 'Expected the ETag of what you read, in its quotes, such as "3".');
	return [...header.matchAll(entityTag)].flatMap(([, weak, tag = '']): number[] =>
		weak === undefined && /^[1-9]\d*$/.test(tag) ? [Number(tag)] : [],
	);
}
