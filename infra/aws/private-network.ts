import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Endpoint } from '#shared/endpoint.ts';

/** The actions with which Lambda manages the network interfaces of a function: those of AWSLambdaVPCAccessExecutionRole. */
const interfaceActions = [
	'ec2:CreateNetworkInterface',
	'ec2:DescribeNetworkInterfaces',
	'ec2:DescribeSubnets',
	'ec2:DeleteNetworkInterface',
	'ec2:AssignPrivateIpAddresses',
	'ec2:UnassignPrivateIpAddresses',
];

/** Whether the function of an endpoint or a task calls InfluxDB or the identity provider, which may be in the utility's own network. */
export function callsUtility({ uses }: Pick<Endpoint, 'uses'>): boolean {
	return uses.timeSeries !== undefined || uses.identityProvider !== undefined;
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
