import * as v from 'valibot';
import { machineRoles } from '#domain/access/machine.ts';
import { machineSchema } from '#domain/use-cases/save-machine.ts';
import { exchangeGrantType } from '#http/token-exchange.ts';
import { describedObject } from '../component.ts';
import { answer } from './answer.ts';
import { nullableTimestampSchema, timestampSchema } from './reading.ts';

const roleText = 'What the machine may do. No machine is an administrator.';

const secretSchema = v.object({ id: v.string(), createdAt: timestampSchema });

const savedMachineSchema = v.object({
	clientId: v.string(),
	name: v.string(),
	role: v.picklist(machineRoles),
	database: v.string(),
	expiresAt: timestampSchema,
	createdBy: v.string(),
	createdAt: timestampSchema,
	lastUsedAt: nullableTimestampSchema,
	secrets: v.array(secretSchema),
	version: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

const machineTexts = {
	clientId: 'The id with which the machine signs in: 20 letters and digits.',
	name: 'The name, by which the journals name the machine.',
	role: roleText,
	database: 'The time-series database that it reads: that of the administrator who made it.',
	expiresAt: 'When it ends, with its tokens.',
	createdBy: 'Who made it.',
	createdAt: 'When it was made.',
	lastUsedAt: 'When it signed in last; null: never.',
	secrets: 'Its secrets, oldest first, at most two. None: it may not sign in.',
	version: 'The number of its saves.',
} as const;

const shownOnceSchema = v.object({ ...savedMachineSchema.entries, secret: v.optional(v.string()) });

const tokenSchema = v.object({
	access_token: v.string(),
	issued_token_type: v.optional(v.string()),
	token_type: v.literal('Bearer'),
	expires_in: v.pipe(v.number(), v.integer(), v.minValue(1)),
	scope: v.picklist(['service', 'read']),
});

/** The parameters of a request for a token, where the credentials are in the body. */
const tokenRequestSchema = v.object({
	grant_type: v.picklist(['client_credentials', exchangeGrantType]),
	client_id: v.optional(v.string()),
	client_secret: v.optional(v.string()),
	subject_token: v.optional(v.string()),
	subject_token_type: v.optional(v.string()),
	resource: v.optional(v.string()),
	scope: v.optional(v.string()),
});

const oauthErrorSchema = v.object({
	error: v.picklist(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope', 'invalid_target']),
	error_description: v.string(),
});

/** The schemas of machines and of their tokens. */
export const machineComponents = {
	MachineInput: describedObject(machineSchema, 'A machine to create or to change.', {
		clientId: 'The machine to change. Left out: a new one.',
		name: machineTexts.name,
		role: roleText,
		expiresAt:
			'When it ends, ISO 8601 with `Z` or an offset, or epoch milliseconds: at most 366 days from now. Left out: 366 days from now for a new machine, as it is for another.',
		newSecret: 'Adds a secret, which the answer holds this one time. A new machine has one in any case.',
		removeSecret:
			'The id of the secret to remove. One that the machine does not have changes nothing. Both in one request replace a secret.',
	}),
	MachineSecret: describedObject(secretSchema, 'A secret of a machine, without the secret itself.', {
		id: 'Names it among the secrets of its machine.',
		createdAt: 'When it was made.',
	}),
	Machine: describedObject(savedMachineSchema, 'A program that may use the tenant.', machineTexts),
	SavedMachine: describedObject(shownOnceSchema, 'A machine as stored, with its new secret.', {
		...machineTexts,
		secret: 'The new secret. It is shown this one time: store it now.',
	}),
	MachineAnswer: answer(shownOnceSchema, 'The machine as stored.'),
	MachinesAnswer: answer(v.array(savedMachineSchema), 'The machines of the tenant, oldest first.'),
	MachineDeletion: answer(v.object({ machine: v.boolean() }), '`machine`: whether there was such a machine.'),
	TokenRequest: describedObject(
		tokenRequestSchema,
		'What a machine signs in with (RFC 6749, section 4.4.2), or the token of an OpenID provider that is exchanged (RFC 8693).',
		{
			grant_type: '`client_credentials`, or the grant type of an exchange where the service has providers whose tokens it takes.',
			client_id: 'The client id. Left out where the header Authorization has it.',
			client_secret: 'The secret. Left out where the header Authorization has it.',
			subject_token: 'The access token of the provider, of an exchange.',
			subject_token_type:
				'Of an exchange: `urn:ietf:params:oauth:token-type:access_token`, or `urn:ietf:params:oauth:token-type:jwt`.',
			resource: 'Of an exchange: `urn:caudal:schema:NAME`. Needed where the token opens several schemas.',
			scope: 'The scope of the token. Left out: what the role has, `read` for viewers and `service` for others.',
		},
	),
	MachineToken: describedObject(tokenSchema, 'A token for a machine (RFC 6749, section 5.1).', {
		access_token: 'The token: send it as `Authorization: Bearer`.',
		issued_token_type: 'Of an exchange: what was given.',
		token_type: 'How the token is sent.',
		expires_in: 'Seconds until it ends.',
		scope: 'The scope that it has.',
	}),
	OAuthError: describedObject(oauthErrorSchema, 'Why there is no token (RFC 6749, section 5.2).', {
		error: 'The code of the error.',
		error_description: 'What to do about it.',
	}),
} as const;
