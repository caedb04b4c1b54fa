import { Command } from 'commander';
import pc from 'picocolors';
import * as v from 'valibot';
import { createIdpClient, type IdpSettings } from '#adapters/idp-client.ts';
import { staticSecret } from '#adapters/secret.ts';
import { DomainError } from '#domain/errors.ts';
import { normalizeEmail } from '#domain/use-cases/sign-in.ts';
import { environment, positive } from '#infra/cli/options.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { ConfigError, httpUrl, nonEmpty, readConfig, signInSchema } from '#shared/config.ts';
import { withStores } from './stores.ts';

const whereOptions = v.object({ env: v.optional(v.string()) });

const addOptions = v.object({
	...whereOptions.entries,
	email: v.string(),
	id: v.number(),
	firstName: v.string(),
	lastName: v.string(),
	clientId: v.number(),
	authUrl: v.optional(v.string()),
});

/** The identity provider of an environment on AWS: nothing of it is taken for granted. */
const idpSchema = v.object({
	AUTH_URL: v.optional(httpUrl),
	IDP_TOKEN: v.optional(nonEmpty),
	IDP_TIMEOUT_MS: signInSchema.entries.IDP_TIMEOUT_MS,
});

/** Who decides whom there is to register. Throws ConfigError where an environment's is not given. */
function providerOf(env: string | undefined, authUrl: string | undefined): IdpSettings {
	if (env === undefined) {
		const { AUTH_URL, PORT, IDP_TOKEN, IDP_TIMEOUT_MS } = readLocalSettings();
		const url = authUrl ?? AUTH_URL ?? `http://127.0.0.1:${PORT}/idp`;
		return { url, token: staticSecret(IDP_TOKEN), timeoutMs: IDP_TIMEOUT_MS };
	}
	const { AUTH_URL, IDP_TOKEN, IDP_TIMEOUT_MS } = readConfig(idpSchema);
	const url = authUrl ?? AUTH_URL;
	if (url === undefined || IDP_TOKEN === undefined)
		throw new ConfigError(
			`The identity provider of ${env} is asked first: set AUTH_URL to its address, and IDP_TOKEN to the service's token there.`,
		);
	return { url, token: staticSecret(IDP_TOKEN), timeoutMs: IDP_TIMEOUT_MS };
}

/** Registers a user, once the identity provider has confirmed that this id has this e-mail. */
async function add(input: unknown): Promise<void> {
	const { env, email, id, firstName, lastName, clientId, authUrl } = v.parse(addOptions, input);
	const settings = providerOf(env, authUrl);
	const provider = createIdpClient(settings);
	const known = await provider.getUser(id).catch((error: unknown) => {
		const cause = error instanceof DomainError ? error.message : String(error);
		throw new ConfigError(`The identity provider at ${settings.url} cannot be asked: start it, or set AUTH_URL. (${cause})`);
	});
	if (known === null) throw new ConfigError(`The identity provider knows no user ${id}.`);
	if (normalizeEmail(known.email) !== normalizeEmail(email))
		throw new ConfigError(`The identity provider has another e-mail for user ${id}: ${known.email}.`);
	await withStores({ environment: env }, ({ users }) => users.put({ id, email, firstName, lastName, clientId }));
	console.log(`${pc.green('added')} ${email}: user ${id}, client ${clientId}`);
}

const list = (input: unknown): Promise<void> =>
	withStores({ environment: v.parse(whereOptions, input).env }, async ({ users }) => {
		const all = await users.list();
		for (const { id, email, firstName, lastName, clientId } of all)
			console.log(`${email}  ${pc.dim(`user ${id}, client ${clientId}, ${firstName} ${lastName}`)}`);
		console.log(`${all.length} ${all.length === 1 ? 'user' : 'users'}`);
	});

function remove(email: string, input: unknown): Promise<void> {
	const { env } = v.parse(whereOptions, input);
	return withStores({ environment: env }, async ({ users }) => {
		const shown = `npm run user -- list${env === undefined ? '' : ` --env ${env}`}`;
		if (!(await users.remove(email))) throw new ConfigError(`There is no user ${email}; ${shown} shows them.`);
		console.log(`${pc.green('removed')} ${email}: tokens already given stay valid until they expire`);
	});
}

const whereWords = 'an environment on AWS, instead of the service in STATE_DIR';

/** `npm run user -- add|list|remove`: who may sign in. */
const program = new Command('user').description(
	'Registers who may sign in: to the service in STATE_DIR, to the DynamoDB at DYNAMODB_ENDPOINT, or with --env on AWS.',
);

program
	.command('add')
	.description('registers a user, or replaces the one with that e-mail')
	.requiredOption('--email <address>', 'e-mail at the identity provider')
	.requiredOption('--id <number>', 'user id at the identity provider', positive)
	.requiredOption('--first-name <name>')
	.requiredOption('--last-name <name>')
	.requiredOption('--client-id <number>', 'client id at the identity provider', positive)
	.option('--auth-url <url>', 'the identity provider, instead of AUTH_URL')
	.option('--env <name>', `${whereWords}; AUTH_URL and IDP_TOKEN are then required`, environment)
	.action((options: unknown) => add(options));

program
	.command('list')
	.description('lists the registered users')
	.option('--env <name>', whereWords, environment)
	.action((options: unknown) => list(options));

program
	.command('remove')
	.description('removes a user')
	.argument('<email>')
	.option('--env <name>', whereWords, environment)
	.action((email: string, options: unknown) => remove(email, options));

await runTool(program);
