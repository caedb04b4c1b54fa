import type { GrantedTenant } from '#domain/identity/granted-tenants.ts';
import type { OpenIdSignedIn } from '#domain/identity/issue-token.ts';
import { type ApiResponse, ok } from './api-response.ts';

/** Returns the answer of signing in with an OpenID provider, and of renewing: a token, the person, and the person's tenants. */
export function openIdResponse({ token, person, role, tenant, tenants }: OpenIdSignedIn): ApiResponse {
	return ok({
		token,
		user: { id: person.person, name: person.name, provider: person.provider, role },
		tenant: tenantToJson(tenant),
		tenants: tenants.map((each) => ({ ...tenantToJson(each), role: each.role })),
	});
}

function tenantToJson({ schema, database }: GrantedTenant) {
	return { schemaName: schema, tsdb_name: database };
}
