import { beforeEach, describe, expect, test } from 'vitest';
import type { People } from '#domain/ports/people.ts';

const [ada, blas] = ['ada@plant.example', 'blas@plant.example'];

/** Tests of every `People`. `open` creates an empty one; `races`: how often two administrators lower each other. */
export function peopleContract(name: string, open: () => Promise<People>, races: number): void {
	describe(`People: ${name}`, () => {
		let people: People;
		beforeEach(async () => {
			people = await open();
		});

		test('is empty at first', async () => {
			expect([await people.find('s', ada), await people.list('s')]).toEqual([null, []]);
		});

		test('adds a person with the role at the first sign-in, and changes no role at later ones', async () => {
			await people.noteSignIn('s', 'Ada@Plant.example', 'engineer', 1000);
			expect(await people.find('s', ada)).toEqual({ email: 'Ada@Plant.example', role: 'engineer', lastSignInAt: 1000 });
			await people.setRole('s', ada, 'viewer', null);
			await people.noteSignIn('s', ada, 'engineer', 2000);
			expect(await people.find('s', 'ADA@plant.example')).toEqual({
				email: 'Ada@Plant.example',
				role: 'viewer',
				lastSignInAt: 2000,
			});
		});

		test('sets the role of a person who never signed in', async () => {
			const person = { email: 'New@plant.example', role: 'administrator', lastSignInAt: null };
			expect(await people.setRole('s', 'New@plant.example', 'administrator', null)).toEqual(person);
			expect(await people.find('s', 'new@plant.example')).toEqual(person);
		});

		test('lists the people of one schema by their e-mail without regard to case', async () => {
			const emails = ['c@x.example', 'B@x.example', 'a@x.example', 'é@x.example'];
			for (const email of emails) await people.noteSignIn('s', email, 'engineer', 1);
			await people.noteSignIn('s2', 'other@x.example', 'engineer', 1);
			expect((await people.list('s')).map(({ email }) => email)).toEqual([
				'a@x.example',
				'B@x.example',
				'c@x.example',
				'é@x.example',
			]);
		});

		test('lets only an administrator of the same schema set a role', async () => {
			await people.setRole('s2', ada, 'administrator', null);
			await people.noteSignIn('s', ada, 'engineer', 1);
			for (const by of [ada, blas]) expect(await people.setRole('s', blas, 'viewer', by)).toBe('not_administrator');
			expect(await people.find('s', blas)).toBeNull();
			await people.setRole('s', ada, 'administrator', null);
			expect(await people.setRole('s', blas, 'viewer', 'ADA@plant.example')).toMatchObject({ email: blas, role: 'viewer' });
		});

		test('of two administrators who lower each other at the same time, one stays', async () => {
			for (let time = 0; time < races; time += 1) {
				const schema = `race-${time}`;
				for (const email of [ada, blas]) await people.setRole(schema, email, 'administrator', null);
				const outcomes = await Promise.all([
					people.setRole(schema, ada, 'viewer', blas),
					people.setRole(schema, blas, 'viewer', ada),
				]);
				expect(outcomes.filter((outcome) => outcome === 'not_administrator')).toHaveLength(1);
				expect((await people.list(schema)).map(({ role }) => role).sort()).toEqual(['administrator', 'viewer']);
			}
		});
	});
}
