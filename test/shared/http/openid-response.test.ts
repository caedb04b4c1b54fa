import { expect, test } from 'vitest';
import type { GrantedTenant } from '#domain/identity/granted-tenants.ts';
import { openIdResponse } from '#http/openid-response.ts';

const person = { person: 'person:1', name: 'Ada (entra)', provider: 'entra' };
const tenants = Array.from({ length: 51 }, (_, index): GrantedTenant => {
	const name = `s${String(index).padStart(2, '0')}`;
	return { schema: name, database: `d${name}`, owner: 7, role: 'viewer' };
});
const toldWith = (index: number, count = tenants.length) => {
	const tenant = tenants[index];
	if (tenant === undefined) throw new Error('There are not so many.');
	const signedIn = { token: 't', person, role: 'viewer', tenant, tenants: tenants.slice(0, count) } as const;
	return openIdResponse(signedIn).body as { readonly tenant: unknown; readonly tenants: readonly { schemaName: string }[] };
};

test.each([
	[50, 0, 's49'],
	[50, 49, 's49'],
	[51, 0, 's49'],
	[51, 49, 's49'],
	[51, 50, 's50'],
])('of %i tenants and the token of number %i, the last one told is %s', (count, index, last) => {
	const { tenant, tenants: told } = toldWith(index, count);
	expect([told.length, told.at(-1)?.schemaName]).toEqual([50, last]);
	expect(told).toContainEqual({ ...Object(tenant), role: 'viewer' });
});
