import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceNames } from '#shared/resource-names.ts';
import { tableNames } from '#shared/tables.ts';
import { account, arnOf, region } from '#test/support/builders/references.ts';
import { ofType, only, openSynthesis, type Stacks, stubBundles } from '#test/support/templates.ts';

const copyTo = 'arn:aws:backup:eu-central-1:123456789012:backup-vault:caudal-production';
const keyArn = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b2c3d';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let production: Stacks;
beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	const backup = { copyTo, retentionDays: 90, keyArn };
	production = synthesis.synthesize('production', { backup, restoredTables: { boards: 'boards-of-yesterday' } });
}, 120_000);
afterAll(() => synthesis.close());

test('tables in use are backed up daily, with a copy in the vault of the settings', () => {
	const { resources } = production.data;
	const vaultSchema = v.strictObject({ BackupVaultName: v.string(), EncryptionKeyArn: v.string() });
	const vault = only(ofType(resources, 'AWS::Backup::BackupVault', vaultSchema));
	expect(vault.properties).toEqual({ BackupVaultName: 'caudal-production', EncryptionKeyArn: keyArn });
	const lifecycle = { DeleteAfterDays: 90 };
	const rule = v.looseObject({ ScheduleExpression: v.string(), CopyActions: v.array(v.unknown()), Lifecycle: v.unknown() });
	const planSchema = v.object({ BackupPlan: v.object({ BackupPlanRule: v.array(rule) }) });
	const [daily] = only(ofType(resources, 'AWS::Backup::BackupPlan', planSchema)).properties.BackupPlan.BackupPlanRule;
	expect(daily).toMatchObject({
		ScheduleExpression: 'cron(0 3 * * ? *)',
		Lifecycle: lifecycle,
		CopyActions: [{ DestinationBackupVaultArn: copyTo, Lifecycle: lifecycle }],
	});
	const selectionSchema = v.object({ BackupSelection: v.looseObject({ Resources: v.array(v.string()) }) });
	const { Resources } = only(ofType(resources, 'AWS::Backup::BackupSelection', selectionSchema)).properties.BackupSelection;
	const { table } = resourceNames('production');
	const names = tableNames
		.filter((name) => !['idempotency', 'signInFailures', 'sessions', 'sessionTokens'].includes(name))
		.map((name) => (name === 'boards' ? 'boards-of-yesterday' : table(name)));
	expect(Resources).toEqual(names.map((name) => arnOf('dynamodb', `table/${name}`)));
});

test('the vault outlives a protected environment', () => {
	const policiesOf = (stacks: Stacks) =>
		only(stacks.data.resources.filter(({ type }) => type === 'AWS::Backup::BackupVault')).policies;
	expect(policiesOf(production)).toEqual(['RetainExceptOnCreate', 'Retain']);
	expect(policiesOf(synthesis.synthesize('dev', { backup: { copyTo } }))).toEqual(['Delete', 'Delete']);
});

test('an environment has no backups unless the settings say so', () => {
	const { resources } = synthesis.synthesize('production');
	expect(resources.filter(({ type }) => type.startsWith('AWS::Backup'))).toEqual([]);
});

describe('the role that restores tables', () => {
	const statement = v.strictObject({
		Effect: v.literal('Allow'),
		Action: v.pipe(
			v.union([v.string(), v.array(v.string())]),
			v.transform((actions) => [actions].flat()),
		),
		Resource: v.pipe(
			v.union([v.string(), v.array(v.string())]),
			v.transform((resources) => [resources].flat()),
		),
		Condition: v.optional(v.unknown()),
	});
	const roleSchema = v.looseObject({
		RoleName: v.string(),
		AssumeRolePolicyDocument: v.object({ Statement: v.array(v.unknown()) }),
		Policies: v.tuple([v.looseObject({ PolicyDocument: v.object({ Statement: v.array(statement) }) })]),
	});
	const restoreRoleOf = ({ data }: Stacks) =>
		only(
			ofType(data.resources, 'AWS::IAM::Role', v.looseObject({ RoleName: v.optional(v.string()) })).flatMap(({ properties }) =>
				properties.RoleName === undefined ? [] : [v.parse(roleSchema, properties)],
			),
		);
	/** Whether a pattern of IAM covers a name. */
	const covers = (pattern: string, name: string): boolean =>
		new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`).test(name);
	const mayUse = (action: string, resource: string): boolean =>
		restoreRoleOf(production).Policies[0].PolicyDocument.Statement.some(
			({ Action, Resource }) => Action.includes(action) && Resource.some((pattern) => covers(pattern, resource)),
		);
	const tableArn = (name: string): string => arnOf('dynamodb', `table/${name}`);

	test('exists in each environment, also without backups, and its name has the region', () => {
		for (const stacks of [
			production,
			synthesis.synthesize('production'),
			synthesis.synthesize('production', { account, region }),
		])
			expect(restoreRoleOf(stacks).RoleName).toBe('caudal-production-restore-eu-west-1');
		expect(restoreRoleOf(synthesis.synthesize('dev')).RoleName).toBe('caudal-dev-restore-eu-west-1');
	});

	test('is for AWS Backup of this account', () => {
		expect(restoreRoleOf(production).AssumeRolePolicyDocument.Statement).toEqual([
			{
				Effect: 'Allow',
				Action: 'sts:AssumeRole',
				Principal: { Service: 'backup.amazonaws.com' },
				Condition: { StringEqualsIfExists: { 'aws:SourceAccount': account } },
			},
		]);
	});

	test('may create and fill the tables that the runbook names, and write to no other table', () => {
		const { table } = resourceNames('production');
		const backedUp = tableNames.filter((name) => !['idempotency', 'signInFailures', 'sessions', 'sessionTokens'].includes(name));
		expect(backedUp).toHaveLength(13);
		const writes = ['BatchWriteItem', 'PutItem', 'UpdateItem', 'DeleteItem'].map((name) => `dynamodb:${name}`);
		for (const name of backedUp)
			for (const action of ['dynamodb:RestoreTableFromAwsBackup', 'dynamodb:DescribeTable', ...writes])
				expect([action, mayUse(action, tableArn(`${table(name)}-2`))]).toEqual([action, true]);
		const others = [...tableNames.map(table), resourceNames('productiontoo').table('boards'), 'boards-2'];
		for (const name of others)
			for (const action of writes) expect([name, action, mayUse(action, tableArn(name))]).toEqual([name, action, false]);
	});

	test('may use keys for DynamoDB only', () => {
		const statements = restoreRoleOf(production).Policies[0].PolicyDocument.Statement.filter(({ Action }) =>
			Action.some((action) => action.startsWith('kms:')),
		);
		expect(statements.map(({ Action, Condition }) => [Action, Condition])).toEqual([
			[['kms:DescribeKey'], undefined],
			[
				['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'],
				{ StringEquals: { 'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com' } },
			],
			[['kms:CreateGrant'], { Bool: { 'kms:GrantIsForAWSResource': 'true' } }],
		]);
	});
});

test('the runbook stops the tasks before tables are restored, and starts it afterwards', () => {
	const runbook = readFileSync(new URL('../../../infra/aws/RUNBOOK.md', import.meta.url), 'utf8');
	const [, section = ''] = /^## Restoring tables from a backup$(.*?)^## /ms.exec(runbook) ?? [];
	const commands = /```sh\n(.*?)```/s.exec(section)?.[1]?.split('\n') ?? [];
	const at = (text: string): number => commands.findIndex((each) => each.includes(text));
	const scheduleSchema = v.object({ Name: v.string() });
	const schedules = ofType(production.service.resources, 'AWS::Scheduler::Schedule', scheduleSchema);
	expect(commands[0]).toBe(`SCHEDULES='${schedules.map(({ properties }) => properties.Name).join(' ')}'`);
	const steps = ['--state DISABLED', 'restore-table-to-point-in-time', 'cdk deploy --all', '--state ENABLED'].map(at);
	expect(steps).toEqual([...steps].sort((a, b) => a - b));
	expect(steps).not.toContain(-1);
});
