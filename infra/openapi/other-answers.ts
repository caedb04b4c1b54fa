import type { ErrorParams } from '#domain/validation/problem.ts';
import type { headers } from './headers.ts';

/** An answer with another status than 200. */
export interface OtherAnswer {
	readonly description: string;
	/** The form of the body. The service sends `FieldErrors` or `OAuthError`, the gateway `GatewayError`. Left out if there is no body. */
	readonly form?: 'FieldErrors' | 'GatewayError' | 'FieldOrGatewayErrors' | 'OAuthError';
	readonly headers?: readonly (keyof typeof headers)[];
	readonly example?: unknown;
}

/** Builds the body of an error that concerns no field. */
const inRequest = (code: string, message: string, params: ErrorParams = {}) => ({ request: { message, code, params } });

/** The body of an error in two fields. */
const wrongFields = {
	name: { message: 'At most 200 characters.', code: 'too_long', params: { limit: 200 } },
	'varsTsdb.Level.calc_unit': {
		message: 'Is required: the unit of calc_time, here or as calc_unit_topic.',
		code: 'unit_required',
		params: {},
	},
};

/** Every answer with another status than 200: 304, and the errors of the service (shared/http/README.md#errors). */
export const otherAnswers = {
	NotModified: {
		description: 'It has not changed since the client read it. There is no body.',
		headers: ['ETag', 'CacheControl'],
	},
	BadRequest: {
		description: 'Wrong input: correct the fields that the body names.',
		form: 'FieldErrors',
		example: wrongFields,
	},
	BadPath: {
		description:
			'Wrong input: correct the fields that the body names. The gateway answers so where the path is not encoded correctly.',
		form: 'FieldOrGatewayErrors',
		example: wrongFields,
	},
	Unauthorized: {
		description: 'No valid token: sign in again. At tables also: wrong credentials of a machine.',
		form: 'GatewayError',
		headers: ['Challenge'],
		example: { message: 'Unauthorized' },
	},
	SignInRefused: {
		description: 'Wrong credentials. The body is the same for every reason.',
		form: 'FieldErrors',
		example: inRequest(
			'credentials_refused',
			'Sign-in refused: check e-mail, application token, schema and database, and that the product is yours.',
		),
	},
	PasswordRefused: {
		description: 'Wrong e-mail or password, for whatever reason, or no right code of a second factor.',
		form: 'FieldErrors',
		example: inRequest('password_refused', 'Sign-in refused: check e-mail and password.'),
	},
	SecondFactorSet: {
		description: 'The account has a second factor: an operator removes it.',
		form: 'FieldErrors',
		example: inRequest('second_factor_set', 'This account has a second factor: ask whoever runs the service to remove it.'),
	},
	SecondFactorLate: {
		description: 'A second factor is required, and is set up only while the password is new: ask for a new link.',
		form: 'FieldErrors',
		example: inRequest(
			'second_factor_late',
			'A second factor is set up within an hour after the password was set: ask whoever runs the service for a new link.',
		),
	},
	LinkEnded: {
		description: 'The link was used, or its time is over: ask for a new one.',
		form: 'FieldErrors',
		example: {
			token: {
				message: 'This link was used, or its time is over: ask whoever runs the service for a new one.',
				code: 'link_ended',
				params: {},
			},
		},
	},
	OpenIdRefused: {
		description: 'The provider did not confirm the sign-in, or its answer does not pass the checks: begin again.',
		form: 'FieldErrors',
		example: inRequest('sign_in_refused', 'The provider did not confirm this sign-in: begin it again.'),
	},
	NoGrant: {
		description: 'No grant lets the person in: `claims` says what an administrator must know.',
		form: 'FieldErrors',
		example: inRequest(
			'no_grant',
			'No grant lets you in: tell an administrator, with what your provider says of you: groups=staff.',
			{ provider: 'entra', claims: ['groups=staff'] },
		),
	},
	NoSuchProvider: {
		description: 'There is no provider with this name: list the ways to sign in again.',
		form: 'FieldErrors',
		example: {
			name: { message: 'There is no such provider: read the list of providers again.', code: 'no_such_provider', params: {} },
		},
	},
	TokenRefused: {
		description: 'The form is malformed, or asks for what a machine may not have.',
		form: 'OAuthError',
		example: { error: 'unsupported_grant_type', error_description: 'Send grant_type=client_credentials.' },
	},
	ClientRefused: {
		description:
			'Wrong client id or secret, or a machine that has ended or was deleted. The body is the same for every reason. API Gateway may send the challenge as `x-amzn-remapped-www-authenticate`.',
		form: 'OAuthError',
		headers: ['Challenge'],
		example: {
			error: 'invalid_client',
			error_description:
				'Client id or secret are wrong, or the machine may not sign in any more: ask an administrator of your plant.',
		},
	},
	Forbidden: {
		description:
			'A token whose scope or role is not enough, or one that names no schema and database. Without the scope of the route the gateway answers.',
		form: 'FieldOrGatewayErrors',
		headers: ['Challenge'],
		example: inRequest(
			'role_too_low',
			'This needs the role engineer, and yours is operator: ask an administrator of your plant.',
			{
				needs: 'engineer',
				has: 'operator',
			},
		),
	},
	RenewalRefused: {
		description: 'The session has ended, or its user, product or tenant is no longer allowed: sign in again.',
		form: 'FieldOrGatewayErrors',
		headers: ['Challenge'],
		example: inRequest('session_ended', 'The session is over: sign in again.'),
	},
	NotFound: {
		description: 'There is nothing with this id: list again.',
		form: 'FieldErrors',
		example: {
			id: {
				message: 'There is no variable 987654; send id 0 to make a new one.',
				code: 'not_found',
				params: { kind: 'variable', id: 987654 },
			},
		},
	},
	NoSuchChange: {
		description: 'The journal has no such entry.',
		form: 'FieldErrors',
		example: {
			rowVersion: {
				message: 'The journal has no such entry: take kind, itemId and rowVersion from an entry of GET /changes.',
				code: 'no_such_change',
				params: { kind: 'chart', itemId: 29, rowVersion: 9 },
			},
		},
	},
	NotDeleted: {
		description: 'The item is stored, or this is not the entry of its last deletion; or the idempotency key is in use.',
		form: 'FieldErrors',
		example: {
			rowVersion: {
				message: 'The chart 29 is stored, or this is not the entry of its last deletion: read its changes.',
				code: 'not_deleted',
				params: { kind: 'chart', id: 29 },
			},
		},
	},
	NoSuchMachine: {
		description: 'The tenant has no machine with this client id.',
		form: 'FieldErrors',
		example: {
			clientId: {
				message: 'There is no machine q3VbT0nYx7LrKd92HsWa; leave clientId out to make a new one.',
				code: 'no_such_machine',
				params: { machine: 'q3VbT0nYx7LrKd92HsWa' },
			},
		},
	},
	NoSuchPerson: {
		description: 'No person with this id signed in yet.',
		form: 'FieldErrors',
		example: {
			email: {
				message: 'There is no such person: people of a sign-in provider are known from their first sign-in.',
				code: 'no_such_person',
				params: {},
			},
		},
	},
	RoleFromProvider: {
		description: 'The grants of the OpenID provider give a higher role.',
		form: 'FieldErrors',
		example: {
			role: {
				message: 'The sign-in provider gives the role engineer: change the grant to lower it.',
				code: 'role_from_provider',
				params: { role: 'engineer' },
			},
		},
	},
	SecretsFull: {
		description: 'The machine has two secrets: name the one to remove.',
		form: 'FieldErrors',
		example: {
			newSecret: {
				message: 'A machine has at most 2 secrets: name the one to remove in removeSecret.',
				code: 'secrets_full',
				params: { limit: 2 },
			},
		},
	},
	NoPanel: {
		description: 'No panel is saved yet.',
		form: 'FieldErrors',
		example: inRequest('not_found', 'No panel is saved yet: save one first.', { kind: 'panel' }),
	},
	Conflict: {
		description: 'The change would break something that refers to the variable, or the idempotency key is in use.',
		form: 'FieldErrors',
		example: {
			bits: {
				message: 'Bits in use cannot be removed: 4. Used by diagram 31 (Plant overview). Change those first.',
				code: 'in_use',
				params: { bits: [4], usages: 1, kinds: ['diagram'], names: ['Plant overview'] },
			},
		},
	},
	VersionMismatch: {
		description: 'Another version is stored than the one in `If-Match`: read again, then change that.',
		form: 'FieldErrors',
		example: inRequest('version_mismatch', 'The stored version is 4, not the one in If-Match: read it again, then change that.', {
			stored: 4,
		}),
	},
	TooLarge: {
		description: 'Too much of something: the message names the limit and what to do.',
		form: 'FieldOrGatewayErrors',
		example: inRequest(
			'answer_too_large',
			'The answer is larger than 6 MB: send Accept-Encoding: gzip, or ask for less in one request.',
			{ limit: 6_275_072 },
		),
	},
	UnsupportedMediaType: {
		description: 'The body is not `application/json` in UTF-8, or it is compressed.',
		form: 'FieldErrors',
		example: inRequest('content_type_not_json', 'Send Content-Type: application/json, in UTF-8.'),
	},
	SignInBlocked: {
		description: 'Too many failed sign-ins: wait. The gateway’s throttling has no `Retry-After`.',
		form: 'FieldOrGatewayErrors',
		headers: ['RetryAfter'],
		example: inRequest('sign_in_blocked', 'Too many failed sign-ins: wait, then try again.'),
	},
	TooManyRequests: {
		description: 'The gateway throttles requests: wait a few seconds.',
		form: 'GatewayError',
		example: { message: 'Too Many Requests' },
	},
	InternalError: {
		description: 'A bug: tell the operator the request id in the message.',
		form: 'FieldOrGatewayErrors',
		example: inRequest('internal_error', 'Internal error. Tell the operator this request id: JKJaXmPLvHcESHA=', {
			requestId: 'JKJaXmPLvHcESHA=',
		}),
	},
	DependencyFailed: {
		description: 'The time-series database, the identity provider or the signing key failed: retry later.',
		form: 'FieldErrors',
		example: {
			tsdb: {
				message: 'The time-series database failed: try again; if it stays so, tell the operator.',
				code: 'dependency_failed',
				params: { dependency: 'tsdb' },
			},
		},
	},
	Unavailable: {
		description:
			'Too many requests or writes of one schema at once, or the store failed: retry after `Retry-After`, with the same idempotency key.',
		form: 'FieldOrGatewayErrors',
		headers: ['RetryAfter'],
		example: inRequest('write_contention', 'Too many writes to this schema at once; nothing was written. Try again.'),
	},
	DependencySlow: {
		description:
			'The time-series database, the identity provider or the signing key was too slow: retry later, or after `Retry-After` where the database was not asked.',
		form: 'FieldErrors',
		headers: ['RetryAfter'],
		example: {
			tsdb: {
				message: 'The time-series database did not answer in time: try again.',
				code: 'dependency_slow',
				params: { dependency: 'tsdb' },
			},
		},
	},
} as const satisfies Readonly<Record<string, OtherAnswer>>;

/** The name of an answer with another status than 200. */
export type OtherAnswerName = keyof typeof otherAnswers;

/** The names of all answers with another status than 200. */
export const otherAnswerNames = Object.keys(otherAnswers).filter((name): name is OtherAnswerName => name in otherAnswers);
