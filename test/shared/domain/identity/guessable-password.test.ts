import fc from 'fast-check';
import { expect, test } from 'vitest';
import { refuseGuessable } from '#domain/identity/guessable-password.ts';

const email = 'Ana.Garcia@plant.example';

test.each([
	...['aaaaaaaaaaaa', '            ', '121212121212', 'abcabcabcabc', 'ñandúñandúñandú'],
	...['123456789012', '098765432109', 'abcdefghijkl', 'lkjihgfedcba', 'abc123456789', '123456789abc'],
	...['qwertyuiop12', '1q2w3e4r5t6y', '1qaz2wsx3edc', 'zaq12wsxcde3', 'q1w2e3r4t5y6', 'azertyuiop12', 'qwertzuiop12'],
	...['password1234', 'Password2026!', 'PasswordPassword', 'contraseña123', 'CONTRASEÑA123', 'administrator', 'administrador1'],
	...['qwerty123456', 'iloveyou1234', 'letmein12345', 'welcome12345', 'changeme1234', 'unknown12345', 'Caudal-12345'],
	...['ana.garcia@plant.example', 'ANA.GARCIA@PLANT.EXAMPLE', 'ana.garcia12', 'AnaGarcia2026', 'garcia123456', 'plant1234567'],
	...['P@ssw0rd1234', 'Passw0rd2026!', 'p4$$w0rd!!!!', 'Adm1n1str4dor', 'C4ud4l-12345', 'ch@ng3m312345', '@n@.g4rci4123'],
	// Five different characters beside the word.
	...['passwordxkvbp', 'xkvbp admin xkvbp'],
])('is refused, with its field: %s', (password) => {
	expect(() => refuseGuessable(password, email)).toThrow(
		expect.objectContaining({ payload: { issues: [expect.objectContaining({ path: 'password', code: 'password_guessable' })] } }),
	);
});

test.each([
	...[
		'correct horse battery staple',
		'tinaja ochenta verano',
		'pumpe-mond-kaese',
		'Los tanques del norte',
		'水位計の新しい秘密の言葉です',
	],
	...['zL9#vq!2pRwt', '847362910564', 'user-mond-kaese7', 'kX7ana.garcia-lm2Q'],
])('is taken: %s', (password) => {
	expect(() => refuseGuessable(password, email)).not.toThrow();
});

test('characters of an e-mail that mean something in a pattern mean themselves', () => {
	for (const sent of ['a^b-c]d\\e@plant.example', '[^]^^^@plant.example']) {
		expect(() => refuseGuessable(`${sent}123`, sent)).toThrow();
		expect(() => refuseGuessable('tinaja ochenta verano', sent)).not.toThrow();
	}
});

test('one character or two, however often, are refused', () => {
	fc.assert(
		fc.property(
			fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 2 }),
			fc.integer({ min: 6, max: 60 }),
			(unit, times) => {
				expect(() => refuseGuessable(unit.repeat(times), email)).toThrow();
			},
		),
	);
});
