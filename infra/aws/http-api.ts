import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat, AccessLogField as Field } from 'aws-cdk-lib/aws-apigateway';
import {
	CfnStage,
	CorsHttpMethod,
	HttpApi,
	type HttpApiProps,
	HttpMethod,
	HttpNoneAuthorizer,
	type HttpRoute,
	HttpStage,
	type HttpStageProps,
	type IHttpRouteAuthorizer,
	LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { cors, type Endpoint, methodsOf, routePathsOf, scopesOf } from '#shared/endpoint.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { throttleNameOf } from './caps.ts';
import type { EndpointFunction } from './endpoint-function.ts';
import type { Environment } from './environment.ts';
import { removalPolicyFor } from './removal-policy.ts';
import type { Traffic } from './traffic.ts';

/** The properties of an EndpointHttpApi. */
export interface EndpointHttpApiProps
	extends Pick<HttpStageProps, 'domainMapping'>,
		Pick<HttpApiProps, 'disableExecuteApiEndpoint'> {
	readonly environment: Environment;
	readonly api: Endpoint['api'];
	readonly name: string;
	readonly description: string;
}

/** Requests per second: the sustained rate, and the burst above it. */
type Throttle = Environment['throttling']['requests'];

/** One line of JSON per request. It holds no token, path, query or body. Metric filters read it (infra/aws/alarms.ts). */
const accessLogFields = {
	requestId: Field.contextRequestId(),
	time: Field.contextRequestTime(),
	ip: Field.contextIdentitySourceIp(),
	userAgent: Field.contextIdentityUserAgent(),
	routeKey: Field.contextRouteKey(),
	status: Field.contextStatus(),
	schema: Field.contextAuthorizerClaims('schema'),
	user: Field.contextAuthorizerClaims('sub'),
	responseLength: Field.contextResponseLength(),
	responseLatencyMs: Field.contextResponseLatency(),
	integrationLatencyMs: Field.contextIntegrationLatency(),
	integrationError: Field.contextIntegrationErrorMessage(),
	authorizerError: Field.contextAuthorizerError(),
};

/** An HTTP API with throttling, CORS and an access log. Its routes are rows of the contract. */
export class EndpointHttpApi extends Construct {
	readonly httpApi: HttpApi;
	readonly accessLog: LogGroup;
	private readonly environment: Environment;
	private readonly stage: HttpStage;

	constructor(scope: Construct, id: string, props: EndpointHttpApiProps) {
		super(scope, id);
		const { environment, api, name, description, disableExecuteApiEndpoint = false, ...stageProps } = props;
		this.environment = environment;
		const { corsOrigins, throttling, logRetentionDays } = environment;
		this.httpApi = new HttpApi(this, 'Api', {
			apiName: name,
			description,
			createDefaultStage: false,
			...(disableExecuteApiEndpoint && { disableExecuteApiEndpoint }),
			...(corsOrigins.length > 0 && {
				corsPreflight: {
					allowOrigins: corsOrigins,
					allowCredentials: true,
					allowMethods: cors.methods.map((method) => CorsHttpMethod[method]),
					allowHeaders: [...cors.headers],
					exposeHeaders: [...cors.exposedHeaders],
					maxAge: Duration.seconds(cors.maxAgeSeconds),
				},
			}),
		});
		this.accessLog = new LogGroup(this, 'AccessLog', {
			logGroupName: resourceNames(environment.name).accessLog(api),
			retention: logRetentionDays,
			removalPolicy: removalPolicyFor(environment),
		});
		this.stage = new HttpStage(this, 'Stage', {
			httpApi: this.httpApi,
			autoDeploy: true,
			throttle: { rateLimit: throttling.requests.rate, burstLimit: throttling.requests.burst },
			accessLogSettings: {
				destination: new LogGroupLogDestination(this.accessLog),
				format: AccessLogFormat.custom(JSON.stringify({ environment: environment.name, ...accessLogFields })),
			},
			...stageProps,
		});
	}

	/**
	 * Adds a route to each function, or to its alias where `traffic` has them. Routes with `auth: 'bearer'` require a token that `authorizer`
	 * accepts.
	 */
	addRoutes(functions: readonly EndpointFunction[], authorizer?: IHttpRouteAuthorizer, traffic?: Traffic): void {
		for (const endpointFunction of functions) {
			const { endpoint, function: handler } = endpointFunction;
			const { name, auth } = endpoint;
			if (auth === 'bearer' && authorizer === undefined) throw new TypeError(`${name} needs an authorizer.`);
			// A permission of the whole API, in place of one for each route: a stack holds 500 resources.
			const integration =
				traffic?.integrate(endpointFunction, this.httpApi) ??
				new HttpLambdaIntegration(name, handler, { scopePermissionToRoute: false });
			const routes = routePathsOf(endpoint).flatMap((routePath) =>
				this.httpApi.addRoutes({
					path: routePath,
					methods: methodsOf(endpoint).map((method) => HttpMethod[method]),
					integration,
					...(auth === 'bearer' && authorizer !== undefined
						? { authorizer, authorizationScopes: [...scopesOf(endpoint)] }
						: { authorizer: new HttpNoneAuthorizer() }),
				}),
			);
			if (auth !== 'bearer')
				for (const route of routes)
					Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: reasonForPublic(endpoint) });
			const throttleName = throttleNameOf(endpoint);
			const routeKeys = routePathsOf(endpoint).flatMap((path) => methodsOf(endpoint).map((method) => `${method} ${path}`));
			if (throttleName !== 'requests') this.throttleRoutes(routeKeys, routes, this.environment.throttling[throttleName]);
		}
	}

	/** Limits each of some routes. @param routeKeys their methods with their paths */
	private throttleRoutes(routeKeys: readonly string[], routes: readonly HttpRoute[], { rate, burst }: Throttle): void {
		const stage = this.stage.node.defaultChild;
		if (!(stage instanceof CfnStage)) throw new TypeError('The stage has no CfnStage.');
		// CDK passes this map on unchanged, so its keys are spelled as in CloudFormation.
		const settings = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
		stage.routeSettings = { ...stage.routeSettings, ...Object.fromEntries(routeKeys.map((key) => [key, settings])) };
		// API Gateway rejects the settings of a route that does not exist yet.
		this.stage.node.addDependency(...routes);
	}
}

/** Says to cdk-nag why a route has no authorizer. */
function reasonForPublic({ api, auth, setting, uses }: Endpoint): string {
	if (auth === 'basic')
		return 'The function checks tokens, and the credentials of machines, which no authorizer of API Gateway knows.';
	if (setting === 'publicDocs') return `Public: it describes the API. The setting ${setting} takes it away.`;
	if (api === 'issuer') return 'Public: authorizers read the issuer’s documents.';
	return uses.signingKey ? 'Public: clients get their tokens here.' : 'Public: it holds nothing of any tenant.';
}
