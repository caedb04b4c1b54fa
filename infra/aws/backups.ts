import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { resourceNames } from '#shared/resource-names.ts';
import { type TableName, tableNames } from '#shared/tables.ts';
import type { Environment } from './environment.ts';
import { deployedTableName } from './permissions.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** Tables that are not backed up: their rows expire within days. A session that came back from a backup could have been ended meanwhile. */
const shortLived: readonly TableName[] = ['idempotency', 'signInFailures', 'sessions', 'sessionTokens'];

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
		resources: tableNames
			.filter((table) => !shortLived.includes(table))
			.map((table) => {
				const resourceName = deployedTableName(environment, table);
				return BackupResource.fromArn(stack.formatArn({ service: 'dynamodb', resource: 'table', resourceName }));
			}),
	});
	Validations.of(selection).acknowledge({
		id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
		reason: 'AWS Backup needs what its own policy lists, and AWS changes the list.',
	});
}
