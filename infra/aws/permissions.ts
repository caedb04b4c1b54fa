import { ArnFormat, type Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Endpoint } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type Access, actions, type TableName, tables } from '#shared/tables.ts';
import type { Environment } from './environment.ts';

/** What endpoints use of the issuer's. */
export interface Issuer {
	/** Lets a role sign with the issuer's keys. */
	readonly signing: IManagedPolicy;
	/** Its address is what tokens name as their issuer. */
	readonly api: HttpApi;
}

const tableNames = Object.keys(tables) as TableName[];

/** Lets a function read the public keys, and which of them signs. */
export function readKeyRing(stack: Stack, { name }: Environment): PolicyStatement {
	return new PolicyStatement({
		actions: ['ssm:GetParameter'],
		resources: [stack.formatArn({ service: 'ssm', resource: 'parameter', resourceName: resourceNames(name).keyRing.slice(1) })],
	});
}

/** What the function of an endpoint may do: exactly what its row of the contract says that it uses. Signing is `signing`'s. */
export function policyStatementsFor(stack: Stack, environment: Environment, { uses }: Endpoint): PolicyStatement[] {
	return [
		...tableNames.flatMap((table) => {
			const access = uses[table];
			if (access === undefined) return [];
			const resource = stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: tableOf(environment, table) });
			return [new PolicyStatement({ actions: actionsOf(access), resources: [resource] })];
		}),
		...(uses.timeSeries === undefined ? [] : [readSecret(stack, resourceNames(environment.name).secrets.influxToken)]),
		...(uses.identityProvider === undefined ? [] : [readSecret(stack, resourceNames(environment.name).secrets.idpToken)]),
		...(uses.signingKey === undefined ? [] : [readKeyRing(stack, environment)]),
	];
}

/** The environment variables by which the function of an endpoint finds what it uses. */
export function environmentVariablesFor(environment: Environment, { uses }: Endpoint, { api }: Issuer): Record<string, string> {
	const { secrets, keyRing } = resourceNames(environment.name);
	const variables: Record<string, string> = {};
	if (uses.variables !== undefined || uses.boards !== undefined || uses.panels !== undefined)
		Object.assign(variables, {
			TABLE_VARIABLES: tableOf(environment, 'variables'),
			TABLE_PANELS: tableOf(environment, 'panels'),
			TABLE_BOARDS: tableOf(environment, 'boards'),
			TABLE_IDEMPOTENCY: tableOf(environment, 'idempotency'),
		});
	if (uses.timeSeries !== undefined)
		Object.assign(variables, {
			INFLUX_URL: environment.influxUrl,
			INFLUX_ORG: environment.influxOrg,
			INFLUX_TOKEN_SECRET: secrets.influxToken,
			INFLUX_TIMEOUT_MS: String(environment.influxTimeoutMs),
			INFLUX_GZIP: environment.influxGzip,
			TSDB_TOPIC_COLUMN: environment.topicColumn,
			...(environment.measurement === undefined ? {} : { TSDB_MEASUREMENT: environment.measurement }),
			// The client of InfluxDB still asks for url.parse.
			NODE_OPTIONS: '--disable-warning=DEP0169',
		});
	if (uses.identityProvider !== undefined)
		Object.assign(variables, {
			AUTH_URL: environment.authUrl,
			IDP_TOKEN_SECRET: secrets.idpToken,
			IDP_PRODUCT_ID: String(environment.idpProductId),
			IDP_TIMEOUT_MS: String(environment.idpTimeoutMs),
		});
	if (uses.users !== undefined)
		Object.assign(variables, {
			TABLE_USERS: tableOf(environment, 'users'),
			TABLE_SIGN_IN_FAILURES: tableOf(environment, 'signInFailures'),
		});
	if (uses.signingKey !== undefined)
		Object.assign(variables, {
			KEY_RING: keyRing,
			TOKEN_ISSUER: api.apiEndpoint,
			TOKEN_AUDIENCE: environment.tokenAudience,
			TOKEN_LIFETIME_SECONDS: String(environment.tokenLifetimeSeconds),
		});
	return variables;
}

/** The name of a table: of one restored from a backup where the settings say so. */
const tableOf = ({ name, restoredTables }: Environment, table: TableName): string =>
	restoredTables[table] ?? resourceNames(name).table(table);

const actionsOf = (access: readonly Access[]): string[] =>
	access.flatMap((each) => actions[each]).map((action) => `dynamodb:${action}`);

/** Lets a function read a secret, whose ARN ends in six characters that Secrets Manager adds to its name. */
function readSecret(stack: Stack, name: string): PolicyStatement {
	const resourceName = `${name}-??????`;
	const arn = stack.formatArn({
		service: 'secretsmanager',
		resource: 'secret',
		resourceName,
		arnFormat: ArnFormat.COLON_RESOURCE_NAME,
	});
	return new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [arn] });
}
