import { Aws, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { resourceNames } from '#shared/resource-names.ts';
import { type TableName, tableNames } from '#shared/tables.ts';
import type { Environment } from './environment.ts';
import { deployedTableName } from './permissions.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** Tables that are not backed up: their rows expire within days. A session that came back from a backup could have been ended meanwhile. */
const shortLived: readonly TableName[] = ['idempotency', 'signInFailures', 'sessions', 'sessionTokens'];

/** Tables that are backed up. */
const backedUp = tableNames.filter((table) => !shortLived.includes(table));

/**
 * Creates the daily backup of the tables in use, each with a copy in the vault that the settings name, so that the loss of a region does
 * not lose the tables (infra/aws/RUNBOOK.md#disasters). Does nothing without the setting `backup`.
 */
export function createBackups(stack: Stack, environment: Environment): void {
	const { backup, name } = environment;
	if (backup === undefined) return;
	const deleteAfter = Duration.days(backup.retentionDays);
	const vault = new BackupVault(stack, 'BackupVault', {
		backupVaultName: resourceNames(name).backupVault,
		removalPolicy: removalPolicyFor(environment),
		...(backup.keyArn !== undefined && { encryptionKey: Key.fromKeyArn(stack, 'BackupKey', backup.keyArn) }),
	});
	const destinationBackupVault = BackupVault.fromBackupVaultArn(stack, 'CopyVault', backup.copyTo);
	const plan = new BackupPlan(stack, 'BackupPlan', { backupPlanName: `caudal-${name}`, backupVault: vault });
	plan.addRule(
		new BackupPlanRule({
			ruleName: 'daily',
			// In UTC.
			scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
			deleteAfter,
			copyActions: [{ destinationBackupVault, deleteAfter }],
		}),
	);
	const selection = plan.addSelection('Tables', {
		resources: backedUp.map((table) => {
			const resourceName = deployedTableName(environment, table);
			return BackupResource.fromArn(stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName }));
		}),
	});
	Validations.of(selection).acknowledge({
		id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
		reason: 'AWS Backup needs what its own policy lists, and AWS changes the list.',
	});
}

/**
 * Creates the role with which AWS Backup restores tables of the environment. It has the rights to DynamoDB and KMS of AWS's own policy
 * AWSBackupServiceRolePolicyForRestores, for new tables such as `caudal-production-boards-2`: it cannot write to those of the stack. It does not
 * depend on the setting `backup`, which cannot stay as it is in the region of the copies.
 */
export function createRestoreRole(stack: Stack, { name }: Environment): void {
	const { restoreRole, table } = resourceNames(name);
	const tablesWith = (suffix: string) =>
		backedUp.map((each) => stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName: table(each) + suffix }));
	// A restored table has the name of its table with one more character.
	const restored = tablesWith('-?');
	// The key of the copies' vault is the operator's choice.
	const keys = [`arn:${Aws.PARTITION}:kms:${Aws.REGION}:${Aws.ACCOUNT_ID}:key/*`];
	const allow = (resources: string[], service: string, actions: string, conditions = {}) =>
		new PolicyStatement({ resources, actions: actions.split(' ').map((action) => `${service}:${action}`), conditions });
	const statements = [
		allow([...tablesWith(''), ...restored], 'dynamodb', 'RestoreTableFromAwsBackup'),
		allow(restored, 'dynamodb', 'DescribeTable GetItem Query Scan BatchWriteItem PutItem UpdateItem DeleteItem'),
		allow(keys, 'kms', 'DescribeKey'),
		allow(keys, 'kms', 'Decrypt Encrypt GenerateDataKey ReEncryptFrom ReEncryptTo', {
			StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com` },
		}),
		allow(keys, 'kms', 'CreateGrant', { Bool: { 'kms:GrantIsForAWSResource': 'true' } }),
	];
	// AWS does not say whether AWS Backup names the account when it assumes a role: where it does not, restoring must still work.
	const conditions = { StringEqualsIfExists: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
	const role = new Role(stack, 'RestoreRole', {
		roleName: restoreRole(Aws.REGION),
		assumedBy: new ServicePrincipal('backup.amazonaws.com', { conditions }),
		inlinePolicies: { Restore: new PolicyDocument({ statements }) },
	});
	Validations.of(role).acknowledge({
		id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
		reason: 'The operator chooses the key of the vault of the copies. It is used for DynamoDB only.',
	});
}
