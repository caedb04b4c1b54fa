import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKmsTokenSigner } from '#adapters/aws/kms-token-signer.ts';
import {
	instrumentedIdentityProvider,
	instrumentedOpenIdProviders,
	instrumentedSchemaStore,
	instrumentedTimeSeries,
} from '#adapters/instrumented.ts';
import { dispatch } from '#domain/alarm/dispatch.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { createHandler as createCanary } from '#functions/canary/handler.ts';
import { createHandler as closeReportDays } from '#functions/closeReportDays/handler.ts';
import { createHandler as createLogin } from '#functions/loginSso/handler.ts';
import { createHandler as createOpenIdLogin } from '#functions/signInOpenId/handler.ts';
import { alarmTexts } from '#infra/aws/alarm-texts.ts';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import type { TableName } from '#shared/tables.ts';
import { canaryUserAgent } from '#shared/tasks.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { entra, makeOpenIdDeps, sentCode } from '#test/support/builders/openid-deps.ts';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { account, arnOf, region } from '#test/support/builders/references.ts';
import { makeSignInDeps, operator, signInCredentials } from '#test/support/builders/sign-in-deps.ts';
import { emfOf } from '#test/support/emf.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import {
	functionsIn,
	ofType,
	only,
	openSynthesis,
	type Stacks,
	type SynthesizedStack,
	stubBundles,
	withoutAuthUrl,
} from '#test/support/templates.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;
/** dev with OpenID providers beside the identity provider, and without it. */
let openId: Stacks;
let openIdOnly: Stacks;
/** production with a daily backup. */
let backedUp: Stacks;

beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	dev = synthesis.synthesize('dev');
	production = synthesis.synthesize('production');
	openId = synthesis.synthesize('dev', openIdSettings);
	openIdOnly = synthesis.synthesize('dev', { ...withoutAuthUrl('dev'), ...openIdSettings });
	backedUp = synthesis.synthesize('production', {
		backup: { copyTo: 'arn:aws:backup:eu-central-1:123456789012:backup-vault:caudal-production-copies' },
	});
}, 120_000);
afterAll(() => synthesis.close());

const environments = [
	['dev', () => dev],
	['production', () => production],
	['dev', () => openId],
	['dev', () => openIdOnly],
	['production', () => backedUp],
] as const;
const hasOpenId = (stacks: Stacks) => stacks.settings.openIdProviders.length > 0;

/** A metric as alarms and dashboards identify it. */
type MetricName = readonly [namespace: string, name: string, dimensions: Readonly<Record<string, string>>];
const metricKey = ([namespace, name, dimensions]: MetricName): string =>
	JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);

const fail = async (): Promise<never> => {
	throw new Error('Failed.');
};

/** Returns every metric that a function emits when all its dependencies fail and its readings have every quality. */
const emittedBy = async (variables: Readonly<Record<string, string>>): Promise<Set<string>> => {
	const lines: string[] = [];
	let elapsedMs = 0;
	const telemetry = createTelemetry({
		now: () => Date.now() + elapsedMs,
		sink: (line) => lines.push(line),
		settings: readConfig(telemetrySchema, { ...variables, AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' }),
	});
	const { log, metrics } = telemetry;
	const identityProvider = instrumentedIdentityProvider(
		{ getUser: fail, getSchemaProduct: fail, listProductxUserxClient: fail },
		metrics,
	);
	const signer = createKmsTokenSigner({
		parameter: 'none',
		endpoint: `http://127.0.0.1:${await freePort()}`,
		region: 'eu-west-1',
		credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
		metrics,
	});
	const failingStore = {
		revision: fail,
		packed: fail,
		get: fail,
		list: fail,
		page: fail,
		snapshot: fail,
		nextId: fail,
		schemaMetadata: fail,
		correctMetadata: fail,
	};
	const store = instrumentedSchemaStore({ ...failingStore, commit: async () => 'conflict' }, metrics);
	const claims = {
		iss: 'i',
		aud: 'a',
		sub: '1',
		email: 'e',
		schema: 's',
		tsdb: 't',
		client: '3',
		scope: 'service',
		iat: 0,
		exp: 1,
		auth_time: 1,
		session_exp: 2,
		jti: 'j',
	};
	const reporting = {
		...{ store: failingStore, owners: { list: async () => [] }, notifier: { notifyReport: fail }, now: Date.now },
		...{ definitions: { get: fail }, samples: { countSamples: fail, readSamples: fail }, spans: { readSpans: fail } },
		...{ closings: { find: async () => new Map(), begin: fail, end: fail }, workers: { start: fail } },
		...{ alarms: { events: fail, progress: fail }, days: { list: fail, newest: fail, revisions: fail, put: fail } },
	};
	await Promise.allSettled([
		instrumentedTimeSeries({ read: fail }, metrics).read('d', [], 0),
		identityProvider.getUser(1),
		signer.sign(claims),
		store.commit('s', []),
		refuseTenant(metrics),
		failToSignIn(metrics),
		createCanary({ ...telemetry, client: { signInAndRead: fail } })(),
		closeReportDays({ ...reporting, ...telemetry })(),
		dispatch({ alarms: { evaluatedSchemas: async () => [] }, workers: { start: fail }, metrics, settleMs: 0, now: Date.now }),
	]);
	const failed = { requestId: 'r', routeKey: 'GET /', status: 500, outcome: 'fault', durationMs: 1 } as const;
	for (const minutes of [0, 3, 6]) {
		elapsedMs = minutes * 60_000;
		log.request({ ...failed, schema: 'fails' });
	}
	log.request({
		requestId: 'r',
		routeKey: 'GET /',
		status: 500,
		outcome: 'fault',
		durationMs: 1,
		readings: { stale: 1 },
	});
	return new Set(
		lines.flatMap((line) => {
			if (!line.includes('"_aws"')) return [];
			const root = emfOf(line);
			return root._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
				Dimensions.flatMap((names) => {
					const dimensions = Object.fromEntries(names.map((name) => [name, v.parse(v.string(), root[name])]));
					return Metrics.map(({ Name }) => metricKey([Namespace, Name, dimensions]));
				}),
			);
		}),
	);
};

/** Signs in with a schema that belongs to another client. */
const refuseTenant = async (metrics: Metrics): Promise<void> => {
	const { deps, sessions } = makeSignInDeps();
	await deps.users.put(operator);
	await deps.owners.set({ kind: 'schema', name: signInCredentials.schemaName, clientId: operator.clientId + 1 });
	await createLogin({ ...deps, sessions, log: silentLog, metrics, trustedProxy: null, now: Date.now })(
		makeEvent('POST /loginSso', { body: signInCredentials }),
	);
};

/** Signs in with an OpenID provider that fails, and without a grant. */
const failToSignIn = async (metrics: Metrics): Promise<void> => {
	const { deps } = makeOpenIdDeps(Date.now());
	const failing = instrumentedOpenIdProviders({ ...deps.openId, redeem: fail }, metrics);
	await failing
		.redeem({ ...entra, clientId: 'caudal' }, { code: 'c', codeVerifier: 'v', redirectUri: 'r' })
		.catch(() => undefined);
	const sessions = { tell: async () => undefined };
	await createOpenIdLogin({ ...deps, sessions, log: silentLog, metrics, trustedProxy: null })(
		makeEvent('POST /signInOpenId', { body: sentCode }),
	);
};

const topicSchema = v.object({ TopicName: v.optional(v.string()) });
const topicsIn = ({ resources }: Pick<Stacks, 'resources'>) => ofType(resources, 'AWS::SNS::Topic', topicSchema);
/** The topics of plants' alarms have a name. That of the service's own alarms has none. */
const plantTopicsIn = (stack: Pick<Stacks, 'resources'>) =>
	topicsIn(stack).filter(({ properties }) => properties.TopicName !== undefined);
const operatorTopicIn = (stack: Pick<Stacks, 'resources'>) =>
	only(topicsIn(stack).filter(({ properties }) => properties.TopicName === undefined));

/** The names of the tables. */
const tablesOf = ({ data }: Pick<Stacks, 'data'>): readonly string[] =>
	ofType(data.resources, 'AWS::DynamoDB::GlobalTable', v.object({ TableName: v.string() })).map(
		({ properties }) => properties.TableName,
	);

/** The dimensions of the metric of usage for the quota "Cryptographic operations (RSA) request rate" of KMS. */
const rsaOperations = { Service: 'KMS', Type: 'API', Resource: 'CryptographicOperationsRsa', Class: 'None' };

/** The metrics of AWS Backup by their vault: copies count for the vault that they go to. */
const backupMetrics: readonly MetricName[] = [
	...['Failed', 'Expired', 'Aborted'].map(
		(state): MetricName => ['AWS/Backup', `NumberOfBackupJobs${state}`, { BackupVaultName: 'caudal-production' }],
	),
	...['Failed', 'Completed'].map(
		(state): MetricName => ['AWS/Backup', `NumberOfCopyJobs${state}`, { BackupVaultName: 'caudal-production-copies' }],
	),
];

/** Returns the metrics that API Gateway, AWS Backup, DynamoDB, Lambda and SNS emit (AWS: "Monitor HTTP APIs", "Amazon SNS metrics", "DynamoDB metrics and dimensions", "Types of metrics for Lambda functions"). */
const emittedByAws = ({ service, issuer, data }: Stacks): Set<string> => {
	const apis = [service, issuer].map(
		({ resources }) => only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Api')).id,
	);
	const functions = functionsIn({ resources: [...service.resources, ...issuer.resources] });
	const functionMetrics = ['Invocations', 'Errors', 'Duration', 'Throttles', 'ConcurrentExecutions'];
	return new Set(
		[
			...backupMetrics,
			...plantTopicsIn(service).flatMap(({ properties: { TopicName = '' } }) =>
				['Delivered', 'Failed', 'RedrivenToDlq', 'FailedToRedriveToDlq'].map(
					(name): MetricName => ['AWS/SNS', `NumberOfNotifications${name}`, { TopicName }],
				),
			),
			...tablesOf({ data }).flatMap((TableName) =>
				['ReadThrottleEvents', 'WriteThrottleEvents', 'ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map(
					(name): MetricName => ['AWS/DynamoDB', name, { TableName }],
				),
			),
			...['AccountMaxTableLevelReads', 'AccountMaxTableLevelWrites'].map((name): MetricName => ['AWS/DynamoDB', name, {}]),
			['AWS/Usage', 'CallCount', rsaOperations] as const,
			...['4xx', '5xx', 'Count', 'DataProcessed', 'IntegrationLatency', 'Latency'].flatMap((name) =>
				apis.map((ApiId): MetricName => ['AWS/ApiGateway', name, { ApiId }]),
			),
			...functionMetrics.flatMap((name): MetricName[] => [
				['AWS/Lambda', name, {}],
				...functions.map(({ properties }): MetricName => ['AWS/Lambda', name, { FunctionName: properties.FunctionName }]),
			]),
		].map(metricKey),
	);
};

const dimensionsSchema = v.pipe(
	v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
	v.transform((dimensions) => Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]))),
);
const metricSchema = { Namespace: v.string(), MetricName: v.string(), Dimensions: dimensionsSchema };
const notified = { AlarmActions: v.optional(v.array(v.string()), []), OKActions: v.optional(v.array(v.string()), []) };
const alarmSchema = v.strictObject({
	AlarmDescription: v.string(),
	Namespace: v.optional(v.string()),
	MetricName: v.optional(v.string()),
	Dimensions: dimensionsSchema,
	Statistic: v.optional(v.string()),
	Period: v.optional(v.number()),
	Metrics: v.optional(
		v.array(
			v.object({
				Id: v.string(),
				Expression: v.optional(v.string()),
				ReturnData: v.optional(v.boolean(), true),
				MetricStat: v.optional(
					v.strictObject({ Metric: v.strictObject(metricSchema), Period: v.picklist([60, 300, 900, 3600]), Stat: v.string() }),
				),
			}),
		),
		[],
	),
	ComparisonOperator: v.string(),
	Threshold: v.number(),
	EvaluationPeriods: v.number(),
	DatapointsToAlarm: v.optional(v.number()),
	TreatMissingData: v.string(),
	...notified,
});
const alarmsOf = ({ service }: Stacks) => ofType(service.resources, 'AWS::CloudWatch::Alarm', alarmSchema);
const compositeSchema = v.strictObject({
	AlarmDescription: v.string(),
	AlarmName: v.string(),
	AlarmRule: v.string(),
	...notified,
});
const compositesOf = ({ service }: Stacks) => ofType(service.resources, 'AWS::CloudWatch::CompositeAlarm', compositeSchema);

/** The name of an alarm in the source: its logical id without what CDK adds. */
const nameOf = (id: string): string => id.replace(/^Alarm/, '').replace(/[0-9A-F]{8}$/, '');

type AlarmProperties = ReturnType<typeof alarmsOf>[number]['properties'];

/** The metrics that an alarm watches. */
const watchedBy = ({ Namespace, MetricName, Dimensions, Metrics }: AlarmProperties): MetricName[] => [
	...(Namespace === undefined || MetricName === undefined ? [] : [[Namespace, MetricName, Dimensions] as const]),
	...Metrics.flatMap(({ MetricStat }) =>
		MetricStat === undefined
			? []
			: [[MetricStat.Metric.Namespace, MetricStat.Metric.MetricName, MetricStat.Metric.Dimensions] as const],
	),
];

/** What sets off an alarm: the expression or metric, the condition, and what missing data mean. */
const conditionOf = ({ Metrics, ...alarm }: AlarmProperties) => {
	const operands = Metrics.flatMap(({ Id, MetricStat }) =>
		MetricStat === undefined
			? []
			: [
					`${Id} = ${MetricStat.Metric.Namespace} ${MetricStat.Metric.MetricName} ${MetricStat.Stat}${MetricStat.Period === 300 ? '' : ` of ${MetricStat.Period} s`}`,
				],
	);
	const source =
		Metrics.length === 0
			? [`${alarm.Namespace} ${alarm.MetricName} ${alarm.Statistic} of ${alarm.Period} s`]
			: [...Metrics.flatMap(({ Expression = [] }) => Expression), ...operands];
	const operator = alarm.ComparisonOperator === 'GreaterThanOrEqualToThreshold' ? '>=' : '<';
	const periods = `${alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods} of ${alarm.EvaluationPeriods}`;
	return [...source, `${operator} ${alarm.Threshold}, ${periods}, ${alarm.TreatMissingData}`];
};

const percentage = (part: string, total: string, minCount: number): readonly string[] => [
	`IF(part >= ${minCount}, 100 * part / total, 0)`,
	`part = ${part}`,
	`total = ${total}`,
];
const slowest = (minCount: number): readonly string[] => [
	`IF(requests >= ${minCount}, slowest, 0)`,
	'requests = AWS/ApiGateway Count Sum',
	'slowest = AWS/ApiGateway Latency p99',
];
const throttles = (...names: readonly string[]): readonly string[] => [
	`SUM([${names.join(', ')}])`,
	...names.map((name) => `${name} = AWS/Lambda Throttles Sum`),
];
/** The condition of an alarm on throttles of tables. */
const storeThrottles = (...names: readonly TableName[]): readonly string[] => {
	const pairs = names.flatMap((name) => [`${name}Read`, `${name}Write`]);
	return [
		`SUM([${pairs.join(', ')}])`,
		...pairs.map((pair) => `${pair} = AWS/DynamoDB ${/Read$/.test(pair) ? 'Read' : 'Write'}ThrottleEvents Sum`),
		'>= 5, 1 of 1, notBreaching',
	];
};
const total = '(stale + empty + good + missing + bad)';

/** The metric, statistic, threshold, periods and treatment of missing data of every alarm on metrics. */
const expectedConditions: Readonly<Record<string, readonly string[]>> = {
	ServerErrors: [...percentage('AWS/ApiGateway 5xx Sum', 'AWS/ApiGateway Count Sum', 5), '>= 2, 1 of 1, notBreaching'],
	Latency: [...slowest(20), '>= 5000, 3 of 3, notBreaching'],
	RefusalStorm: [...percentage('Caudal Refusals Sum', 'AWS/ApiGateway Count Sum', 50), '>= 20, 1 of 1, notBreaching'],
	GatewayThrottles: [...percentage('Caudal TooManyRequests Sum', 'AWS/ApiGateway Count Sum', 20), '>= 1, 1 of 1, notBreaching'],
	TsdbFaults: [...percentage('Caudal TsdbFaults Sum', 'Caudal TsdbLatency SampleCount', 3), '>= 5, 1 of 1, notBreaching'],
	SchemaFailsWholly: ['Caudal SchemaFailsWholly Sum of 300 s', '>= 1, 1 of 3, notBreaching'],
	TokenSigningFailed: [
		...percentage('Caudal SigningFailures Sum', 'Caudal SigningFailures SampleCount', 1),
		'>= 20, 1 of 1, notBreaching',
	],
	StaleReadings: [
		`IF(${total} >= 100, 100 * (stale + empty) / ${total}, 0)`,
		'stale = Caudal ReadingsStale Sum',
		'empty = Caudal ReadingsNoData Sum',
		'good = Caudal ReadingsGood Sum',
		'missing = Caudal ReadingsMissingReference Sum',
		'bad = Caudal ReadingsBad Sum',
		'>= 50, 3 of 3, notBreaching',
	],
	IssuerErrors: [...percentage('AWS/ApiGateway 5xx Sum', 'AWS/ApiGateway Count Sum', 2), '>= 10, 1 of 1, notBreaching'],
	IssuerRefusals: [...percentage('AWS/ApiGateway 4xx Sum', 'AWS/ApiGateway Count Sum', 10), '>= 50, 1 of 1, notBreaching'],
	IssuerLatency: [...slowest(1), '>= 1200, 1 of 1, notBreaching'],
	ReadingThrottles: [
		...throttles(
			...[
				'saveVariable',
				'multipleDataTsdb',
				'history',
				'totals',
				'saveCorrection',
				'getBombs',
				'getAlarms',
				'saveAlarm',
				'shelveAlarm',
				'unshelveAlarm',
			],
		),
		'>= 5, 1 of 1, notBreaching',
	],
	ListThrottles: [
		...throttles(
			...['getVarsTsdb', 'getTopics', 'describeTopics', 'getCorrections', 'usages'],
			...['getCharts', 'getDiagrams', 'alarmEvents', 'getChanges', 'getChange'],
		),
		'>= 5, 1 of 1, notBreaching',
	],
	AccessThrottles: [
		...throttles('getPeople', 'savePerson', 'getMachines', 'saveMachine', 'deleteMachine'),
		'>= 5, 1 of 1, notBreaching',
	],
	ReportThrottles: [
		...throttles(
			'getReports',
			'saveReport',
			'deleteReport',
			'getEntries',
			'saveEntry',
			'deleteEntry',
			'readReport',
			'getReportDay',
			'sealReportDays',
		),
		'>= 5, 1 of 1, notBreaching',
	],
	TableThrottles: [
		...throttles('tableReport', 'tableTotals', 'tableHistory', 'tableReadings', 'prometheus'),
		'>= 5, 1 of 1, notBreaching',
	],
	ChangeThrottles: [
		...throttles(
			...[
				'deleteVar',
				'deleteCorrection',
				'saveBombs',
				'saveChart',
				'deleteChart',
				'saveDiagram',
				'deleteDiagram',
				'deleteAlarm',
				'ackAlarms',
				'restoreItem',
			],
		),
		'>= 5, 1 of 1, notBreaching',
	],
	DefinitionStoreThrottles: storeThrottles('variables', 'boards', 'panels', 'changes', 'idempotency'),
	AlarmStoreThrottles: storeThrottles('evaluations', 'alarmStates', 'alarmEvents', 'reportDays'),
	SessionStoreThrottles: storeThrottles('users', 'people', 'sessions', 'sessionTokens', 'signInFailures'),
	TenantStoreThrottles: storeThrottles('owners', 'machines', 'grants'),
	Silent: ['Caudal ClientRequests Sum of 900 s', '< 1, 1 of 1, breaching'],
	Unused: ['Caudal ClientRequests Sum of 21600 s', '< 1, 1 of 1, breaching'],
};
const signInConditions = (stacks: Stacks): Readonly<Record<string, readonly string[]>> => {
	const ofProvider = (name: string) => [
		...percentage(`Caudal ${name}Faults Sum`, `Caudal ${name}Latency SampleCount`, 3),
		'>= 20, 1 of 1, notBreaching',
	];
	const ofIdp = stacks === openIdOnly ? [] : ['loginSso', 'renewToken'];
	const ofOpenId = hasOpenId(stacks) ? ['signInOpenId', 'renewOpenId', 'signOut'] : [];
	const open = ['openIdProviders', ...(hasOpenId(stacks) ? ['openIdProvider', 'backchannelLogout'] : [])];
	return {
		...(stacks !== openIdOnly && { IdentityProviderFaults: ofProvider('IdentityProvider') }),
		...(hasOpenId(stacks) && { OpenIdProviderFaults: ofProvider('OpenIdProvider') }),
		SignInThrottles: [...throttles(...ofIdp, ...ofOpenId, 'token', 'openidConfiguration', 'jwks'), '>= 1, 1 of 1, notBreaching'],
		PublicThrottles: [...throttles(...open, 'health', 'openapi', 'docs', 'console'), '>= 5, 1 of 1, notBreaching'],
	};
};
/** The condition of an alarm on what the busiest table reads or writes; `bound` is the metric of the quota, or a number of units a second. */
const nearQuota = (kind: 'Read' | 'Write', bound: number | 'quota'): readonly string[] => {
	const busy = ['variables', 'boards', 'panels', 'evaluations', 'alarmStates', 'changes'];
	return [
		`100 * MAX([${busy.join(', ')}]) / (300 * ${bound})`,
		...busy.map((table) => `${table} = AWS/DynamoDB Consumed${kind}CapacityUnits Sum`),
		...(bound === 'quota' ? [`quota = AWS/DynamoDB AccountMaxTableLevel${kind}s Maximum`] : []),
		'>= 80, 3 of 3, notBreaching',
	];
};
const plantAlarmConditions = {
	// One alarm for an evaluation that is dead: without data the others are good.
	PlantAlarmsStopped: ['Caudal SchemasEvaluated SampleCount of 60 s', '< 1, 3 of 3, breaching'],
	PlantAlarmsLate: ['Caudal SchemasLate Maximum of 60 s', '>= 1, 3 of 3, notBreaching'],
	PlantAlarmsLateWidely: [
		...percentage('Caudal SchemasLate Sum', 'Caudal SchemasEvaluated Sum', 10),
		'>= 10, 1 of 1, notBreaching',
	],
	PlantAlarmsFailing: ['Caudal SchemasFailing Maximum of 60 s', '>= 1, 3 of 3, notBreaching'],
	PlantAlarmsFailingWidely: [
		...percentage('Caudal SchemasFailing Sum', 'Caudal SchemasEvaluated Sum', 10),
		'>= 10, 1 of 1, notBreaching',
	],
	PlantAlarmsNotSent: ['Caudal AlarmOutboxSeconds Maximum of 60 s', '>= 900, 3 of 3, notBreaching'],
	ReportsStopped: ['Caudal ReportSchemas SampleCount of 3600 s', '< 1, 1 of 1, breaching'],
	ReportsFailing: ['Caudal ReportSchemasNewlyFailing Minimum of 900 s', '>= 1, 1 of 1, notBreaching'],
	ReportsFailingWidely: [
		...percentage('Caudal ReportSchemasFailing Minimum of 900 s', 'Caudal ReportSchemas Minimum of 900 s', 2),
		'>= 10, 1 of 1, notBreaching',
	],
	// What was given up and kept, and what could not be kept. Attempts over HTTPS that are repeated are in neither.
	PlantAlarmsNotDelivered: [
		'SUM([kept, lost])',
		'kept = AWS/SNS NumberOfNotificationsRedrivenToDlq Sum',
		'lost = AWS/SNS NumberOfNotificationsFailedToRedriveToDlq Sum',
		'>= 1, 1 of 1, notBreaching',
	],
	PlantAlarmAttemptsFail: [
		'IF(failed >= 4, 100 * failed / SUM([failed, delivered]), 0)',
		'failed = AWS/SNS NumberOfNotificationsFailed Sum of 3600 s',
		'delivered = AWS/SNS NumberOfNotificationsDelivered Sum of 3600 s',
		'>= 1, 1 of 1, notBreaching',
	],
};
const backupConditions = {
	BackupsFailed: [
		'SUM([failed, expired, aborted, copies])',
		...['failed', 'expired', 'aborted'].map(
			(state) => `${state} = AWS/Backup NumberOfBackupJobs${state[0]?.toUpperCase()}${state.slice(1)} Sum of 3600 s`,
		),
		'copies = AWS/Backup NumberOfCopyJobsFailed Sum of 3600 s',
		'>= 1, 1 of 24, notBreaching',
	],
	BackupsStopped: ['AWS/Backup NumberOfCopyJobsCompleted Sum of 3600 s', '< 1, 36 of 36, breaching'],
};
const canaryCondition = ['Caudal CanaryFailures Sum of 300 s', '>= 1, 2 of 3, breaching'];

const filterSchema = v.strictObject({
	FilterPattern: v.string(),
	LogGroupName: v.string(),
	MetricTransformations: v.tuple([
		v.strictObject({
			MetricNamespace: v.string(),
			MetricName: v.string(),
			MetricValue: v.literal('1'),
			Dimensions: v.tuple([v.strictObject({ Key: v.string(), Value: v.string() })]),
		}),
	]),
});
const filtersOf = ({ service }: Stacks) =>
	ofType(service.resources, 'AWS::Logs::MetricFilter', filterSchema).map(({ properties }) => properties);

/** A metric of a graph: namespace, name, then dimension names and values in turn, then rendering options. */
const graphMetric = v.pipe(
	v.array(v.union([v.string(), v.looseObject({})])),
	v.transform((parts): MetricName => {
		const [namespace = '', name = '', ...rest] = parts.filter((part) => typeof part === 'string');
		const pairs = Array.from({ length: rest.length / 2 }, (_, index) => rest.slice(2 * index, 2 * index + 2));
		return [namespace, name, Object.fromEntries(pairs)];
	}),
);
const dashboardSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		widgets: v.array(
			v.object({
				type: v.picklist(['metric', 'alarm']),
				properties: v.object({
					title: v.pipe(v.string(), v.nonEmpty()),
					alarms: v.optional(v.array(v.string()), []),
					metrics: v.optional(v.array(graphMetric), []),
				}),
			}),
		),
	}),
);
const dashboardOf = ({ service }: Stacks) =>
	only(
		ofType(
			service.resources,
			'AWS::CloudWatch::Dashboard',
			v.strictObject({ DashboardName: v.string(), DashboardBody: dashboardSchema }),
		),
	).properties;

describe.each(environments)('in %s', (env, stacks) => {
	test('each alarm has its metric, statistic, threshold and treatment of missing data', () => {
		const conditions = Object.fromEntries(alarmsOf(stacks()).map(({ id, properties }) => [nameOf(id), conditionOf(properties)]));
		expect(conditions).toEqual({
			...expectedConditions,
			...signInConditions(stacks()),
			...plantAlarmConditions,
			...(env === 'production' && { CanaryFailed: canaryCondition }),
			TableReadsNearQuota: nearQuota('Read', 'quota'),
			TableWritesNearQuota: nearQuota('Write', 'quota'),
			SigningNearQuota: [
				'100 * calls / SERVICE_QUOTA(calls)',
				'calls = AWS/Usage CallCount Sum of 60 s',
				'>= 80, 3 of 3, notBreaching',
			],
			...(stacks() === backedUp && backupConditions),
			// 80 % of what the settings say of the account.
			ConcurrencyNearQuota: [
				'AWS/Lambda ConcurrentExecutions Maximum of 300 s',
				`>= ${env === 'production' ? 800 : 8}, 3 of 3, notBreaching`,
			],
		});
	});

	test('alarms watch this environment only: its APIs, its functions and its metrics', () => {
		const apiOf = ({ resources }: SynthesizedStack) => only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Api')).id;
		const [service, issuer] = [apiOf(stacks().service), apiOf(stacks().issuer)];
		for (const { id, properties } of alarmsOf(stacks()))
			for (const [namespace, name, dimensions] of watchedBy(properties)) {
				if (namespace === 'AWS/Backup') expect(Object.keys(dimensions)).toEqual(['BackupVaultName']);
				else if (namespace === 'AWS/SNS') expect(dimensions).toEqual({ TopicName: `caudal-${env}-plant-alarms` });
				else if (namespace === 'Caudal') expect(dimensions).toEqual({ environment: env });
				else if (namespace === 'AWS/ApiGateway')
					expect(dimensions).toEqual({ ApiId: nameOf(id).startsWith('Issuer') ? issuer : service });
				// Quotas are those of the account, so is what is compared with them.
				else if (namespace === 'AWS/Usage') expect(dimensions).toEqual(rsaOperations);
				else if (nameOf(id) === 'ConcurrencyNearQuota' || name.startsWith('AccountMax')) expect(dimensions).toEqual({});
				else if (namespace === 'AWS/DynamoDB') expect(tablesOf(stacks())).toContain(dimensions['TableName']);
				else expect(dimensions).toEqual({ FunctionName: expect.stringContaining(`caudal-${env}-`) });
			}
		const watchedTables = alarmsOf(stacks()).flatMap(({ properties }) =>
			watchedBy(properties).flatMap(([, name, { TableName = '' }]) => (name === 'ReadThrottleEvents' ? [TableName] : [])),
		);
		expect(watchedTables.sort()).toEqual([...tablesOf(stacks())].sort());
		const throttled = alarmsOf(stacks()).flatMap(({ properties }) =>
			watchedBy(properties).flatMap(([, name, { FunctionName = '' }]) => (name === 'Throttles' ? [FunctionName] : [])),
		);
		expect(throttled.sort()).toEqual(
			deployedEndpoints(stacks().settings)
				.map(({ name }) => `caudal-${env}-${name}`)
				.sort(),
		);
	});

	test('no alarm calculates with more than ten metrics, the most that CloudWatch allows', () => {
		for (const { properties } of alarmsOf(stacks())) expect(watchedBy(properties).length).toBeLessThanOrEqual(10);
	});

	test('the alarm on missing traffic rings after 15 minutes of silence, and not where nobody called for 6 hours', () => {
		const { id, properties } = only(compositesOf(stacks()));
		expect(nameOf(id)).toBe('NoTraffic');
		const arnOfAlarm = (name: string): string =>
			arnOf('cloudwatch', `alarm:${only(alarmsOf(stacks()).filter((alarm) => nameOf(alarm.id) === name)).id}`);
		expect(properties.AlarmRule).toBe(`(ALARM("${arnOfAlarm('Silent')}") AND (NOT (ALARM("${arnOfAlarm('Unused')}"))))`);
	});

	test('the access log’s lines are counted by their status and their user agent', () => {
		const accessLog = `/aws/vendedlogs/caudal/${env}/access/service`;
		expect(
			filtersOf(stacks()).map(({ LogGroupName, FilterPattern, MetricTransformations: [{ MetricName, Dimensions }] }) => [
				...[LogGroupName, MetricName, FilterPattern],
				...Dimensions.map(({ Key, Value }) => `${Key}=${Value}`),
			]),
		).toEqual([
			[accessLog, 'Refusals', '{ ($.status = "401") || ($.status = "403") }', 'environment=$.environment'],
			[
				...[accessLog, 'TooManyRequests', '{ ($.status = "429") && ($.integrationLatencyMs = "-") }'],
				'environment=$.environment',
			],
			[accessLog, 'ClientRequests', `{ $.userAgent != "${canaryUserAgent}" }`, 'environment=$.environment'],
		]);
		const stageSchema = v.object({ AccessLogSettings: v.object({ Format: v.pipe(v.string(), v.parseJson()) }) });
		const { properties } = only(ofType(stacks().service.resources, 'AWS::ApiGatewayV2::Stage', stageSchema));
		expect(properties.AccessLogSettings.Format).toMatchObject({
			environment: env,
			status: '$context.status',
			integrationLatencyMs: '$context.integrationLatency',
			userAgent: '$context.identity.userAgent',
		});
	});

	test('alarms and graphs use metrics that are emitted: by functions under that fault, by filters, or by AWS', async () => {
		const [variables = {}] = functionsIn(stacks().service).map(({ properties }) => properties.Environment.Variables);
		const filtered = filtersOf(stacks()).map(({ MetricTransformations: [{ MetricNamespace, MetricName }] }) =>
			metricKey([MetricNamespace, MetricName, { environment: env }]),
		);
		const emitted = new Set([...(await emittedBy(variables)), ...filtered, ...emittedByAws(stacks())]);
		const watched = alarmsOf(stacks()).flatMap(({ properties }) => watchedBy(properties).map(metricKey));
		const graphs = dashboardOf(stacks()).DashboardBody.widgets.flatMap(({ properties }) => properties.metrics.map(metricKey));
		expect(graphs.length).toBeGreaterThan(20);
		expect([...watched, ...graphs].filter((each) => !emitted.has(each))).toEqual([]);
	});

	test('the text of each alarm says what it means and links its section of the runbook', () => {
		const sections = [
			...readFileSync(new URL('../../../infra/aws/RUNBOOK.md', import.meta.url), 'utf8').matchAll(/^## (.+)$/gm),
		].map(([, heading = '']) => heading.toLowerCase().replaceAll(' ', '-'));
		const alarms = [...alarmsOf(stacks()), ...compositesOf(stacks())].filter(
			({ properties }) => properties.AlarmActions.length > 0,
		);
		const texts = new Map<string, { readonly meaning: string; readonly section: string }>(Object.entries(alarmTexts));
		for (const { id, properties } of alarms) {
			const { meaning, section } = texts.get(nameOf(id)) ?? { meaning: '', section: '' };
			expect(properties.AlarmDescription).toBe(`${meaning} What to do: infra/aws/RUNBOOK.md#${section}`);
			expect(meaning).toMatch(/^[A-Z].{20,}\.$/);
			expect(sections).toContain(section);
		}
		const absent = [
			...(env === 'production' ? [] : ['CanaryFailed']),
			...(stacks() === backedUp ? [] : ['BackupsFailed', 'BackupsStopped']),
			...(stacks() === openIdOnly ? ['IdentityProviderFaults'] : []),
			...(hasOpenId(stacks()) ? [] : ['OpenIdProviderFaults']),
		];
		const expected = Object.keys(alarmTexts).filter((name) => !absent.includes(name));
		expect(alarms.map(({ id }) => nameOf(id)).sort()).toEqual(expected.sort());
	});

	test('each alarm notifies a topic, to which only CloudWatch of this account may publish, over TLS', () => {
		const topic = arnOf('sns', operatorTopicIn(stacks()).id);
		for (const { id, properties } of [...alarmsOf(stacks()), ...compositesOf(stacks())]) {
			// The two parts of NoTraffic notify nobody by themselves.
			const actions = ['Silent', 'Unused'].includes(nameOf(id)) ? [] : [topic];
			expect(properties.AlarmActions).toEqual(actions);
			expect(properties.OKActions).toEqual(actions);
		}
		const policySchema = v.object({
			PolicyDocument: v.object({ Statement: v.array(v.looseObject({})) }),
			Topics: v.array(v.string()),
		});
		const { properties } = only(
			ofType(stacks().resources, 'AWS::SNS::TopicPolicy', policySchema).filter(({ properties }) =>
				properties.Topics.includes(topic),
			),
		);
		expect(properties.Topics).toEqual([topic]);
		expect(properties.PolicyDocument.Statement.map(({ Sid, ...statement }) => statement)).toEqual([
			{
				Effect: 'Deny',
				Principal: '*',
				Action: 'sns:Publish',
				Resource: topic,
				Condition: { Bool: { 'aws:SecureTransport': 'false' } },
			},
			{
				Effect: 'Allow',
				Principal: { Service: 'cloudwatch.amazonaws.com' },
				Action: 'sns:Publish',
				Resource: topic,
				Condition: { StringEquals: { 'aws:SourceAccount': account } },
			},
		]);
	});

	test('the dashboard shows every alarm and every function of the service', () => {
		const { DashboardName, DashboardBody } = dashboardOf(stacks());
		expect(DashboardName).toBe(`caudal-${env}-${region}`);
		const shown = [...alarmsOf(stacks()), ...compositesOf(stacks())].filter(
			({ properties }) => properties.AlarmActions.length > 0,
		);
		expect(DashboardBody.widgets.flatMap(({ properties }) => properties.alarms).sort()).toEqual(
			shown.map(({ id }) => arnOf('cloudwatch', `alarm:${id}`)).sort(),
		);
		const graphed = DashboardBody.widgets.flatMap(({ properties }) =>
			properties.metrics.flatMap(([, name, { FunctionName }]) => (FunctionName === undefined ? [] : [`${name} ${FunctionName}`])),
		);
		expect(graphed.sort()).toEqual(
			deployedEndpoints(stacks().settings)
				.filter(({ api }) => api === 'service')
				.flatMap(({ name }) => [`Duration caudal-${env}-${name}`, `Throttles caudal-${env}-${name}`])
				.sort(),
		);
	});
});

test('DEPLOYING counts the metrics in alarms, the composite alarms and the custom metrics that are paid for, with and without a canary, backups and OpenID providers', async () => {
	const [variables = {}] = functionsIn(dev.service).map(({ properties }) => properties.Environment.Variables);
	const filtered = filtersOf(dev).map(({ MetricTransformations: [{ MetricName }] }) => MetricName);
	const emitted = [...(await emittedBy(variables))].map(
		(key) => v.parse(v.tuple([v.string(), v.string(), v.unknown()]), JSON.parse(key))[1],
	);
	const custom = [...filtered, ...emitted];
	const ofCanary = custom.filter((name) => name.startsWith('Canary'));
	const ofOpenId = custom.filter((name) => name.startsWith('OpenId'));
	const ofSchemas = custom.filter((name) => name.startsWith('Schema') && name.endsWith('Wholly'));
	const metricsIn = (stacks: Stacks) => alarmsOf(stacks).flatMap(({ properties }) => watchedBy(properties)).length;
	const text = readFileSync(new URL('../../../infra/aws/DEPLOYING.md', import.meta.url), 'utf8');
	expect(text).toContain(
		`${metricsIn(dev)} metrics in alarms, ${compositesOf(dev).length} composite alarm, ${custom.length - ofCanary.length - ofOpenId.length - ofSchemas.length} custom metrics`,
	);
	expect(text).toContain(
		`${metricsIn(openId) - metricsIn(dev)} metrics in alarms and ${ofOpenId.length} custom metrics of OpenID providers`,
	);
	expect(text).toContain(`${metricsIn(backedUp) - metricsIn(production)} metrics in alarms of backups`);
	expect(text).toContain(`while one schema fails wholly: ${ofSchemas.length} custom metrics`);
	expect(text).toContain(`${ofCanary.length} metrics and ${metricsIn(production) - metricsIn(dev)} alarm of the canary`);
});

test('tables are compared with the bounds of the settings instead of the quota', () => {
	const bounded = synthesis.synthesize('dev', { maxReadRequestUnits: 4000, maxWriteRequestUnits: 1000 });
	const conditions = new Map(alarmsOf(bounded).map(({ id, properties }) => [nameOf(id), conditionOf(properties)]));
	expect(conditions.get('TableReadsNearQuota')).toEqual(nearQuota('Read', 4000));
	expect(conditions.get('TableWritesNearQuota')).toEqual(nearQuota('Write', 1000));
});

test('the topic mails alarms to the addresses of the settings', () => {
	const subscriptionSchema = v.object({ Protocol: v.string(), TopicArn: v.string(), Endpoint: v.string() });
	const subscriptionsIn = ({ resources }: Stacks) =>
		ofType(resources, 'AWS::SNS::Subscription', subscriptionSchema).map(({ properties }) => properties);
	expect(subscriptionsIn(dev)).toEqual([]);
	const topic = arnOf('sns', operatorTopicIn(production).id);
	const { alarmEmails } = production.settings;
	expect(alarmEmails).not.toEqual([]);
	expect(subscriptionsIn(production)).toEqual(
		alarmEmails.map((email) => ({ Protocol: 'email', TopicArn: topic, Endpoint: email })),
	);
});

test('the alarms notify the topic of the settings instead, and an output names the topic', () => {
	const operatorTopicArn = `arn:aws:sns:${region}:210987654321:on-call`;
	const named = synthesis.synthesize('dev', { region, operatorTopicArn });
	expect(topicsIn(named).filter(({ properties }) => properties.TopicName === undefined)).toEqual([]);
	const actions = [...alarmsOf(named), ...compositesOf(named)].flatMap(({ properties }) => properties.AlarmActions);
	expect(new Set(actions)).toEqual(new Set([operatorTopicArn]));
	for (const { service } of [dev, named]) expect(service.outputs).toContain('OperatorTopic');
});

describe('the alarm on missing traffic, where the settings have hours', () => {
	/** Reads the rule and the expression that the template holds. Returns whether the alarm rings at a time, in minutes from a Monday at 0:00 UTC. */
	const ringsWith = (trafficHours: unknown) => {
		const hourly = synthesis.synthesize('dev', { trafficHours });
		const named = new Map(alarmsOf(hourly).map(({ id, properties }) => [nameOf(id), { id, properties }]));
		const expected = named.get('TrafficExpected')?.properties;
		if (expected === undefined) throw new Error('There is no such alarm.');
		const [expression = '', clock, ...condition] = conditionOf(expected);
		expect([clock, ...condition]).toEqual(['clock = Caudal SchemasEvaluated SampleCount', '>= 1, 3 of 3, breaching']);
		expect(named.has('Unused')).toBe(false);
		expect(expected.AlarmActions).toEqual([]);
		const arnOfAlarm = (name: string) => arnOf('cloudwatch', `alarm:${named.get(name)?.id}`);
		expect(only(compositesOf(hourly)).properties.AlarmRule).toBe(
			`(ALARM("${arnOfAlarm('Silent')}") AND ALARM("${arnOfAlarm('TrafficExpected')}"))`,
		);
		/** The value of a period that begins at a time: IF, AND, OR and comparisons mean the same in JavaScript. */
		const valueAt = (minute: number): number => {
			const inHours = Math.floor((minute + 7 * 24 * 60) / 60) % (7 * 24);
			const script = expression
				.replaceAll('HOUR(clock)', String(inHours % 24))
				.replaceAll('DAY(clock)', String(Math.floor(inHours / 24) + 1))
				.replaceAll(' AND ', ' && ')
				.replaceAll(' OR ', ' || ')
				.replace(/^IF\((.*), 1, 0\)$/, '$1 ? 1 : 0');
			return v.parse(v.picklist([0, 1]), runInNewContext(script));
		};
		return (minute: number, isPolled: (minute: number) => boolean): boolean => {
			const silent = Array.from({ length: 15 }, (_, back) => minute - 1 - back).every((each) => !isPolled(each));
			const lastBegan = Math.floor(minute / 5) * 5 - 5;
			return silent && [lastBegan, lastBegan - 5, lastBegan - 10].every((each) => valueAt(each) >= 1);
		};
	};
	const week = Array.from({ length: 7 * 24 * 12 }, (_, index) => index * 5);
	const dayOf = (minute: number) => Math.floor(minute / 1440) + 1;

	test.each([
		['by day, from Monday to Friday', { from: 6, to: 16, days: [1, 2, 3, 4, 5] }, 0],
		// 6:00 to 16:00 at UTC+9.
		['past midnight, from Sunday to Thursday in UTC', { from: 21, to: 7, days: [7, 1, 2, 3, 4] }, -540],
	])('rings in no night and on no weekend, %s, but on a morning on which nobody can call', (_, trafficHours, shift) => {
		const rings = ringsWith(trafficHours);
		/** Whether the clients are open, from Monday to Friday. */
		const isOpen = (minute: number) => {
			const here = (minute - shift + 7 * 1440) % (7 * 1440);
			return dayOf(here) <= 5 && here % 1440 >= 6 * 60 && here % 1440 < 16 * 60;
		};
		expect(week.filter(isOpen)).toHaveLength(5 * 10 * 12);
		expect(week.filter((minute) => rings(minute, isOpen))).toEqual([]);
		// Without any request, it rings in the hours, 15 minutes after they begin; it ends within 5 minutes after their end.
		const told = week.filter((minute) => rings(minute, () => false));
		expect(told).toEqual(
			week.filter((minute) => isOpen((minute - 15 + 7 * 1440) % (7 * 1440)) && isOpen((minute - 5 + 7 * 1440) % (7 * 1440))),
		);
		expect(told).toHaveLength(5 * (10 * 12 - 2));
	});
});
