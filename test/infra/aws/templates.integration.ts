import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reservedConcurrencyOf } from '#infra/aws/concurrency.ts';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type IndexDefinition, type TableDefinition, tableNames, tables } from '#shared/tables.ts';
import { tasks } from '#shared/tasks.ts';
import { account, arnOf, region } from '#test/support/builders/references.ts';
import { functionsIn, ofType, only, openSynthesis, type Stacks, settingsOf, stubBundles } from '#test/support/templates.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;
/** dev with reserved concurrency and restored tables. */
let customized: Stacks;

beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	dev = synthesis.synthesize('dev');
	production = synthesis.synthesize('production');
	customized = synthesis.synthesize('dev', {
		reservedConcurrency: { multipleDataTsdb: 40, loginSso: 5 },
		restoredTables: { variables: 'variables-of-yesterday', signInFailures: 'failures-of-yesterday' },
	});
}, 120_000);
afterAll(() => synthesis.close());

const environments = [
	['dev', () => dev],
	['production', () => production],
] as const;

/** The tasks of an environment of cdk.json. */
const tasksOf = (env: string) => tasks.filter(({ name }) => name !== 'canary' || env === 'production');

describe.each(environments)('the functions of %s', (env, stacks) => {
	test('are one per endpoint and task, with the same configuration', () => {
		const functions = functionsIn(stacks());
		expect(functions.map(({ properties }) => properties.FunctionName).sort()).toEqual(
			[...deployedEndpoints(stacks().settings), ...tasksOf(env)].map(({ name }) => resourceNames(env).function(name)).sort(),
		);
		for (const { properties } of functions) {
			expect(properties).toMatchObject({
				Runtime: 'nodejs24.x',
				Architectures: ['arm64'],
				Handler: 'index.handler',
			});
			expect(properties.TracingConfig).toBeUndefined();
			expect(properties.VpcConfig).toBeUndefined();
			// The gateway waits 30 s for an endpoint.
			const task = tasks.find(({ name }) => properties.FunctionName.endsWith(`-${name}`));
			expect(properties.Timeout).toBeLessThan(task !== undefined && 'timeoutSeconds' in task ? task.timeoutSeconds + 1 : 30);
			expect(properties.Timeout).toBeGreaterThan(1);
		}
	});

	test('have a whole CPU where API Gateway’s authorizer waits for them, and 512 MB elsewhere', () => {
		const memoryIn = (resources: Stacks['resources']) =>
			new Set(functionsIn({ resources }).map(({ properties }) => properties.MemorySize));
		expect(memoryIn(stacks().issuer.resources)).toEqual(new Set([1769]));
		expect(memoryIn(stacks().service.resources)).toEqual(new Set([512]));
	});

	test.each(deployedEndpoints(settingsOf(env)))(
		'know their endpoint and environment, and run their own code: $name',
		({ name, method, path }) => {
			const { properties } = only(
				functionsIn(stacks()).filter(({ properties }) => properties.FunctionName === resourceNames(env).function(name)),
			);
			expect(properties.Description).toBe(`${method} ${path}`);
			expect(properties.Environment.Variables).toMatchObject({ ENDPOINT: name, ENVIRONMENT: env });
			const asset = join(stacks().folder, `asset.${properties.Code.S3Key.replace(/\.zip$/, '')}`);
			expect(readdirSync(asset)).toEqual(['index.js']);
			expect(readFileSync(join(asset, 'index.js')).equals(readFileSync(join(synthesis.bundles, name, 'index.js')))).toBe(true);
		},
	);

	test('write a log group of their own, with the retention of the settings', () => {
		const logSchema = v.strictObject({ LogGroupName: v.string(), RetentionInDays: v.number() });
		const retentions = Object.fromEntries(
			ofType(stacks().resources, 'AWS::Logs::LogGroup', logSchema).map(({ properties }) => [
				properties.LogGroupName,
				properties.RetentionInDays,
			]),
		);
		const days = stacks().settings.logRetentionDays;
		const expected = [
			...functionsIn(stacks()).map(({ properties }) => [properties.LoggingConfig.LogGroup, days]),
			...['service', 'issuer'].map((api) => [`/aws/vendedlogs/caudal/${env}/access/${api}`, days]),
		];
		expect(retentions).toEqual(Object.fromEntries(expected));
		for (const { properties } of functionsIn(stacks()))
			expect(properties.LoggingConfig.LogGroup).toBe(`/aws/lambda/${properties.FunctionName}`);
	});
});

test('requests are traced only when the settings say so', () => {
	const modes = functionsIn(synthesis.synthesize('dev', { tracing: true })).map(({ properties }) => properties.TracingConfig);
	expect(modes).toEqual([...deployedEndpoints(dev.settings), ...tasksOf('dev')].map(() => ({ Mode: 'Active' })));
});

test('concurrency is reserved for the functions that the settings name, and from a large quota for others too', () => {
	const reservedIn = (stacks: Stacks) =>
		Object.fromEntries(
			functionsIn(stacks).flatMap(({ properties: { FunctionName, ReservedConcurrentExecutions } }) =>
				ReservedConcurrentExecutions === undefined ? [] : [[FunctionName, ReservedConcurrentExecutions]],
			),
		);
	expect(reservedIn(dev)).toEqual({});
	expect(reservedIn(customized)).toEqual({ 'caudal-dev-multipleDataTsdb': 40, 'caudal-dev-loginSso': 5 });
	const named = Object.entries(reservedConcurrencyOf(production.settings)).map(([name, reserved]) => [
		`caudal-production-${name}`,
		reserved,
	]);
	expect(reservedIn(production)).toEqual(Object.fromEntries(named));
	expect(reservedIn(production)).toMatchObject({
		'caudal-production-loginSso': 5,
		'caudal-production-evaluateAlarms': 100,
		'caudal-production-packDefinitions': 1,
		'caudal-production-closeReportDays': 20,
		'caudal-production-multipleDataTsdb': 155,
	});
});

test('the canary runs every 5 minutes where the settings name its user, with the address of the service', () => {
	const ruleSchema = v.object({
		Name: v.string(),
		ScheduleExpression: v.string(),
		State: v.string(),
		Targets: v.tuple([v.object({ Arn: v.string() })]),
	});
	const rulesIn = ({ resources }: Stacks) =>
		ofType(resources, 'AWS::Events::Rule', ruleSchema).map(({ properties }) => properties);
	const name = 'caudal-production-canary';
	expect(rulesIn(dev)).toEqual([]);
	expect(rulesIn(production)).toEqual([
		{
			Name: name,
			ScheduleExpression: 'rate(5 minutes)',
			State: 'ENABLED',
			Targets: [{ Arn: arnOf('lambda', `function:${name}`) }],
		},
	]);
	const { properties } = only(functionsIn(production).filter(({ properties }) => properties.FunctionName === name));
	expect(properties.Environment.Variables).toMatchObject({
		ENDPOINT: 'canary',
		SERVICE_URL: expect.stringMatching(/^https:\/\/[a-z0-9]+\.execute-api\./),
		CANARY_EMAIL: 'canary@utility.example',
		CANARY_SCHEMA: 'canary',
		CANARY_DATABASE: 'canary',
		CANARY_TOKEN_SECRET: 'caudal/production/canary-token',
	});
});

describe.each(environments)('the evaluation of alarms in %s', (env, stacks) => {
	const name = `caudal-${env}-evaluateAlarms`;
	const dispatcher = `caudal-${env}-dispatchAlarms`;

	test('is started every minute, as the days of reports are stored every 5, and neither repeated nor later than the next', () => {
		const scheduleSchema = v.object({
			Name: v.string(),
			ScheduleExpression: v.string(),
			State: v.optional(v.string(), 'ENABLED'),
			FlexibleTimeWindow: v.object({ Mode: v.string() }),
			Target: v.object({
				Arn: v.string(),
				Input: v.string(),
				RetryPolicy: v.object({ MaximumRetryAttempts: v.number(), MaximumEventAgeInSeconds: v.number() }),
			}),
		});
		const report = resourceNames(env).function('closeReportDays');
		const clocks = [
			[dispatcher, 'rate(1 minute)', 60],
			[report, 'rate(5 minutes)', 300],
			[resourceNames(env).function('packDefinitions'), 'rate(5 minutes)', 300],
		] as const;
		expect(ofType(stacks().resources, 'AWS::Scheduler::Schedule', scheduleSchema).map(({ properties }) => properties)).toEqual(
			clocks.map(([task, rate, seconds]) => ({
				Name: task,
				ScheduleExpression: rate,
				State: 'ENABLED',
				FlexibleTimeWindow: { Mode: 'OFF' },
				Target: {
					Arn: arnOf('lambda', `function:${task}`),
					Input: '{}',
					RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: seconds },
				},
			})),
		);
		const configSchema = v.object({
			FunctionName: v.string(),
			MaximumRetryAttempts: v.number(),
			MaximumEventAgeInSeconds: v.number(),
		});
		expect(
			ofType(stacks().resources, 'AWS::Lambda::EventInvokeConfig', configSchema).map(({ properties }) => properties),
		).toEqual(
			[
				[dispatcher, 60] as const,
				[name, 60] as const,
				[report, 300] as const,
				[resourceNames(env).function('packDefinitions'), 300] as const,
			].map(([FunctionName, MaximumEventAgeInSeconds]) => ({ FunctionName, MaximumRetryAttempts: 0, MaximumEventAgeInSeconds })),
		);
	});

	test('publishes to a topic of its own, over TLS, or to the one of the settings', () => {
		const variablesIn = (resources: Stacks['resources']) =>
			only(functionsIn({ resources }).filter(({ properties }) => properties.FunctionName === name)).properties.Environment
				.Variables;
		const topicSchema = v.object({ TopicName: v.optional(v.string()) });
		const topicsIn = (resources: Stacks['resources']) =>
			ofType(resources, 'AWS::SNS::Topic', topicSchema).flatMap(({ properties }) => properties.TopicName ?? []);
		expect(topicsIn(stacks().resources)).toEqual([`caudal-${env}-plant-alarms`]);
		expect(variablesIn(stacks().resources)).toMatchObject({
			ALARM_TOPIC_ARN: arnOf('sns', `caudal-${env}-plant-alarms`),
			ALARM_SETTLE_SECONDS: '15',
		});
		const alarmTopicArn = 'arn:aws:sns:eu-west-1:210987654321:operators';
		const { resources } = synthesis.synthesize(env, { alarmTopicArn, account, region: 'eu-west-1' });
		expect(topicsIn(resources)).toEqual([]);
		expect(variablesIn(resources)).toMatchObject({ ALARM_TOPIC_ARN: alarmTopicArn });
	});

	test.each([
		['of this account', account, false],
		['of another account, whose policies need the role, and which has the metrics', '210987654321', true],
	])('may publish to a topic with a customer’s key: %s', (_, owner, isForeign) => {
		const alarmTopicArn = `arn:aws:sns:${region}:${owner}:operators`;
		const alarmTopicKeyArn = `arn:aws:kms:${region}:${owner}:key/0a1b`;
		const { service } = synthesis.synthesize(env, { alarmTopicArn, alarmTopicKeyArn, account, region });
		const roles = JSON.stringify(service.resources.filter(({ type }) => type === 'AWS::IAM::Role'));
		expect(roles).toContain(
			JSON.stringify({ Action: ['kms:GenerateDataKey', 'kms:Decrypt'], Effect: 'Allow', Resource: alarmTopicKeyArn }),
		);
		expect(service.outputs.includes('PlantAlarmPublisher')).toBe(isForeign);
		const alarms = service.resources.filter(({ id }) => /PlantAlarm(sNotDelivered|AttemptsFail)/.test(id));
		expect(alarms).toHaveLength(isForeign ? 0 : 2);
		// A subscription and the queue of its redrive policy have to be of one account.
		const queues = service.resources.filter(({ type }) => type.startsWith('AWS::SQS::'));
		expect(queues.map(({ type }) => type)).toEqual(isForeign ? [] : ['AWS::SQS::Queue', 'AWS::SQS::QueuePolicy']);
		expect(JSON.stringify(queues)).toContain(isForeign ? '[]' : `{"ArnEquals":{"aws:SourceArn":"${alarmTopicArn}"}}`);
		expect(service.outputs.includes('UndeliveredPlantAlarmQueue')).toBe(!isForeign);
	});

	test('keeps what SNS gave up, encrypted, for 14 days, in a queue to which only its topic may send', () => {
		const queueSchema = v.strictObject({
			QueueName: v.string(),
			MessageRetentionPeriod: v.number(),
			SqsManagedSseEnabled: v.boolean(),
		});
		const { properties, policies } = only(ofType(stacks().resources, 'AWS::SQS::Queue', queueSchema));
		expect(properties).toEqual({
			QueueName: `caudal-${env}-plant-alarms-undelivered`,
			MessageRetentionPeriod: 14 * 24 * 3600,
			SqsManagedSseEnabled: true,
		});
		expect(policies[0]).toBe(env === 'production' ? 'RetainExceptOnCreate' : 'Delete');
		const policySchema = v.object({ PolicyDocument: v.object({ Statement: v.array(v.looseObject({})) }) });
		const policy = only(ofType(stacks().resources, 'AWS::SQS::QueuePolicy', policySchema)).properties.PolicyDocument;
		const Resource = arnOf('sqs', properties.QueueName);
		expect(policy.Statement.map(({ Sid, ...statement }) => statement)).toEqual([
			{
				Effect: 'Deny',
				Principal: { AWS: '*' },
				Action: 'sqs:*',
				Resource,
				Condition: { Bool: { 'aws:SecureTransport': 'false' } },
			},
			{
				Effect: 'Allow',
				Principal: { Service: 'sns.amazonaws.com' },
				Action: 'sqs:SendMessage',
				Resource,
				Condition: { ArnEquals: { 'aws:SourceArn': arnOf('sns', `caudal-${env}-plant-alarms`) } },
			},
		]);
	});
});

const keySchema = v.array(v.strictObject({ AttributeName: v.string(), KeyType: v.string() }));
const tableSchema = v.strictObject({
	TableName: v.string(),
	AttributeDefinitions: v.array(v.strictObject({ AttributeName: v.string(), AttributeType: v.string() })),
	KeySchema: keySchema,
	GlobalSecondaryIndexes: v.optional(
		v.array(
			v.strictObject({
				IndexName: v.string(),
				KeySchema: keySchema,
				Projection: v.union([
					v.strictObject({ ProjectionType: v.literal('INCLUDE'), NonKeyAttributes: v.array(v.string()) }),
					v.strictObject({ ProjectionType: v.literal('KEYS_ONLY') }),
				]),
			}),
		),
	),
	BillingMode: v.string(),
	SSESpecification: v.strictObject({ SSEEnabled: v.boolean(), SSEType: v.string() }),
	Replicas: v.strictTuple([
		v.strictObject({
			Region: v.string(),
			PointInTimeRecoverySpecification: v.strictObject({ PointInTimeRecoveryEnabled: v.boolean() }),
			DeletionProtectionEnabled: v.boolean(),
			Tags: v.array(v.strictObject({ Key: v.string(), Value: v.string() })),
			GlobalSecondaryIndexes: v.optional(v.array(v.strictObject({ IndexName: v.string() }))),
		}),
	]),
	TimeToLiveSpecification: v.optional(v.strictObject({ AttributeName: v.string(), Enabled: v.boolean() })),
});
const tablesOf = ({ resources }: Stacks) =>
	ofType(resources, 'AWS::DynamoDB::GlobalTable', tableSchema).map(({ properties }) => properties);
const byName = (a: { readonly TableName: string }, b: { readonly TableName: string }): number =>
	a.TableName.localeCompare(b.TableName);

const keysOf = ({ partitionKey, sortKey }: Pick<TableDefinition, 'partitionKey' | 'sortKey'>) =>
	sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
const keySchemaOf = (table: Pick<TableDefinition, 'partitionKey' | 'sortKey'>) =>
	keysOf(table).map((key, index) => ({ AttributeName: key.name, KeyType: index === 0 ? 'HASH' : 'RANGE' }));
const indexOf = (index: IndexDefinition) => ({
	IndexName: index.name,
	KeySchema: keySchemaOf(index),
	// CloudFormation refuses an empty list of attributes.
	Projection:
		index.attributes.length === 0
			? { ProjectionType: 'KEYS_ONLY' }
			: { ProjectionType: 'INCLUDE', NonKeyAttributes: index.attributes },
});

const expectedTables = (env: string) =>
	tableNames
		.map((name) => {
			const { ttlAttribute, indexes = [], ...table }: TableDefinition = tables[name];
			const attributes = new Map([table, ...indexes].flatMap(keysOf).map((key) => [key.name, key.type]));
			return {
				TableName: resourceNames(env).table(name),
				AttributeDefinitions: [...attributes].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
				KeySchema: keySchemaOf(table),
				...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes.map(indexOf) }),
				BillingMode: 'PAY_PER_REQUEST',
				SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
				Replicas: [
					{
						Region: region,
						// An earlier state of the secrets of providers has no use.
						PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: name !== 'sessionTokens' },
						DeletionProtectionEnabled: env === 'production',
						// CloudFormation gives the tags of a stack to no table of this kind.
						Tags: [
							{ Key: 'application', Value: 'caudal' },
							{ Key: 'environment', Value: env },
						],
						...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes.map(({ name }) => ({ IndexName: name })) }),
					},
				],
				...(ttlAttribute === undefined ? {} : { TimeToLiveSpecification: { AttributeName: ttlAttribute, Enabled: true } }),
			};
		})
		.sort(byName);

describe('the tables', () => {
	test.each(environments)('are those of shared/tables.ts: %s', (env, stacks) => {
		expect(tablesOf(stacks()).sort(byName)).toEqual(expectedTables(env));
	});

	test('stay in the stack when functions use restored ones', () => {
		expect(tablesOf(customized)).toEqual(tablesOf(dev));
		const usedBy = (stacks: Stacks) =>
			new Set(
				functionsIn(stacks).flatMap(({ properties }) =>
					Object.entries(properties.Environment.Variables).flatMap(([name, value]) =>
						name.startsWith('TABLE_') ? [`${name} ${value}`] : [],
					),
				),
			);
		const own = [
			'TABLE_VARIABLES caudal-dev-variables',
			'TABLE_PANELS caudal-dev-panels',
			'TABLE_BOARDS caudal-dev-boards',
			'TABLE_EVALUATIONS caudal-dev-evaluations',
			'TABLE_ALARM_STATES caudal-dev-alarm-states',
			'TABLE_ALARM_EVENTS caudal-dev-alarm-events',
			'TABLE_CHANGES caudal-dev-changes',
			'TABLE_REPORT_DAYS caudal-dev-report-days',
			'TABLE_IDEMPOTENCY caudal-dev-idempotency',
			'TABLE_USERS caudal-dev-users',
			'TABLE_PEOPLE caudal-dev-people',
			'TABLE_MACHINES caudal-dev-machines',
			'TABLE_OWNERS caudal-dev-owners',
			'TABLE_GRANTS caudal-dev-grants',
			'TABLE_SESSIONS caudal-dev-sessions',
			'TABLE_SIGN_IN_FAILURES caudal-dev-sign-in-failures',
		];
		expect(usedBy(dev)).toEqual(new Set(own));
		const restored = own.map((each) =>
			each
				.replace('caudal-dev-variables', 'variables-of-yesterday')
				.replace('caudal-dev-sign-in-failures', 'failures-of-yesterday'),
		);
		expect(usedBy(customized)).toEqual(new Set(restored));
	});
});

test.each(environments)('the service stack is deployed last, and the others depend on no stack: %s', (env, stacks) => {
	const { issuer, data, service } = stacks();
	const { stack } = resourceNames(env);
	expect([issuer.dependencies, data.dependencies, service.dependencies]).toEqual([[], [], [stack('data'), stack('issuer')]]);
});

test('an environment that is pinned to its account and region has the same resources', () => {
	// The template of a nested stack names the account and region instead of referring to them, so its address differs.
	// The id of a version ends with a hash of its function, whose code is in a bucket with the account in its name.
	const compared = ({ resources }: Stacks): unknown =>
		JSON.parse(
			JSON.stringify(resources.filter(({ type }) => type !== 'AWS::CloudFormation::Stack')).replaceAll(
				/(CurrentVersion[\dA-F]{8})[\da-f]{32}/g,
				'$1',
			),
		);
	expect(compared(synthesis.synthesize('dev', { account, region }))).toEqual(compared(dev));
});

test('a new signing key changes the issuer stack only', () => {
	const { issuer, service } = synthesis.synthesize('dev', { signingKeys: ['first', 'second'] });
	expect(issuer.text).not.toBe(dev.issuer.text);
	expect(service.text).toBe(dev.service.text);
});

describe('destroying a stack', () => {
	const kinds = ['AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::Logs::LogGroup', 'AWS::SecretsManager::Secret'];
	const policiesOf = ({ resources }: Stacks) =>
		Object.fromEntries(
			kinds.map((kind) => [
				kind,
				[...new Set(resources.filter(({ type }) => type === kind).map(({ policies }) => policies.join()))],
			]),
		);
	const allKinds = (deletion: string, replacement = deletion) =>
		Object.fromEntries(kinds.map((kind) => [kind, [`${deletion},${replacement}`]]));

	test('deletes everything in dev, and no tables, keys, logs or secrets in production', () => {
		expect(policiesOf(dev)).toEqual(allKinds('Delete'));
		expect(policiesOf(production)).toEqual(allKinds('RetainExceptOnCreate', 'Retain'));
	});

	test('is possible in dev, and prevented by termination protection in production', () => {
		for (const name of ['issuer', 'data', 'service'] as const) {
			expect(dev[name].terminationProtection).toBe(false);
			expect(production[name].terminationProtection).toBe(true);
		}
	});
});

test.each(environments)('every stack of %s has the tags that tell it apart, beside those of the settings', (env, stacks) => {
	const own = { application: 'caudal', environment: env };
	const tagged = synthesis.synthesize(env, { tags: { 'cost-center': 'water' } });
	for (const name of ['issuer', 'data', 'service'] as const) {
		expect(stacks()[name].tags).toEqual(own);
		expect(tagged[name].tags).toEqual({ ...own, 'cost-center': 'water' });
	}
});
