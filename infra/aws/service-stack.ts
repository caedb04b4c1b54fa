import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { EndpointFunction } from './endpoint-function.ts';
import type { Environment } from './environment.ts';
import { EndpointHttpApi } from './http-api.ts';
import { Monitoring } from './monitoring.ts';
import { environmentVariablesFor, type Issuer, policyStatementsFor } from './permissions.ts';

/** API Gateway waits 30 s; every dependency has a shorter deadline of its own. */
const timeout = Duration.seconds(28);

/** The service: a function for each endpoint, the HTTP API with its authorizer, and what watches over them. */
export class ServiceStack extends Stack {
	constructor(
		scope: Construct,
		id: string,
		environment: Environment,
		bundles: Readonly<Record<EndpointName, string>>,
		issuer: Issuer,
	) {
		super(scope, id, {
			description: `Caudal ${environment.name}: functions, HTTP API, alarms and dashboard`,
			terminationProtection: environment.protected,
		});
		const routes = endpoints
			.filter(({ api }) => api === 'service')
			.map((endpoint) => {
				const { function: made, role } = new EndpointFunction(this, endpoint.name, {
					environment,
					endpoint,
					bundle: bundles[endpoint.name],
					grants: policyStatementsFor(this, environment, endpoint),
					variables: environmentVariablesFor(environment, endpoint, issuer),
					timeout,
				});
				if ('signingKey' in endpoint.uses) role.addManagedPolicy(issuer.signing);
				return { endpoint, function: made };
			});
		const domain = this.domainOf(environment);
		const http = new EndpointHttpApi(this, 'Service', {
			environment,
			serves: 'service',
			name: `caudal-${environment.name}`,
			description: 'Monitoring variables, readings, boards and the pump-station panel',
			...(domain === undefined ? {} : { domainMapping: { domainName: domain } }),
		});
		const authorizer = new HttpJwtAuthorizer('Tokens', issuer.api.apiEndpoint, { jwtAudience: [environment.tokenAudience] });
		http.addRoutes(routes, environment, authorizer);
		new Monitoring(this, 'Monitoring', {
			environment,
			api: http.api,
			issuerApi: issuer.api,
			functions: routes.map((route) => route.function),
		});
		new CfnOutput(this, 'ServiceUrl', { value: http.api.apiEndpoint, description: 'The service' });
		if (domain !== undefined)
			new CfnOutput(this, 'DomainTarget', {
				value: domain.regionalDomainName,
				description: `What the DNS record of ${domain.name} points to`,
			});
	}

	private domainOf({ domain }: Environment): DomainName | undefined {
		if (domain === undefined) return undefined;
		const certificate = Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn);
		return new DomainName(this, 'Domain', { domainName: domain.name, certificate });
	}
}
