import { Duration, Validations } from 'aws-cdk-lib';
import { AccessLogFormat, AccessLogField as Field } from 'aws-cdk-lib/aws-apigateway';
import {
	CfnStage,
	CorsHttpMethod,
	HttpApi,
	HttpMethod,
	HttpNoneAuthorizer,
	HttpStage,
	type HttpStageProps,
	type IHttpRouteAuthorizer,
	LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { cors, type Endpoint, requiredScope } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { Environment } from './environment.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** A route and what answers it. */
export interface Route {
	readonly endpoint: Endpoint;
	readonly function: IFunction;
}

/** What an HTTP API is made of. */
export interface EndpointHttpApiProps {
	readonly environment: Environment;
	/** Whose endpoints it has. */
	readonly serves: Endpoint['api'];
	readonly name: string;
	readonly description: string;
	/** A name of its own. */
	readonly domainMapping?: HttpStageProps['domainMapping'];
}

/** One line for each request, as JSON: who, which route, what it came to and where the time went; no token, query or body. */
const accessLog = AccessLogFormat.custom(
	JSON.stringify({
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
	}),
);

/** Why a route takes no token. */
function whyPublic({ api, uses }: Endpoint): string {
	if (api === 'issuer') return 'authorizers read the issuer’s documents.';
	return uses.signingKey === undefined ? 'it tells that the service answers, and nothing else.' : 'it is where tokens come from.';
}

/** An HTTP API whose routes are rows of the contract: throttled, and logged. */
export class EndpointHttpApi extends Construct {
	readonly api: HttpApi;
	readonly stage: HttpStage;

	constructor(scope: Construct, id: string, { environment, serves, name, description, domainMapping }: EndpointHttpApiProps) {
		super(scope, id);
		const { corsOrigins, throttling, logRetentionDays } = environment;
		this.api = new HttpApi(this, 'Api', {
			apiName: name,
			description,
			createDefaultStage: false,
			...(corsOrigins.length === 0
				? {}
				: {
						corsPreflight: {
							allowOrigins: [...corsOrigins],
							allowCredentials: true,
							allowMethods: cors.methods.map((method) => CorsHttpMethod[method]),
							allowHeaders: [...cors.headers],
							exposeHeaders: [...cors.exposedHeaders],
							maxAge: Duration.seconds(cors.maxAgeSeconds),
						},
					}),
		});
		const log = new LogGroup(this, 'AccessLog', {
			logGroupName: resourceNames(environment.name).accessLog(serves),
			retention: logRetentionDays,
			removalPolicy: removalPolicyFor(environment),
		});
		this.stage = new HttpStage(this, 'Stage', {
			httpApi: this.api,
			autoDeploy: true,
			throttle: { rateLimit: throttling.requests.rate, burstLimit: throttling.requests.burst },
			accessLogSettings: { destination: new LogGroupLogDestination(log), format: accessLog },
			...(domainMapping === undefined ? {} : { domainMapping }),
		});
	}

	/**
	 * Adds the routes: those that need a token behind `authorizer`, and a sign-in with its own, tighter throttling: it is the one that
	 * costs others (the identity provider), and that is worth guessing at.
	 */
	addRoutes(routes: readonly Route[], { throttling }: Environment, authorizer?: IHttpRouteAuthorizer): void {
		const open = new HttpNoneAuthorizer();
		// A map to CDK, which it passes on as it is: CloudFormation's own spelling.
		const tighter: Record<string, { readonly ThrottlingRateLimit: number; readonly ThrottlingBurstLimit: number }> = {};
		const stage = this.stage.node.defaultChild;
		if (!(stage instanceof CfnStage)) throw new TypeError('A stage is not made of a CfnStage.');
		for (const { endpoint, function: target } of routes) {
			const { name, method, path, auth, uses } = endpoint;
			if (auth === 'bearer' && authorizer === undefined) throw new TypeError(`${name} needs an authorizer.`);
			const added = this.api.addRoutes({
				path,
				methods: [HttpMethod[method]],
				integration: new HttpLambdaIntegration(name, target),
				...(auth === 'bearer' && authorizer !== undefined
					? { authorizer, authorizationScopes: [requiredScope] }
					: { authorizer: open }),
			});
			if (auth === 'none')
				for (const route of added)
					Validations.of(route).acknowledge({ id: 'AwsSolutions-APIG4', reason: `Public: ${whyPublic(endpoint)}` });
			if (uses.signingKey === undefined) continue;
			const { rate, burst } = throttling.signIn;
			tighter[`${method} ${path}`] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
			// Settings of a route are refused until the route is there.
			for (const route of added) this.stage.node.addDependency(route);
		}
		if (Object.keys(tighter).length > 0) stage.routeSettings = tighter;
	}
}
