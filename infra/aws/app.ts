import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as v from 'valibot';
import { print } from '#infra/cli/print.ts';
import { ConfigError, readConfig } from '#shared/config.ts';
import { writeBundles } from './bundle.ts';
import { addCaBundle } from './ca-bundle.ts';
import { readEnvironment } from './environment.ts';
import { checkLocation } from './location.ts';
import { addProvidersFile } from './openid-providers.ts';
import { addStacks } from './stacks.ts';

/** The account of the credentials, which CDK's command line finds out; undefined without credentials. */
const credentialsSchema = v.object({ CDK_DEFAULT_ACCOUNT: v.optional(v.string()) });

/** The CDK app: synthesizes the stacks of one environment. `npx cdk` runs it. */
const app = new App();

try {
	const environment = readEnvironment((key) => app.node.tryGetContext(key));
	// The region is not checked: CDK deploys a stack to the region of its settings, whatever AWS_REGION is.
	checkLocation(environment, { account: readConfig(credentialsSchema).CDK_DEFAULT_ACCOUNT });
	const bundlesFolder = join(app.outdir, 'bundles');
	await writeBundles(bundlesFolder);
	if (environment.caBundle !== undefined) addCaBundle(environment.caBundle, bundlesFolder, environment);
	addProvidersFile(environment, bundlesFolder);
	addStacks(app, environment, bundlesFolder);
} catch (error) {
	if (!(error instanceof ConfigError)) throw error;
	print(error.message, process.stderr);
	process.exit(1);
}
