import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Endpoint } from '#shared/endpoint.ts';
import type { Environment } from './environment.ts';

/** The actions with which Lambda manages the network interfaces of a function: those of AWSLambdaVPCAccessExecutionRole. */
const interfaceActions = [
	'ec2:CreateNetworkInterface',
	'ec2:DescribeNetworkInterfaces',
	'ec2:DescribeSubnets',
	'ec2:DeleteNetworkInterface',
	'ec2:AssignPrivateIpAddresses',
	'ec2:UnassignPrivateIpAddresses',
];

/**
 * Whether the function of an endpoint or a task calls a server that may be in the utility's own network: InfluxDB, the identity provider and,
 * where `openIdInVpc` says so, the OpenID providers.
 */
export function callsUtility({ uses }: Pick<Endpoint, 'uses'>, { openIdInVpc }: Pick<Environment, 'openIdInVpc'>): boolean {
	if (uses.timeSeries !== undefined || uses.identityProvider !== undefined) return true;
	return openIdInVpc && uses.openIdProviders !== undefined && uses.openIdProviders[0] !== 'list';
}

/**
 * Returns the rights that the role of a function in a VPC needs. Lambda uses them to manage the function's network interfaces. The
 * function's own code may not use them: the condition key holds the function's ARN only in requests of its code.
 */
export function networkInterfaceStatements(stack: Stack, functionName: string): PolicyStatement[] {
	const functionArn = stack.formatArn({
		service: 'lambda',
		resource: 'function',
		resourceName: functionName,
		arnFormat: ArnFormat.COLON_RESOURCE_NAME,
	});
	const statement = { actions: interfaceActions, resources: ['*'] };
	return [
		new PolicyStatement(statement),
		new PolicyStatement({
			...statement,
			effect: Effect.DENY,
			conditions: { ArnEquals: { 'lambda:SourceFunctionArn': functionArn } },
		}),
	];
}
