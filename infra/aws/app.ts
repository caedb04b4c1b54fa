import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { ConfigError } from '#shared/config.ts';
import { writeBundles } from './bundle.ts';
import { readEnvironment } from './environment.ts';
import { addStacks } from './stacks.ts';

/** The CDK app: synthesizes the stacks of one environment. `npx cdk` runs it. */
const app = new App();

try {
	const environment = readEnvironment((key) => app.node.tryGetContext(key));
	const bundlesFolder = join(app.outdir, 'bundles');
	await writeBundles(bundlesFolder);
	addStacks(app, environment, bundlesFolder);
} catch (error) {
	if (!(error instanceof ConfigError)) throw error;
	console.error(error.message);
	process.exit(1);
}
