import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKmsTokenSigner } from '#adapters/aws/kms-token-signer.ts';
import { instrumentedIdentityProvider, instrumentedSchemaStore, instrumentedTimeSeries } from '#adapters/instrumented.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { createHandler as createLogin } from '#functions/loginSso/handler.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { endpoints } from '#shared/contract.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { account, arnOf } from '#test/support/builders/references.ts';
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
} from '#test/support/templates.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;

beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	dev = synthesis.synthesize('dev');
	production = synthesis.synthesize('production');
}, 120_000);
afterAll(() => synthesis.close());

const environments = [
	['dev', () => dev],
	['production', () => production],
] as const;

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
	const { log, metrics } = createTelemetry({
		sink: (line) => lines.push(line),
		settings: readConfig(telemetrySchema, { ...variables, AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' }),
	});
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
		jti: 'j',
	};
	await Promise.allSettled([
		instrumentedTimeSeries({ read: fail }, metrics).read('d', [], 0),
		identityProvider.getUser(1),
		signer.sign(claims),
		store.commit('s', []),
		refuseTenant(metrics),
	]);
	log.request({
		requestId: 'r',
		routeKey: 'GET /',
		status: 500,
		outcome: 'fault',
		durationMs: 1,
		readings: { good: 1, stale: 1, no_data: 1, missing_reference: 1, bad: 1 },
	});
	return new Set(
		lines.flatMap((line) => {
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
	const { deps } = makeSignInDeps();
	await deps.users.put(operator);
	await deps.owners.set({ kind: 'schema', name: signInCredentials.schemaName, clientId: operator.clientId + 1 });
	await createLogin({ ...deps, log: silentLog, metrics, now: Date.now })(
		makeEvent('POST /loginSso', { body: signInCredentials }),
	);
};

/** Returns the metrics that API Gateway and Lambda emit (AWS: "Monitor HTTP APIs", "Types of metrics for Lambda functions"). */
const emittedByAws = ({ service, issuer }: Stacks): Set<string> => {
	const apis = [service, issuer].map(
		({ resources }) => only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Api')).id,
	);
	const functions = functionsIn({ resources: [...service.resources, ...issuer.resources] });
	const functionMetrics = ['Invocations', 'Errors', 'Duration', 'Throttles', 'ConcurrentExecutions'];
	return new Set(
		[
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

const alarmSchema = v.strictObject({
	AlarmDescription: v.pipe(v.string(), v.nonEmpty()),
	Namespace: v.string(),
	MetricName: v.string(),
	Dimensions: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
	Statistic: v.optional(v.string()),
	ExtendedStatistic: v.optional(v.string()),
	ComparisonOperator: v.literal('GreaterThanOrEqualToThreshold'),
	Threshold: v.pipe(v.number(), v.minValue(1)),
	EvaluationPeriods: v.pipe(v.number(), v.minValue(1)),
	Period: v.literal(300),
	TreatMissingData: v.literal('notBreaching'),
	AlarmActions: v.array(v.string()),
	OKActions: v.array(v.string()),
});
const alarmsOf = ({ service }: Stacks) => ofType(service.resources, 'AWS::CloudWatch::Alarm', alarmSchema);

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
	test('alarms watch server errors of both APIs, latency, throttles, InfluxDB and signing', () => {
		const apiOf = ({ resources }: SynthesizedStack) => only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Api')).id;
		const api = apiOf(stacks().service);
		const watched = alarmsOf(stacks()).map(({ properties }) => [
			properties.Namespace,
			properties.MetricName,
			Object.fromEntries(properties.Dimensions.map(({ Name, Value }) => [Name, Value])),
			properties.Statistic ?? properties.ExtendedStatistic,
		]);
		expect(watched).toEqual([
			['AWS/ApiGateway', '5xx', { ApiId: api }, 'Sum'],
			['AWS/ApiGateway', '5xx', { ApiId: apiOf(stacks().issuer) }, 'Sum'],
			['AWS/ApiGateway', 'Latency', { ApiId: api }, 'p99'],
			['AWS/Lambda', 'Throttles', {}, 'Sum'],
			['Caudal', 'TsdbFaults', { environment: env }, 'Sum'],
			['Caudal', 'SigningFailures', { environment: env }, 'Sum'],
		]);
	});

	test('alarms and graphs use metrics that exist', async () => {
		const [variables = {}] = functionsIn(stacks().service).map(({ properties }) => properties.Environment.Variables);
		const emitted = new Set([...(await emittedBy(variables)), ...emittedByAws(stacks())]);
		const watched = alarmsOf(stacks()).map(({ properties: { Namespace, MetricName, Dimensions } }) =>
			metricKey([Namespace, MetricName, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]))]),
		);
		const graphs = dashboardOf(stacks()).DashboardBody.widgets.flatMap(({ properties }) => properties.metrics.map(metricKey));
		expect(graphs.length).toBeGreaterThan(20);
		expect([...watched, ...graphs].filter((each) => !emitted.has(each))).toEqual([]);
	});

	test('each alarm notifies a topic, to which only CloudWatch of this account may publish, over TLS', () => {
		const topic = arnOf('sns', only(stacks().resources.filter(({ type }) => type === 'AWS::SNS::Topic')).id);
		for (const { properties } of alarmsOf(stacks())) {
			expect(properties.AlarmActions).toEqual([topic]);
			expect(properties.OKActions).toEqual([topic]);
		}
		const policySchema = v.object({
			PolicyDocument: v.object({ Statement: v.array(v.looseObject({})) }),
			Topics: v.array(v.string()),
		});
		const { properties } = only(ofType(stacks().resources, 'AWS::SNS::TopicPolicy', policySchema));
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
		expect(DashboardName).toBe(`caudal-${env}`);
		expect(DashboardBody.widgets.flatMap(({ properties }) => properties.alarms)).toEqual(
			alarmsOf(stacks()).map(({ id }) => arnOf('cloudwatch', `alarm:${id}`)),
		);
		const graphed = DashboardBody.widgets.flatMap(({ properties }) =>
			properties.metrics.flatMap(([, name, { FunctionName }]) => (FunctionName === undefined ? [] : [`${name} ${FunctionName}`])),
		);
		expect(graphed.sort()).toEqual(
			endpoints
				.filter(({ api }) => api === 'service')
				.flatMap(({ name }) => [`Duration caudal-${env}-${name}`, `Throttles caudal-${env}-${name}`])
				.sort(),
		);
	});
});

test('the topic mails alarms to the addresses of the settings', () => {
	const subscriptionSchema = v.object({ Protocol: v.string(), TopicArn: v.string(), Endpoint: v.string() });
	const subscriptionsIn = ({ resources }: Stacks) =>
		ofType(resources, 'AWS::SNS::Subscription', subscriptionSchema).map(({ properties }) => properties);
	expect(subscriptionsIn(dev)).toEqual([]);
	const topic = arnOf('sns', only(production.resources.filter(({ type }) => type === 'AWS::SNS::Topic')).id);
	const { alarmEmails } = production.settings;
	expect(alarmEmails).not.toEqual([]);
	expect(subscriptionsIn(production)).toEqual(
		alarmEmails.map((email) => ({ Protocol: 'email', TopicArn: topic, Endpoint: email })),
	);
});
