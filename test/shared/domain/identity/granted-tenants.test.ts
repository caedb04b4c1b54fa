import { describe, expect, test } from 'vitest';
import type { Role } from '#domain/access/role.ts';
import { higherRole } from '#domain/access/role.ts';
import { grantedTenants, lookedAtClaims, throwNoGrant } from '#domain/identity/granted-tenants.ts';
import type { OwnedName } from '#domain/ports/owners.ts';
import { makeGrant } from '#test/support/builders/identity.ts';

const claims = { groups: ['a', 'b'], hd: 'x' };

/** Evaluates grants; `owned`: the owners of names that do not belong to client 7. */
const evaluate = async (grants: Parameters<typeof grantedTenants>[1], owned: Readonly<Record<string, number | null>> = {}) => {
	const refusals: unknown[] = [];
	const owners = {
		find: async ({ kind, name }: OwnedName) => owned[`${kind} ${name}`] ?? (`${kind} ${name}` in owned ? null : 7),
	};
	const reportTenantRefusal = (refusal: unknown) => refusals.push(refusal);
	return { tenants: await grantedTenants({ owners, reportTenantRefusal }, grants, claims), refusals };
};
const grant = (schema: string, group: string, role: Role, database = 'd') =>
	makeGrant({ schema, database, role, where: { groups: group } });

describe('the tenants of a person', () => {
	test('are those of the grants that are met, by name, each with the highest role', async () => {
		const grants = [
			grant('s2', 'a', 'viewer'),
			grant('s1', 'a', 'operator', 'z'),
			grant('s1', 'a', 'engineer', 'y'),
			grant('s1', 'b', 'viewer', 'y'),
			grant('s2', 'b', 'operator'),
			grant('s3', 'c', 'administrator'),
			grant('s2', 'c', 'administrator'),
		];
		const { tenants, refusals } = await evaluate(grants);
		expect(tenants.map(({ schema, database, role }) => [schema, database, role])).toEqual([
			['s1', 'y', 'engineer'],
			['s1', 'z', 'operator'],
			['s2', 'd', 'operator'],
		]);
		expect(refusals).toEqual([]);
	});

	test('are no tenants of another client, or of nobody, and the operator is told', async () => {
		const grants = ['s1', 's2', 's3'].map((schema) => grant(schema, 'a', 'viewer', `d${schema}`));
		const { tenants, refusals } = await evaluate(grants, { 'schema s1': 8, 'database ds2': null });
		expect(tenants.map(({ schema }) => schema)).toEqual(['s3']);
		expect(refusals).toEqual([
			{ reason: 'owned_by_another_client', schema: 's1', database: 'ds1', clientId: 7 },
			{ reason: 'owned_by_another_client', schema: 's2', database: 'ds2', clientId: 7 },
		]);
	});

	test('are all of them, also where an answer has no room for them', async () => {
		const numbered = (index: number) => grant(`s${String(index).padStart(3, '0')}`, 'a', 'viewer');
		const { tenants } = await evaluate(Array.from({ length: 120 }, (_, index) => numbered(index)));
		expect([tenants.length, tenants.at(-1)?.schema]).toEqual([120, 's119']);
	});
});

test('the higher of two roles is the one that may do more', () => {
	expect(higherRole('viewer', 'engineer')).toBe('engineer');
	expect(higherRole('administrator', 'engineer')).toBe('administrator');
	expect(higherRole('operator', 'operator')).toBe('operator');
});

describe('a person without a grant', () => {
	const secret = makeGrant({ where: { groups: 'secret group', email: 'e', amr: 'x' } });
	test('is told the own values of the claims that grants look at, and no value of a grant', () => {
		const own = { ...claims, groups: [...Array.from({ length: 21 }, () => '😀'.repeat(101))], other: 'not looked at' };
		const told = lookedAtClaims([secret], own);
		expect(Object.keys(told)).toEqual(['amr', 'email', 'groups']);
		expect([told['amr'], told['email']]).toEqual([[], []]);
		expect(told['groups']).toEqual(Array.from({ length: 20 }, () => '😀'.repeat(100)));
		expect(() => throwNoGrant('entra', [secret], claims)).toThrow(
			expect.objectContaining({
				code: 'no_grant',
				payload: { provider: 'entra', claims: { amr: [], email: [], groups: ['a', 'b'] } },
			}),
		);
	});

	test('is told that the provider left out a claim, if grants look at it', () => {
		const many = { _claim_names: { groups: 'src1' } };
		expect(() => throwNoGrant('entra', [secret], many)).toThrow(expect.objectContaining({ code: 'groups_not_in_token' }));
		expect(() => throwNoGrant('entra', [makeGrant({ where: { hd: 'x' } })], many)).toThrow(
			expect.objectContaining({ code: 'no_grant' }),
		);
	});
});
