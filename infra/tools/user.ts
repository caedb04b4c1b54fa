import { Argument, Command } from 'commander';
import * as v from 'valibot';
import { createIdpClient, type IdpSettings } from '#adapters/idp-client.ts';
import { staticSecret } from '#adapters/secret.ts';
import { roles } from '#domain/access/role.ts';
import { toolOrigin } from '#domain/changes/change-entry.ts';
import { messageOf } from '#domain/errors.ts';
import { normalizeEmail } from '#domain/ports/users.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment, positiveWhole } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { toolCommand } from '#infra/cli/tool-command.ts';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { ConfigError, httpUrl, nonEmpty, readConfig, signInSchema } from '#shared/config.ts';
import { withStores } from './stores.ts';

const pc = coloursFor(process.stdout);

const locationOptions = v.object({ env: v.optional(v.string()) });

const roleOptions = v.object({ ...locationOptions.entries, schema: v.string() });

const addOptions = v.object({
	...locationOptions.entries,
	email: v.string(),
	id: v.number(),
	firstName: v.string(),
	lastName: v.string(),
	clientId: v.number(),
	authUrl: v.optional(v.string()),
});

/** The identity provider of an environment on AWS. Unlike on this machine, address and token have no defaults. */
const providerSchema = v.object({
	AUTH_URL: v.optional(httpUrl),
	IDP_TOKEN: v.optional(nonEmpty),
	IDP_TIMEOUT_MS: signInSchema.entries.IDP_TIMEOUT_MS,
});

const envDescription = 'an environment on AWS, instead of the service in STATE_DIR';

/** `npm run user -- add|list|remove|role`: manages the users who may sign in, and what they may do. */
const program = new Command('user').description(
	'Manages the users who may sign in: in STATE_DIR, in the DynamoDB at DYNAMODB_ENDPOINT, or with --env on AWS.',
);

program
	.command('add')
	.description('registers a user, or replaces the one with that e-mail')
	.requiredOption('--email <address>', 'e-mail at the identity provider')
	.requiredOption('--id <number>', 'user id at the identity provider', positiveWhole)
	.requiredOption('--first-name <name>', 'first name, as the console shows it')
	.requiredOption('--last-name <name>', 'last name, as the console shows it')
	.requiredOption('--client-id <number>', 'client id at the identity provider', positiveWhole)
	.option('--auth-url <url>', 'the identity provider, instead of AUTH_URL')
	.option('--env <name>', `${envDescription}; AUTH_URL and IDP_TOKEN are then required`, environment)
	.action(add);

program
	.command('list')
	.description('lists the registered users')
	.option('--env <name>', envDescription, environment)
	.action(list);

program
	.command('remove')
	.description('removes a user')
	.argument('<email>', 'the e-mail that the user was registered with')
	.option('--env <name>', envDescription, environment)
	.action(remove);

program
	.command('role')
	.description('gives a person a role in a schema, also to somebody who never signed in')
	.argument('<email>', 'the e-mail of a person, also of one who never signed in')
	.addArgument(new Argument('<role>').choices(roles))
	.requiredOption('--schema <name>', 'the tenant')
	.option('--env <name>', envDescription, environment)
	.action(setRole);

await runTool(program);

/** Registers a user after the identity provider has confirmed that the id has the e-mail. */
async function add(input: unknown): Promise<void> {
	const { env, email, id, firstName, lastName, clientId, authUrl } = v.parse(addOptions, input);
	const settings = providerOf(env, authUrl);
	const userAtProvider = await createIdpClient(settings)
		.getUser(id)
		.catch((cause: unknown) => {
			const reason = messageOf(cause);
			throw new ConfigError(
				`The identity provider at ${settings.url} cannot be reached: start it, or set AUTH_URL. (${reason})`,
				{ cause },
			);
		});
	if (userAtProvider === null) throw new ConfigError(`The identity provider knows no user ${id}.`);
	if (normalizeEmail(userAtProvider.email) !== normalizeEmail(email))
		throw new ConfigError(`The identity provider has another e-mail for user ${id}: ${userAtProvider.email}.`);
	await withStores({ environment: env }, ({ users }) => users.put({ id, email, firstName, lastName, clientId }));
	print(`${pc.green('added')} ${email}: user ${id}, client ${clientId}`);
}

/** @throws ConfigError when the identity provider of an environment on AWS is not set */
function providerOf(env: string | undefined, authUrl: string | undefined): IdpSettings {
	const local = env === undefined ? readLocalSettings() : undefined;
	const { AUTH_URL, IDP_TOKEN, IDP_TIMEOUT_MS } = local ?? readConfig(providerSchema);
	// The service on this machine has an identity provider of its own, for demonstrations.
	const demoUrl = local && `http://127.0.0.1:${local.PORT}/idp`;
	const url = authUrl ?? AUTH_URL ?? demoUrl;
	if (url === undefined || IDP_TOKEN === undefined)
		throw new ConfigError(
			`The identity provider of ${env} confirms users: set AUTH_URL to its address, and IDP_TOKEN to the service's token there.`,
		);
	return { url, token: staticSecret(IDP_TOKEN), timeoutMs: IDP_TIMEOUT_MS };
}

async function list(input: unknown): Promise<void> {
	const users = await withStores({ environment: v.parse(locationOptions, input).env }, (stores) => stores.users.list());
	for (const { id, email, firstName, lastName, clientId } of users)
		print(`${email}  ${pc.dim(`user ${id}, client ${clientId}, ${firstName} ${lastName}`)}`);
	print(pluralize(users.length, 'user'));
}

async function setRole(email: string, role: string, input: unknown): Promise<void> {
	const { env, schema } = v.parse(roleOptions, input);
	const newRole = v.parse(v.picklist(roles), role);
	const outcome = await withStores({ environment: env }, ({ people }) =>
		people.setRole(schema, email, newRole, { origin: toolOrigin('user role'), at: Date.now(), session: null }),
	);
	if (outcome === 'no_such_person')
		throw new ConfigError(`${email} never signed in to ${schema}: a person of an OpenID provider is known from then on.`);
	if (typeof outcome === 'object' && 'granted' in outcome)
		throw new ConfigError(
			`The grants of the provider give ${email} the role ${outcome.granted}: ${toolCommand('grant')} add and remove change them.`,
		);
	print(`${pc.green('set')} ${email}: ${role} of ${schema}, from the next request that changes something`);
}

async function remove(email: string, input: unknown): Promise<void> {
	const { env } = v.parse(locationOptions, input);
	const wasRegistered = await withStores({ environment: env }, ({ users }) => users.remove(email));
	const listCommand = `${toolCommand('user')} list${env === undefined ? '' : ` --env ${env}`}`;
	if (!wasRegistered) throw new ConfigError(`There is no user ${email}; ${listCommand} shows them.`);
	print(`${pc.green('removed')} ${email}: tokens already issued stay valid until they expire`);
}
