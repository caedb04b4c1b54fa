import { beforeEach, describe, expect, test } from 'vitest';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { People } from '#domain/ports/people.ts';
import { byPerson, byTool } from '#test/support/builders/origin.ts';

const [ada, blas] = ['ada@plant.example', 'blas@plant.example'];

/** People, and the journal that their roles are told in. */
export interface PeopleBackend {
	readonly people: People;
	readonly changes: Pick<ChangeJournal, 'history'>;
}

/** Tests of every `People`. `open` creates an empty one; `races`: how often two administrators lower each other. */
export function peopleContract(name: string, open: () => Promise<PeopleBackend>, races: number): void {
	describe(`People: ${name}`, () => {
		let people: People;
		let changes: Pick<ChangeJournal, 'history'>;
		beforeEach(async () => {
			({ people, changes } = await open());
		});

		test('is empty at first', async () => {
			expect([await people.find('s', ada), await people.list('s')]).toEqual([null, []]);
		});

		test('adds a person with the role at the first sign-in, and changes no role at later ones', async () => {
			await people.noteSignIn('s', 'Ada@Plant.example', 'engineer', 1000);
			expect(await people.find('s', ada)).toEqual({ email: 'Ada@Plant.example', role: 'engineer', lastSignInAt: 1000 });
			await people.setRole('s', ada, 'viewer', byTool);
			await people.noteSignIn('s', ada, 'engineer', 2000);
			expect(await people.find('s', 'ADA@plant.example')).toEqual({
				email: 'Ada@Plant.example',
				role: 'viewer',
				lastSignInAt: 2000,
			});
		});

		test('sets the role of a person who never signed in', async () => {
			const person = { email: 'New@plant.example', role: 'administrator', lastSignInAt: null };
			expect(await people.setRole('s', 'New@plant.example', 'administrator', byTool)).toEqual(person);
			expect(await people.find('s', 'new@plant.example')).toEqual(person);
		});

		test('tells the journal of each new role, by whom and what it was, and of no other change', async () => {
			await people.noteSignIn('s', 'Blas@plant.example', 'engineer', 1000);
			await people.setRole('s', ada, 'administrator', byTool);
			await people.setRole('s', blas, 'viewer', byPerson(ada));
			await people.setRole('s', blas, 'viewer', byPerson(ada));
			await people.noteSignIn('s', blas, 'engineer', 2000);
			await people.setRole('s', blas, 'operator', byPerson(ada));
			expect(await people.setRole('s', ada, 'viewer', byPerson(blas))).toBe('not_administrator');
			const told = await changes.history('s', { kind: 'person', itemId: blas }, 0, 9);
			expect(told).toMatchObject([
				{
					entry: {
						rowVersion: 1,
						version: 1,
						action: 'changed',
						name: 'Blas@plant.example',
						fields: ['role'],
						actor: { id: ada },
					},
					before: { content: { role: 'engineer' } },
				},
				{ entry: { rowVersion: 2, version: 2, replaced: 1 }, before: { version: 1, content: { role: 'viewer' } } },
			]);
			expect(told).toHaveLength(2);
			const [created, ...others] = await changes.history('s', { kind: 'person', itemId: ada }, 0, 9);
			expect([created?.entry, created?.before]).toMatchObject([{ action: 'created', via: 'tool' }, null]);
			expect(others).toEqual([]);
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
			await people.setRole('s2', ada, 'administrator', byTool);
			await people.noteSignIn('s', ada, 'engineer', 1);
			for (const by of [ada, blas]) expect(await people.setRole('s', blas, 'viewer', byPerson(by))).toBe('not_administrator');
			expect(await people.find('s', blas)).toBeNull();
			await people.setRole('s', ada, 'administrator', byTool);
			expect(await people.setRole('s', blas, 'viewer', byPerson('ADA@plant.example'))).toMatchObject({
				email: blas,
				role: 'viewer',
			});
		});

		test('of two administrators who lower each other at the same time, one stays', async () => {
			for (let time = 0; time < races; time += 1) {
				const schema = `race-${time}`;
				for (const email of [ada, blas]) await people.setRole(schema, email, 'administrator', byTool);
				const outcomes = await Promise.all([
					people.setRole(schema, ada, 'viewer', byPerson(blas)),
					people.setRole(schema, blas, 'viewer', byPerson(ada)),
				]);
				expect(outcomes.filter((outcome) => outcome === 'not_administrator')).toHaveLength(1);
				expect((await people.list(schema)).map(({ role }) => role).sort()).toEqual(['administrator', 'viewer']);
			}
		});
	});
}
