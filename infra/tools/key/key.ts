import { Command } from 'commander';
import * as v from 'valibot';
import { environment, filledText, signingKey, whole } from '#infra/cli/options.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { settingsOf } from '../deployed-settings.ts';
import { openAws } from './aws.ts';
import { listKeys } from './list.ts';
import { activateKey, publishKey, retireKey, type StepDeps } from './steps.ts';

/** How long tokens are valid where neither an option nor cdk.json says. */
const defaultTokenLifetimeSeconds = 3600;

const optionsSchema = v.object({ env: v.string(), tokenLifetime: v.optional(v.number()) });

function depsOf(input: unknown): StepDeps {
	const { env, tokenLifetime } = v.parse(optionsSchema, input);
	const seconds = tokenLifetime ?? settingsOf(env)?.tokenLifetimeSeconds ?? defaultTokenLifetimeSeconds;
	return { aws: openAws(), environment: env, tokenLifetimeMs: 1000 * seconds };
}

const lifetime = whole(60, 86_400, 'A lifetime is a whole number of seconds from 60 to 86400.');

const withOptions = (command: Command): Command =>
	command
		.option('--env <name>', 'the environment', environment, 'dev')
		.option(
			'--token-lifetime <seconds>',
			'the longest that tokens were valid while a key signed (default: tokenLifetimeSeconds in cdk.json)',
			lifetime,
		);

/** `npm run key -- list|publish|activate|retire`: which keys sign tokens on AWS. */
const program = new Command('key').description(
	'Changes the key that signs tokens on AWS, without refusing a token meanwhile: publish a new key, activate it a little more than ' +
		'two hours later, retire the old one when its last tokens have expired. Each step may be interrupted and taken again; one that comes too early is refused.',
);

withOptions(program.command('list'))
	.description('shows every key, what it does, and when it may do something else')
	.action(async (options: unknown) => {
		const { aws, environment, tokenLifetimeMs } = depsOf(options);
		await listKeys(aws, environment, tokenLifetimeMs);
	});

withOptions(program.command('publish'))
	.description('lets authorizers know a key of KMS; it signs nothing yet')
	.argument('<name>', 'its name in signingKeys of the environment in cdk.json', signingKey)
	.action((name: string, options: unknown) => publishKey(depsOf(options), name));

withOptions(program.command('activate'))
	.description('lets a published key sign, in the place of the one that does')
	.argument('<key>', 'its name, or its key id', filledText)
	.action((key: string, options: unknown) => activateKey(depsOf(options), key));

withOptions(program.command('retire'))
	.description('takes back a key that signs no more')
	.argument('<key>', 'its name, or its key id', filledText)
	.action((key: string, options: unknown) => retireKey(depsOf(options), key));

await runTool(program);
