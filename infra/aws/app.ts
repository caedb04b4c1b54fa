import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { writeBundles } from './bundle.ts';
import { readEnvironment, SettingsError } from './environment.ts';
import { addStacks } from './stacks.ts';

/** What `npx cdk` synthesizes: the stacks of one environment. */
const app = new App();

try {
	const environment = readEnvironment((key) => app.node.tryGetContext(key));
	addStacks(app, environment, await writeBundles(join(app.outdir, 'bundles')));
} catch (error) {
	if (!(error instanceof SettingsError)) throw error;
	console.error(error.message);
	process.exit(1);
}
