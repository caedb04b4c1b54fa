/** The password of every user of the realms of tests. */
export const keycloakPassword = 'a password of a test';

/** A user of a realm, in the groups of these names, who has nothing to confirm at the first sign-in. */
export function keycloakUser(user: { readonly username: string; readonly email: string }, groups: readonly string[]) {
	return {
		...user,
		enabled: true,
		emailVerified: true,
		firstName: 'Op',
		lastName: 'Erator',
		groups: groups.map((group) => `/${group}`),
		credentials: [{ type: 'password', value: keycloakPassword, temporary: false }],
	};
}

/** The mapper "Group Membership" as infra/aws/SIGN-IN.md says to set it. */
export const groupsMapper = {
	name: 'groups',
	protocol: 'openid-connect',
	protocolMapper: 'oidc-group-membership-mapper',
	config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true', 'access.token.claim': 'true' },
};

/** The mapper "Audience": access tokens are for the service, too. */
export const audienceMapper = {
	name: 'audience',
	protocol: 'openid-connect',
	protocolMapper: 'oidc-audience-mapper',
	config: { 'included.custom.audience': 'urn:caudal', 'access.token.claim': 'true' },
};

/** The attributes of a client that people sign in with, with a page to come back to and an address for logout tokens. */
export function clientAttributes(redirectUri: string, backchannelLogoutUri: string) {
	return {
		'pkce.code.challenge.method': 'S256',
		'post.logout.redirect.uris': redirectUri,
		'backchannel.logout.url': backchannelLogoutUri,
		'backchannel.logout.session.required': 'true',
	};
}
