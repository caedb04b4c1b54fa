import { expect, test } from 'vitest';
import { sessionIds } from '#adapters/session-ids.ts';
import type { RoleSetter } from '#domain/access/role-change.ts';
import type { Person, RoleRefusal } from '#domain/ports/people.ts';
import { createHandler } from '#functions/savePerson/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const person = `person:${'c'.repeat(32)}`;
const now = 1_795_258_800_000;

const save = async (outcome: Person | RoleRefusal, claims: Readonly<Record<string, string>> = {}) => {
	const setters: RoleSetter[] = [];
	const people = {
		setRole: async (_schema: string, _email: string, _role: string, setter: RoleSetter) => {
			setters.push(setter);
			return outcome;
		},
	};
	const handler = createHandler({ log: silentLog, admit: async () => undefined, people, sessionIds, now: () => now });
	const event = makeEvent('POST /savePerson', {
		body: JSON.stringify({ email: person, role: 'operator' }),
		claims: { schema: 's', tsdb: 'd', sub: '1', ...claims },
	});
	const { statusCode, body } = await handler(event);
	return { statusCode, body: JSON.parse(body ?? ''), setters };
};

test('savePerson names the session of the caller by its id, and none where the token has none', async () => {
	const openId = { name: 'Ada (entra)', provider: 'entra', granted: 'viewer' } as const;
	const stored = { email: person, role: 'operator', lastSignInAt: now, openId } as const;
	const { body, setters } = await save(stored, { sid: 'secret' });
	expect(body.data).toEqual({
		email: person,
		name: 'Ada (entra)',
		provider: 'entra',
		role: 'operator',
		granted: 'viewer',
		lastSignInAt: new Date(now).toISOString(),
	});
	expect(setters).toMatchObject([{ session: sessionIds.idOf('secret'), at: now }]);
	for (const claims of [{}, { sid: '' }] as const)
		expect((await save(stored, claims)).setters).toMatchObject([{ session: null }]);
});

test.each<[string, RoleRefusal, number, unknown]>([
	['an unknown person', 'no_such_person', 404, { email: expect.objectContaining({ code: 'no_such_person' }) }],
	[
		'a role below that of the provider',
		{ granted: 'engineer' },
		409,
		{ role: expect.objectContaining({ code: 'role_from_provider', params: { role: 'engineer' } }) },
	],
	[
		'an author who is no administrator any more',
		'not_administrator',
		403,
		{ request: expect.objectContaining({ code: 'role_too_low' }) },
	],
])('savePerson refuses %s', async (_, outcome, status, expected) => {
	const { statusCode, body } = await save(outcome);
	expect([statusCode, body]).toEqual([status, expected]);
});
