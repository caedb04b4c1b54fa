import { describe, expect, test } from 'vitest';
import { machineSubject } from '#domain/access/actor.ts';
import type { KeyedMachine } from '#domain/access/machine.ts';
import { admissionTo } from '#http/admission.ts';
import { endpointNamed } from '#shared/contract.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { makeMachine } from '#test/support/builders/machines.ts';

const at = Date.UTC(2100, 0, 1);

/** Admits a machine with a row to an endpoint; returns the error, or null. */
const tryOut = async (machine: KeyedMachine | null, endpoint = 'saveVariable', schema = 's'): Promise<unknown> => {
	const admit = admissionTo(endpointNamed(endpoint), {
		people: { find: () => expect.fail('A machine is no person.') },
		machines: { find: async (clientId) => (clientId === machine?.clientId ? machine : null) },
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
