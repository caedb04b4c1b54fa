import { RemovalPolicy } from 'aws-cdk-lib';
import type { Environment } from './environment.ts';

/**
 * Returns what CloudFormation does with data, keys, secrets, logs, the plants' topic and its queue that are removed from their stack. A protected environment
 * keeps them, except when the deployment that created them fails.
 */
export function removalPolicyFor(environment: Environment): RemovalPolicy {
	return environment.protected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
