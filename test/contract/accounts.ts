import { beforeEach, describe, expect, test } from 'vitest';
import type { Accounts } from '#domain/ports/accounts.ts';

const now = Date.UTC(2026, 10, 29);
const ada = { email: 'Ada@Plant-A.example', name: 'Ada Núñez 😀', groups: ['ops', 'é "x"'] };
const stored = {
	...ada,
	passwordHash: null,
	linkUntil: null,
	isDisabled: false,
	isUnread: false,
	secondFactor: null,
	changedAt: 0,
	passwordAt: null,
};

/** Tests of every `Accounts`. `open` creates an empty one. */
export function accountsContract(name: string, open: () => Promise<Accounts>): void {
	describe(`Accounts: ${name}`, () => {
		let accounts: Accounts;
		beforeEach(async () => {
			accounts = await open();
		});
		const withPassword = async (): Promise<void> => {
			await accounts.put(ada);
			await accounts.setLink(ada.email, 'link', 1, now);
			await accounts.usePasswordLink('link', 'hash', now);
		};

		test('is empty at first, and changes nothing that is not there', async () => {
			expect(await accounts.find(ada.email)).toBeNull();
			expect(await accounts.list()).toEqual([]);
			expect(await accounts.remove(ada.email)).toBe(false);
			expect(await accounts.setDisabled(ada.email, true, now)).toBe(false);
			expect(await accounts.setLink(ada.email, 'link', 1, now)).toBe(false);
			expect(await accounts.findByLink('link', now)).toBeNull();
			expect(await accounts.usePasswordLink('link', 'hash', now)).toBe(false);
		});

		test('disables an account that cannot be read, and no other, until it is put again', async () => {
			await withPassword();
			const bob = { ...stored, email: 'bob@plant-a.example' };
			for (const each of [bob, { ...ada, groups: 'later' as never }]) await accounts.put(each);
			const unread = {
				...stored,
				groups: [],
				isDisabled: true,
				isUnread: true,
				passwordHash: 'hash',
				changedAt: now,
				passwordAt: now,
			};
			expect(await accounts.find(ada.email)).toEqual(unread);
			expect(await accounts.list()).toEqual([unread, bob]);
			await accounts.setDisabled(ada.email, false, now);
			expect(await accounts.find(ada.email)).toEqual(unread);
			expect(await accounts.put(ada)).toBe('changed');
			expect(await accounts.find(ada.email)).toMatchObject({ groups: ada.groups, isDisabled: false, isUnread: false });
		});

		test('finds an account by e-mail in any case', async () => {
			expect(await accounts.put(ada)).toBe('added');
			for (const email of ['ada@plant-a.example', 'ADA@PLANT-A.EXAMPLE']) expect(await accounts.find(email)).toEqual(stored);
			expect(await accounts.find('ada@plant-a.exampl')).toBeNull();
		});

		test('changes name and groups, and keeps password, link and state', async () => {
			await withPassword();
			await accounts.setDisabled(ada.email, true, now);
			expect(await accounts.put({ email: 'ADA@plant-a.example', name: 'A', groups: [] })).toBe('changed');
			expect(await accounts.list()).toEqual([
				{ ...stored, name: 'A', groups: [], passwordHash: 'hash', isDisabled: true, changedAt: now, passwordAt: now },
			]);
			await accounts.setDisabled(ada.email, false, now);
			expect(await accounts.find(ada.email)).toMatchObject({ passwordHash: 'hash', isDisabled: false });
		});

		test('sets a password by a link before its end, and once', async () => {
			await accounts.put(ada);
			await accounts.setLink(ada.email, 'link', 1000, now);
			expect(await accounts.findByLink('link', now + 999)).toEqual({ ...stored, linkUntil: now + 1000, changedAt: now });
			for (const at of [now + 1000, now + 1001]) {
				expect(await accounts.findByLink('link', at)).toBeNull();
				expect(await accounts.usePasswordLink('link', 'late', at)).toBe(false);
			}
			const both = ['a', 'b'].map((hash) => accounts.usePasswordLink('link', hash, now + 999));
			expect((await Promise.all(both)).sort()).toEqual([false, true]);
			expect(await accounts.findByLink('link', now)).toBeNull();
			expect((await accounts.find(ada.email))?.linkUntil).toBeNull();
		});

		test('a link takes the password and the earlier link away', async () => {
			await withPassword();
			await accounts.setLink(ada.email, 'first', 1, now);
			await accounts.setLink(ada.email, 'second', 1, now);
			expect(await accounts.find(ada.email)).toMatchObject({ passwordHash: null, linkUntil: now + 1 });
			expect(await accounts.usePasswordLink('first', 'hash', now)).toBe(false);
			expect(await accounts.usePasswordLink('second', 'hash', now)).toBe(true);
		});

		test('a link of a disabled account sets nothing until it is enabled', async () => {
			await accounts.put(ada);
			await accounts.setLink(ada.email, 'link', 1, now);
			await accounts.setDisabled(ada.email, true, now);
			expect(await accounts.usePasswordLink('link', 'hash', now)).toBe(false);
			await accounts.setDisabled(ada.email, false, now);
			expect(await accounts.usePasswordLink('link', 'hash', now)).toBe(true);
		});

		test('keeps a second factor, whose codes are used once', async () => {
			const secondFactor = { secret: 'GEZD', recoveryHashes: ['one', 'two'] };
			expect(await accounts.setSecondFactor(ada.email, secondFactor, 'hash', now)).toBe(false);
			expect(await accounts.useStep(ada.email, 7)).toBe(false);
			expect(await accounts.useRecoveryCode(ada.email, 'one')).toBe(false);
			await withPassword();
			expect(await accounts.useRecoveryCode(ada.email, 'one')).toBe(false);
			// Not with a password that was changed meanwhile, nor where the account is disabled.
			expect(await accounts.setSecondFactor(ada.email, secondFactor, 'earlier', now)).toBe(false);
			await accounts.setDisabled(ada.email, true, now);
			expect(await accounts.setSecondFactor(ada.email, secondFactor, 'hash', now)).toBe(false);
			await accounts.setDisabled(ada.email, false, now);
			expect(await accounts.setSecondFactor('ADA@plant-a.example', secondFactor, 'hash', now + 5)).toBe(true);
			expect(await accounts.setSecondFactor(ada.email, { ...secondFactor, secret: 'OTHER' }, 'hash', now)).toBe(false);
			expect(await accounts.find(ada.email)).toMatchObject({ passwordHash: 'hash', secondFactor });
			const steps = [7, 7, 6, 8].map((step) => accounts.useStep(ada.email, step));
			expect(await Promise.all(steps)).toEqual([true, false, false, true]);
			const codes = ['two', 'two', 'three'].map((code) => accounts.useRecoveryCode(ada.email, code));
			expect(await Promise.all(codes)).toEqual([true, false, false]);
			expect((await accounts.find(ada.email))?.secondFactor).toEqual({ ...secondFactor, recoveryHashes: ['one'] });
			await accounts.setLink(ada.email, 'link', 1, now);
			expect((await accounts.find(ada.email))?.secondFactor?.secret).toBe('GEZD');
			await accounts.removeSecondFactor(ada.email);
			expect((await accounts.find(ada.email))?.secondFactor).toBeNull();
		});

		test('after 50 wrong codes one after another only a recovery code counts, and codes again after it', async () => {
			await withPassword();
			await accounts.setSecondFactor(ada.email, { secret: 'GEZD', recoveryHashes: ['one', 'two'] }, 'hash', now);
			const wrong = async (count: number) => {
				for (let index = 0; index < count; index += 1) await accounts.countWrongCode(ada.email);
			};
			await wrong(49);
			expect(await accounts.useStep(ada.email, 1)).toBe(true);
			await wrong(50);
			expect(await accounts.useStep(ada.email, 2)).toBe(false);
			expect(await accounts.useRecoveryCode(ada.email, 'none')).toBe(false);
			expect(await accounts.useStep(ada.email, 2)).toBe(false);
			expect(await accounts.useRecoveryCode(ada.email, 'one')).toBe(true);
			expect(await accounts.useStep(ada.email, 2)).toBe(true);
		});

		test('tells when its access last changed: by a link, a second factor, and when it was disabled', async () => {
			const changedAt = async () => (await accounts.find(ada.email))?.changedAt;
			await accounts.put(ada);
			expect(await changedAt()).toBe(0);
			await accounts.setLink(ada.email, 'link', 10, now);
			expect(await changedAt()).toBe(now);
			await accounts.usePasswordLink('link', 'hash', now + 2);
			expect(await accounts.find(ada.email)).toMatchObject({ changedAt: now, passwordAt: now + 2 });
			await accounts.setSecondFactor(ada.email, { secret: 'GEZD', recoveryHashes: [] }, 'hash', now + 3);
			expect(await changedAt()).toBe(now + 3);
			await accounts.setDisabled(ada.email, true, now + 4);
			expect(await changedAt()).toBe(now + 4);
		});

		test('removes an account with its password and link, and leaves the others', async () => {
			await withPassword();
			const other = { ...ada, email: 'b@x' };
			await accounts.put(other);
			expect((await accounts.list()).map(({ email }) => email)).toEqual([ada.email, 'b@x']);
			expect(await accounts.remove('ADA@plant-a.example')).toBe(true);
			expect(await accounts.list()).toEqual([{ ...stored, email: 'b@x' }]);
			await accounts.put(ada);
			expect(await accounts.find(ada.email)).toEqual(stored);
		});
	});
}
