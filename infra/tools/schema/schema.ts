import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import * as v from 'valibot';
import { unownedSchemas } from '#domain/access/own-tenant.ts';
import { type OwnedName, unreadableOwner } from '#domain/ports/owners.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment, filledText, personId, positiveWhole, pseudonym } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import type { Stores } from '#infra/local/wiring/stores.ts';
import { ConfigError } from '#shared/config.ts';
import { type StoreLocation, withLocalStores, withStores } from '../stores.ts';
import { checkSchema } from './check.ts';
import { checkAllSchemas } from './check-all.ts';
import { ownerText } from './database-owners.ts';
import { erasePerson } from './erase-person.ts';
import { bindSchema, stopSchema, switchReports } from './evaluation.ts';
import { exportSchema } from './export.ts';
import { importSchema, readExport } from './import.ts';
import { setOwner } from './owner.ts';

const pc = coloursFor(process.stdout);

const optionsSchema = v.object({
	schema: v.string(),
	env: v.optional(v.string()),
	variablesTable: v.optional(v.string()),
	boardsTable: v.optional(v.string()),
	panelsTable: v.optional(v.string()),
	evaluationsTable: v.optional(v.string()),
	alarmStatesTable: v.optional(v.string()),
	alarmEventsTable: v.optional(v.string()),
	out: v.optional(v.string()),
	repair: v.optional(v.boolean(), false),
});

const importOptionsSchema = v.object({
	...optionsSchema.entries,
	schema: v.optional(v.string()),
	withoutRefusedDrawings: v.optional(v.boolean(), false),
});

const checkOptionsSchema = v.object({
	...optionsSchema.entries,
	schema: v.optional(v.string()),
	all: v.boolean(),
});

const bindOptionsSchema = v.object({ ...optionsSchema.entries, database: v.string() });

const eraseOptionsSchema = v.object({
	schema: v.string(),
	person: v.string(),
	as: v.optional(v.string()),
	erase: v.optional(v.boolean(), false),
	env: v.optional(v.string()),
});

const ownerOptionsSchema = v.object({
	schema: v.optional(v.string()),
	database: v.optional(v.string()),
	set: v.optional(v.number()),
	env: v.optional(v.string()),
});

/**
 * `npm run schema -- export|import|check|bind-alarms|stop-evaluation|stop-reports|start-reports|erase-person|owner`: backs up and repairs one
 * schema, starts and stops the evaluation of its alarms and the runs of its reports, erases people, and sets the owners of schemas.
 */
const program = new Command('schema').description(
	'Exports, imports or checks a schema, starts or ends the evaluation of its alarms or the runs of its reports, or sets its owner: in STATE_DIR, in the DynamoDB at DYNAMODB_ENDPOINT, or with --env on AWS. The service may be running.',
);

withLocation(program.command('export'))
	.description(
		'writes variables, boards, panel and states of alarms as JSON (use npm run -s when standard output goes to a file)',
	)
	.option('--out <file>', 'the file to write, instead of standard output', filledText)
	.action(async (input: unknown) => {
		const options = v.parse(optionsSchema, input);
		announceReading(options.schema);
		await withStores(locationOf(options), (stores) => exportSchema(stores, options.schema, options.out));
	});

withTables(program.command('import'))
	.argument('<file>', 'an export', filledText)
	.description('puts an export into an empty schema; may be interrupted and run again')
	.option('--schema <name>', 'the schema to import into, instead of the one that the file names', filledText)
	.option('--without-refused-drawings', 'leaves out the backgrounds of diagrams that a save refuses, and names them')
	.action(async (file: string, input: unknown) => {
		const options = v.parse(importOptionsSchema, input);
		const contents = await readExport(file, options);
		process.exitCode =
			contents === null ? 1 : await withStores(locationOf(options), (stores) => importSchema(stores, contents, Date.now));
	});

withTables(program.command('check'))
	.description(
		'reports wrong references and counters, unfinished deletions and lost states of alarms; exits with 1 when any is left',
	)
	.option('--schema <name>', 'the schema', filledText)
	.option('--all', 'every schema that has an owner or rows, with one line for each that has faults', false)
	.option('--repair', 'repairs what it can; may be interrupted and run again', false)
	.action(async (input: unknown) => {
		const { schema, all, ...options } = v.parse(checkOptionsSchema, input);
		if (all === (schema !== undefined)) throw new ConfigError('Name one schema with --schema, or check every one with --all.');
		if (schema !== undefined) announceReading(schema);
		process.exitCode = await withStores(locationOf(options), (stores) =>
			schema === undefined ? checkAllSchemas(stores, options) : checkSchema(stores, { ...options, schema }),
		);
	});

withLocation(program.command('bind-alarms'))
	.description('starts the evaluation of alarms that were saved before alarms were evaluated')
	.requiredOption('--database <name>', 'the time-series database that they are evaluated on', filledText)
	.action(async (input: unknown) => {
		const options = v.parse(bindOptionsSchema, input);
		const location = locationOf(options);
		await withStores(location, (stores) => bindSchema(stores, location, options.schema, options.database));
	});

withLocation(program.command('stop-evaluation'))
	.description('ends the evaluation of the alarms of a tenant that left')
	.action(async (input: unknown) => {
		const options = v.parse(optionsSchema, input);
		await withStores(locationOf(options), (stores) => stopSchema(stores, options.schema));
	});

withLocation(program.command('stop-reports'))
	.description('ends storing and sending the days of the reports of a tenant that left')
	.action(async (input: unknown) => {
		const options = v.parse(optionsSchema, input);
		await withStores(locationOf(options), (stores) => switchReports(stores, options.schema, 'stopped'));
	});

withLocation(program.command('start-reports'))
	.description('starts it again')
	.action(async (input: unknown) => {
		const options = v.parse(optionsSchema, input);
		await withStores(locationOf(options), (stores) => switchReports(stores, options.schema, 'started'));
	});

program
	.command('erase-person')
	.description(
		'replaces a person by a pseudonym in every row of a schema, and deletes the rows of the person; first it only counts',
	)
	.requiredOption('--schema <name>', 'the schema', filledText)
	.requiredOption('--person <person>', 'the e-mail of the person, or the id of one of an OpenID provider: person:…', personId)
	.option('--erase', 'does it; exits with 1 when something still names the person', false)
	.option('--as <pseudonym>', 'the pseudonym that an interrupted command printed', pseudonym)
	.option('--env <name>', 'an environment on AWS, instead of the service in STATE_DIR', environment)
	.action(async (input: unknown) => {
		const { env, ...options } = v.parse(eraseOptionsSchema, input);
		process.exitCode =
			env === undefined
				? await withLocalStores((stores) => erasePerson(stores, options))
				: await withStores({ environment: env }, (stores) => erasePerson(stores, options));
	});

program
	.command('owner')
	.description('shows or sets the client that a schema and its database belong to; without --schema, lists all')
	.option('--schema <name>', 'the schema', filledText)
	.option('--database <name>', 'its time-series database', filledText)
	.option('--set <client>', 'the id of the client at the identity provider', positiveWhole)
	.option('--env <name>', 'an environment on AWS, instead of the service in STATE_DIR', environment)
	.action(async (input: unknown) => {
		const { schema, database, set, env } = v.parse(ownerOptionsSchema, input);
		if (schema === undefined && (database !== undefined || set !== undefined))
			throw new ConfigError('Name the schema too, with --schema.');
		const ownedNames = [
			...(schema === undefined ? [] : [{ kind: 'schema', name: schema } as const]),
			...(database === undefined ? [] : [{ kind: 'database', name: database } as const]),
		];
		await withStores({ environment: env }, (stores) =>
			ownedNames.length === 0 ? listOwners(stores) : showOwners(stores, ownedNames, { newOwner: set }),
		);
	});

await runTool(program);

/** Adds the options that name a schema and where it is stored. */
function withLocation(command: Command): Command {
	return withTables(command.requiredOption('--schema <name>', 'the schema', filledText));
}

/**
 * Adds the options that name where schemas are stored. Tables that were restored can be named so that `check` repairs them before the
 * environment uses them (infra/aws/RUNBOOK.md): these are the ones that a repair writes to.
 */
function withTables(command: Command): Command {
	return command
		.option('--env <name>', 'an environment on AWS, instead of the service in STATE_DIR', environment)
		.option('--variables-table <name>', 'with --env: the table of variables, restored under another name', filledText)
		.option('--boards-table <name>', 'with --env: the table of boards, likewise', filledText)
		.option('--panels-table <name>', 'with --env: the table of panels, likewise', filledText)
		.option('--evaluations-table <name>', 'with --env: the table of evaluated schemas, likewise', filledText)
		.option('--alarm-states-table <name>', 'with --env: the table of states of alarms, likewise', filledText)
		.option('--alarm-events-table <name>', 'with --env: the journal of alarms, likewise', filledText);
}

/** Prints on a terminal that rows are being read, which takes seconds for a large schema. */
function announceReading(schema: string): void {
	if (process.stderr.isTTY) print(`Reading schema ${schema} …`, process.stderr);
}

/** @throws ConfigError when tables are named without an environment */
function locationOf(options: Omit<v.InferOutput<typeof optionsSchema>, 'schema'>): StoreLocation {
	const { env, variablesTable: variables, boardsTable: boards, panelsTable: panels } = options;
	const { evaluationsTable: evaluations, alarmStatesTable: alarmStates, alarmEventsTable: alarmEvents } = options;
	const tables = {
		...(variables === undefined ? {} : { variables }),
		...(boards === undefined ? {} : { boards }),
		...(panels === undefined ? {} : { panels }),
		...(evaluations === undefined ? {} : { evaluations }),
		...(alarmStates === undefined ? {} : { alarmStates }),
		...(alarmEvents === undefined ? {} : { alarmEvents }),
	};
	if (env === undefined && Object.keys(tables).length > 0)
		throw new ConfigError('Only an environment on AWS has named tables: give it too, with --env.');
	return { environment: env, tables };
}

/** Prints the owner of every schema and database, then the schemas that hold data and belong to nobody. */
async function listOwners({ owners, writtenSchemas }: Pick<Stores, 'owners' | 'writtenSchemas'>): Promise<void> {
	const [ownerships, unowned] = await Promise.all([owners.list(), unownedSchemas({ owners, writtenSchemas })]);
	for (const ownership of ownerships) print(ownerLine(ownership));
	for (const name of unowned) print(ownerLine({ kind: 'schema', name, clientId: null }));
	print(`${pluralize(ownerships.length, 'owner')}; ${pluralize(unowned.length, 'schema')} with data and without an owner.`);
	if (unowned.length > 0)
		print('A protected environment refuses sign-ins with these schemas until you set their owner: --schema S --set CLIENT.');
}

/** Sets the owner of the names when a new one is given, a client's id, then prints the owner of each. */
async function showOwners(
	stores: Stores,
	names: readonly OwnedName[],
	{ newOwner }: { readonly newOwner: number | undefined },
): Promise<void> {
	const ended =
		newOwner === undefined
			? 0
			: await setOwner(stores, names, newOwner, (ms) => {
					print('Set; ending the sessions of OpenID providers takes 30 s …');
					return sleep(ms);
				});
	for (const owned of names) print(ownerLine({ ...owned, clientId: await stores.owners.find(owned) }));
	if (ended > 0) print(`${pluralize(ended, 'session')} of OpenID providers ended; reads end with their tokens.`);
	if (newOwner !== undefined) print('Other tokens that another client has for it stay valid until they expire.');
}

/** A schema or a database, and the client that it belongs to; null: to nobody. */
type NameWithOwner = OwnedName & { readonly clientId: number | null };

function ownerLine({ kind, name, clientId }: NameWithOwner): string {
	const isClient = clientId !== null && clientId !== unreadableOwner;
	const words = ownerText(clientId);
	return `${kind} ${name}: ${isClient ? words : pc.yellow(words)}`;
}
