import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import * as v from 'valibot';
import { createIdpClient } from '../../shared/adapters/idp-client.ts';
import { ConfigError } from '../../shared/config.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import type { Users } from '../../shared/domain/ports/users.ts';
import { foldEmail } from '../../shared/domain/sign-in/sign-in.ts';
import { memoryState, readLocalSettings } from './settings.ts';
import { openState } from './state.ts';
import { openStores } from './stores.ts';

const positive = (text: string): number => {
	const value = Number(text);
	if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1)
		throw new InvalidArgumentError('Expected a positive whole number.');
	return value;
};

/** The users of the service's tables, for as long as `work` takes. */
const withUsers = async (work: (users: Users) => Promise<void>): Promise<void> => {
	const settings = readLocalSettings();
	const { STATE_DIR, DYNAMODB_ENDPOINT } = settings;
	if (STATE_DIR === memoryState && DYNAMODB_ENDPOINT === undefined)
		throw new ConfigError('STATE_DIR=memory keeps nothing: set it to the directory that the service uses.');
	const state = openState(STATE_DIR, false);
	try {
		const stores = await openStores(settings, state);
		try {
			await work(stores.users);
		} finally {
			stores.close();
		}
	} finally {
		state.close();
	}
};

const addOptions = v.object({
	email: v.string(),
	id: v.number(),
	firstName: v.string(),
	lastName: v.string(),
	clientId: v.number(),
	authUrl: v.optional(v.string()),
});

/** Registers a user, once the identity provider has confirmed that this id has this e-mail. */
const add = async (input: unknown): Promise<void> => {
	const { email, id, firstName, lastName, clientId, authUrl } = v.parse(addOptions, input);
	const settings = readLocalSettings();
	const url = authUrl ?? settings.AUTH_URL ?? `http://127.0.0.1:${settings.PORT}/idp`;
	const provider = createIdpClient({ url, token: settings.IDP_TOKEN, timeoutMs: settings.IDP_TIMEOUT_MS });
	const known = await provider.getUser(id).catch((error: unknown) => {
		const cause = error instanceof DomainError ? error.message : String(error);
		throw new ConfigError(`The identity provider at ${url} cannot be asked: start it, or set AUTH_URL. (${cause})`);
	});
	if (known === null) throw new ConfigError(`The identity provider knows no user ${id}.`);
	if (foldEmail(known.email) !== foldEmail(email))
		throw new ConfigError(`The identity provider has another e-mail for user ${id}: ${known.email}.`);
	await withUsers((users) => users.put({ id, email, firstName, lastName, clientId }));
	console.log(`${pc.green('added')} ${email}: user ${id}, client ${clientId}`);
};

const list = (): Promise<void> =>
	withUsers(async (users) => {
		const all = await users.list();
		for (const { id, email, firstName, lastName, clientId } of all)
			console.log(`${email}  ${pc.dim(`user ${id}, client ${clientId}, ${firstName} ${lastName}`)}`);
		console.log(`${all.length} ${all.length === 1 ? 'user' : 'users'}`);
	});

const remove = (email: string): Promise<void> =>
	withUsers(async (users) => {
		if (!(await users.remove(email))) throw new ConfigError(`There is no user ${email}; npm run user -- list shows them.`);
		console.log(`${pc.green('removed')} ${email}: tokens already given stay valid until they expire`);
	});

/** `npm run user -- add|list|remove`: who may sign in. */
const program = new Command('user').description('Registers who may sign in to the service in STATE_DIR.');
program
	.command('add')
	.description('registers a user, or replaces the one with that e-mail')
	.requiredOption('--email <address>', 'e-mail at the identity provider')
	.requiredOption('--id <number>', 'user id at the identity provider', positive)
	.requiredOption('--first-name <name>')
	.requiredOption('--last-name <name>')
	.requiredOption('--client-id <number>', 'client id at the identity provider', positive)
	.option('--auth-url <url>', 'the identity provider, instead of AUTH_URL')
	.action((options: unknown) => add(options));
program.command('list').description('lists the registered users').action(list);
program.command('remove').description('removes a user').argument('<email>').action(remove);

program.parseAsync().catch((error: unknown) => {
	console.error(error instanceof ConfigError ? `user: ${error.message}` : error);
	process.exit(1);
});
