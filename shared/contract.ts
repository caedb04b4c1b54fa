/**
 * THE route table: one row per endpoint, and the tables that they use. The local gateway, the events under `events/`, the
 * infrastructure and the OpenAPI document all come from it; nothing else in the project repeats a path. Imports nothing.
 */

/** What an endpoint may do with a table, and what DynamoDB is then asked: its actions, as IAM calls them after `dynamodb:`. */
export const actions = {
	/** Reads an item, or several together in a transaction. */
	get: ['GetItem'],
	/** Reads items by their keys, each for itself. */
	getMany: ['BatchGetItem'],
	/** Reads the items below a partition key, some or all. */
	list: ['Query'],
	/** Makes a commit depend on items that it does not change. */
	check: ['ConditionCheckItem'],
	/** Stores an item, a new one or another in its place. */
	put: ['PutItem'],
	/** Deletes an item. */
	delete: ['DeleteItem'],
	/** Adds to what a schema counts beside its variables: its revision with each commit, the last id with each that is given. */
	advance: ['UpdateItem'],
	/** Claims a key, keeps the answer with the commit that it is of, and gives the claim up after an error. */
	claim: ['PutItem', 'UpdateItem', 'DeleteItem'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The name of what an endpoint may do with a table: `'get' | 'getMany' | …`. */
export type Access = keyof typeof actions;

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
	},
	panels: { partitionKey: { name: 'schema', type: 'S' } },
	/** The sort key is a board's key as text: `chart#7`. */
	boards: {
		partitionKey: { name: 'schema', type: 'S' },
		sortKey: { name: 'key', type: 'S' },
	},
	users: { partitionKey: { name: 'email', type: 'S' } },
	idempotency: { partitionKey: { name: 'key', type: 'S' }, ttlAttribute: 'expiresAt' },
	signInFailures: {
		partitionKey: { name: 'email', type: 'S' },
		sortKey: { name: 'key', type: 'S' },
		ttlAttribute: 'expiresAt',
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
	/** Log groups. CloudWatch knows those below `/aws/vendedlogs/` as API Gateway's to write to, however many there are. */
	log: (endpoint: EndpointName) => `/aws/lambda/caudal-${environment}-${endpoint}`,
	accessLog: (api: 'service' | 'issuer') => `/aws/vendedlogs/caudal/${environment}/access/${api}`,
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
	exposedHeaders: ['etag', 'retry-after', 'apigw-requestid'],
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
			users: ['get'],
			signInFailures: ['list', 'put'],
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
		uses: { variables: ['list'] },
	},
	{
		name: 'saveVariable',
		method: 'POST',
		path: '/saveVariable',
		auth: 'bearer',
		api: 'service',
		uses: {
			variables: ['get', 'put', 'advance'],
			panels: ['get', 'getMany', 'check'],
			boards: ['getMany', 'check'],
			idempotency: ['claim'],
			timeSeries: ['read'],
		},
	},
	{
		name: 'deleteVar',
		method: 'POST',
		path: '/deleteVar/{id}',
		auth: 'bearer',
		api: 'service',
		uses: {
			variables: ['get', 'check', 'put', 'delete', 'advance'],
			panels: ['get'],
			boards: ['get', 'getMany', 'check', 'put', 'delete'],
			idempotency: ['claim'],
		},
	},
	{
		name: 'multipleDataTsdb',
		method: 'POST',
		path: '/multipleDataTsdb',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['get', 'list'], timeSeries: ['read'] },
	},
	{
		name: 'getBombs',
		method: 'GET',
		path: '/bombs',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['get'], panels: ['get'], timeSeries: ['read'] },
	},
	{
		name: 'saveBombs',
		method: 'POST',
		path: '/bombs',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['getMany', 'check', 'advance'], panels: ['getMany', 'put'], idempotency: ['claim'] },
	},
	{
		name: 'usages',
		method: 'GET',
		path: '/usages/{id}',
		auth: 'bearer',
		api: 'service',
		uses: { variables: ['get'], panels: ['get'], boards: ['get', 'getMany'] },
	},
	{ name: 'getCharts', method: 'GET', path: '/getCharts', auth: 'bearer', api: 'service', uses: { boards: ['list'] } },
	{
		name: 'saveChart',
		method: 'POST',
		path: '/saveChart',
		auth: 'bearer',
		api: 'service',
		uses: {
			boards: ['get', 'put'],
			variables: ['get', 'getMany', 'check', 'put', 'advance'],
			idempotency: ['claim'],
		},
	},
	{
		name: 'deleteChart',
		method: 'POST',
		path: '/deleteChart/{id}',
		auth: 'bearer',
		api: 'service',
		uses: {
			boards: ['get', 'check', 'delete'],
			variables: ['get', 'getMany', 'check', 'put', 'advance'],
			idempotency: ['claim'],
		},
	},
	{ name: 'getDiagrams', method: 'GET', path: '/getDiagrams', auth: 'bearer', api: 'service', uses: { boards: ['list'] } },
	{
		name: 'saveDiagram',
		method: 'POST',
		path: '/saveDiagram',
		auth: 'bearer',
		api: 'service',
		uses: {
			boards: ['get', 'put'],
			variables: ['get', 'getMany', 'check', 'put', 'advance'],
			idempotency: ['claim'],
		},
	},
	{
		name: 'deleteDiagram',
		method: 'POST',
		path: '/deleteDiagram/{id}',
		auth: 'bearer',
		api: 'service',
		uses: {
			boards: ['get', 'check', 'delete'],
			variables: ['get', 'getMany', 'check', 'put', 'advance'],
			idempotency: ['claim'],
		},
	},
	{
		name: 'getAlarms',
		method: 'GET',
		path: '/getAlarms',
		auth: 'bearer',
		api: 'service',
		uses: { boards: ['list'], variables: ['get'], timeSeries: ['read'] },
	},
	{
		name: 'saveAlarm',
		method: 'POST',
		path: '/saveAlarm',
		auth: 'bearer',
		api: 'service',
		uses: {
			boards: ['get', 'put'],
			variables: ['get', 'getMany', 'check', 'put', 'advance'],
			idempotency: ['claim'],
		},
	},
	{
		name: 'deleteAlarm',
		method: 'POST',
		path: '/deleteAlarm/{id}',
		auth: 'bearer',
		api: 'service',
		uses: {
			boards: ['get', 'check', 'delete'],
			variables: ['get', 'check', 'put', 'advance'],
			idempotency: ['claim'],
		},
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
