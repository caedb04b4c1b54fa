import { Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { resourceNames } from '#shared/resource-names.ts';
import { type IndexDefinition, type TableDefinition, type TableName, tableNames, tables } from '#shared/tables.ts';
import { createBackups, createRestoreRole } from './backups.ts';
import type { Environment } from './environment.ts';
import { locationOf } from './location.ts';
import { secretProviders } from './openid-providers.ts';
import { removalPolicyFor } from './removal-policy.ts';
import { tagsOf } from './tags.ts';

/** Tables that no export and no earlier state is made of: they hold secrets of providers, though encrypted, and sessions end within days. */
const unrecovered: readonly TableName[] = ['sessionTokens'];

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
		const { maxReadRequestUnits, maxWriteRequestUnits } = environment;
		for (const name of tableNames) {
			const { partitionKey, sortKey, ttlAttribute, indexes = [] }: TableDefinition = tables[name];
			new TableV2(this, name, {
				tableName: names.table(name),
				partitionKey: attribute(partitionKey),
				...(sortKey && { sortKey: attribute(sortKey) }),
				...(ttlAttribute !== undefined && { timeToLiveAttribute: ttlAttribute }),
				billing: Billing.onDemand({
					...(maxReadRequestUnits !== undefined && { maxReadRequestUnits }),
					...(maxWriteRequestUnits !== undefined && { maxWriteRequestUnits }),
				}),
				encryption: TableEncryptionV2.awsManagedKey(),
				pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: !unrecovered.includes(name) },
				deletionProtection: environment.protected,
				removalPolicy,
				// CloudFormation gives the tags of a stack to no table of this kind.
				tags: Object.entries(tagsOf(environment)).map(([key, value]) => ({ key, value })),
				...(indexes.length > 0 && { globalSecondaryIndexes: indexes.map(globalIndex) }),
			});
		}
		createBackups(this, environment);
		createRestoreRole(this, environment);
		// An operator sets the value. Until then a secret holds a random one, which no system accepts.
		for (const [id, secretName, description] of [
			['InfluxToken', names.secrets.influxToken, 'The token for reading InfluxDB'],
			...(environment.authUrl !== undefined
				? [['IdpToken', names.secrets.idpToken, 'The token for the identity provider'] as const]
				: []),
			...secretProviders(environment).map(
				({ name, label }) => [`OpenId-${name}`, names.openIdSecret(name), `The secret of the client at ${label}`] as const,
			),
			...(environment.canary
				? [['CanaryToken', names.secrets.canaryToken, 'The application token of the canary’s user'] as const]
				: []),
			...(environment.trustedProxy?.header !== undefined
				? [['ProxySecret', names.secrets.proxySecret, 'The secret that the proxy in front of the service sends'] as const]
				: []),
		] as const)
			Validations.of(new Secret(this, id, { secretName, description, removalPolicy })).acknowledge({
				id: 'AwsSolutions-SMG4',
				reason: 'Another system issues it and an operator changes it there. Functions read it again when it is refused.',
			});
	}
}

/** Converts an index of a table's definition to CDK's form. */
function globalIndex({ name, partitionKey, sortKey, attributes }: IndexDefinition) {
	return {
		indexName: name,
		partitionKey: attribute(partitionKey),
		...(sortKey && { sortKey: attribute(sortKey) }),
		...(attributes.length === 0
			? { projectionType: ProjectionType.KEYS_ONLY }
			: { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...attributes] }),
	};
}

/** Converts a key of a table's definition to CDK's form. */
function attribute({ name, type }: TableDefinition['partitionKey']) {
	return { name, type: type === 'S' ? AttributeType.STRING : AttributeType.NUMBER };
}
