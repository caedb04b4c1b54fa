import { describe, expect, test } from 'vitest';
import { sessionIds } from '#adapters/session-ids.ts';
import { machineSubject } from '#domain/access/actor.ts';
import type { KeyedMachine } from '#domain/access/machine.ts';
import type { Role } from '#domain/access/role.ts';
import type { OpenIdSession } from '#domain/ports/openid-sessions.ts';
import { admissionTo } from '#http/admission.ts';
import { endpointNamed } from '#shared/contract.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeSession } from '#test/support/builders/identity.ts';
import { makeMachine } from '#test/support/builders/machines.ts';

const at = Date.UTC(2100, 0, 1);

/** Admits a machine with a row to an endpoint; returns the error, or null. */
const tryOut = async (machine: KeyedMachine | null, endpoint = 'saveVariable', schema = 's'): Promise<unknown> => {
	const admit = admissionTo(endpointNamed(endpoint), {
		people: { find: () => expect.fail('A machine is no person.') },
		machines: { find: async (clientId) => (clientId === machine?.clientId ? machine : null) },
		openIdSessions: { find: () => expect.fail('A machine has no session.') },
		sessionIds,
		defaultRole: 'engineer',
		now: () => at,
	});
	const sub = machineSubject(machine?.clientId ?? makeMachine().clientId);
	const claims = { schema, tsdb: 'd', sub, name: 'grafana' };
	return admit(makeEvent('POST /saveVariable', { claims })).then(
		() => null,
		(error: unknown) => error,
	);
};

const engineer = makeMachine({ role: 'engineer', expiresAt: at + 1 });

describe('the admission of machines', () => {
	test('follows the role of the row', async () => {
		expect(await tryOut(engineer)).toBeNull();
		expect(await tryOut({ ...engineer, role: 'operator' }, 'saveChart')).toBeNull();
		expect(await tryOut({ ...engineer, role: 'operator' })).toMatchObject({
			code: 'role_too_low',
			payload: { needs: 'engineer', has: 'operator' },
		});
		expect(await tryOut(engineer, 'getPeople')).toMatchObject({ code: 'role_too_low' });
	});

	test.each([
		['removed', null],
		['expired', { ...engineer, expiresAt: at }],
		['revoked', { ...engineer, secrets: [], hashes: {} }],
	])('says that it was %s', async (reason, machine) => {
		expect(await tryOut(machine)).toMatchObject({ code: 'machine_refused', payload: { reason } });
	});

	test('knows no machine of another schema', async () => {
		expect(await tryOut(engineer, 'saveVariable', 't')).toMatchObject({ payload: { reason: 'removed' } });
	});
});

describe('the admission of people of OpenID providers', () => {
	const ada = 'person:9f86d081884c7d659a2feaa0c55ad015';
	const tenant = { schema: 's', database: 'd', owner: 3, role: 'operator' } as const;
	const session = makeSession({ id: sessionIds.idOf('sid'), person: ada, tenants: [tenant], endsAt: at + 1 });

	/** Admits a person whose session and row are these; returns the error, or null. */
	const tryPerson = async (
		endpoint: string,
		stored: { readonly session?: OpenIdSession | null; readonly role?: Role },
		claims: Readonly<Record<string, string>> = {},
	): Promise<unknown> => {
		const openId = { name: 'Ada (entra)', provider: 'entra', granted: 'operator' } as const;
		const admit = admissionTo(endpointNamed(endpoint), {
			people: {
				find: async (schema, id) =>
					stored.role === undefined || schema !== 's' || id !== ada
						? null
						: { email: ada, role: stored.role, lastSignInAt: at, openId },
			},
			machines: { find: () => expect.fail('A person is no machine.') },
			openIdSessions: { find: async (id) => (id === session.id ? (stored.session ?? null) : null) },
			sessionIds,
			defaultRole: 'engineer',
			now: () => at,
		});
		const sent = { schema: 's', tsdb: 'd', sub: ada, name: 'Ada (entra)', sid: 'sid', ...claims };
		return admit(makeEvent('POST /saveVariable', { claims: sent })).then(
			() => null,
			(error: unknown) => error,
		);
	};

	test('follows the higher role of the grants and of the row', async () => {
		expect(await tryPerson('saveChart', { session })).toBeNull();
		expect(await tryPerson('saveVariable', { session })).toMatchObject({ payload: { needs: 'engineer', has: 'operator' } });
		expect(await tryPerson('saveVariable', { session, role: 'administrator' })).toBeNull();
		expect(await tryPerson('saveChart', { session, role: 'viewer' })).toBeNull();
	});

	test.each<[string, Parameters<typeof tryPerson>[1], Record<string, string>]>([
		['the session has ended', { session: null, role: 'administrator' }, {}],
		['the session lost the schema', { session: { ...session, tenants: [] } }, {}],
		['the session lost the database', { session: { ...session, tenants: [{ ...tenant, database: 'e' }] } }, {}],
		['the session is that of somebody else', { session: { ...session, person: 'person:x' } }, {}],
		['the token has another secret', { session }, { sid: 'other' }],
		['the token is for another schema', { session }, { schema: 't' }],
	])('refuses where %s', async (_, stored, claims) => {
		expect(await tryPerson('saveChart', stored, claims)).toMatchObject({ code: 'session_ended' });
	});

	test('a program has the role of its session, whatever row somebody made for it', async () => {
		const program = 'program:9f86d081884c7d659a2feaa0c55ad015';
		const admit = admissionTo(endpointNamed('saveVariable'), {
			people: { find: () => expect.fail('A program has no row.') },
			machines: { find: () => expect.fail('It is no machine of an administrator.') },
			openIdSessions: { find: async () => ({ ...session, person: program }) },
			sessionIds,
			defaultRole: 'engineer',
			now: () => at,
		});
		const claims = { schema: 's', tsdb: 'd', sub: program, name: 'CI', sid: 'sid' };
		await expect(admit(makeEvent('POST /saveVariable', { claims }))).rejects.toMatchObject({
			payload: { needs: 'engineer', has: 'operator' },
		});
	});

	test('a token of a person without a session has no default role', async () => {
		const admit = admissionTo(endpointNamed('saveChart'), {
			people: { find: async () => null },
			machines: { find: async () => null },
			openIdSessions: { find: async () => session },
			sessionIds,
			defaultRole: 'engineer',
			now: () => at,
		});
		for (const sub of [ada, 'program:9f86d081884c7d659a2feaa0c55ad015'])
			await expect(admit(makeEvent('POST /saveChart', { claims: { schema: 's', tsdb: 'd', sub } }))).rejects.toMatchObject({
				code: 'session_ended',
			});
	});
});
