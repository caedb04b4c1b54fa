import type { ApiOperation } from '../operation.ts';

/** A machine that has not signed in yet. */
const machine = {
	clientId: 'q3VbT0nYx7LrKd92HsWa',
	name: 'grafana',
	role: 'viewer',
	database: 'plant_a',
	expiresAt: '2027-11-21T00:00:00.000Z',
	createdBy: 'operator@plant-a.example',
	createdAt: '2026-11-21T11:58:03.000Z',
	lastUsedAt: null,
	secrets: [{ id: 'Zk9vP1xQ2a', createdAt: '2026-11-21T11:58:03.000Z' }],
	version: 1,
} as const;

/** The operations on machines, and that by which they sign in. */
export const machineOperations = {
	token: {
		id: 'requestToken',
		tag: 'Sign-in',
		summary: 'Sign a machine in, or exchange a token',
		description:
			'Exchanges client id and secret of a machine for a token: the client credentials grant of OAuth 2.0. They are in the form, or in the header Authorization by the scheme Basic. The token ends no later than the machine, and is not renewed: ask for a new one. Where the service has OpenID providers with audiences, their access tokens are exchanged, too (RFC 8693): for pipelines without a secret of their own.',
		request: {
			schema: 'TokenRequest',
			required: true,
			isForm: true,
			examples: {
				demo: {
					summary: 'The machine of the demo',
					value: {
						grant_type: 'client_credentials',
						client_id: 'DemoGrafanaOfPlantA1',
						client_secret: 'cdl_demo-only-not-a-secret-00000000000000000000KKFASg',
					},
				},
				exchange: {
					summary: 'The token of a pipeline',
					value: {
						grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
						subject_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl',
						subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
						resource: 'urn:caudal:schema:plant_a',
					},
				},
			},
		},
		answer: {
			description: 'A token.',
			schema: 'MachineToken',
			examples: {
				token: {
					summary: 'A token of a viewer',
					value: {
						access_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImxvY2FsIn0.eyJzdWIiOiJtIn0.c2lnbmF0dXJl',
						token_type: 'Bearer',
						expires_in: 3600,
						scope: 'read',
					},
				},
			},
			headers: ['CacheControl'],
		},
		others: { 400: 'TokenRefused', 401: 'ClientRefused' },
	},
	getMachines: {
		id: 'listMachines',
		tag: 'Access',
		summary: 'List machines',
		description: 'Lists the programs that may use the tenant, without their secrets. Needs the role administrator.',
		answer: {
			description: 'The machines, oldest first.',
			schema: 'MachinesAnswer',
			examples: { machines: { summary: 'One machine', value: { data: [machine] } } },
		},
	},
	saveMachine: {
		id: 'saveMachine',
		tag: 'Access',
		summary: 'Create or change a machine',
		description:
			'Creates a machine, or changes one by its `clientId`. The answer holds a new secret this one time; it is not stored, so there is no idempotency key (400). To replace a secret without a pause, add one, give it to the program, then remove the older one. Needs the role administrator.',
		parameters: ['IfMatch'],
		request: {
			schema: 'MachineInput',
			required: true,
			examples: {
				create: { summary: 'A new machine', value: { name: 'grafana', role: 'viewer' } },
				rotate: {
					summary: 'A second secret',
					value: { clientId: 'DemoGrafanaOfPlantA1', name: 'grafana', role: 'viewer', newSecret: true },
				},
			},
		},
		answer: {
			description: 'The machine as stored.',
			schema: 'MachineAnswer',
			examples: {
				machine: {
					summary: 'A new machine with its secret',
					value: { data: { ...machine, secret: 'cdl_jS2nq0dQbW9xk7u3mTqvYcA1eR5tZpLhGfDsXoViNw8BkMHjUA' } },
				},
			},
			headers: ['ETag'],
		},
		others: { 404: 'NoSuchMachine', 409: 'SecretsFull' },
	},
	deleteMachine: {
		id: 'deleteMachine',
		tag: 'Access',
		summary: 'Delete a machine',
		description:
			'Deletes a machine. It signs in no more and changes nothing from then on; a token that it has reads until it ends, at most an hour. Needs the role administrator.',
		parameters: ['IfMatch'],
		answer: {
			description: 'Whether there was such a machine.',
			schema: 'MachineDeletion',
			examples: { deleted: { summary: 'Deleted', value: { data: { machine: true } } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
