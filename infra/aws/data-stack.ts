import { Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { resourceNames } from '#shared/resource-names.ts';
import { type TableDefinition, tableNames, tables } from '#shared/tables.ts';
import { createBackups } from './backups.ts';
import type { Environment } from './environment.ts';
import { locationOf } from './location.ts';
import { removalPolicyFor } from './removal-policy.ts';
import { tagsOf } from './tags.ts';

/** Everything that must survive a new deployment of the service: the tables, and the secrets for InfluxDB and the identity provider. */
export class DataStack extends Stack {
	constructor(scope: Construct, id: string, environment: Environment) {
		super(scope, id, {
			description: `Caudal ${environment.name}: tables and secrets`,
			terminationProtection: environment.protected,
			env: locationOf(environment),
			tags: tagsOf(environment),
		});
		const names = resourceNames(environment.name);
		const removalPolicy = removalPolicyFor(environment);
		for (const name of tableNames) {
			const { partitionKey, sortKey, ttlAttribute, indexes = [] }: TableDefinition = tables[name];
			const table = new Table(this, name, {
				tableName: names.table(name),
				partitionKey: attribute(partitionKey),
				...(sortKey && { sortKey: attribute(sortKey) }),
				...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
				billingMode: BillingMode.PAY_PER_REQUEST,
				encryption: TableEncryption.AWS_MANAGED,
				pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
				deletionProtection: environment.protected,
				removalPolicy,
			});
			for (const index of indexes)
				table.addGlobalSecondaryIndex({
					indexName: index.name,
					partitionKey: attribute(index.partitionKey),
					...(index.sortKey && { sortKey: attribute(index.sortKey) }),
					projectionType: ProjectionType.INCLUDE,
					nonKeyAttributes: [...index.attributes],
				});
		}
		createBackups(this, environment);
		// An operator sets the value. Until then a secret holds a random one, which no system accepts.
		for (const [id, secretName, description] of [
			['InfluxToken', names.secrets.influxToken, 'The token for reading InfluxDB'],
			['IdpToken', names.secrets.idpToken, 'The token for the identity provider'],
			...(environment.canary
				? [['CanaryToken', names.secrets.canaryToken, 'The application token of the canary’s user'] as const]
				: []),
			...(environment.trustedProxy
				? [['ProxySecret', names.secrets.proxySecret, 'The secret that the proxy in front of the service sends'] as const]
				: []),
		] as const)
			Validations.of(new Secret(this, id, { secretName, description, removalPolicy })).acknowledge({
				id: 'AwsSolutions-SMG4',
				reason: 'Another system issues it and an operator changes it there. Functions read it again when it is refused.',
			});
	}
}

/** Converts a key of a table's definition to CDK's form. */
function attribute({ name, type }: TableDefinition['partitionKey']) {
	return { name, type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER };
}
