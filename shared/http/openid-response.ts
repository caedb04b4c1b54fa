import { type GrantedTenant, maxTenants } from '#domain/identity/granted-tenants.ts';
import type { OpenIdSignedIn } from '#domain/identity/issue-token.ts';
import { type ApiResponse, ok } from './api-response.ts';

/** Returns the answer of signing in with an OpenID provider, and of renewing: a token, the person, and the person's tenants. */
export function openIdResponse({ token, person, role, tenant, tenants }: OpenIdSignedIn): ApiResponse {
	return ok({
		token,
		user: { id: person.person, name: person.name, provider: person.provider, role },
		tenant: tenantToJson(tenant),
		tenants: toldTenants(tenants, tenant).map((each) => ({ ...tenantToJson(each), role: each.role })),
	});
}

/** Returns the first tenants by name, of which one is the token's. */
function toldTenants(tenants: readonly GrantedTenant[], tenant: GrantedTenant): readonly GrantedTenant[] {
	const first = tenants.slice(0, maxTenants);
	return first.includes(tenant) ? first : [...first.slice(0, -1), tenant];
}

function tenantToJson({ schema, database }: GrantedTenant) {
	return { schemaName: schema, tsdb_name: database };
}
