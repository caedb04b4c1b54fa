import { expect, test } from 'vitest';
import { createScryptPasswords } from '#infra/local/adapters/scrypt-passwords.ts';
import vectors from '#test/vectors/passwords.json' with { type: 'json' };

const passwords = createScryptPasswords();
const client = { email: 'a', source: '1', isKnown: false };

test.each(vectors.scrypt)('verifies the vector of RFC 7914 for $password', async ({ password, salt, logN, r, p, key }) => {
	const hash = `$scrypt$ln=${logN},r=${r},p=${p}$${Buffer.from(salt).toString('base64url')}$${Buffer.from(key, 'hex').toString('base64url')}`;
	expect(await passwords.verify(password, hash, client)).toBe(true);
	expect(await passwords.verify(`${password}.`, hash, client)).toBe(false);
});

test('hashes with a salt of its own, and with the costs in the text', async () => {
	const [a, b] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
	expect(a).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w-]{22}\$[\w-]{43}$/);
	expect(a).not.toBe(b);
	expect([await passwords.verify('correct horse', a, client), await passwords.verify('Correct horse', a, client)]).toEqual([
		true,
		false,
	]);
});

test('takes a password that is written in another form of Unicode', async () => {
	const hash = await passwords.hash('contrasen\u0303a');
	expect(await passwords.verify('contrase\u00f1a', hash, client)).toBe(true);
});

test.each([null, 'plain'])('verifies nothing against %s', async (hash) => {
	expect(await passwords.verify('plain', hash, client)).toBe(false);
});

const cheap = '$scrypt$ln=10,r=8,p=1$c2FsdA$AA';

test('lets 2 run and 40 wait, and refuses more until some are done', async () => {
	const verify = (_: unknown, index: number) =>
		passwords.verify('x', cheap, { email: `${index}`, source: `${index}`, isKnown: false });
	const settled = await Promise.allSettled(Array.from({ length: 45 }, verify));
	expect(settled.map(({ status }) => status)).toEqual([...Array(42).fill('fulfilled'), ...Array(3).fill('rejected')]);
	for (const each of settled.slice(42))
		expect(each).toMatchObject({ reason: { code: 'sign_in_blocked', payload: { retryAfterMs: 5000 } } });
	expect(await Promise.all(Array.from({ length: 42 }, verify))).toEqual(Array(42).fill(false));
});

test('one e-mail has 2 places and one source 20, so that a right password of somebody keeps nobody else out', async () => {
	const of = (email: string, source: string) => () => passwords.verify('x', cheap, { email, source, isKnown: false });
	const statuses = async (works: readonly (() => Promise<boolean>)[]) =>
		(await Promise.allSettled(works.map((work) => work()))).map(({ status }) => status === 'fulfilled');
	expect(await statuses([of('a', '1'), of('a', '2'), of('a', '3'), of('b', '1')])).toEqual([true, true, false, true]);
	const office = Array.from({ length: 21 }, (_, index) => of(`${index}`, 'office'));
	expect(await statuses([...office, of('b', '1')])).toEqual([...Array(20).fill(true), false, true]);
});

test('who has signed in before does not wait behind strangers', async () => {
	const done: string[] = [];
	const verify = async (email: string, isKnown: boolean) => {
		await passwords.verify('x', cheap, { email, source: email, isKnown });
		done.push(email);
	};
	const strangers = Array.from({ length: 30 }, (_, index) => verify(`stranger ${index}`, false));
	await Promise.all([...strangers, verify('known', true)]);
	expect(done.indexOf('known')).toBeLessThan(6);
});
