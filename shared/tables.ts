/**
 * The DynamoDB tables and the kinds of access that an endpoint can have to one (shared/adapters/dynamo/README.md#tables). Imports nothing.
 */

/** A kind of access to a table, mapped to the DynamoDB actions it needs, spelled as IAM spells them after `dynamodb:`. */
export const actions = {
	/** Reads one item, or several in one transaction. */
	get: ['GetItem'],
	/** Reads many items by key, without a transaction. */
	getMany: ['BatchGetItem'],
	/** Reads the items of one partition. */
	list: ['Query'],
	/** Reads the items of one partition of an index of the table. */
	listIndex: ['Query'],
	/** Makes a commit depend on an item that it does not change. */
	check: ['ConditionCheckItem'],
	/** Creates or replaces an item. */
	put: ['PutItem'],
	/** Deletes an item. */
	delete: ['DeleteItem'],
	/** Updates the counters of a schema: its revision with each commit, its last id with each new row. */
	advance: ['UpdateItem'],
	/** Counts an attempt to sign in, on condition of its limit, and withdraws it. */
	count: ['UpdateItem'],
	/** Reads every item of a table. */
	scan: ['Scan'],
	/** Takes the lease of a schema, and records how far it is evaluated, or when its reports are closed. */
	lease: ['UpdateItem'],
	/** Sets a role, saves a machine, or notes a sign-in, and leaves the other attributes as they are. */
	update: ['UpdateItem'],
	/** Claims an idempotency key, stores the response with the commit, and releases the claim after an error. */
	claim: ['PutItem', 'UpdateItem', 'DeleteItem'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The name of a kind of access: `'get' | 'getMany' | …`. */
export type Access = keyof typeof actions;

/** An attribute of a table's key; `type` in DynamoDB's notation: string (S) or number (N). */
interface KeyAttribute {
	readonly name: string;
	readonly type: 'S' | 'N';
}

/** A global secondary index: the items of a table that have its keys, by those keys. Its reads are eventually consistent. */
export interface IndexDefinition {
	readonly name: string;
	readonly partitionKey: KeyAttribute;
	readonly sortKey?: KeyAttribute;
	/** The attributes that it holds beside the keys. */
	readonly attributes: readonly string[];
}

/** The key schema of a DynamoDB table. */
export interface TableDefinition {
	readonly partitionKey: KeyAttribute;
	readonly sortKey?: KeyAttribute;
	readonly indexes?: readonly IndexDefinition[];
	/** The attribute with the time, in epoch seconds, after which DynamoDB may delete an item; absent where items stay. */
	readonly ttlAttribute?: string;
}

const schema = { name: 'schema', type: 'S' } as const;

/** The tables by name. CDK deploys them; local mode and the tests create them in an emulator. */
export const tables = {
	/** Ids from 1 are variables. Item 0 holds the schema's metadata: revision, counts and changes; item -1 the last id. */
	variables: { partitionKey: schema, sortKey: { name: 'id', type: 'N' } },
	panels: { partitionKey: schema },
	/** The sort key is the kind and id of a board: `chart#7`. */
	boards: { partitionKey: schema, sortKey: { name: 'key', type: 'S' } },
	/** How far the alarms of a schema are evaluated, and who evaluates them (shared/domain/alarm/EVALUATION.md#stored-rows). */
	evaluations: { partitionKey: schema },
	/** The rows of an alarm: `state#7` is the evaluator's, `operator#7` the operators', `outbox#7` what subscribers were not told yet. */
	alarmStates: { partitionKey: schema, sortKey: { name: 'key', type: 'S' } },
	/** The journal of alarms. The sort key begins with the time of an event (`alarmEventKey`). */
	alarmEvents: { partitionKey: schema, sortKey: { name: 'key', type: 'S' }, ttlAttribute: 'expiresAt' },
	/** The journal of changes (shared/domain/changes/README.md). The sort key is that of an entry: `changeKeyText`. */
	changes: {
		partitionKey: schema,
		sortKey: { name: 'key', type: 'S' },
		ttlAttribute: 'expiresAt',
		// The index holds everything except the replaced item.
		indexes: [
			{
				name: 'byTime',
				partitionKey: schema,
				sortKey: { name: 'at', type: 'S' },
				attributes: ['kind', 'itemId', 'actor', 'entry', 'expiresAt'],
			},
		],
	},
	/**
	 * The stored days of reports: `day#7#2026-11-20`, the revisions that were replaced: `revision#7#2026-11-20#000001`, and when the reports
	 * of the schema are closed: `closing`.
	 */
	reportDays: { partitionKey: schema, sortKey: { name: 'key', type: 'S' } },
	/** The registered users of all schemas (shared/domain/use-cases/README.md#sign-in). */
	users: { partitionKey: { name: 'email', type: 'S' } },
	/** The people of a schema with their roles (shared/domain/access/README.md#people). */
	people: { partitionKey: schema, sortKey: { name: 'email', type: 'S' } },
	/** The machines of all schemas (shared/domain/access/README.md#machines). */
	machines: {
		partitionKey: { name: 'clientId', type: 'S' },
		// The index holds everything except the hashes of secrets.
		indexes: [
			{
				name: 'bySchema',
				partitionKey: schema,
				sortKey: { name: 'clientId', type: 'S' },
				attributes: ['machine', 'lastUsedAt'],
			},
		],
	},
	/** The client that owns a schema or a database: `schema#plant_a`, `database#plant_a`. */
	owners: { partitionKey: { name: 'key', type: 'S' } },
	/** Who is let into which tenant, by what an OpenID provider says (shared/domain/identity/README.md#grants). */
	grants: { partitionKey: { name: 'provider', type: 'S' }, sortKey: { name: 'key', type: 'S' } },
	/** The sessions of people of OpenID providers, by the hash of a secret in their tokens. */
	sessions: {
		partitionKey: { name: 'id', type: 'S' },
		indexes: [
			{ name: 'byPerson', partitionKey: { name: 'person', type: 'S' }, sortKey: { name: 'id', type: 'S' }, attributes: [] },
		],
		ttlAttribute: 'expiresAt',
	},
	/** The encrypted tokens of the providers for these sessions. */
	sessionTokens: { partitionKey: { name: 'id', type: 'S' }, ttlAttribute: 'expiresAt' },
	/** The idempotency keys, with the stored responses (shared/domain/transaction/README.md#idempotency). */
	idempotency: { partitionKey: { name: 'key', type: 'S' }, ttlAttribute: 'expiresAt' },
	/** Attempts to sign in that count, and the sources that signed in with an e-mail. */
	signInFailures: {
		partitionKey: { name: 'email', type: 'S' },
		sortKey: { name: 'key', type: 'S' },
		ttlAttribute: 'expiresAt',
	},
} as const satisfies Readonly<Record<string, TableDefinition>>;

/** The name of a table: `'variables' | 'panels' | …`. */
export type TableName = keyof typeof tables;

/** The names of all tables. */
export const tableNames: readonly TableName[] = Object.keys(tables).filter((name): name is TableName => name in tables);
