import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digest } from '#adapters/session-ids.ts';
import { clientIdOf } from '#domain/access/actor.ts';
import { isOpenIdPerson, openIdPersonId, programId } from '#domain/identity/subject.ts';
import { normalizeEmail } from '#domain/ports/users.ts';

const issuer = 'https://issuer.example/';
const idOf = (subject: string, from = issuer) => openIdPersonId(digest, from, subject);

test('a person is the issuer and the subject, with their case', () => {
	const hex = createHash('sha256').update('https://issuer.example/\nAda').digest('hex').slice(0, 32);
	expect(idOf('Ada')).toBe(`person:${hex}`);
	expect(programId(digest, issuer, 'Ada')).toBe(`program:${hex}`);
	const others = [idOf('ada'), idOf('Ada', 'https://issuer.example'), idOf('Ada', 'https://Issuer.example/'), idOf('Ada ')];
	expect(new Set([idOf('Ada'), ...others]).size).toBe(5);
});

test('no subject looks like a machine, and keys survive the normalization of e-mails', () => {
	for (const subject of ['machine:k3v9m2x7q4b8n6t1z5c0', 'person:x', 'boss@x.example', '']) {
		const id = idOf(subject);
		expect([isOpenIdPerson(id), clientIdOf(id), normalizeEmail(id)]).toEqual([true, null, id]);
		expect(isOpenIdPerson(programId(digest, issuer, subject))).toBe(false);
	}
	expect(isOpenIdPerson('ada@x.example')).toBe(false);
});
