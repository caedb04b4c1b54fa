import { beforeEach, describe, expect, test } from 'vitest';
import type { ChangeJournal } from '#domain/ports/change-journal.ts';
import type { OpenIdSessions } from '#domain/ports/openid-sessions.ts';
import type { OpenIdOrigin, People } from '#domain/ports/people.ts';
import { makeSession, signedInAt } from '#test/support/builders/identity.ts';
import { byPerson, byTool } from '#test/support/builders/origin.ts';

const [ada, blas] = ['ada@plant.example', 'blas@plant.example'];

/** The keys of people who sign in with an OpenID provider. */
const [carl, dora] = [`person:${'c'.repeat(32)}`, `person:${'d'.repeat(32)}`];

/** People, the sessions that may make them administrators, and the journal that their roles are told in. */
export interface PeopleBackend {
	readonly people: People;
	readonly openIdSessions: OpenIdSessions;
	readonly changes: Pick<ChangeJournal, 'history'>;
}

/** Tests of every `People`. `open` creates an empty one; `races`: how often two administrators lower each other. */
export function peopleContract(name: string, open: () => Promise<PeopleBackend>, races: number): void {
	describe(`People: ${name}`, () => {
		let people: People;
		let openIdSessions: OpenIdSessions;
		let changes: Pick<ChangeJournal, 'history'>;
		beforeEach(async () => {
			({ people, openIdSessions, changes } = await open());
		});
		/** Notes the sign-in of a person of an OpenID provider, and stores the session, as one whose grants give a role. */
		const signIn = async (schema: string, person: string, granted: OpenIdOrigin['granted']) => {
			const origin = { name: `${person} (entra)`, provider: 'entra', granted };
			await people.noteOpenIdSignIn(schema, person, origin, 1000);
			const id = `session of ${person} in ${schema}`;
			const tenants = [{ schema, database: 'd', owner: 7, role: granted }];
			await openIdSessions.create(makeSession({ id, person, tenants, createdAt: signedInAt - 1000 }));
			return { origin, id };
		};

		test('is empty at first', async () => {
			expect([await people.find('s', ada), await people.list('s')]).toEqual([null, []]);
		});

		test('gives a person whose role cannot be read the least, and keeps what is stored until a role is set', async () => {
			await people.noteSignIn('s', ada, 'later' as never, 1000);
			await people.noteSignIn('s', blas, 'engineer', 1000);
			await people.noteSignIn('s', ada, 'engineer', 2000);
			const unread = { email: ada, role: 'viewer', lastSignInAt: 2000, openId: null };
			expect(await people.find('s', ada)).toEqual(unread);
			expect((await people.list('s')).map(({ email, role }) => [email, role])).toEqual([
				[ada, 'viewer'],
				[blas, 'engineer'],
			]);
			expect(await people.setRole('s', ada, 'operator', byTool)).toEqual({ ...unread, role: 'operator' });
			expect(await people.find('s', ada)).toEqual({ ...unread, role: 'operator' });
		});

		test('gives a person what can be read of the provider’s grants', async () => {
			const origin = { name: 'Carl (entra)', provider: 'entra' };
			await people.noteOpenIdSignIn('s', carl, { ...origin, granted: 'later' as never }, 1000);
			expect(await people.find('s', carl)).toMatchObject({ role: 'viewer', openId: { ...origin, granted: 'viewer' } });
			await people.noteOpenIdSignIn('s', carl, { ...origin, granted: 'operator' }, 2000);
			expect(await people.find('s', carl)).toMatchObject({ role: 'viewer', openId: { ...origin, granted: 'operator' } });
		});

		test('adds a person with the role at the first sign-in, and changes no role at later ones', async () => {
			await people.noteSignIn('s', 'Ada@Plant.example', 'engineer', 1000);
			expect(await people.find('s', ada)).toEqual({
				email: 'Ada@Plant.example',
				role: 'engineer',
				lastSignInAt: 1000,
				openId: null,
			});
			await people.setRole('s', ada, 'viewer', byTool);
			await people.noteSignIn('s', ada, 'engineer', 2000);
			expect(await people.find('s', 'ADA@plant.example')).toEqual({
				email: 'Ada@Plant.example',
				role: 'viewer',
				lastSignInAt: 2000,
				openId: null,
			});
		});

		test('sets the role of a person who never signed in', async () => {
			const person = { email: 'New@plant.example', role: 'administrator', lastSignInAt: null, openId: null };
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

		test('adds a person of an OpenID provider as a viewer, and notes name and granted role at each sign-in', async () => {
			const { origin } = await signIn('s', carl, 'operator');
			expect(await people.find('s', carl)).toEqual({ email: carl, role: 'viewer', lastSignInAt: 1000, openId: origin });
			await people.setRole('s', carl, 'engineer', byTool);
			const later = { name: 'Carl (google)', provider: 'google', granted: 'viewer' } as const;
			await people.noteOpenIdSignIn('s', carl, later, 2000);
			const stored = { email: carl, role: 'engineer', lastSignInAt: 2000, openId: later };
			expect([await people.find('s', carl), await people.list('s')]).toEqual([stored, [stored]]);
		});

		test('refuses a role for a person of an OpenID provider who is unknown, or whose grants give a higher one', async () => {
			expect(await people.setRole('s', carl, 'viewer', byTool)).toBe('no_such_person');
			const { origin } = await signIn('s', carl, 'operator');
			expect(await people.setRole('s', carl, 'viewer', byTool)).toEqual({ granted: 'operator' });
			expect(await people.setRole('s', carl, 'operator', byTool)).toEqual({
				email: carl,
				role: 'operator',
				lastSignInAt: 1000,
				openId: origin,
			});
			expect(await people.setRole('s', carl, 'operator', byPerson(blas))).toBe('not_administrator');
			const told = await changes.history('s', { kind: 'person', itemId: carl }, 0, 9);
			expect(told).toMatchObject([
				{ entry: { action: 'changed', name: origin.name }, before: { content: { email: carl, role: 'viewer' } } },
			]);
			expect(told).toHaveLength(1);
		});

		test('lets a session set roles whose grants make the person an administrator of the schema', async () => {
			const { id } = await signIn('s', carl, 'administrator');
			expect(await people.setRole('s', blas, 'viewer', byPerson(carl))).toBe('not_administrator');
			expect(await people.setRole('s', blas, 'viewer', byPerson(dora, id))).toBe('not_administrator');
			expect(await people.setRole('s2', blas, 'viewer', byPerson(carl, id))).toBe('not_administrator');
			expect(await people.setRole('s', blas, 'viewer', byPerson(carl, id))).toMatchObject({ email: blas, role: 'viewer' });
			const late = { ...byPerson(carl, id), at: makeSession().endsAt };
			expect(await people.setRole('s', blas, 'operator', late)).toBe('not_administrator');
			await openIdSessions.remove(id);
			expect(await people.setRole('s', blas, 'operator', byPerson(carl, id))).toBe('not_administrator');
			expect(await people.find('s', blas)).toMatchObject({ role: 'viewer' });
		});

		test('of two administrators who lower each other at the same time, one by a grant and one by the row, the granted one stays', async () => {
			for (let time = 0; time < races; time += 1) {
				const schema = `race-${time}`;
				const { id } = await signIn(schema, carl, 'administrator');
				await people.setRole(schema, ada, 'administrator', byTool);
				const [byRow, byGrant] = await Promise.all([
					people.setRole(schema, carl, 'viewer', byPerson(ada)),
					people.setRole(schema, ada, 'viewer', byPerson(carl, id)),
				]);
				expect([{ granted: 'administrator' }, 'not_administrator']).toContainEqual(byRow);
				expect(byGrant).toMatchObject({ email: ada, role: 'viewer' });
			}
		});

		test('of a renewal that takes the role of administrator away and a role that is set at the same time, no role is set after it', async () => {
			const taken = { name: 'Carl (entra)', claims: {}, idTokenClaims: {}, checkedAt: signedInAt, tenants: [] };
			for (let time = 0; time < races; time += 1) {
				const schema = `renewed-${time}`;
				const { id } = await signIn(schema, carl, 'administrator');
				await openIdSessions.lease(id, { by: 'a', until: signedInAt + 1000 }, signedInAt);
				const set = (role: 'viewer' | 'operator') => people.setRole(schema, blas, role, byPerson(carl, id));
				const [first, renewed] = await Promise.all([set('viewer'), openIdSessions.update(id, 'a', taken)]);
				expect([renewed, await set('operator')]).toEqual([true, 'not_administrator']);
				expect(await people.find(schema, blas)).toEqual(first === 'not_administrator' ? null : first);
			}
		});
	});
}
