import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shownName } from '#domain/identity/shown-name.ts';

const sub = '8f1';

test.each([
	['the verified e-mail', { sub, name: 'Ada', email: 'ada@x.example', email_verified: true }, 'ada@x.example (entra)'],
	['else the name', { sub, name: 'Ada', preferred_username: 'ada1' }, 'Ada (entra)'],
	['else the user name', { sub, preferred_username: 'ada1' }, 'ada1 (entra)'],
	['else the subject', { sub }, '8f1 (entra)'],
	['no e-mail that is not verified', { sub, name: 'Ada', email: 'boss@x.example', email_verified: false }, 'Ada (entra)'],
	['no name that looks like an e-mail', { sub, name: 'boss@x.example' }, 'boss at x.example (entra)'],
	['no user name that looks like an e-mail', { sub, preferred_username: 'boss＠x.example' }, 'boss at x.example (entra)'],
	['no marks that turn the text', { sub, name: '\u202eadA\u2066\u200f' }, 'adA (entra)'],
	['no control characters and no lines', { sub, name: '\u001b[31mAda\u0007\nGrace\u2028' }, '[31mAdaGrace (entra)'],
	['no characters that nobody sees', { sub, name: 'A\u200bd\u3164a\u00ad' }, 'Ada (entra)'],
	['no name of blanks', { sub, name: ' \u00a0\t', preferred_username: '\u202e' }, '8f1 (entra)'],
	['no name that is no text', { sub, name: { first: 'Ada' }, preferred_username: [] }, 'first (entra)'],
	['at most 100 characters', { sub, name: '😀'.repeat(101) }, `${'😀'.repeat(100)} (entra)`],
	['the provider last, whatever the name says', { sub, name: 'Ada (google)' }, 'Ada (google) (entra)'],
])('shows %s', (_, claims, shown) => {
	expect(shownName(claims, 'entra')).toBe(shown);
});

test('nobody looks like the person of a verified e-mail, and no name is empty', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (name, subject) => {
			const shown = shownName({ sub: subject, name, email: 'boss@x.example' }, 'entra');
			expect(shown).toMatch(/^[^@]+ \(entra\)$/u);
			expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
		}),
	);
});
