import { RemovalPolicy } from 'aws-cdk-lib';
import type { Environment } from './environment.ts';

/**
 * What becomes of data, keys, secrets and logs when they leave their stack: a protected environment's stay, unless the deployment
 * that was to make them has failed.
 */
export function removalPolicyFor(environment: Environment): RemovalPolicy {
	return environment.protected ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
