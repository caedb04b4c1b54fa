import { Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { resourceNames } from '#shared/resource-names.ts';
import { type TableDefinition, type TableName, tables } from '#shared/tables.ts';
import type { Environment } from './environment.ts';
import { removalPolicyFor } from './removal-policy.ts';

const attributeTypes = { S: AttributeType.STRING, N: AttributeType.NUMBER } as const;

/** What stays: the contract's tables, and the secrets by which the service is let in elsewhere. */
export class DataStack extends Stack {
	constructor(scope: Construct, id: string, environment: Environment) {
		super(scope, id, {
			description: `Caudal ${environment.name}: tables and secrets`,
			terminationProtection: environment.protected,
		});
		const { secrets } = resourceNames(environment.name);
		for (const [name, definition] of Object.entries(tables)) this.table(environment, name as TableName, definition);
		this.secret(environment, 'InfluxToken', secrets.influxToken, 'What InfluxDB is read with');
		this.secret(environment, 'IdpToken', secrets.idpToken, 'What the identity provider is asked with');
	}

	private table(environment: Environment, name: TableName, { partitionKey, sortKey, ttlAttribute }: TableDefinition): void {
		new Table(this, name, {
			tableName: resourceNames(environment.name).table(name),
			partitionKey: { name: partitionKey.name, type: attributeTypes[partitionKey.type] },
			...(sortKey === undefined ? {} : { sortKey: { name: sortKey.name, type: attributeTypes[sortKey.type] } }),
			...(ttlAttribute === undefined ? {} : { timeToLiveAttribute: ttlAttribute }),
			billingMode: BillingMode.PAY_PER_REQUEST,
			encryption: TableEncryption.AWS_MANAGED,
			pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
			deletionProtection: environment.protected,
			removalPolicy: removalPolicyFor(environment),
		});
	}

	/** A secret that an operator gives its value; until then it holds a random one, which opens nothing. */
	private secret(environment: Environment, id: string, secretName: string, description: string): void {
		const secret = new Secret(this, id, {
			secretName,
			description,
			removalPolicy: removalPolicyFor(environment),
		});
		Validations.of(secret).acknowledge({
			id: 'AwsSolutions-SMG4',
			reason: 'Another system issues it, and an operator changes it there; functions read it anew when it is refused.',
		});
	}
}
