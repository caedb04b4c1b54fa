/** The start of the ids of people who sign in with an OpenID provider. No e-mail looks like one, and no machine. */
export const openIdPersonPrefix = 'person:';

/** The start of the ids of programs whose tokens are exchanged. */
export const programPrefix = 'program:';

/** Returns 32 hex digits that stand for a text: the start of its SHA-256. */
export type Digest = (text: string) => string;

/**
 * Returns the id of a person: what the issuer and the subject there say, with their case. A provider that is renamed in the settings keeps
 * its people, and another issuer has others.
 */
export function openIdPersonId(digest: Digest, issuer: string, subject: string): string {
	return `${openIdPersonPrefix}${digest(`${issuer}\n${subject}`)}`;
}

/** Returns the id of a program, as `openIdPersonId` does. */
export function programId(digest: Digest, issuer: string, subject: string): string {
	return `${programPrefix}${digest(`${issuer}\n${subject}`)}`;
}

/** Returns whether an id is that of a program. */
export function isProgram(id: string): boolean {
	return id.startsWith(programPrefix);
}

/** Returns whether an id, or the key of a person's row, is that of a person who signs in with an OpenID provider. */
export function isOpenIdPerson(id: string): boolean {
	return id.startsWith(openIdPersonPrefix);
}
