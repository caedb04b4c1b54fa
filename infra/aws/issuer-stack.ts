import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { EndpointFunction } from './endpoint-function.ts';
import type { Environment } from './environment.ts';
import { EndpointHttpApi } from './http-api.ts';
import { readKeyRing } from './permissions.ts';
import { removalPolicyFor } from './removal-policy.ts';

/** What an authorizer waits for an issuer's document: nothing that takes longer is of use. */
const timeout = Duration.seconds(5);

/**
 * Who tokens come from: the keys that sign them, and the documents that API Gateway's authorizers check them with. On its own, and
 * first: an authorizer is made only where its issuer answers.
 */
export class IssuerStack extends Stack {
	/** Its address is what tokens name as their issuer. */
	readonly api: HttpApi;
	/** Lets a role sign with the keys. A policy, for a key that is added or removed is then nobody else's matter. */
	readonly signing: ManagedPolicy;

	constructor(scope: Construct, id: string, environment: Environment, bundles: Readonly<Record<EndpointName, string>>) {
		super(scope, id, {
			description: `Caudal ${environment.name}: signing keys, and the documents of the token issuer`,
			terminationProtection: environment.protected,
		});
		const names = resourceNames(environment.name);
		const keys = environment.signingKeys.map(
			(name) =>
				new Key(this, `SigningKey-${name}`, {
					alias: names.signingKey(name),
					description: `Caudal ${environment.name}: signs service tokens (${name})`,
					keySpec: KeySpec.RSA_2048,
					keyUsage: KeyUsage.SIGN_VERIFY,
					removalPolicy: removalPolicyFor(environment),
				}),
		);
		this.signing = new ManagedPolicy(this, 'Signing', {
			description: 'Signs service tokens',
			statements: [new PolicyStatement({ actions: ['kms:Sign'], resources: keys.map(({ keyArn }) => keyArn) })],
		});
		const http = new EndpointHttpApi(this, 'Issuer', {
			environment,
			serves: 'issuer',
			name: `caudal-${environment.name}-issuer`,
			description: 'The documents of the token issuer',
		});
		this.api = http.api;
		const routes = endpoints
			.filter(({ api }) => api === 'issuer')
			.map((endpoint) => {
				const readsKeys = 'publicKeys' in endpoint.uses;
				const made = new EndpointFunction(this, endpoint.name, {
					environment,
					endpoint,
					bundle: bundles[endpoint.name],
					grants: readsKeys ? [readKeyRing(this, environment)] : [],
					variables: readsKeys ? { KEY_RING: names.keyRing } : { TOKEN_ISSUER: this.api.apiEndpoint },
					timeout,
				});
				return { endpoint, function: made.function };
			});
		http.addRoutes(routes, environment);
		new CfnOutput(this, 'IssuerUrl', { value: this.api.apiEndpoint, description: 'What tokens name as their issuer' });
	}
}
