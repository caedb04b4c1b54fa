import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Endpoint } from '#shared/endpoint.ts';
import type { TableName } from '#shared/tables.ts';
import type { AlarmCondition, AlarmName, NamedConditions } from './alarm-condition.ts';
import {
	busiestTable,
	concurrentExecutions,
	countOfMetric,
	percentage,
	rsaOperationsOfQuota,
	shareOfStaleReadings,
	slowest,
	storeThrottlesOf,
	sumOf,
	sumOfMetric,
	throttlesOf,
} from './alarm-metrics.ts';
import type { Environment } from './environment.ts';

/** The tables, in groups of at most five: an alarm has ten metrics. Together they are all tables. */
const storeGroups = [
	['DefinitionStoreThrottles', ['variables', 'boards', 'panels', 'changes', 'idempotency']],
	['AlarmStoreThrottles', ['evaluations', 'alarmStates', 'alarmEvents', 'reportDays']],
	['SessionStoreThrottles', ['users', 'people', 'sessions', 'sessionTokens', 'signInFailures']],
	['TenantStoreThrottles', ['owners', 'machines', 'grants']],
] as const satisfies readonly (readonly [AlarmName, readonly TableName[]])[];

/** The tables that polls, saves and the evaluation of alarms read and write most. */
const busyTables = ['variables', 'boards', 'panels', 'evaluations', 'alarmStates', 'changes'] as const satisfies TableName[];

/** The parts of an environment that answer requests. */
export interface ServiceParts {
	readonly environment: Environment;
	readonly httpApi: HttpApi;
	readonly issuerApi: HttpApi;
}

/** Returns the conditions for what answers requests: the gateways, functions, dependencies and quotas. */
export function serviceConditions({ environment, httpApi, issuerApi }: ServiceParts): NamedConditions {
	return [
		['ServerErrors', { metric: percentage(sumOf(httpApi, '5xx'), sumOf(httpApi, 'Count'), { minCount: 5 }), threshold: 2 }],
		['Latency', { metric: slowest(httpApi, { minCount: 20 }), threshold: 5000, evaluationPeriods: 3 }],
		[
			'RefusalStorm',
			{ metric: percentage(sumOfMetric(environment, 'Refusals'), sumOf(httpApi, 'Count'), { minCount: 50 }), threshold: 20 },
		],
		[
			'GatewayThrottles',
			{
				metric: percentage(sumOfMetric(environment, 'TooManyRequests'), sumOf(httpApi, 'Count'), { minCount: 20 }),
				threshold: 1,
			},
		],
		[
			'TsdbFaults',
			{
				metric: percentage(sumOfMetric(environment, 'TsdbFaults'), countOfMetric(environment, 'TsdbLatency'), { minCount: 3 }),
				threshold: 5,
			},
		],
		// Functions record it only while a schema fails. It stays on for 15 min, because a schema with few requests is seen now and then.
		[
			'SchemaFailsWholly',
			{
				metric: sumOfMetric(environment, 'SchemaFailsWholly'),
				threshold: 1,
				evaluationPeriods: 3,
				datapointsToAlarm: 1,
			},
		],
		...providerConditions(environment),
		// One failure is enough: it was tried three times, and in a quiet night only one user signs in. A success counts as 0, so the sum has
		// the failures and the count has all. 20 % is one of five.
		[
			'TokenSigningFailed',
			{
				metric: percentage(sumOfMetric(environment, 'SigningFailures'), countOfMetric(environment, 'SigningFailures'), {
					minCount: 1,
				}),
				threshold: 20,
			},
		],
		['StaleReadings', { metric: shareOfStaleReadings(environment, { minCount: 100 }), threshold: 50, evaluationPeriods: 3 }],
		['IssuerErrors', { metric: percentage(sumOf(issuerApi, '5xx'), sumOf(issuerApi, 'Count'), { minCount: 2 }), threshold: 10 }],
		[
			'IssuerRefusals',
			{ metric: percentage(sumOf(issuerApi, '4xx'), sumOf(issuerApi, 'Count'), { minCount: 10 }), threshold: 50 },
		],
		['IssuerLatency', { metric: slowest(issuerApi, { minCount: 1 }), threshold: 1200 }],
		['SignInThrottles', { metric: throttlesOf(environment, isForSignIn), threshold: 1 }],
		['ReadingThrottles', { metric: throttlesOf(environment, isReading), threshold: 5 }],
		['ReportThrottles', { metric: throttlesOf(environment, isOfReports), threshold: 5 }],
		['TableThrottles', { metric: throttlesOf(environment, isTable), threshold: 5 }],
		['PublicThrottles', { metric: throttlesOf(environment, isPublic), threshold: 5 }],
		['AccessThrottles', { metric: throttlesOf(environment, isOfAccess), threshold: 5 }],
		['ListThrottles', { metric: throttlesOf(environment, (row) => isOther(row) && isListing(row)), threshold: 5 }],
		['ChangeThrottles', { metric: throttlesOf(environment, (row) => isOther(row) && !isListing(row)), threshold: 5 }],
		...storeGroups.map(([name, tables]) => [name, { metric: storeThrottlesOf(environment, tables), threshold: 5 }] as const),
		...(['Read', 'Write'] as const).map(
			(kind) =>
				[
					`Table${kind}sNearQuota`,
					{ metric: busiestTable(environment, kind, busyTables), threshold: 80, evaluationPeriods: 3 },
				] as const,
		),
		['SigningNearQuota', { metric: rsaOperationsOfQuota(), threshold: 80, evaluationPeriods: 3 }],
		// Beyond the quota Lambda throttles whatever comes, also what has a reservation that was not used yet.
		[
			'ConcurrencyNearQuota',
			{ metric: concurrentExecutions(), threshold: Math.ceil(0.8 * environment.accountConcurrency), evaluationPeriods: 3 },
		],
	];
}

/** Returns the conditions for the providers of people that the settings have. */
function providerConditions(environment: Environment): NamedConditions {
	const { authUrl, openIdProviders } = environment;
	const failures = (faults: string, latency: string): AlarmCondition => ({
		metric: percentage(sumOfMetric(environment, faults), countOfMetric(environment, latency), { minCount: 3 }),
		threshold: 20,
	});
	return [
		...(authUrl === undefined
			? []
			: [['IdentityProviderFaults', failures('IdentityProviderFaults', 'IdentityProviderLatency')] as const]),
		...(openIdProviders.length === 0
			? []
			: [['OpenIdProviderFaults', failures('OpenIdProviderFaults', 'OpenIdProviderLatency')] as const]),
	];
}

// Each group of functions has an alarm of its own for throttles. Together the groups cover every endpoint.

const isForSignIn = ({ api, uses }: Endpoint): boolean =>
	api === 'issuer' || uses.signingKey !== undefined || uses.openIdProviders?.[0] === 'ask';

/** Whether programs read it by its address, with their credentials. */
const isTable = ({ auth }: Endpoint): boolean => auth === 'basic';

const isOfReports = (row: Endpoint): boolean => /Report|Entr(y|ies)$/.test(row.name) && !isTable(row);

const isOfTopics = ({ name }: Endpoint): boolean => name.endsWith('Topics');

const isReading = (row: Endpoint): boolean =>
	row.uses.timeSeries !== undefined && ![isOfReports, isOfTopics, isTable].some((isOfKind) => isOfKind(row));

const isListing = (row: Endpoint): boolean => row.method === 'GET' || isOfTopics(row);

const isPublic = (row: Endpoint): boolean => row.auth === 'none' && !isForSignIn(row);

const isOfAccess = ({ role }: Endpoint): boolean => role === 'administrator';

const isOther = (row: Endpoint): boolean =>
	![isForSignIn, isReading, isOfReports, isTable, isPublic, isOfAccess].some((isOfKind) => isOfKind(row));
