import { type Duration, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Endpoint, EndpointName } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { Environment } from './environment.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** What a function is made of. */
export interface EndpointFunctionProps {
	readonly environment: Environment;
	readonly endpoint: Endpoint & { readonly name: EndpointName };
	/** The folder with its bundle. */
	readonly bundle: string;
	/** What it may do. */
	readonly grants: readonly PolicyStatement[];
	/** Environment variables beside those that every function has. */
	readonly variables: Readonly<Record<string, string>>;
	/** Longest time for one request; API Gateway waits 30 s. */
	readonly timeout: Duration;
}

const memoryMiB = 512;

/** One endpoint's function, with a role and a log of its own: it may do what its row of the contract says, and write that log. */
export class EndpointFunction extends Construct {
	readonly function: LambdaFunction;
	readonly role: Role;

	constructor(
		scope: Construct,
		id: string,
		{ environment, endpoint, bundle, grants, variables, timeout }: EndpointFunctionProps,
	) {
		super(scope, id);
		const functionName = resourceNames(environment.name).function(endpoint.name);
		const logGroup = new LogGroup(this, 'Log', {
			logGroupName: resourceNames(environment.name).log(endpoint.name),
			retention: environment.logRetentionDays,
			removalPolicy: removalPolicyFor(environment),
		});
		const statements = [
			new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
			new PolicyStatement({ actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] }),
			...grants,
		];
		this.role = new Role(this, 'Role', {
			assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
			inlinePolicies: { contract: new PolicyDocument({ statements }) },
		});
		Validations.of(this.role).acknowledge({
			id: 'AwsSolutions-IAM5[Resource::*]',
			reason: 'X-Ray knows no resources: a trace is written to the account.',
		});
		const reserved = environment.reservedConcurrency[endpoint.name];
		this.function = new LambdaFunction(this, 'Function', {
			functionName,
			description: `${endpoint.method} ${endpoint.path}`,
			runtime: Runtime.NODEJS_24_X,
			architecture: Architecture.ARM_64,
			handler: 'index.handler',
			code: Code.fromAsset(bundle),
			memorySize: memoryMiB,
			timeout,
			// A role that is given is not added to: tracing and logging are among its statements already.
			role: this.role.withoutPolicyUpdates(),
			logGroup,
			tracing: Tracing.ACTIVE,
			environment: { ENVIRONMENT: environment.name, ENDPOINT: endpoint.name, ...variables },
			...(reserved === undefined ? {} : { reservedConcurrentExecutions: reserved }),
		});
	}
}
