import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { digest, sessionIds } from '#adapters/session-ids.ts';
import { accountClaims, accountPersonId, accountsProvider, linkMs } from '#domain/identity/account.ts';
import { grantedTenants } from '#domain/identity/granted-tenants.ts';
import type { Account } from '#domain/ports/accounts.ts';
import { maxEmailLength } from '#domain/validation/input-limits.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { filledText } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { toolCommand } from '#infra/cli/tool-command.ts';
import { consoleUrlOf, readLocalSettings } from '#infra/local/wiring/settings.ts';
import type { LocalStores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';
import { endSessionsNow } from '../end-sessions.ts';
import { localStateDirectory, withLocalStores } from '../stores.ts';

const pc = coloursFor(process.stdout);

const addOptions = v.object({ name: v.string(), group: v.optional(v.array(v.string()), []) });

/** `caudal account add|list|link|disable|enable|remove`: the service's own accounts (shared/domain/identity/README.md#accounts). */
const program = new Command('account').description(
	'Manages the accounts with which people sign in where ACCOUNTS is on: in STATE_DIR. The service may be running.',
);

withEmail('add')
	.description('adds an account and prints a link to set its password, or changes the name and the groups of one')
	.requiredOption('--name <name>', 'the name of the person', filledText)
	.option('--group <group>', 'a group that grants look at; repeat it for several', addGroup)
	.action(add);

program.command('list').description('lists the accounts').action(list);

withEmail('link')
	.description('takes the password away, ends the sessions, and prints a link to set a new one: it lasts 72 h, and works once')
	.action((email: string) =>
		withAccounts(async (stores) => {
			await printNewLink(stores, email);
			print(await endSessionsOf(stores, email));
			const account = await stores.accounts.find(email);
			if (account?.isUnread === true) print(`it cannot be read: ${toolCommand('account')} add ${email} lets it use the link`);
			else if (account?.isDisabled === true)
				print(`it is disabled: ${toolCommand('account')} enable ${email} lets it use the link`);
			if (account?.secondFactor != null)
				print(`its second factor stays: ${toolCommand('account')} reset-second-factor ${email} takes it away, too`);
		}),
	);

withEmail('disable')
	.description('ends the sessions, and lets nobody in with the account until it is enabled')
	.action((email: string) => change(email, ({ accounts }) => accounts.setDisabled(email, true, Date.now())));

withEmail('enable')
	.description('lets a disabled account in again, with its password')
	.action((email: string) => change(email, ({ accounts }) => accounts.setDisabled(email, false, Date.now())));

withEmail('reset-second-factor')
	.description(
		'takes the second factor and the password away, for who lost it, ends the sessions, and prints a link to set both up again',
	)
	.action((email: string) =>
		withAccounts(async (stores) => {
			if (!(await stores.accounts.removeSecondFactor(email))) throw noAccount(email);
			await printNewLink(stores, email);
			print(await endSessionsOf(stores, email));
		}),
	);

withEmail('remove')
	.description('removes an account, and ends its sessions')
	.action((email: string) => change(email, ({ accounts }) => accounts.remove(email)));

await runTool(program);

function withEmail(name: string): Command {
	return program.command(name).argument('<email>', 'the e-mail to sign in with', emailAddress);
}

function emailAddress(text: string): string {
	if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > maxEmailLength)
		throw new InvalidArgumentError('It must be an e-mail address.');
	return text;
}

function addGroup(group: string, earlier: readonly string[] = []): readonly string[] {
	return [...earlier, filledText(group)];
}

async function add(email: string, input: unknown): Promise<void> {
	const { name, group: groups } = v.parse(addOptions, input);
	await withAccounts(async (stores) => {
		const outcome = await stores.accounts.put({ email, name, groups });
		if (outcome === 'added') await printNewLink(stores, email);
		else print(`${pc.green('changed')} ${email}; ${await endSessionsOf(stores, email)}`);
		const tenants = await tenantsOf(stores, { email, name, groups });
		if (tenants.length > 0) print(`grants let it into ${tenants.join(', ')}`);
		else
			print(
				`${pc.yellow('no grant lets it in yet')}: ${toolCommand('grant')} add ${accountsProvider} --where email=${email} --schema NAME --database NAME --owner NUMBER --role ROLE`,
			);
	});
}

/** Makes a link, which takes the password away, and prints it. */
async function printNewLink(stores: LocalStores, email: string): Promise<void> {
	const settings = readLocalSettings();
	const token = sessionIds.newSid();
	if (!(await stores.accounts.setLink(email, sessionIds.idOf(token), linkMs, Date.now()))) throw noAccount(email);
	print(`${email} sets a password at this address, once, within 72 h:`);
	print(`${consoleUrlOf(settings, settings.PORT)}#set-password=${token}`);
}

async function list(): Promise<void> {
	await withAccounts(async (stores) => {
		const accounts = await stores.accounts.list();
		for (const account of accounts) {
			const { email, name, groups } = account;
			const about = [name, ...groups.map((group) => `groups=${group}`), ...(await tenantsOf(stores, account))];
			print(`${email}  ${stateOf(account)}  ${pc.dim(about.join(', '))}`);
		}
		print(pluralize(accounts.length, 'account'));
	});
}

function stateOf({ passwordHash, linkUntil, isDisabled, isUnread, secondFactor }: Account): string {
	if (isUnread) return pc.yellow('cannot be read: add it again');
	if (isDisabled) return pc.yellow('disabled');
	if (passwordHash !== null) return secondFactor === null ? 'has a password' : 'has a password and a second factor';
	const isOpen = linkUntil !== null && linkUntil > Date.now();
	return isOpen ? `has a link until ${new Date(linkUntil).toISOString()}` : pc.yellow('its link is over');
}

/** Changes an account, and ends its sessions. @param work returns whether there is such an account */
async function change(email: string, work: (stores: LocalStores) => Promise<boolean>): Promise<void> {
	await withAccounts(async (stores) => {
		const isThere = await work(stores);
		// Also without an account: a removal may have been interrupted before this.
		const ended = await endSessionsOf(stores, email);
		if (!isThere) throw new ConfigError(`${noAccount(email).message} ${ended}`);
		print(`${pc.green('done')} ${email}; ${ended}`);
	});
}

/** Ends the sessions of an account after it was changed. A sign-in that is under way reads the account again when its session is stored. */
async function endSessionsOf(stores: LocalStores, email: string): Promise<string> {
	const person = accountPersonId(digest, email);
	const ended = await endSessionsNow(stores, (session) => session.person === person);
	return `${pluralize(ended, 'session')} ended; reads end with their tokens`;
}

/** Returns the tenants that grants let an account into, with the roles. */
async function tenantsOf(
	{ grants, owners }: LocalStores,
	account: Pick<Account, 'email' | 'name' | 'groups'>,
): Promise<readonly string[]> {
	const deps = { owners, reportTenantRefusal: () => undefined };
	const tenants = await grantedTenants(deps, await grants.list(accountsProvider), accountClaims(account));
	return tenants.map(({ schema, role }) => `${role} of ${schema}`);
}

async function withAccounts(work: (stores: LocalStores) => Promise<void>): Promise<void> {
	// Throws where the accounts are in no file.
	localStateDirectory();
	await withLocalStores(work);
	if (readLocalSettings().ACCOUNTS === 'off') print(pc.yellow('ACCOUNTS is not on here: the service must have ACCOUNTS=on.'));
}

function noAccount(email: string): ConfigError {
	return new ConfigError(`There is no account ${email}: ${toolCommand('account')} list shows them.`);
}
