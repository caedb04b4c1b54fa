import { NestedStack, Stack, Validations } from 'aws-cdk-lib';
import {
	type HttpApi,
	HttpIntegrationType,
	HttpRouteIntegration,
	type HttpRouteIntegrationBindOptions,
	type HttpRouteIntegrationConfig,
	PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnDeploymentGroup, LambdaApplication } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { resourceNames } from '#shared/resource-names.ts';
import type { EndpointFunction } from './endpoint-function.ts';
import type { Environment } from './environment.ts';

/** The alias by which the HTTP API invokes a function. */
const aliasName = 'live';

/** The name of CodeDeploy for a tenth of the requests during 10 minutes, then all. */
const deploymentConfigName = 'CodeDeployDefault.LambdaCanary10Percent10Minutes';

/** What the rollouts of all functions share. */
interface Rollout {
	readonly applicationName: string;
	readonly serviceRoleArn: string;
	readonly alarmConfiguration: CfnDeploymentGroup.AlarmConfigurationProperty;
}

/**
 * What is between an HTTP API and the functions of its endpoints: an alias of each, the permission to invoke it, the integration, and the gradual
 * traffic to new versions (infra/aws/README.md#gradual-traffic).
 */
export class Traffic extends NestedStack {
	private readonly environmentName: string;
	/** Null: a new version gets all requests at once. */
	private readonly rollout: Rollout | null;

	/** @param alarms the alarms that end a rollout, which takes the requests back to the old version */
	constructor(scope: Construct, id: string, environment: Environment, alarms: readonly IAlarm[]) {
		super(scope, id, { description: `Caudal ${environment.name}: aliases of the functions, and who may invoke them` });
		this.environmentName = environment.name;
		this.rollout = (environment.gradualTraffic ?? environment.protected) ? this.createRollout(alarms) : null;
	}

	/** Returns the integration that passes requests of an API to the alias of a function. The alias moves to each new version. */
	integrate({ endpoint: { name, filesPath }, function: handler }: EndpointFunction, { apiId }: HttpApi): HttpRouteIntegration {
		const alias = new CfnAlias(this, name, {
			name: aliasName,
			functionName: resourceNames(this.environmentName).function(name),
			functionVersion: handler.currentVersion.version,
		});
		// Files of the console and of the docs belong to one version: a page of the new one asks for files that the old one lacks.
		if (this.rollout !== null && filesPath === undefined) this.moveGradually(alias, name, this.rollout);
		const permission = new CfnPermission(this, `Invoke${name}`, {
			action: 'lambda:InvokeFunction',
			functionName: alias.ref,
			principal: 'apigateway.amazonaws.com',
			// One permission for all routes: a stack holds 500 resources.
			sourceArn: Stack.of(this).formatArn({ service: 'execute-api', resource: apiId, resourceName: '*/*/*' }),
		});
		return new AliasIntegration(`Integration${name}`, permission, alias.ref);
	}

	private moveGradually(alias: CfnAlias, name: string, rollout: Rollout): void {
		const group = new CfnDeploymentGroup(this, `Rollout${name}`, {
			...rollout,
			deploymentConfigName,
			deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
			autoRollbackConfiguration: {
				enabled: true,
				events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
			},
		});
		const { applicationName } = rollout;
		alias.cfnOptions.updatePolicy = { codeDeployLambdaAliasUpdate: { applicationName, deploymentGroupName: group.ref } };
	}

	private createRollout(alarms: readonly IAlarm[]): Rollout {
		const policy = 'service-role/AWSCodeDeployRoleForLambdaLimited';
		const role = new Role(this, 'RolloutRole', {
			assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
			managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policy)],
		});
		Validations.of(role).acknowledge({
			id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
			reason: 'CodeDeploy needs what its own policy lists, and AWS changes the list.',
		});
		return {
			applicationName: new LambdaApplication(this, 'Rollout').applicationName,
			serviceRoleArn: role.roleArn,
			alarmConfiguration: { enabled: true, alarms: alarms.map(({ alarmName }) => ({ name: alarmName })) },
		};
	}
}

/** Passes requests to an alias. It is in the stack of the alias; CDK would put it into that of the route. */
class AliasIntegration extends HttpRouteIntegration {
	private readonly permission: CfnPermission;
	private readonly uri: string;

	/** @param permission of the API to invoke the alias, which has to exist before a request comes */
	constructor(id: string, permission: CfnPermission, uri: string) {
		super(id);
		this.permission = permission;
		this.uri = uri;
	}

	bind(): HttpRouteIntegrationConfig {
		return { type: HttpIntegrationType.AWS_PROXY, uri: this.uri, payloadFormatVersion: PayloadFormatVersion.VERSION_2_0 };
	}

	override _bindToRoute({ route }: HttpRouteIntegrationBindOptions) {
		route.node.addDependency(this.permission);
		return super._bindToRoute({ route, scope: this.permission.stack });
	}
}
