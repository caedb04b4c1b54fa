import { Command } from 'commander';
import * as v from 'valibot';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment, filledText, signingKey, whole } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { checkAwsLocation } from '../aws-location.ts';
import { settingsOf } from '../deployed-settings.ts';
import { cannotSignMessage, commandLine, deployCommand, formatKey, formatState } from './messages.ts';
import { type KeySession, openSession } from './session.ts';
import { activateKey, publishKey, retireKey } from './steps.ts';

const pc = coloursFor(process.stdout);

/** The token lifetime when neither an option nor cdk.json sets it. */
const defaultTokenLifetimeSeconds = 3600;

const optionsSchema = v.object({ env: v.string(), tokenLifetime: v.optional(v.number()) });

/** `npm run key -- list|publish|activate|retire`: rotates the keys that sign tokens on AWS. */
const program = new Command('key').description(
	'Rotates the key that signs tokens on AWS, so that no valid token is rejected: publish a new key, activate it a little more than ' +
		'two hours later, and retire the old key when its last tokens have expired. Every step can be repeated; a step that comes too early is refused.',
);

command('list', 'shows every key, its state, and the step that it may take next').action(async (options: unknown) =>
	listKeys(await sessionOf(options)),
);
command('publish', 'publishes a key of KMS to the authorizers; it does not sign yet')
	.argument('<name>', 'its name in signingKeys of the environment in cdk.json', signingKey)
	.action(async (name: string, options: unknown) => publishKey(await sessionOf(options), name));
command('activate', 'makes a published key the one that signs')
	.argument('<key>', 'its name or key id', filledText)
	.action(async (key: string, options: unknown) => activateKey(await sessionOf(options), key));
command('retire', 'removes a key that no longer signs')
	.argument('<key>', 'its name or key id', filledText)
	.action(async (key: string, options: unknown) => retireKey(await sessionOf(options), key));

await runTool(program);

function command(name: string, description: string): Command {
	return program.command(name).description(description).option('--env <name>', 'the environment', environment, 'dev').option(
		'--token-lifetime <seconds>',
		'the longest lifetime of tokens while a key signed (default: tokenLifetimeSeconds in cdk.json)',
		// As tokenLifetimeSeconds in cdk.json.
		whole(60, 86_400),
	);
}

async function sessionOf(options: unknown): Promise<KeySession> {
	const { env, tokenLifetime } = v.parse(optionsSchema, options);
	const settings = settingsOf(env);
	await checkAwsLocation(settings);
	const seconds = tokenLifetime ?? settings?.tokenLifetimeSeconds ?? defaultTokenLifetimeSeconds;
	return openSession(env, 1000 * seconds);
}

/** Prints every key of an environment, published or only in KMS: its state and its next step. */
function listKeys(session: KeySession): void {
	const { environment, ring, version, keys } = session;
	const [first] = keys;
	if (first === undefined) {
		const deploy = deployCommand(environment);
		print(pc.yellow(`${environment} has no signing key: deploy its issuer stack first (${deploy}). Is --env right?`));
		return;
	}
	print(pc.dim(`Signing keys of ${environment}, in ${resourceNames(environment).keyRing}: version ${version}`));
	const width = Math.max(...keys.map(({ name }) => name.length));
	for (const { name, kid, state } of keys) {
		const published = ring.keys.find((key) => key.kid === kid);
		const text =
			published === undefined ? `not published: ${commandLine(environment, 'publish', name)}` : formatKey(session, published);
		print(`${name.padEnd(width)}  ${pc.dim(kid)}  ${formatState(state)}  ${text}`);
	}
	const active = keys.find(({ kid }) => kid === ring.active);
	if (active === undefined) {
		const next = commandLine(environment, ring.keys.length === 0 ? 'publish' : 'activate', first.name);
		print(pc.yellow(`No key is active, so nobody can sign in: ${next}`));
	} else if (active.state !== 'Enabled') {
		const reason = cannotSignMessage(environment, active);
		print(pc.red(`Nobody can sign in: ${reason}. The next key may sign immediately.`));
	}
}
