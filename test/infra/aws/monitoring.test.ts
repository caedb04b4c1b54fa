import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKmsTokenSigner } from '#adapters/aws/kms-token-signer.ts';
import { instrumentedIdentityProvider, instrumentedSchemaStore, instrumentedTimeSeries } from '#adapters/instrumented.ts';
import { readConfig, telemetrySchema } from '#shared/config.ts';
import { endpoints } from '#shared/contract.ts';
import { account, arnOf } from '#test/support/builders/references.ts';
import { emfOf } from '#test/support/emf.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import {
	functionsIn,
	ofType,
	only,
	openSynthesis,
	type Stacks,
	type SynthesizedStack,
	standIns,
} from '#test/support/templates.ts';
import { createTelemetry } from '#wiring/telemetry.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;

beforeAll(async () => {
	synthesis = await openSynthesis(standIns);
	dev = synthesis.synthesize('dev');
	production = synthesis.synthesize('production');
}, 120_000);
afterAll(() => synthesis.close());

const environments = [
	['dev', () => dev],
	['production', () => production],
] as const;

/** A metric as alarms and dashboards name it: namespace, name, and dimensions with their values. */
type MetricName = readonly [namespace: string, name: string, dimensions: Readonly<Record<string, string>>];
const textOf = ([namespace, name, dimensions]: MetricName): string =>
	JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);

const fails = async (): Promise<never> => {
	throw new Error('It fails.');
};

/** Every metric that a function of the environment emits when all that it depends on fails, and its readings are of every quality. */
const emittedBy = async (variables: Readonly<Record<string, string>>): Promise<Set<string>> => {
	const lines: string[] = [];
	const { log, metrics } = createTelemetry({
		sink: (line) => lines.push(line),
		settings: readConfig(telemetrySchema, { ...variables, AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' }),
	});
	const identityProvider = instrumentedIdentityProvider(
		{ getUser: fails, getSchemaProduct: fails, listProductxUserxClient: fails },
		metrics,
	);
	const signer = createKmsTokenSigner({
		parameter: 'none',
		endpoint: `http://127.0.0.1:${await freePort()}`,
		region: 'eu-west-1',
		credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
		metrics,
	});
	const others = {
		revision: fails,
		get: fails,
		list: fails,
		snapshot: fails,
		nextId: fails,
		schemaMetadata: fails,
		correctMetadata: fails,
	};
	const store = instrumentedSchemaStore({ ...others, commit: async () => 'conflict' }, metrics);
	const claims = { iss: 'i', aud: 'a', sub: '1', email: 'e', schema: 's', tsdb: 't', scope: 'service', iat: 0, exp: 1, jti: 'j' };
	await Promise.allSettled([
		instrumentedTimeSeries({ read: fails }, metrics).read('d', [], 0),
		identityProvider.getUser(1),
		signer.sign(claims),
		store.commit('s', []),
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
					return Metrics.map(({ Name }) => textOf([Namespace, Name, dimensions]));
				}),
			);
		}),
	);
};

/** What API Gateway and Lambda emit of an HTTP API and of functions ("Monitor HTTP APIs", "Types of metrics for Lambda functions"). */
const emittedByAws = ({ service, issuer }: Stacks): Set<string> => {
	const apis = [service, issuer].map(
		({ resources }) => only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Api')).id,
	);
	const functions = functionsIn({ resources: [...service.resources, ...issuer.resources] });
	const ofFunctions = ['Invocations', 'Errors', 'Duration', 'Throttles', 'ConcurrentExecutions'];
	return new Set(
		[
			...['4xx', '5xx', 'Count', 'DataProcessed', 'IntegrationLatency', 'Latency'].flatMap((name) =>
				apis.map((ApiId): MetricName => ['AWS/ApiGateway', name, { ApiId }]),
			),
			...ofFunctions.flatMap((name): MetricName[] => [
				['AWS/Lambda', name, {}],
				...functions.map(({ properties }): MetricName => ['AWS/Lambda', name, { FunctionName: properties.FunctionName }]),
			]),
		].map(textOf),
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

/** Namespace, name, and dimensions with their values one after the other; then how it is drawn. */
const drawn = v.pipe(
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
					metrics: v.optional(v.array(drawn), []),
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

describe.each(environments)('in %s', (env, of) => {
	test('alarms go off at errors, of the issuer too, slow answers, throttles, a failing InfluxDB and keys that cannot sign', () => {
		const apiOf = ({ resources }: SynthesizedStack) => only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Api')).id;
		const api = apiOf(of().service);
		const watched = alarmsOf(of()).map(({ properties }) => [
			properties.Namespace,
			properties.MetricName,
			Object.fromEntries(properties.Dimensions.map(({ Name, Value }) => [Name, Value])),
			properties.Statistic ?? properties.ExtendedStatistic,
		]);
		expect(watched).toEqual([
			['AWS/ApiGateway', '5xx', { ApiId: api }, 'Sum'],
			['AWS/ApiGateway', '5xx', { ApiId: apiOf(of().issuer) }, 'Sum'],
			['AWS/ApiGateway', 'Latency', { ApiId: api }, 'p99'],
			['AWS/Lambda', 'Throttles', {}, 'Sum'],
			['Caudal', 'TsdbFaults', { environment: env }, 'Sum'],
			['Caudal', 'SigningFailures', { environment: env }, 'Sum'],
		]);
	});

	test('alarms and graphs are of metrics that something emits', async () => {
		const [variables = {}] = functionsIn(of().service).map(({ properties }) => properties.Environment.Variables);
		const emitted = new Set([...(await emittedBy(variables)), ...emittedByAws(of())]);
		const watched = alarmsOf(of()).map(({ properties: { Namespace, MetricName, Dimensions } }) =>
			textOf([Namespace, MetricName, Object.fromEntries(Dimensions.map(({ Name, Value }) => [Name, Value]))]),
		);
		const graphs = dashboardOf(of()).DashboardBody.widgets.flatMap(({ properties }) => properties.metrics.map(textOf));
		expect(graphs.length).toBeGreaterThan(20);
		expect([...watched, ...graphs].filter((each) => !emitted.has(each))).toEqual([]);
	});

	test('each alarm is told to a topic, which CloudWatch of this account may publish to, over TLS', () => {
		const topic = arnOf('sns', only(of().resources.filter(({ type }) => type === 'AWS::SNS::Topic')).id);
		for (const { properties } of alarmsOf(of())) {
			expect(properties.AlarmActions).toEqual([topic]);
			expect(properties.OKActions).toEqual([topic]);
		}
		const policySchema = v.object({
			PolicyDocument: v.object({ Statement: v.array(v.looseObject({})) }),
			Topics: v.array(v.string()),
		});
		const { properties } = only(ofType(of().resources, 'AWS::SNS::TopicPolicy', policySchema));
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

	test('the dashboard shows every alarm, and every function of the service', () => {
		const { DashboardName, DashboardBody } = dashboardOf(of());
		expect(DashboardName).toBe(`caudal-${env}`);
		expect(DashboardBody.widgets.flatMap(({ properties }) => properties.alarms)).toEqual(
			alarmsOf(of()).map(({ id }) => arnOf('cloudwatch', `alarm:${id}`)),
		);
		const shown = DashboardBody.widgets.flatMap(({ properties }) =>
			properties.metrics.flatMap(([, name, { FunctionName }]) => (FunctionName === undefined ? [] : [`${name} ${FunctionName}`])),
		);
		expect(shown.sort()).toEqual(
			endpoints
				.filter(({ api }) => api === 'service')
				.flatMap(({ name }) => [`Duration caudal-${env}-${name}`, `Throttles caudal-${env}-${name}`])
				.sort(),
		);
	});
});

test('alarms are mailed to those whom the settings name', () => {
	const subscriptionSchema = v.object({ Protocol: v.string(), TopicArn: v.string(), Endpoint: v.string() });
	const subscribed = ({ resources }: Stacks) =>
		ofType(resources, 'AWS::SNS::Subscription', subscriptionSchema).map(({ properties }) => properties);
	expect(subscribed(dev)).toEqual([]);
	const topic = arnOf('sns', only(production.resources.filter(({ type }) => type === 'AWS::SNS::Topic')).id);
	const { alarmEmails } = production.settings;
	expect(alarmEmails).not.toEqual([]);
	expect(subscribed(production)).toEqual(alarmEmails.map((email) => ({ Protocol: 'email', TopicArn: topic, Endpoint: email })));
});
