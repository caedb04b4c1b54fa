import { beforeEach, describe, expect, test } from 'vitest';
import type { User, Users } from '#domain/ports/users.ts';

const makeUser = (overrides: Partial<User> = {}): User => ({
	id: 7,
	email: 'Operator@Plant-A.example',
	firstName: 'Ana',
	lastName: 'Núñez 😀',
	clientId: 3,
	...overrides,
});

/** Tests of every `Users`. `open` creates an empty one. */
export function usersContract(name: string, open: () => Promise<Users>): void {
	describe(`Users: ${name}`, () => {
		let users: Users;
		beforeEach(async () => {
			users = await open();
		});

		test('is empty at first', async () => {
			expect(await users.find('operator@plant-a.example')).toBeNull();
			expect(await users.list()).toEqual([]);
			expect(await users.remove('operator@plant-a.example')).toBe(false);
		});

		test('finds a user by e-mail in any case, and returns the e-mail as registered', async () => {
			await users.put(makeUser());
			for (const email of ['operator@plant-a.example', 'OPERATOR@PLANT-A.EXAMPLE', 'Operator@Plant-A.example'])
				expect(await users.find(email)).toEqual(makeUser());
			expect(await users.find('operator@plant-a.exampl')).toBeNull();
		});

		test('replaces the user with the same e-mail in any case', async () => {
			await users.put(makeUser());
			const other = makeUser({ id: 8, email: 'OPERATOR@plant-a.example', firstName: '', clientId: 0 });
			await users.put(other);
			expect(await users.find('operator@plant-a.example')).toEqual(other);
			expect(await users.list()).toEqual([other]);
		});

		test('removes a user once and leaves the others', async () => {
			const other = makeUser({ id: 8, email: 'b@example' });
			await users.put(makeUser());
			await users.put(other);
			expect(await users.remove('OPERATOR@plant-a.example')).toBe(true);
			expect(await users.remove('operator@plant-a.example')).toBe(false);
			expect(await users.list()).toEqual([other]);
		});

		test('lists by ascending e-mail', async () => {
			for (const [id, email] of ['b@x', 'A@x', 'a.b@x', 'C@x', 'é@x'].entries()) await users.put(makeUser({ id, email }));
			expect((await users.list()).map(({ email }) => email)).toEqual(['a.b@x', 'A@x', 'b@x', 'C@x', 'é@x']);
		});
	});
}
