import { Annotations, type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { resourceNames } from '#shared/resource-names.ts';
import { minReservableConcurrency, minUnreservedConcurrency } from './concurrency.ts';
import { DataStack } from './data-stack.ts';
import { type Environment, exampleSettings } from './environment.ts';
import { IssuerStack } from './issuer-stack.ts';
import { ServiceStack } from './service-stack.ts';

/**
 * Adds the stacks of one environment to an app (infra/aws/README.md#stacks). Synthesis fails when a stack breaks a rule of cdk-nag's
 * AWS Solutions.
 *
 * @param bundlesFolder the folder that `writeBundles` filled
 */
export function addStacks(app: App, environment: Environment, bundlesFolder: string): void {
	const { stack } = resourceNames(environment.name);
	const issuer = new IssuerStack(app, stack('issuer'), { environment, bundlesFolder });
	const data = new DataStack(app, stack('data'), environment);
	const service = new ServiceStack(app, stack('service'), { environment, bundlesFolder, issuer });
	service.addStackDependency(data, 'Functions use tables and secrets by name.');
	for (const setting of exampleSettings(environment))
		Annotations.of(service).addWarningV2(
			`caudal:${setting}`,
			`${setting} is still the example in cdk.json, which does not exist: set it in context.environments.${environment.name}.`,
		);
	if (environment.accountConcurrency < minReservableConcurrency)
		Annotations.of(service).addWarningV2(
			'caudal:accountConcurrency',
			`accountConcurrency is ${environment.accountConcurrency}, so no concurrency is reserved by itself: AWS refuses a reservation that leaves less than ` +
				`${minUnreservedConcurrency}. While InfluxDB hangs, readings can use up what sign-in needs. Ask AWS for a quota of ${minReservableConcurrency} or more, then set ` +
				`accountConcurrency in context.environments.${environment.name}.`,
		);
	Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
