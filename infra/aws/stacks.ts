import { Annotations, type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { EndpointName } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { DataStack } from './data-stack.ts';
import { type Environment, examplesIn } from './environment.ts';
import { IssuerStack } from './issuer-stack.ts';
import { ServiceStack } from './service-stack.ts';

/**
 * Adds the stacks of one environment to an app, which is refused where they break a rule of AWS Solutions.
 * @param bundles each function's folder
 */
export function addStacks(app: App, environment: Environment, bundles: Readonly<Record<EndpointName, string>>): void {
	const { stack } = resourceNames(environment.name);
	const issuer = new IssuerStack(app, stack('issuer'), environment, bundles);
	const data = new DataStack(app, stack('data'), environment);
	const service = new ServiceStack(app, stack('service'), environment, bundles, issuer);
	service.addStackDependency(data, 'Functions know tables and secrets by name.');
	for (const setting of examplesIn(environment))
		Annotations.of(service).addWarningV2(
			`caudal:${setting}`,
			`${setting} is still cdk.json's example, which nothing answers: set it in context.environments.${environment.name}.`,
		);
	Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
}
