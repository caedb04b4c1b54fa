import { ArnFormat, type Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { FunctionName } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type Access, actions, type TableDefinition, type TableName, tableNames, tables } from '#shared/tables.ts';
import { caBundleFile } from './ca-bundle.ts';
import type { EndpointRow } from './deployed-endpoints.ts';
import type { TaskRow } from './deployed-tasks.ts';
import type { Environment } from './environment.ts';
import { providersFile, secretProviders } from './openid-providers.ts';
import { plantAlarmTopicArn } from './plant-alarms.ts';
import { callsUtility } from './private-network.ts';

/** A row of the contract: an endpoint or a task. */
export type FunctionRow = EndpointRow | TaskRow;

/** The parts of the token issuer that functions depend on. */
export interface TokenIssuer {
	/** The API of the issuer's documents. Its address is the `iss` claim of tokens. */
	readonly httpApi: HttpApi;
	/** Allows a role to sign with the issuer's keys. */
	readonly signingPolicy: IManagedPolicy;
}

/**
 * Returns what the function of an endpoint or a task may do, derived from its row in the contract (infra/aws/README.md#permissions).
 * Permission to sign is not included: `TokenIssuer.signingPolicy` grants it.
 *
 * @example
 * // health uses nothing. getVarsTsdb uses { variables: ['get', 'getMany', 'list'] }.
 * policyStatementsFor(stack, environment, health) // []
 * policyStatementsFor(stack, environment, getVarsTsdb) // [Allow dynamodb:GetItem, BatchGetItem and Query on table/caudal-dev-variables]
 */
export function policyStatementsFor(stack: Stack, environment: Environment, { uses }: FunctionRow): PolicyStatement[] {
	const { secrets, keyRing, openIdSecret } = resourceNames(environment.name);
	const tableStatements = tableNames.flatMap((table) => {
		const access = uses[table];
		if (access === undefined) return [];
		const resourceName = deployedTableName(environment, table);
		const arn = stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName });
		const onTable = access.filter((kind) => kind !== 'listIndex');
		return [
			...(onTable.length === 0 ? [] : [allow(actionsOf(onTable), arn)]),
			...(access.includes('listIndex')
				? indexesOf(table).map((index) => allow(actionsOf(['listIndex']), `${arn}/index/${index}`))
				: []),
		];
	});
	const readSecret = (name: string): PolicyStatement => {
		// Secrets Manager appends a hyphen and six characters to the name in a secret's ARN.
		const secret = { service: 'secretsmanager', resource: 'secret', resourceName: `${name}-??????` };
		return allow(['secretsmanager:GetSecretValue'], stack.formatArn({ ...secret, arnFormat: ArnFormat.COLON_RESOURCE_NAME }));
	};
	// The ARN of a parameter does not repeat the slash at the start of its name.
	const keyRingArn = stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: keyRing.slice(1) });
	return [
		...tableStatements,
		...(uses.timeSeries ? [readSecret(secrets.influxToken)] : []),
		...(uses.identityProvider ? [readSecret(secrets.idpToken)] : []),
		...(uses.openIdProviders?.[0] === 'ask'
			? secretProviders(environment).map(({ name }) => readSecret(openIdSecret(name)))
			: []),
		...(uses.canaryToken ? [readSecret(secrets.canaryToken)] : []),
		...(uses.proxySecret && environment.trustedProxy?.header !== undefined ? [readSecret(secrets.proxySecret)] : []),
		...(uses.signingKey || uses.publicKeys ? [allow(['ssm:GetParameter'], keyRingArn)] : []),
		...(uses.notifier ? [allow(['sns:Publish'], plantAlarmTopicArn(stack, environment))] : []),
		...(uses.notifier && environment.alarmTopicKeyArn !== undefined
			? [allow(['kms:GenerateDataKey', 'kms:Decrypt'], environment.alarmTopicKeyArn)]
			: []),
		...(uses.workers ? [allow(['lambda:InvokeFunction'], functionArn(stack, environment, uses.workers[0]))] : []),
	];
}

/**
 * Returns the environment variables that the function of an endpoint or a task reads (shared/config.ts), derived from its row in the
 * contract. Those that name another resource of the stack are not included: SERVICE_URL and ALARM_TOPIC_ARN of tasks.
 */
export function environmentVariablesFor(
	environment: Environment,
	row: FunctionRow,
	issuer: Pick<TokenIssuer, 'httpApi'>,
): Record<string, string> {
	return {
		...(row.uses.changes && changeVariables(environment)),
		...definitionVariables(environment, row),
		...alarmVariables(environment, row),
		...timeSeriesVariables(environment, row),
		...identityProviderVariables(environment, row),
		...openIdVariables(environment, row),
		// Node reads it before it loads the function. The certificates hold for every connection of the function.
		...(environment.caBundle !== undefined &&
			callsUtility(row, environment) && { NODE_EXTRA_CA_CERTS: `/var/task/${caBundleFile}` }),
		...canaryVariables(environment, row),
		...proxyVariables(environment, row),
		...otherVariables(environment, row),
		...tokenVariables(environment, row, issuer),
	};
}

/** What the store of definitions reads: `createDynamoSchemaStore` needs all of its tables, whichever of them a function uses. */
function definitionVariables(environment: Environment, { uses }: FunctionRow): Record<string, string> {
	// A function that only adds changes, such as `savePerson`, reads no definitions for that.
	const readsChanges = uses.changes?.some((access) => access !== 'put') ?? false;
	const readsDefinitions =
		uses.variables || uses.boards || uses.panels || uses.alarmEvents || readsChanges || uses.evaluations !== undefined;
	// Functions that give tokens read no definitions: sign-in asks only whether a schema was written to.
	if (!readsDefinitions || uses.signingKey) return {};
	return {
		TABLE_VARIABLES: deployedTableName(environment, 'variables'),
		TABLE_PANELS: deployedTableName(environment, 'panels'),
		TABLE_BOARDS: deployedTableName(environment, 'boards'),
		TABLE_ALARM_EVENTS: deployedTableName(environment, 'alarmEvents'),
		ALARM_EVENT_DAYS: String(environment.alarmEventDays),
		...changeVariables(environment),
		TABLE_IDEMPOTENCY: deployedTableName(environment, 'idempotency'),
	};
}

/** The journal of changes. */
function changeVariables(environment: Environment): Record<string, string> {
	return { TABLE_CHANGES: deployedTableName(environment, 'changes'), CHANGE_DAYS: String(environment.changeDays) };
}

/** The states of alarms. */
function alarmVariables(environment: Environment, { uses }: FunctionRow): Record<string, string> {
	if (!uses.evaluations && !uses.alarmStates && !uses.alarmEvents?.includes('list')) return {};
	return {
		TABLE_EVALUATIONS: deployedTableName(environment, 'evaluations'),
		TABLE_ALARM_STATES: deployedTableName(environment, 'alarmStates'),
	};
}

/** The other tables and settings that a function uses. */
function otherVariables(environment: Environment, { uses }: FunctionRow): Record<string, string> {
	const table = (name: TableName): string => deployedTableName(environment, name);
	return {
		...(uses.machines && { TABLE_MACHINES: table('machines') }),
		...(uses.reportDays && { TABLE_REPORT_DAYS: table('reportDays') }),
		...(uses.people && { TABLE_PEOPLE: table('people') }),
		// Who signs in by a grant has the role of the grant.
		...(uses.people && !uses.grants?.includes('list') && { DEFAULT_ROLE: environment.defaultRole }),
		...(uses.grants && { TABLE_GRANTS: table('grants') }),
		...(uses.sessionTokens && { TABLE_SESSION_TOKENS: table('sessionTokens') }),
		...(uses.workers && { WORKER_FUNCTION: resourceNames(environment.name).function(uses.workers[0]) }),
		// A function that only writes there starts the evaluation of a schema, and waits for no samples.
		...(uses.evaluations?.some((access) => access !== 'put') && {
			ALARM_SETTLE_SECONDS: String(environment.alarmSettleSeconds),
		}),
		...(uses.users && { TABLE_USERS: table('users') }),
		...(uses.owners && { TABLE_OWNERS: table('owners') }),
		...(uses.sessions && { TABLE_SESSIONS: table('sessions') }),
		...(uses.signInFailures && { TABLE_SIGN_IN_FAILURES: table('signInFailures') }),
		...(uses.signingKey &&
			uses.variables && {
				TABLE_VARIABLES: table('variables'),
				// A protected environment has data of clients from before owners were stored.
				UNOWNED_DATA: environment.protected ? 'refuse' : 'claim',
			}),
	};
}

function timeSeriesVariables(environment: Environment, { uses }: FunctionRow): Record<string, string> {
	if (!uses.timeSeries) return {};
	return {
		INFLUX_URL: typeof environment.influxUrl === 'string' ? environment.influxUrl : JSON.stringify(environment.influxUrl),
		...(environment.influxOrg !== undefined && { INFLUX_ORG: environment.influxOrg }),
		...(environment.influxLanguage !== 'flux' && {
			INFLUX_LANGUAGE: environment.influxLanguage,
			INFLUX_USER: environment.influxUser,
		}),
		INFLUX_TOKEN_SECRET: resourceNames(environment.name).secrets.influxToken,
		INFLUX_TIMEOUT_MS: String(environment.influxTimeoutMs),
		INFLUX_GZIP: environment.influxGzip,
		READINGS_SHARED_MS: String(environment.readingsSharedMs),
		TSDB_TOPIC_COLUMN: environment.topicColumn,
		...(environment.measurement !== undefined && { TSDB_MEASUREMENT: environment.measurement }),
		// The InfluxDB client calls url.parse, which is deprecated.
		NODE_OPTIONS: '--disable-warning=DEP0169',
	};
}

function identityProviderVariables(environment: Environment, { uses }: FunctionRow): Record<string, string> {
	const { authUrl, idpProductId, idpTimeoutMs } = environment;
	if (!uses.identityProvider || authUrl === undefined) return {};
	return {
		AUTH_URL: authUrl,
		IDP_TOKEN_SECRET: resourceNames(environment.name).secrets.idpToken,
		IDP_PRODUCT_ID: String(idpProductId),
		IDP_TIMEOUT_MS: String(idpTimeoutMs),
	};
}

function openIdVariables(environment: Environment, { uses }: FunctionRow): Record<string, string> {
	const [use] = uses.openIdProviders ?? [];
	if (use === undefined) return {};
	const { authUrl, consoleUrl, openIdTimeoutMs, openIdInVpc } = environment;
	return {
		OPENID_PROVIDERS: providersFile,
		...(consoleUrl !== undefined && { CONSOLE_URL: consoleUrl }),
		...(use === 'list' && { LOGIN_SSO: authUrl === undefined ? 'off' : 'on' }),
		OPENID_HTTP: openIdInVpc ? 'on' : 'off',
		...(use !== 'list' && { OPENID_TIMEOUT_MS: String(openIdTimeoutMs) }),
		...(use === 'ask' && { OPENID_SECRET_PREFIX: resourceNames(environment.name).openIdSecret('') }),
	};
}

function canaryVariables({ name, canary }: Environment, { uses }: FunctionRow): Record<string, string> {
	if (!uses.canaryToken || canary === undefined) return {};
	return {
		CANARY_EMAIL: canary.email,
		CANARY_SCHEMA: canary.schemaName,
		CANARY_DATABASE: canary.tsdbName,
		CANARY_TOKEN_SECRET: resourceNames(name).secrets.canaryToken,
	};
}

function proxyVariables({ name, trustedProxy }: Environment, { uses }: FunctionRow): Record<string, string> {
	if (!uses.proxySecret || trustedProxy === undefined) return {};
	const { header, hops } = trustedProxy;
	return {
		...(header !== undefined && {
			TRUSTED_PROXY_HEADER: header,
			TRUSTED_PROXY_SECRET: resourceNames(name).secrets.proxySecret,
		}),
		TRUSTED_PROXY_HOPS: String(hops),
	};
}

/** What functions read that give tokens, or publish the documents of the issuer. */
function tokenVariables(
	environment: Environment,
	row: FunctionRow,
	{ httpApi }: Pick<TokenIssuer, 'httpApi'>,
): Record<string, string> {
	const { uses } = row;
	const checksTokens = 'auth' in row && row.auth === 'basic';
	const isDiscovery = 'api' in row && row.api === 'issuer' && !uses.publicKeys;
	return {
		...((uses.signingKey || uses.publicKeys) && { KEY_RING: resourceNames(environment.name).keyRing }),
		...((uses.signingKey || checksTokens) && { TOKEN_AUDIENCE: environment.tokenAudience }),
		...(uses.signingKey && {
			TOKEN_LIFETIME_SECONDS: String(environment.tokenLifetimeSeconds),
		}),
		...(uses.signingKey && { SESSION_HOURS: String(environment.sessionHours) }),
		...((uses.signingKey || checksTokens || isDiscovery) && { TOKEN_ISSUER: httpApi.apiEndpoint }),
		...(isDiscovery && discoveryVariables(environment)),
	};
}

/** What the discovery document says of the service, whose address is another one than that of the issuer. */
function discoveryVariables({ publicUrl, domain, openIdProviders }: Environment): Record<string, string> {
	const url = publicUrl ?? (domain && `https://${domain.name}`);
	const exchangesTokens = openIdProviders.some(({ audiences }) => audiences.length > 0);
	return { ...(url !== undefined && { PUBLIC_URL: url }), OPENID_EXCHANGE: exchangesTokens ? 'on' : 'off' };
}

/** Returns the ARN of a function. It is built from the name, so functions may be created in any order. */
export function functionArn(stack: Stack, { name: environment }: Environment, name: FunctionName): string {
	const resourceName = resourceNames(environment).function(name);
	return stack.formatArn({ service: 'lambda', resource: 'function', resourceName, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
}

/** Returns the name of the table that functions use: a restored one, or that of the data stack. */
export function deployedTableName({ name, restoredTables }: Environment, table: TableName): string {
	return restoredTables[table] ?? resourceNames(name).table(table);
}

/** Allows actions on one resource. */
function allow(actions: string[], resource: string): PolicyStatement {
	return new PolicyStatement({ actions, resources: [resource] });
}

/** The names of the indexes of a table. */
const indexesOf = (name: TableName): readonly string[] => {
	const { indexes = [] }: TableDefinition = tables[name];
	return indexes.map((index) => index.name);
};

/** The actions of DynamoDB that some kinds of access need. */
const actionsOf = (access: readonly Access[]): string[] =>
	access.flatMap((kind) => actions[kind].map((action) => `dynamodb:${action}`));
