import { CfnOutput, Duration, NestedStack, Stack } from 'aws-cdk-lib';
import { DomainName } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { createEndpointFunctions, createTaskFunctions } from './endpoint-function.ts';
import type { Environment } from './environment.ts';
import { EndpointHttpApi } from './http-api.ts';
import { locationOf } from './location.ts';
import { Monitoring } from './monitoring.ts';
import type { TokenIssuer } from './permissions.ts';
import { createPlantAlarmTopic } from './plant-alarms.ts';
import { tagsOf } from './tags.ts';
import { Traffic } from './traffic.ts';

/**
 * Less than the 30 s that API Gateway waits. Each request to a dependency has a shorter deadline. The requests of one write to
 * DynamoDB have no common deadline.
 */
const timeout = Duration.seconds(28);

/** What the stack is created from. */
export interface ServiceStackProps {
	readonly environment: Environment;
	/** The folder that `writeBundles` filled. */
	readonly bundlesFolder: string;
	readonly issuer: TokenIssuer;
}

/** The service: a function for each endpoint, the HTTP API with its authorizer, alarms and the dashboard. */
export class ServiceStack extends Stack {
	constructor(scope: Construct, id: string, { environment, bundlesFolder, issuer }: ServiceStackProps) {
		super(scope, id, {
			description: `Caudal ${environment.name}: functions, HTTP API, alarms and dashboard`,
			terminationProtection: environment.protected,
			env: locationOf(environment),
			tags: tagsOf(environment),
		});
		const props = { environment, bundlesFolder, issuer, timeout };
		// CloudFormation lets a stack have 500 resources. What has no name of its own is in nested stacks, and moved there without a replacement
		// (infra/aws/README.md#stacks).
		const roles = new NestedStack(this, 'Roles', { description: `Caudal ${environment.name}: roles of the endpoints` });
		const functions = createEndpointFunctions(this, 'service', { ...props, roles });
		const domainName = this.createDomainName(environment);
		const service = new EndpointHttpApi(this, 'Service', {
			environment,
			api: 'service',
			name: `caudal-${environment.name}`,
			description: 'Monitoring variables, readings, boards and the pump-station panel',
			disableExecuteApiEndpoint: environment.disableExecuteApiEndpoint,
			...(domainName && { domainMapping: { domainName } }),
		});
		const jwtAudience = [environment.tokenAudience];
		const monitoring = new Monitoring(this, 'Monitoring', { environment, service, issuerApi: issuer.httpApi });
		const traffic = new Traffic(this, 'Traffic', environment, monitoring.ofReleases);
		service.addRoutes(functions, new HttpJwtAuthorizer('Tokens', issuer.httpApi.apiEndpoint, { jwtAudience }), traffic);
		createPlantAlarmTopic(this, environment);
		const { domain, disableExecuteApiEndpoint, publicUrl } = environment;
		// Only the proxy has a certificate of the truststore.
		const domainUrl = domain?.truststore ? publicUrl : domain && `https://${domain.name}`;
		// The canary uses API Gateway's own address where there is one: the name of the domain may point at a proxy, which it should not measure.
		const canaryUrl = disableExecuteApiEndpoint && domainUrl ? domainUrl : service.httpApi.apiEndpoint;
		createTaskFunctions(this, canaryUrl, props);
		new CfnOutput(this, 'ServiceUrl', { value: domainUrl ?? service.httpApi.apiEndpoint, description: 'The service' });
		if (domainName !== undefined)
			new CfnOutput(this, 'DomainTarget', { value: domainName.regionalDomainName, description: 'The target of the DNS record' });
	}

	private createDomainName({ domain }: Environment): DomainName | undefined {
		if (domain === undefined) return undefined;
		const certificate = Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn);
		const { name: domainName, truststore } = domain;
		const mtls = truststore && { ...truststore, bucket: Bucket.fromBucketName(this, 'Truststore', truststore.bucket) };
		return new DomainName(this, 'Domain', { domainName, certificate, ...(mtls && { mtls }) });
	}
}
