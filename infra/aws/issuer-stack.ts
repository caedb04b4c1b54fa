import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { resourceNames } from '#shared/resource-names.ts';
import { createEndpointFunctions } from './endpoint-function.ts';
import type { Environment } from './environment.ts';
import { EndpointHttpApi } from './http-api.ts';
import { locationOf } from './location.ts';
import type { TokenIssuer } from './permissions.ts';
import { removalPolicyFor } from './removal-policy.ts';
import { tagsOf } from './tags.ts';

/** What the stack is created from. */
export interface IssuerStackProps {
	readonly environment: Environment;
	/** The folder that `writeBundles` filled. */
	readonly bundlesFolder: string;
}

/** Longer than the 1.5 s that API Gateway's authorizers wait for an issuer's document, so that the functions never end first. */
const timeout = Duration.seconds(5);

/** A whole CPU: the authorizer's limit of 1.5 s includes a cold start and the connection to SSM. */
const memorySize = 1769;

/**
 * The token issuer: the keys that sign tokens, and the documents with which API Gateway's authorizers check them. It is a stack of
 * its own, deployed first, because an authorizer can be created only while its issuer answers (infra/aws/README.md#issuer-and-authorizer).
 */
export class IssuerStack extends Stack implements TokenIssuer {
	readonly httpApi: HttpApi;
	/** A managed policy, so that adding or removing a key changes this stack only. */
	readonly signingPolicy: ManagedPolicy;

	constructor(scope: Construct, id: string, { environment, bundlesFolder }: IssuerStackProps) {
		super(scope, id, {
			description: `Caudal ${environment.name}: signing keys, and the documents of the token issuer`,
			terminationProtection: environment.protected,
			env: locationOf(environment),
			tags: tagsOf(environment),
		});
		const keys = environment.signingKeys.map(
			(name) =>
				new Key(this, `SigningKey-${name}`, {
					alias: resourceNames(environment.name).signingKey(name),
					description: `Caudal ${environment.name}: signs service tokens (${name})`,
					keySpec: KeySpec.RSA_2048,
					keyUsage: KeyUsage.SIGN_VERIFY,
					removalPolicy: removalPolicyFor(environment),
				}),
		);
		this.signingPolicy = new ManagedPolicy(this, 'Signing', {
			description: 'Signs service tokens',
			statements: [
				new PolicyStatement({
					actions: ['kms:Sign'],
					resources: keys.map(({ keyArn }) => keyArn),
					// The algorithm of RS256 (RFC 7518, section 3.3). KMS sends this key with every kms:Sign; the emulator of the tests does not.
					conditions: { StringEqualsIfExists: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } },
				}),
			],
		});
		const issuer = new EndpointHttpApi(this, 'Issuer', {
			environment,
			api: 'issuer',
			name: `caudal-${environment.name}-issuer`,
			description: 'The documents of the token issuer',
		});
		this.httpApi = issuer.httpApi;
		issuer.addRoutes(createEndpointFunctions(this, 'issuer', { environment, bundlesFolder, issuer: this, timeout, memorySize }));
		new CfnOutput(this, 'IssuerUrl', { value: this.httpApi.apiEndpoint, description: 'The issuer that tokens name' });
	}
}
