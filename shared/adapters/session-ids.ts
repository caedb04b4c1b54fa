import { createHash, randomBytes } from 'node:crypto';
import type { Digest } from '#domain/identity/subject.ts';
import type { SessionIds } from '#domain/ports/openid-sessions.ts';

const sidBytes = 32;
const digestLength = 32;

/** `SessionIds` made of random numbers of the system and SHA-256. */
export const sessionIds: SessionIds = {
	newSid: () => randomBytes(sidBytes).toString('base64url'),
	idOf: (sid) => createHash('sha256').update(sid).digest('base64url'),
};

/** `Digest`: the first 32 hex digits of the SHA-256 of a text in UTF-8. */
export const digest: Digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, digestLength);
