import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployedEndpoints, type EndpointRow } from '#infra/aws/deployed-endpoints.ts';
import type { EndpointName, endpoints, FunctionName } from '#shared/contract.ts';
import { cors, methodsOf, routePathsOf, scopesOf } from '#shared/endpoint.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { arnOf, region } from '#test/support/builders/references.ts';
import {
	functionsIn,
	ofType,
	only,
	openSynthesis,
	type Resource,
	type Stacks,
	stubBundles,
	withoutAuthUrl,
} from '#test/support/templates.ts';

const origins = ['https://dashboard.utility.test', 'https://spare.utility.test'];
const domain = { name: 'api.utility.test', certificateArn: arnOf('acm', 'certificate/one') };

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;
/** dev with origins, a domain and another audience. */
let customized: Stacks;
/** dev with OpenID providers beside the identity provider, and without it. */
let openId: Stacks;
let openIdOnly: Stacks;

beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	dev = synthesis.synthesize('dev', { corsOrigins: [] });
	production = synthesis.synthesize('production');
	customized = synthesis.synthesize('dev', { corsOrigins: origins, domain, tokenAudience: 'dashboard' });
	openId = synthesis.synthesize('dev', openIdSettings);
	openIdOnly = synthesis.synthesize('dev', { ...withoutAuthUrl('dev'), ...openIdSettings });
}, 120_000);
afterAll(() => synthesis.close());

const environments = [
	['dev', () => dev],
	['production', () => production],
] as const;
const withOpenId = [...environments, ['dev', () => openId], ['dev', () => openIdOnly]] as const;

const apiSchema = v.object({
	Name: v.string(),
	ProtocolType: v.literal('HTTP'),
	DisableExecuteApiEndpoint: v.optional(v.boolean()),
	CorsConfiguration: v.optional(v.unknown()),
});
const apiOf = (resources: readonly Resource[]) => only(ofType(resources, 'AWS::ApiGatewayV2::Api', apiSchema));

const routeSchema = v.object({
	ApiId: v.string(),
	RouteKey: v.string(),
	AuthorizationType: v.string(),
	AuthorizationScopes: v.optional(v.array(v.string())),
	AuthorizerId: v.optional(v.string()),
	Target: v.string(),
});
const integrationSchema = v.strictObject({
	ApiId: v.string(),
	IntegrationType: v.literal('AWS_PROXY'),
	IntegrationUri: v.string(),
	PayloadFormatVersion: v.literal('2.0'),
});
const permissionSchema = v.strictObject({
	Action: v.literal('lambda:InvokeFunction'),
	FunctionName: v.string(),
	Principal: v.picklist(['apigateway.amazonaws.com', 'events.amazonaws.com']),
	SourceArn: v.string(),
});
const routesOf = (resources: readonly Resource[]) => ofType(resources, 'AWS::ApiGatewayV2::Route', routeSchema);
const functionArn = (env: string, name: FunctionName) => arnOf('lambda', `function:${resourceNames(env).function(name)}`);
/** What the API invokes: the alias of an endpoint of the service, and the function of one of the issuer. */
const targetArn = (env: string, { api, name }: Pick<EndpointRow, 'api' | 'name'>) =>
	`${functionArn(env, name)}${api === 'service' ? ':live' : ''}`;

describe.each(withOpenId)('the routes of %s', (env, stacks) => {
	test.each(['service', 'issuer'] as const)('are the rows of the contract, each with its own function: %s', (name) => {
		const { resources } = stacks()[name];
		const { id: api } = apiOf(resources);
		const integrations = ofType(resources, 'AWS::ApiGatewayV2::Integration', integrationSchema);
		const routes = routesOf(resources).map(({ properties: { RouteKey, Target, ...route } }) => {
			const { properties } = only(integrations.filter(({ id }) => Target === `integrations/${id}`));
			return [RouteKey, { ...route, integrationApi: properties.ApiId, target: properties.IntegrationUri }] as const;
		});
		const rows = deployedEndpoints(stacks().settings)
			.filter((endpoint) => endpoint.api === name)
			.flatMap((row) => routePathsOf(row).flatMap((path) => methodsOf(row).map((method) => ({ ...row, path, method }))));
		expect(routes).toHaveLength(rows.length);
		expect(Object.fromEntries(routes)).toEqual(
			Object.fromEntries(
				rows.map((row) => [
					`${row.method} ${row.path}`,
					{
						ApiId: api,
						integrationApi: api,
						target: targetArn(env, row),
						...(row.auth !== 'bearer'
							? { AuthorizationType: 'NONE' }
							: {
									AuthorizationType: 'JWT',
									AuthorizationScopes: scopesOf(row),
									AuthorizerId: only(resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Authorizer')).id,
								}),
					},
				]),
			),
		);
	});

	test.each(['service', 'issuer'] as const)(
		'and the schedule of the canary are the only callers that may invoke functions: %s',
		(name) => {
			const { resources } = stacks()[name];
			const { id: api } = apiOf(resources);
			const permissions = ofType(resources, 'AWS::Lambda::Permission', permissionSchema);
			const routes = deployedEndpoints(stacks().settings)
				.filter((endpoint) => endpoint.api === name)
				.map((row) => ['apigateway', targetArn(env, row), arnOf('execute-api', `${api}/*/*/*`)]);
			const hasCanary = name === 'service' && env === 'production';
			const schedules = hasCanary ? [['events', functionArn(env, 'canary'), arnOf('events', `rule/caudal-${env}-canary`)]] : [];
			expect(
				permissions.map(({ properties: { Principal, FunctionName, SourceArn } }) => [
					Principal.split('.')[0],
					FunctionName,
					SourceArn,
				]),
			).toEqual([...schedules, ...routes]);
		},
	);
});

test('without publicDocs, the API’s description and its page have neither route nor function nor alarm', () => {
	const { resources } = synthesis.synthesize('dev', { publicDocs: false }).service;
	const keysIn = (stack: readonly Resource[]) => routesOf(stack).map(({ properties }) => properties.RouteKey);
	const gone = ['GET /openapi.json', 'HEAD /openapi.json', 'GET /docs', 'HEAD /docs', 'GET /docs/{file}', 'HEAD /docs/{file}'];
	expect(keysIn(dev.service.resources)).toEqual(expect.arrayContaining(gone));
	expect(keysIn(resources)).toEqual(keysIn(dev.service.resources).filter((key) => !gone.includes(key)));
	const names = /caudal-dev-(openapi|docs)\b/;
	expect(JSON.stringify(dev.service.resources)).toMatch(names);
	expect(JSON.stringify(resources)).not.toMatch(names);
});

describe('the authorizer', () => {
	const authorizerSchema = v.strictObject({
		ApiId: v.string(),
		AuthorizerType: v.string(),
		IdentitySource: v.array(v.string()),
		JwtConfiguration: v.strictObject({ Audience: v.array(v.string()), Issuer: v.string() }),
		Name: v.string(),
	});
	const variablesOf = (stacks: Stacks, name: (typeof endpoints)[number]['name']) =>
		only(functionsIn(stacks).filter(({ properties }) => properties.Environment.Variables['ENDPOINT'] === name)).properties
			.Environment.Variables;

	test.each([
		['dev', () => dev, 'caudal'],
		['production', () => production, 'caudal'],
		['dev with another audience and a domain', () => customized, 'dashboard'],
	] as const)('accepts tokens from the issuer’s own address, which functions sign and publish: %s', (_, stacks, audience) => {
		const { id: issuerApi, properties: issuer } = apiOf(stacks().issuer.resources);
		const address = `https://${issuerApi.toLowerCase()}.execute-api.${region}.amazonaws.com`;
		expect(issuer.DisableExecuteApiEndpoint).not.toBe(true);
		expect(only(ofType(stacks().resources, 'AWS::ApiGatewayV2::Authorizer', authorizerSchema)).properties).toEqual({
			ApiId: apiOf(stacks().service.resources).id,
			AuthorizerType: 'JWT',
			IdentitySource: ['$request.header.Authorization'],
			JwtConfiguration: { Audience: [audience], Issuer: address },
			Name: expect.any(String),
		});
		expect(variablesOf(stacks(), 'loginSso')).toMatchObject({ TOKEN_ISSUER: address, TOKEN_AUDIENCE: audience });
		expect(variablesOf(stacks(), 'openidConfiguration')).toEqual({
			...{ ENVIRONMENT: stacks().settings.name, ENDPOINT: 'openidConfiguration', TOKEN_ISSUER: address, OPENID_EXCHANGE: 'off' },
			...(stacks() === customized && { PUBLIC_URL: 'https://api.utility.test' }),
		});
	});
});

const signers: readonly EndpointName[] = ['loginSso', 'renewToken', 'signInOpenId', 'renewOpenId', 'token'];

test('the ways to sign in are those of the settings', () => {
	const keysIn = ({ service }: Stacks) => routesOf(service.resources).map(({ properties }) => properties.RouteKey);
	const own = ['POST /loginSso', 'POST /renewToken'];
	const ofProviders = [
		...['GET /openIdProvider', 'POST /signInOpenId', 'POST /renewOpenId', 'POST /signOut', 'POST /backchannelLogout'],
	];
	expect(keysIn(dev)).toEqual(expect.arrayContaining(own));
	for (const key of ofProviders) expect(keysIn(dev)).not.toContain(key);
	expect(keysIn(openId)).toEqual(expect.arrayContaining([...own, ...ofProviders]));
	expect(keysIn(openIdOnly)).toEqual(expect.arrayContaining(ofProviders));
	for (const key of own) expect(keysIn(openIdOnly)).not.toContain(key);
	// The console asks it before it knows.
	for (const stacks of [dev, openId, openIdOnly]) expect(keysIn(stacks)).toContain('GET /openIdProviders');
});

const throttleSchema = v.strictObject({ ThrottlingBurstLimit: v.number(), ThrottlingRateLimit: v.number() });
const stageSchema = v.strictObject({
	ApiId: v.string(),
	AutoDeploy: v.boolean(),
	StageName: v.string(),
	AccessLogSettings: v.strictObject({ DestinationArn: v.string(), Format: v.string() }),
	DefaultRouteSettings: throttleSchema,
	RouteSettings: v.optional(v.record(v.string(), throttleSchema)),
});
const stageOf = (resources: readonly Resource[]) => only(ofType(resources, 'AWS::ApiGatewayV2::Stage', stageSchema));

describe.each(withOpenId)('the stages of %s', (env, stacks) => {
	test('throttle every route, sign-in more than others, and public pages and documents by themselves', () => {
		const { requests, signIn, public: open } = stacks().settings.throttling;
		const { properties, dependsOn } = stageOf(stacks().service.resources);
		expect(properties).toMatchObject({ ApiId: apiOf(stacks().service.resources).id, StageName: '$default', AutoDeploy: true });
		expect(properties.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: requests.rate, ThrottlingBurstLimit: requests.burst });
		const deployed = deployedEndpoints(stacks().settings);
		const publicRoutes = deployed
			.filter(({ api, auth, uses }) => api === 'service' && auth === 'none' && !uses.signingKey)
			.flatMap((row) => routePathsOf(row).flatMap((path) => methodsOf(row).map((method) => `${method} ${path}`)));
		expect(publicRoutes).toEqual(expect.arrayContaining(['GET /', 'GET /console/{file}', 'GET /openapi.json', 'HEAD /health']));
		const checkingRoutes = deployed
			.filter(({ auth }) => auth === 'basic')
			.flatMap((row) => routePathsOf(row).flatMap((path) => methodsOf(row).map((method) => `${method} ${path}`)));
		expect(checkingRoutes).toEqual(expect.arrayContaining(['GET /table/report/{id}', 'GET /table/totals.csv']));
		expect(properties.RouteSettings).toEqual({
			...Object.fromEntries(
				checkingRoutes.map((key) => [key, { ThrottlingRateLimit: signIn.rate, ThrottlingBurstLimit: signIn.burst }]),
			),
			...Object.fromEntries(
				signers
					.filter((each) => deployed.some(({ name }) => name === each))
					.map((each) => [`POST /${each}`, { ThrottlingRateLimit: signIn.rate, ThrottlingBurstLimit: signIn.burst }]),
			),
			...Object.fromEntries(
				publicRoutes.map((key) => [key, { ThrottlingRateLimit: open.rate, ThrottlingBurstLimit: open.burst }]),
			),
		});
		const throttled = Object.keys(properties.RouteSettings ?? {});
		const routes = routesOf(stacks().service.resources).filter((route) => throttled.includes(route.properties.RouteKey));
		expect(dependsOn).toEqual(expect.arrayContaining(routes.map(({ id }) => id)));
	});

	test('throttle the issuer’s documents like other routes', () => {
		const { requests } = stacks().settings.throttling;
		const { properties } = stageOf(stacks().issuer.resources);
		expect(properties).toMatchObject({ ApiId: apiOf(stacks().issuer.resources).id, StageName: '$default', AutoDeploy: true });
		expect(properties.DefaultRouteSettings).toEqual({ ThrottlingRateLimit: requests.rate, ThrottlingBurstLimit: requests.burst });
		expect(properties.RouteSettings).toBeUndefined();
	});

	/** Only these variables may be logged. Headers, path, query and body carry tokens and readings. */
	const mayBeLogged = [
		'authorizer.claims.schema',
		'authorizer.claims.sub',
		'authorizer.error',
		'identity.sourceIp',
		'identity.userAgent',
		'integrationErrorMessage',
		'integrationLatency',
		'requestId',
		'requestTime',
		'responseLatency',
		'responseLength',
		'routeKey',
		'status',
	];

	test.each(['service', 'issuer'] as const)('log each request as one line of JSON without secrets: %s', (name) => {
		const { AccessLogSettings } = stageOf(stacks()[name].resources).properties;
		expect(AccessLogSettings.DestinationArn).toMatch(
			new RegExp(`:log-group:/aws/vendedlogs/caudal/${env}/access/${name}(:\\*)?$`),
		);
		expect(AccessLogSettings.Format).not.toContain('\n');
		const line = v.parse(v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string())), AccessLogSettings.Format);
		const { environment, ...fields } = line;
		expect(environment).toBe(env);
		expect(Object.values(fields).sort()).toEqual(mayBeLogged.map((variable) => `$context.${variable}`));
	});
});

describe('pages of other origins', () => {
	const allowed = (allowOrigins: readonly string[]) => ({
		AllowCredentials: true,
		AllowOrigins: allowOrigins,
		AllowMethods: cors.methods,
		AllowHeaders: cors.headers,
		ExposeHeaders: cors.exposedHeaders,
		MaxAge: 7200,
	});

	test.each(['service', 'issuer'] as const)('may call when the settings name them: %s', (name) => {
		expect(apiOf(production[name].resources).properties.CorsConfiguration).toEqual(allowed(['https://dashboard.example']));
		expect(apiOf(customized[name].resources).properties.CorsConfiguration).toEqual(allowed(origins));
	});

	test.each(['service', 'issuer'] as const)('may not call when the settings name none: %s', (name) => {
		expect(apiOf(dev[name].resources).properties.CorsConfiguration).toBeUndefined();
	});
});

describe('a domain name', () => {
	const types = ['AWS::ApiGatewayV2::DomainName', 'AWS::ApiGatewayV2::ApiMapping'];

	test('maps to the service and has its certificate', () => {
		const domainSchema = v.object({
			DomainName: v.string(),
			DomainNameConfigurations: v.array(v.object({ CertificateArn: v.string(), EndpointType: v.string() })),
		});
		expect(only(ofType(customized.resources, 'AWS::ApiGatewayV2::DomainName', domainSchema)).properties).toEqual({
			DomainName: domain.name,
			DomainNameConfigurations: [{ CertificateArn: domain.certificateArn, EndpointType: 'REGIONAL' }],
		});
		const mappingSchema = v.strictObject({ ApiId: v.string(), DomainName: v.string(), Stage: v.string() });
		const mapping = only(ofType(customized.resources, 'AWS::ApiGatewayV2::ApiMapping', mappingSchema));
		expect(mapping.dependsOn).toContain(stageOf(customized.service.resources).id);
		expect(mapping.properties).toEqual({
			ApiId: apiOf(customized.service.resources).id,
			DomainName: domain.name,
			Stage: '$default',
		});
		expect(customized.service.outputs).toContain('DomainTarget');
		expect(customized.service.serviceUrl).toBe(`https://${domain.name}`);
	});

	test('is the only address of the service where the other one is switched off; the issuer keeps its own', () => {
		const stacks = synthesis.synthesize('production', { domain, disableExecuteApiEndpoint: true });
		expect(apiOf(stacks.service.resources).properties.DisableExecuteApiEndpoint).toBe(true);
		expect(apiOf(stacks.issuer.resources).properties.DisableExecuteApiEndpoint).toBeUndefined();
		expect(apiOf(customized.service.resources).properties.DisableExecuteApiEndpoint).toBeUndefined();
		expect(stacks.service.serviceUrl).toBe(`https://${domain.name}`);
		const canary = only(
			functionsIn(stacks).filter(({ properties }) => properties.Environment.Variables['ENDPOINT'] === 'canary'),
		);
		expect(canary.properties.Environment.Variables['SERVICE_URL']).toBe(`https://${domain.name}`);
	});

	test('exists only when the settings name one', () => {
		expect([...dev.resources, ...production.resources].filter(({ type }) => types.includes(type))).toEqual([]);
		expect(dev.service.outputs).not.toContain('DomainTarget');
		const { id } = apiOf(dev.service.resources);
		expect(dev.service.serviceUrl).toBe(`https://${id.toLowerCase()}.execute-api.${region}.amazonaws.com`);
	});
});
