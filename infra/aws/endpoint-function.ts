import { join } from 'node:path';
import { CfnOutput, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, CfnFunction, Code, Function as LambdaFunction, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { Endpoint } from '#shared/endpoint.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { TaskClock } from '#shared/tasks.ts';
import { reservedConcurrencyOf } from './concurrency.ts';
import { deployedEndpoints, type EndpointRow } from './deployed-endpoints.ts';
import { deployedTasks, type TaskRow } from './deployed-tasks.ts';
import { type Environment, isForeignTopic } from './environment.ts';
import { environmentVariablesFor, type FunctionRow, functionArn, policyStatementsFor, type TokenIssuer } from './permissions.ts';
import { plantAlarmTopicArn } from './plant-alarms.ts';
import { callsUtility, networkInterfaceStatements } from './private-network.ts';
import { removalPolicyFor } from './removal-policy.ts';

const defaultMemoryMb = 512;

/** How long a run of a task, or a worker that it starts, may wait until it is started: until the next run, which does its work. */
const maxWaitSeconds = ({ clock }: TaskRow): number => 60 * (clock?.everyMinutes ?? 1);

/** Properties that the functions of one HTTP API share. */
export interface EndpointFunctionProps {
	readonly environment: Environment;
	/** The folder that `writeBundles` filled. */
	readonly bundlesFolder: string;
	readonly issuer: TokenIssuer;
	/** The longest time that one request may take. API Gateway waits 30 s. */
	readonly timeout: Duration;
	/** The stack of the functions' roles, where it is another one than that of the functions. */
	readonly roles?: Stack;
	/** In MB; default `defaultMemoryMb`. Lambda gives a share of a CPU in proportion, and a whole one at 1,769 MB. */
	readonly memorySize?: number;
}

/** Creates a function in `stack` for every endpoint of an HTTP API that the environment has. */
export function createEndpointFunctions(stack: Stack, api: Endpoint['api'], props: EndpointFunctionProps): EndpointFunction[] {
	return deployedEndpoints(props.environment)
		.filter((endpoint) => endpoint.api === api)
		.map((endpoint) => new EndpointFunction(stack, endpoint, props));
}

/**
 * Creates a function in `stack`, with its schedule, for every task that the settings switch on.
 * @param serviceUrl the service that the canary uses
 */
export function createTaskFunctions(stack: Stack, serviceUrl: string, props: EndpointFunctionProps): void {
	for (const task of deployedTasks(props.environment)) new TaskFunction(stack, task, serviceUrl, props);
}

/** The function of one row of the contract, with a role and a log group of its own. The role allows what the row names. */
class ContractFunction extends Construct {
	readonly function: LambdaFunction;
	readonly role: Role;

	constructor(stack: Stack, row: FunctionRow, props: EndpointFunctionProps) {
		super(stack, row.name);
		const { environment, bundlesFolder, issuer, timeout, roles, memorySize = defaultMemoryMb } = props;
		const { name } = row;
		const vpc = callsUtility(row, environment) ? environment.vpc : undefined;
		const names = resourceNames(environment.name);
		const logGroup = new LogGroup(this, 'Log', {
			logGroupName: names.log(name),
			retention: environment.logRetentionDays,
			removalPolicy: removalPolicyFor(environment),
		});
		const policyStack = roles ?? stack;
		const statements = [
			new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
			...(environment.tracing
				? [new PolicyStatement({ actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] })]
				: []),
			...(vpc ? networkInterfaceStatements(policyStack, names.function(name)) : []),
			...policyStatementsFor(policyStack, environment, row),
		];
		const role = new Role(roles ?? this, roles === undefined ? 'Role' : name, {
			assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
			inlinePolicies: { contract: new PolicyDocument({ statements }) },
			managedPolicies: 'signingKey' in row.uses ? [issuer.signingPolicy] : [],
		});
		if (environment.tracing || vpc)
			Validations.of(role).acknowledge({
				id: 'AwsSolutions-IAM5[Resource::*]',
				reason: 'X-Ray and the network interfaces of Lambda have no resource-level permissions.',
			});
		this.role = role;
		const reservedConcurrentExecutions = reservedConcurrencyOf(environment)[name];
		this.function = new LambdaFunction(this, 'Function', {
			functionName: names.function(name),
			description: 'method' in row ? `${row.method} ${row.path}` : row.description,
			runtime: Runtime.NODEJS_24_X,
			architecture: Architecture.ARM_64,
			handler: 'index.handler',
			code: Code.fromAsset(join(bundlesFolder, name)),
			memorySize,
			timeout,
			// CDK must not add statements to the role: it has those for tracing and logging already.
			role: role.withoutPolicyUpdates(),
			logGroup,
			tracing: environment.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
			environment: { ENVIRONMENT: environment.name, ENDPOINT: name, ...environmentVariablesFor(environment, row, issuer) },
			...(reservedConcurrentExecutions !== undefined && { reservedConcurrentExecutions }),
		});
		if (vpc) {
			const resource = this.function.node.defaultChild;
			if (!(resource instanceof CfnFunction)) throw new TypeError(`${name} has no CfnFunction.`);
			resource.vpcConfig = { subnetIds: vpc.subnetIds, securityGroupIds: vpc.securityGroupIds };
		}
	}
}

/** The function of an endpoint. */
export class EndpointFunction extends ContractFunction {
	readonly endpoint: EndpointRow;

	constructor(stack: Stack, endpoint: EndpointRow, props: EndpointFunctionProps) {
		super(stack, endpoint, props);
		this.endpoint = endpoint;
	}
}

/** The function of a task, and the schedule that runs it. */
class TaskFunction extends ContractFunction {
	constructor(stack: Stack, task: TaskRow, serviceUrl: string, props: EndpointFunctionProps) {
		const { timeoutSeconds } = task;
		super(stack, task, { ...props, ...(timeoutSeconds !== undefined && { timeout: Duration.seconds(timeoutSeconds) }) });
		if (task.uses.canaryToken) this.function.addEnvironment('SERVICE_URL', serviceUrl);
		if (task.uses.notifier) this.function.addEnvironment('ALARM_TOPIC_ARN', plantAlarmTopicArn(stack, props.environment));
		if (task.uses.notifier && isForeignTopic(props.environment))
			new CfnOutput(stack, task.uses.reportDays ? 'ReportPublisher' : 'PlantAlarmPublisher', {
				value: this.role.roleArn,
				description: 'The role that the topic, and its key, must let publish',
			});
		const { clock } = task;
		// Lambda may repeat the runs of a rule, so the limits below are not set for them (`TaskClock`).
		if (clock?.by === 'rule') {
			this.createRule(task, clock, props.environment);
			return;
		}
		// A run that is not started in time, or that fails, is left out: the next one does its work.
		this.function.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.seconds(maxWaitSeconds(task)) });
		if (clock !== null) this.createSchedule(stack, task, clock, props.environment);
	}

	/** Creates a rule of EventBridge that runs the task. */
	private createRule(task: TaskRow, { everyMinutes }: TaskClock, environment: Environment): void {
		new Rule(this, 'Schedule', {
			ruleName: resourceNames(environment.name).function(task.name),
			description: task.description,
			schedule: Schedule.rate(Duration.minutes(everyMinutes)),
			targets: [new LambdaTarget(this.function)],
		});
	}

	/** Creates a schedule of EventBridge Scheduler, and its role, which may invoke the function of the task only. */
	private createSchedule(stack: Stack, task: TaskRow, { everyMinutes }: TaskClock, environment: Environment): void {
		const arn = functionArn(stack, environment, task.name);
		const conditions = { StringEquals: { 'aws:SourceAccount': stack.account } };
		const role = new Role(this, 'ScheduleRole', {
			assumedBy: new ServicePrincipal('scheduler.amazonaws.com', { conditions }),
			inlinePolicies: {
				invoke: new PolicyDocument({
					statements: [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] })],
				}),
			},
		});
		const schedule = new CfnSchedule(this, 'Schedule', {
			name: resourceNames(environment.name).function(task.name),
			description: task.description,
			scheduleExpression: `rate(${everyMinutes} ${everyMinutes === 1 ? 'minute' : 'minutes'})`,
			flexibleTimeWindow: { mode: 'OFF' },
			target: {
				arn,
				roleArn: role.roleArn,
				input: '{}',
				retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: maxWaitSeconds(task) },
			},
		});
		schedule.node.addDependency(this.function);
	}
}
