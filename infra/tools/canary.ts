import { Command } from 'commander';
import * as v from 'valibot';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { invokeTask } from './invoke-task.ts';

const pc = coloursFor(process.stdout);

const doneSchema = v.object({ readings: v.number() });

/** `npm run canary`: the last step of a deployment. It signs in and reads as a client does. */
const program = new Command('canary')
	.description('Runs the canary of an environment once, which signs in and reads, and says what it read.')
	.option('--env <name>', 'the environment on AWS', environment, 'dev')
	.action(async (input: unknown) => {
		const { env } = v.parse(v.object({ env: v.string() }), input);
		const { readings } = v.parse(doneSchema, await invokeTask(env, 'canary', {}));
		print(pc.green(`The canary of ${env} signed in and read ${pluralize(readings, 'variable')}.`));
	});

await runTool(program);
