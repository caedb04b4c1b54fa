import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import { credentialsSchema } from '#domain/use-cases/sign-in.ts';
import { idSchema } from '#domain/validation/field.ts';
import { described, describedObject } from '../component.ts';

const userSchema = v.object({
	id: idSchema,
	email: v.string(),
	first_name: v.string(),
	last_name: v.string(),
	role: v.picklist(roles),
});

const sessionSchema = v.object({ token: v.string(), user: userSchema });

const discoverySchema = v.object({
	issuer: v.pipe(v.string(), v.url()),
	jwks_uri: v.pipe(v.string(), v.url()),
	response_types_supported: v.array(v.string()),
	subject_types_supported: v.array(v.string()),
	id_token_signing_alg_values_supported: v.array(v.string()),
	token_endpoint: v.optional(v.pipe(v.string(), v.url())),
	grant_types_supported: v.optional(v.array(v.string())),
	token_endpoint_auth_methods_supported: v.optional(v.array(v.string())),
});

const publicKeySchema = v.object({
	kid: v.string(),
	kty: v.literal('RSA'),
	alg: v.literal('RS256'),
	use: v.literal('sig'),
	n: v.string(),
	e: v.string(),
});

// The description says what the values are. A choice between lists does not compile in Java.
const fieldErrorSchema = v.object({ message: v.string(), code: v.string(), params: v.record(v.string(), v.unknown()) });

/** The errors of the service, by field. */
export const fieldErrorsSchema = v.record(v.string(), fieldErrorSchema);

/** The errors of the gateway. */
export const gatewayErrorSchema = v.object({ message: v.string() });

/** The errors of the service or of the gateway, as one object: of a choice with a map, generators make what does not compile. */
const fieldOrGatewayErrorsSchema = v.objectWithRest({ message: v.optional(v.string()) }, fieldErrorSchema);

/** The schemas of sign-in, of the service itself and of errors. */
export const serviceComponents = {
	Credentials: describedObject(credentialsSchema, 'What a client signs in with.', {
		email: 'The e-mail address of the user, at most 320 characters, in any case.',
		tokenApp: 'The user’s application token of the identity provider.',
		schemaName: 'The tenant: the name of the client’s database schema.',
		tsdb_name: 'The tenant’s time-series database.',
	}),
	User: describedObject(userSchema, 'The user who signed in.', {
		id: 'The id of the user at the identity provider.',
		email: 'The e-mail address.',
		first_name: 'The first name.',
		last_name: 'The last name.',
		role: 'What the user may do: viewer, operator, engineer or administrator.',
	}),
	Session: describedObject(sessionSchema, 'A token, and the user that it is for.', {
		token:
			'A JWT for the header `Authorization: Bearer`. It lasts about one hour, and not longer than the session: renew it before that with the operation `renewToken`. After a 401, sign in again.',
		user: 'The user.',
	}),
	Health: describedObject(v.object({ status: v.literal('ok'), version: v.string() }), 'The service answers.', {
		status: 'Always `ok`.',
		version: 'The version of the release, as in `info.version` of this document.',
	}),
	ApiDescription: described(v.looseObject({ openapi: v.string() }), 'An OpenAPI 3.1 document.'),
	Discovery: describedObject(discoverySchema, 'The issuer’s discovery document (OpenID Connect Discovery 1.0).', {
		issuer: 'The issuer that tokens name.',
		jwks_uri: 'Where the public keys are.',
		response_types_supported: 'Required by the standard.',
		subject_types_supported: 'Required by the standard.',
		id_token_signing_alg_values_supported: 'How tokens are signed.',
		token_endpoint: 'Where machines sign in. Left out where the issuer does not know the address of the service.',
		grant_types_supported: 'How machines sign in, and whether tokens are exchanged.',
		token_endpoint_auth_methods_supported: 'How machines send their secret.',
	}),
	PublicKey: describedObject(publicKeySchema, 'A public key (RFC 7517).', {
		kid: 'The id of the key, which the header of a token names.',
		kty: 'The kind of key.',
		alg: 'The algorithm.',
		use: 'The key signs.',
		n: 'The modulus, in base64url.',
		e: 'The exponent, in base64url.',
	}),
	PublicKeys: describedObject(v.object({ keys: v.array(publicKeySchema) }), 'The public keys that verify tokens.', {
		keys: 'Every key that may have signed a token which is still valid.',
	}),
	FieldError: describedObject(fieldErrorSchema, 'What is wrong with one field.', {
		message: 'What is wrong, for people.',
		code: 'What is wrong, for programs and translations: a stable name in snake_case.',
		params:
			'The values that the message tells, by name: numbers, truth values, short texts, and lists of numbers or of texts. Which ones there are depends on `code`.',
	}),
	FieldErrors: described(
		fieldErrorsSchema,
		'The errors by the path of the field, such as `equation.3` or `varsTsdb.Level.calc_unit`; at most 100. Errors that concern no field have the key `request`, failed dependencies `tsdb`, `identityProvider`, `openIdProvider` or `signingKey`.',
	),
	GatewayError: describedObject(gatewayErrorSchema, 'An error of the gateway itself.', { message: 'What is wrong.' }),
	FieldOrGatewayErrors: describedObject(
		fieldOrGatewayErrorsSchema,
		'The errors by the path of the field, as `FieldErrors`; or an error of the gateway, which has `message` alone.',
		{ message: 'What is wrong, of the gateway.' },
	),
} as const;
