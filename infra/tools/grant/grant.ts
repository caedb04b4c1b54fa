import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import * as v from 'valibot';
import { roles } from '#domain/access/role.ts';
import { absentClaims } from '#domain/identity/claims.ts';
import { grantWords } from '#domain/identity/grant-change.ts';
import { grantedTenants, lookedAtClaims } from '#domain/identity/granted-tenants.ts';
import { type Grant, grantSchema, meetsGrant } from '#domain/identity/grants.ts';
import { isProviderName } from '#domain/identity/provider-settings.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment, filledText, openIdPerson, positiveWhole } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { toolCommand } from '#infra/cli/tool-command.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';
import { endSessions, endSessionsNow } from '../end-sessions.ts';
import { withStores } from '../stores.ts';
import { addGrant, deleteGrant, type GrantKey, isOpenTo } from './changes.ts';
import { addClaim, readClaims } from './claims.ts';

const pc = coloursFor(process.stdout);

const { provider: _, ...grantEntries } = grantSchema.entries;
const locationOptions = v.object({ env: v.optional(v.string()) });
const addOptions = v.object({ ...locationOptions.entries, ...grantEntries });
const removeOptions = v.object({ ...locationOptions.entries, ...v.pick(grantSchema, ['where', 'schema', 'database']).entries });

/** `npm run grant -- add|list|remove|sign-out|try`: says whom an OpenID provider lets into which tenant (shared/domain/identity/README.md#grants). */
const program = new Command('grant').description(
	'Says whom an OpenID provider lets in: in STATE_DIR, in the DynamoDB at DYNAMODB_ENDPOINT, or with --env on AWS. The service may be running.',
);

withTenant(command('add'))
	.description('lets whoever has the claims into a tenant, from the next sign-in or renewal')
	.requiredOption('--owner <client>', 'the id of the client that the schema and the database belong to', positiveWhole)
	.addOption(new Option('--role <role>', 'what they may do there').choices(roles).makeOptionMandatory())
	.action(add);

command('list').description('lists the grants of a provider').action(list);

withTenant(command('remove'))
	.description('removes a grant, and ends the sessions of the provider that its tenant is open to; takes 30 s')
	.action(remove);

command('sign-out')
	.argument('<person>', 'the id of a person: person:…, which getPeople answers', openIdPerson)
	.description('ends the sessions of one person at once, who may sign in again with a grant')
	.action(signOut);

command('try')
	.argument('<file>', 'the claims of a person, as JSON', filledText)
	.description('says which grants let somebody with these claims in; exits with 1 when none does')
	.action(tryClaims);

await runTool(program);

/** Returns a new command about a provider. */
function command(name: string): Command {
	return program
		.command(name)
		.addArgument(new Argument('<provider>', 'its name in the settings').argParser(providerName))
		.option('--env <name>', 'an environment on AWS, instead of the service in STATE_DIR', environment);
}

/** Adds the options that tell grants of a provider apart. */
function withTenant(of: Command): Command {
	return of
		.requiredOption('--where <claim=value...>', 'claims that must all hold, at most 4', addClaim)
		.requiredOption('--schema <name>', 'the tenant', filledText)
		.requiredOption('--database <name>', 'its time-series database', filledText);
}

function providerName(text: string): string {
	if (!isProviderName(text)) throw new InvalidArgumentError('A provider is small letters, digits and dashes, at most 20.');
	return text;
}

async function add(provider: string, input: unknown): Promise<void> {
	const { env, ...options } = v.parse(addOptions, input);
	const grant = { provider, ...options };
	const context = { at: Date.now(), environment: environmentOption(env) };
	await withStores({ environment: env }, async (stores) => {
		const outcome = await addGrant(stores, grant, context);
		if (outcome === 'unchanged') print(`${grantLine(grant)} is stored already`);
		// Sessions keep the role that the grant gave before.
		else if (outcome === 'changed') await endSessionsAfter(`${pc.green('changed')} ${grantLine(grant)}`, stores, grant);
		else print(`${pc.green('added')} ${grantLine(grant)}, from the next sign-in or renewal`);
	});
}

async function list(provider: string, input: unknown): Promise<void> {
	const { env } = v.parse(locationOptions, input);
	const grants = await withStores({ environment: env }, (stores) => stores.grants.list(provider));
	for (const grant of grants) print(grantLine(grant));
	print(pluralize(grants.length, 'grant'));
}

async function remove(provider: string, input: unknown): Promise<void> {
	const { env, ...options } = v.parse(removeOptions, input);
	const grant = { provider, ...options };
	await withStores({ environment: env }, async (stores) => {
		if (!(await deleteGrant(stores, grant, Date.now())))
			throw new ConfigError(
				`There is no such grant; ${toolCommand('grant')} list ${provider}${environmentOption(env)} shows them. After a removal that was interrupted, add the grant and remove it again: that ends its sessions.`,
			);
		await endSessionsAfter(`${pc.green('removed')} ${grantWords(grant)}`, stores, grant);
	});
}

async function endSessionsAfter(change: string, stores: Stores, grant: GrantKey): Promise<void> {
	print(`${change}; ending sessions takes 30 s …`);
	print(endedLine(await endSessions(stores, isOpenTo(grant), sleep)));
}

function endedLine(sessions: number): string {
	return `${pluralize(sessions, 'session')} ended; reads end with their tokens`;
}

async function signOut(provider: string, person: string, input: unknown): Promise<void> {
	const { env } = v.parse(locationOptions, input);
	const ended = await withStores({ environment: env }, (stores) =>
		endSessionsNow(stores, (session) => session.person === person && session.provider === provider),
	);
	print(endedLine(ended));
}

async function tryClaims(provider: string, file: string, input: unknown): Promise<void> {
	const { env } = v.parse(locationOptions, input);
	const claims = await readClaims(file);
	await withStores({ environment: env }, async ({ grants, owners }) => {
		const stored = await grants.list(provider);
		const met = stored.filter((grant) => meetsGrant(grant, claims));
		for (const grant of met) print(`${pc.green('meets')} ${grantLine(grant)}`);
		const reportTenantRefusal = ({ schema, database }: Pick<Grant, 'schema' | 'database'>) =>
			print(pc.yellow(`${schema} or ${database} belongs to another client now: that grant does not count`));
		const tenants = await grantedTenants({ owners, reportTenantRefusal }, stored, claims);
		print(`${met.length} of ${pluralize(stored.length, 'grant')} let in, to ${pluralize(tenants.length, 'tenant')}`);
		if (tenants.length > 0) return;
		process.exitCode = 1;
		for (const [name, values] of Object.entries(lookedAtClaims(stored, claims)))
			print(`${name}: ${values.length === 0 ? pc.yellow(absenceOf(name, absentClaims(claims))) : values.join(', ')}`);
	});
}

/** Returns why a claim that grants look at has no value. */
function absenceOf(name: string, absent: readonly string[]): string {
	if (absent.includes(name)) return 'the provider left it out, because there are too many values';
	return name === 'email' ? 'no value, or email_verified is not true' : 'no value';
}

function grantLine(grant: Grant): string {
	const { schema, database, owner, role } = grant;
	return `${grantWords(grant)} ${pc.dim('→')} ${role} of ${schema} ${pc.dim(`(database ${database}, client ${owner})`)}`;
}

/** Returns the end of a command that the operator is told. */
function environmentOption(env: string | undefined): string {
	return env === undefined ? '' : ` --env ${env}`;
}
