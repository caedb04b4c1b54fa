import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import { newPasswordSchema } from '#domain/use-cases/set-password.ts';
import { askedTenantSchema, openIdSignInSchema } from '#domain/use-cases/sign-in-openid.ts';
import { passwordSignInSchema, secondFactorSchema } from '#domain/use-cases/sign-in-password.ts';
import { describedObject } from '../component.ts';
import { answer } from './answer.ts';

const address = v.pipe(v.string(), v.url());

const waysToSignInSchema = v.object({
	credentials: v.boolean(),
	accounts: v.boolean(),
	consoleUrl: v.nullable(address),
	providers: v.array(v.object({ name: v.string(), label: v.string() })),
});

const providerSchema = v.object({
	authorizationEndpoint: address,
	issuer: v.string(),
	requiresIssuer: v.boolean(),
	clientId: v.string(),
	scope: v.string(),
	parameters: v.record(v.string(), v.string()),
	redirectUri: address,
});

const personSchema = v.object({ id: v.string(), name: v.string(), provider: v.string(), role: v.picklist(roles) });

const tenantSchema = v.object({ schemaName: v.string(), tsdb_name: v.string() });

const tenantRoleSchema = v.object({ ...tenantSchema.entries, role: v.picklist(roles) });

const sessionSchema = v.object({
	token: v.string(),
	user: personSchema,
	tenant: tenantSchema,
	tenants: v.array(tenantRoleSchema),
});

const secondFactorAnswerSchema = v.object({
	secret: v.string(),
	address: v.string(),
	recoveryCodes: v.nullable(v.array(v.string())),
});

const asked = {
	schemaName: 'The schema that the token is for. Left out: the first one that the person may use.',
	tsdb_name: 'The time-series database that the token is for. Left out: that of the schema.',
};

/** The schemas of sign-in with OpenID providers. */
export const openIdComponents = {
	WaysToSignInAnswer: answer(waysToSignInSchema, 'The ways to sign in.'),
	OpenIdProviderAnswer: answer(providerSchema, 'What a page needs to send a person to a provider.'),
	OpenIdSignIn: describedObject(openIdSignInSchema, 'What a person brings back from an OpenID provider.', {
		provider: 'The name of the provider.',
		code: 'The code of the provider.',
		codeVerifier: 'The verifier whose SHA-256 was the code challenge (RFC 7636).',
		nonce: 'The nonce of the authorization request: 32 random bytes in base64url.',
		...asked,
	}),
	PasswordSignIn: describedObject(passwordSignInSchema, 'The e-mail and the password of an account.', {
		email: 'The e-mail of the account.',
		password: 'The password of the account.',
		code: 'The code of the authenticator app, or a recovery code, where the account has a second factor.',
		...asked,
	}),
	SecondFactorInput: describedObject(secondFactorSchema, 'The e-mail and the password of an account, and the secret to set.', {
		email: 'The e-mail of the account.',
		password: 'The password of the account.',
		secret: 'The secret that was answered, in base32. Left out: a new one is answered, and nothing is set.',
		code: 'A code of the authenticator app with that secret.',
	}),
	SecondFactor: describedObject(secondFactorAnswerSchema, 'A second factor.', {
		secret: 'The secret for an authenticator app (TOTP, RFC 6238), in base32.',
		address: 'The secret as an address that authenticator apps open: `otpauth://…`.',
		recoveryCodes: 'Codes for when the app is lost, each used once, told only now. Null: nothing was set yet.',
	}),
	NewPassword: describedObject(newPasswordSchema, 'A link to set a password, and the password.', {
		token: 'What follows `set-password=` in the link.',
		password: 'The new password, of 12 to 128 characters.',
	}),
	PasswordSet: describedObject(v.object({ email: v.string() }), 'The password is set.', {
		email: 'The e-mail to sign in with.',
	}),
	TenantRequest: describedObject(askedTenantSchema, 'The tenant that a token is for.', asked),
	OpenIdPerson: describedObject(personSchema, 'The person who signed in.', {
		id: 'The id of the person in this service: `person:` and 32 hex digits.',
		name: 'The name under which the person is shown, with the provider.',
		provider: 'The name of the provider.',
		role: 'What the person may do: viewer, operator, engineer or administrator.',
	}),
	Tenant: describedObject(tenantSchema, 'A tenant.', {
		schemaName: 'The schema.',
		tsdb_name: 'The time-series database.',
	}),
	TenantRole: describedObject(tenantRoleSchema, 'A tenant that a person may use.', {
		schemaName: 'The schema.',
		tsdb_name: 'The time-series database.',
		role: 'What the grants let the person do there.',
	}),
	OpenIdSession: describedObject(sessionSchema, 'A token, the person that it is for, and the person’s tenants.', {
		token: 'A JWT for the header `Authorization: Bearer`. Renew it with the operation `renewOpenIdToken`.',
		user: 'The person.',
		tenant: 'The tenant of the token.',
		tenants: 'Every tenant of the person, by name, at most 50.',
	}),
	SignedOut: describedObject(v.object({ address: v.nullable(address) }), 'The session is ended.', {
		address: 'The address at which the person signs out at the provider, too; null: there is none.',
	}),
	LogoutRequest: describedObject(
		v.object({ logout_token: v.string() }),
		'A logout of a provider (OpenID Connect Back-Channel Logout 1.0).',
		{
			logout_token: 'The logout token.',
		},
	),
	LoggedOut: describedObject(v.object({}), 'The sessions are ended.', {}),
} as const;
