/**
 * THE route table: one row per endpoint, and the tables that they use. The local gateway, the events under `events/`, the
 * infrastructure and the OpenAPI document all come from it; nothing else in the project repeats a path. Imports nothing.
 */

/** What an endpoint does with a table. `check`: makes a commit depend on rows that it does not change. */
export type Access = 'read' | 'check' | 'write';

/** An attribute of a table's key; `type` in DynamoDB's notation: text or number. */
interface KeyAttribute {
	readonly name: string;
	readonly type: 'S' | 'N';
}

/** A DynamoDB table (design section 6). */
export interface Table {
	readonly partitionKey: KeyAttribute;
	readonly sortKey?: KeyAttribute;
	/** The attribute that says, in epoch seconds, when DynamoDB may delete an item; absent where items stay. */
	readonly ttlAttribute?: string;
	/** What DynamoDB is asked to do for each access: its actions, as IAM calls them after `dynamodb:`. */
	readonly actions: Readonly<Partial<Record<Access, readonly string[]>>>;
}

/**
 * The tables, by the names that endpoints use them under. What CDK deploys, local mode and tests create, and the adapters
 * under `shared/adapters/dynamo/` fill.
 */
export const tables = {
	/** Ids from 1 are variables; item 0 holds the schema's revision and its count of variables, item -1 the last id given. */
	variables: {
		partitionKey: { name: 'schema', type: 'S' },
		sortKey: { name: 'id', type: 'N' },
		actions: {
			read: ['GetItem', 'BatchGetItem', 'Query'],
			write: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
		},
	},
	panels: {
		partitionKey: { name: 'schema', type: 'S' },
		actions: { read: ['GetItem', 'BatchGetItem'], check: ['ConditionCheckItem'], write: ['PutItem'] },
	},
	/** The sort key is a board's key as text: `chart#7`. */
	boards: {
		partitionKey: { name: 'schema', type: 'S' },
		sortKey: { name: 'key', type: 'S' },
		actions: {
			read: ['GetItem', 'BatchGetItem', 'Query'],
			check: ['ConditionCheckItem'],
			write: ['PutItem', 'DeleteItem', 'ConditionCheckItem'],
		},
	},
	users: { partitionKey: { name: 'email', type: 'S' }, actions: { read: ['GetItem'] } },
	idempotency: {
		partitionKey: { name: 'key', type: 'S' },
		ttlAttribute: 'expiresAt',
		actions: { write: ['PutItem', 'UpdateItem', 'DeleteItem'] },
	},
	signInFailures: {
		partitionKey: { name: 'email', type: 'S' },
		sortKey: { name: 'key', type: 'S' },
		ttlAttribute: 'expiresAt',
		actions: { read: ['Query'], write: ['PutItem'] },
	},
} as const satisfies Readonly<Record<string, Table>>;

/** The name of a table: `'variables' | 'panels' | …`. */
export type TableName = keyof typeof tables;

/** An environment's name: `dev`, `production`. It is part of names on AWS, hence the few characters. */
export const environmentName = /^[a-z][a-z0-9]{0,15}$/;

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What an environment's resources are called on AWS: the stacks give these names, operators' tools look for them. */
export const namesIn = (environment: string) => ({
	stack: (name: 'issuer' | 'data' | 'service') => `caudal-${environment}-${name}`,
	function: (endpoint: EndpointName) => `caudal-${environment}-${endpoint}`,
	table: (table: TableName) => `caudal-${environment}-${dashed(table)}`,
	/** The SSM parameter with the public keys, and which of them signs. */
	keyRing: `/caudal/${environment}/signing-keys`,
	/** The KMS alias of a signing key, by the name that it has in the environment's settings. */
	signingKey: (key: string) => `alias/caudal-${environment}-${key}`,
	/** The secrets in Secrets Manager. */
	secrets: { influxToken: `caudal/${environment}/influx-token`, idpToken: `caudal/${environment}/idp-token` },
});

/** The tables and dependencies that an endpoint can use; each names a table, or a port of the domain. */
interface Uses extends Readonly<Partial<Record<TableName, readonly Access[]>>> {
	readonly timeSeries?: readonly ['read'];
	readonly identityProvider?: readonly ['read'];
	readonly signingKey?: readonly ['sign'];
	readonly publicKeys?: readonly ['read'];
}

/** One endpoint of the service (design section 3). */
export interface Endpoint {
	/** Its folder under `functions/` and its event under `events/`. */
	readonly name: string;
	readonly method: 'GET' | 'POST';
	/** Path template in API Gateway's form: `{id}` is a path parameter. */
	readonly path: string;
	/** `bearer`: behind the JWT authorizer, with scope `service`; `none`: public. */
	readonly auth: 'none' | 'bearer';
	/** Which HTTP API serves it; the issuer's documents are a stack of their own (design section 7). */
	readonly api: 'service' | 'issuer';
	readonly uses: Uses;
}

/** What pages of the origins that are configured may send, and see of an answer (design section 3). */
export const cors = {
	methods: ['GET', 'POST', 'OPTIONS'],
	headers: ['authorization', 'content-type', 'accept', 'if-match', 'idempotency-key'],
	exposedHeaders: ['etag', 'retry-after'],
	/** How long a browser may keep a preflight's answer. */
	maxAgeSeconds: 300,
} as const;

/** The scope that every `bearer` route requires of a token. */
export const requiredScope = 'service';

/** Every endpoint, by ascending path of a client's day: sign in, configure, read. */
export const endpoints = [
	{
		name: 'loginSso',
		method: 'POST',
		path: '/loginSso',
		auth: 'none',
		api: 'service',
		uses: {
			users: ['read'],
			signInFailures: ['read', 'write'],
			identityProvider: ['read'],
			signingKey: ['sign'],
		},
	},
	{
		name: 'getVarsTsdb',
		method: 'GET',
		path: '/getVarsTsdb',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['read'] },
	},
	{
		name: 'saveVariable',
		method: 'POST',
		path: '/saveVariable',
		auth: 'bearer',
		api: 'service',
		uses: {
			variables: ['read', 'write'],
			panels: ['read', 'check'],
			boards: ['read', 'check'],
			idempotency: ['write'],
			timeSeries: ['read'],
		},
	},
	{
		name: 'deleteVar',
		method: 'POST',
		path: '/deleteVar/{id}',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['read', 'write'], panels: ['read'], boards: ['read', 'write'], idempotency: ['write'] },
	},
	{
		name: 'multipleDataTsdb',
		method: 'POST',
		path: '/multipleDataTsdb',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['read'], timeSeries: ['read'] },
	},
	{
		name: 'getBombs',
		method: 'GET',
		path: '/bombs',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['read'], panels: ['read'], timeSeries: ['read'] },
	},
	{
		name: 'saveBombs',
		method: 'POST',
		path: '/bombs',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['read', 'write'], panels: ['read', 'write'], idempotency: ['write'] },
	},
	{
		name: 'usages',
		method: 'GET',
		path: '/usages/{id}',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['read'], panels: ['read'], boards: ['read'] },
	},
	{ name: 'getCharts', method: 'GET', path: '/getCharts', auth: 'bearer', api: 'service', uses: { boards: ['read'] } },
	{
		name: 'saveChart',
		method: 'POST',
		path: '/saveChart',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read', 'write'], variables: ['read', 'write'], idempotency: ['write'] },
	},
	{
		name: 'deleteChart',
		method: 'POST',
		path: '/deleteChart/{id}',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read', 'write'], variables: ['read', 'write'], idempotency: ['write'] },
	},
	{ name: 'getDiagrams', method: 'GET', path: '/getDiagrams', auth: 'bearer', api: 'service', uses: { boards: ['read'] } },
	{
		name: 'saveDiagram',
		method: 'POST',
		path: '/saveDiagram',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read', 'write'], variables: ['read', 'write'], idempotency: ['write'] },
	},
	{
		name: 'deleteDiagram',
		method: 'POST',
		path: '/deleteDiagram/{id}',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read', 'write'], variables: ['read', 'write'], idempotency: ['write'] },
	},
	{
		name: 'getAlarms',
		method: 'GET',
		path: '/getAlarms',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read'], variables: ['read'], timeSeries: ['read'] },
	},
	{
		name: 'saveAlarm',
		method: 'POST',
		path: '/saveAlarm',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read', 'write'], variables: ['read', 'write'], idempotency: ['write'] },
	},
	{
		name: 'deleteAlarm',
		method: 'POST',
		path: '/deleteAlarm/{id}',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['read', 'write'], variables: ['read', 'write'], idempotency: ['write'] },
	},
	{ name: 'health', method: 'GET', path: '/health', auth: 'none', api: 'service', uses: {} },
	{
		name: 'openidConfiguration',
		method: 'GET',
		path: '/.well-known/openid-configuration',
		auth: 'none',
		api: 'issuer',
		uses: {},
	},
	{
		name: 'jwks',
		method: 'GET',
		path: '/.well-known/jwks.json',
		auth: 'none',
		api: 'issuer',
		uses: { publicKeys: ['read'] },
	},
] as const satisfies readonly Endpoint[];

/** The name of an endpoint: `'loginSso' | 'getVarsTsdb' | …`. */
export type EndpointName = (typeof endpoints)[number]['name'];
