import { describe, expect, test } from 'vitest';
import { type Secret, SecretError } from '#adapters/secret.ts';
import { tokenFor } from '#adapters/token-by-address.ts';

const [a, b] = ['https://a.utility.test', 'https://b.utility.test'];

/** A secret whose text changes when it is read again, and the number of times that it was. */
function changing(...texts: readonly string[]): Secret & { refreshes(): number } {
	let at = 0;
	const current = (): string => texts[Math.min(at, texts.length - 1)] ?? '';
	return {
		value: async () => current(),
		refresh: async () => {
			at += 1;
			return current();
		},
		refreshes: () => at,
	};
}

describe('tokenFor', () => {
	test.each(['t-1', '12', '"quoted"', 'null', '[1]', 't{'])(
		'takes a text that is no table for every address: %s',
		async (text) => {
			expect(await tokenFor(changing(text), a).value()).toBe(text);
			expect(await tokenFor(changing(text), b).value()).toBe(text);
		},
	);

	test('takes the token that a table has for the address', async () => {
		const secret = changing(JSON.stringify({ [`${a}/`]: 't-a', [b]: 't-b' }));
		expect([await tokenFor(secret, a).value(), await tokenFor(secret, b).value()]).toEqual(['t-a', 't-b']);
		expect(secret.refreshes()).toBe(0);
	});

	test.each([{}, { [b]: 't-b' }, { [a]: '' }, { [a]: 'with space' }, { [a]: 7 }, { [`${a}:8086`]: 't' }, { '': 't' }])(
		'never takes another one: %j',
		async (table) => {
			const token = tokenFor(changing(JSON.stringify(table)), a);
			const error: unknown = await token.value().catch((caught: unknown) => caught);
			expect(error).toBeInstanceOf(SecretError);
			expect(String(error)).toContain(`has no token for ${a}`);
			expect(String(error)).not.toMatch(/t-b|with space/);
		},
	);

	test.each(['{', '{t-a', `{"${a}":"t-a"`, `{"${a}":"t-a",}`, `{'${a}':'t-a'}`, `{"${a}":"t-a"}{}`])(
		'never sends a text that begins as a table and is none: %s',
		async (text) => {
			const error: unknown = await tokenFor(changing(text), a)
				.value()
				.catch((caught: unknown) => caught);
			expect(error).toBeInstanceOf(SecretError);
			expect(String(error)).toContain('begins with { and is not JSON');
			expect(String(error)).not.toContain('t-a');
			const mended = changing(text, JSON.stringify({ [a]: 't-a' }));
			expect(await tokenFor(mended, a).value()).toBe('t-a');
		},
	);

	test('finds a token that the table has got since', async () => {
		const secret = changing(JSON.stringify({ [b]: 't-b' }), JSON.stringify({ [a]: 't-a', [b]: 't-b' }));
		expect(await tokenFor(secret, a).value()).toBe('t-a');
	});

	test('reads the secret again when its token is refused, and not for one that has changed already', async () => {
		const secret = changing('t-all', JSON.stringify({ [a]: 't-a', [b]: 't-b' }));
		expect(await tokenFor(secret, b).refresh('t-all')).toBe('t-b');
		expect(await tokenFor(secret, a).refresh('t-all')).toBe('t-a');
		expect(secret.refreshes()).toBe(1);
		expect(await tokenFor(secret, a).refresh('t-a')).toBe('t-a');
	});
});
