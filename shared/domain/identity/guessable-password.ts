import { DomainError } from '../errors.ts';
import { problem } from '../validation/problem.ts';

/** Fewest different characters that a password has beside what is easily guessed. */
const leastBeside = 6;

/** Words of which the most used passwords are made, and those of the service. */
const guessedWords = (
	'password passwort contraseña contrasena welcome bienvenido letmein iloveyou teamo changeme administrator administrador admin usuario ' +
	'user login secret default master unknown whatever dragon monkey football baseball princess sunshine superman trustno caudal scada water agua'
).split(' ');

/** What is written in place of letters of such words. */
const signsFor: Readonly<Record<string, string>> = { a: '4@', e: '3', i: '1!', l: '1', o: '0', s: '5$', t: '7' };

/** Characters that follow each other: in the alphabet, in numbers, and on keyboards by rows and by columns. */
const sequences = [
	...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'yxcvbnm', 'azertyuiop'],
	...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', 'qazwsxedcrfvtgbyhnujm', '1q2w3e4r5t6y7u8i9o0p', 'q1w2e3r4t5y6u7i8o9p0'],
].flatMap((each) => [each, [...each].reverse().join('')]);

/** Fewest characters of a sequence that count as one. */
const leastRun = 3;

const guessable = problem(
	'password_guessable',
	'Others would guess it soon: it is little more than most used words, the e-mail, sequences and repetitions. Take several words that have nothing to do with each other.',
);

/**
 * Refuses a password that is among the first that others try (NIST SP 800-63B, 3.1.1.2).
 * @param email that of the person
 * @throws DomainError `invalid`
 */
export function refuseGuessable(password: string, email: string): void {
	const address = email.toLowerCase();
	const words = [address, ...address.split(/[^\p{L}]+/u), ...guessedWords].filter((word) => word.length >= leastRun);
	let beside = password.toLowerCase();
	for (const word of words.sort((a, b) => b.length - a.length)) beside = beside.replaceAll(patternOf(word), ' ');
	if (new Set(withoutRuns(beside).replaceAll(' ', '')).size < leastBeside)
		throw new DomainError('invalid', { issues: [{ path: 'password', ...guessable }] });
}

/** Returns the pattern of a word, also with signs in place of letters. */
function patternOf(word: string): RegExp {
	const choices = Array.from(word, (each) => `[${each.replace(/[\\\]^-]/, '\\$&')}${signsFor[each] ?? ''}]`);
	return new RegExp(choices.join(''), 'gu');
}

/** Returns a text without what is part of a sequence. */
function withoutRuns(text: string): string {
	let rest = '';
	for (let index = 0; index < text.length; ) {
		const run = Math.max(...sequences.map((sequence) => runLength(text.slice(index), sequence)));
		if (run < leastRun) rest += text.charAt(index);
		index += run < leastRun ? 1 : run;
	}
	return rest;
}

/** Returns how many characters at the start of a text follow each other in a sequence. */
function runLength(text: string, sequence: string): number {
	const from = sequence.indexOf(text.charAt(0));
	const following = from < 0 ? '' : sequence.slice(from);
	let length = 0;
	while (length < following.length && text.charAt(length) === following.charAt(length)) length += 1;
	return length;
}
