import { Command } from 'commander';
import * as v from 'valibot';
import { environment, filledText, positiveWhole } from '#infra/cli/options.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { ConfigError } from '#shared/config.ts';
import { type StoreLocation, withStores } from '../stores.ts';
import { checkSchema } from './check.ts';
import { exportSchema } from './export.ts';
import { listOwners, showOwners } from './owner.ts';

const optionsSchema = v.object({
	schema: v.string(),
	env: v.optional(v.string()),
	variablesTable: v.optional(v.string()),
	boardsTable: v.optional(v.string()),
	panelsTable: v.optional(v.string()),
	out: v.optional(v.string()),
	repair: v.optional(v.boolean(), false),
});

const ownerOptionsSchema = v.object({
	schema: v.optional(v.string()),
	database: v.optional(v.string()),
	set: v.optional(v.number()),
	env: v.optional(v.string()),
});

/** `npm run schema -- export|check|owner`: backup and repair of one schema, and to whom schemas belong. */
const program = new Command('schema').description(
	'Exports or checks a schema, or sets its owner: in STATE_DIR, in the DynamoDB at DYNAMODB_ENDPOINT, or with --env on AWS. The service may be running.',
);

withLocation(program.command('export'))
	.description('writes variables, boards and panel as JSON (use npm run -s when standard output goes to a file)')
	.option('--out <file>', 'the file to write, instead of standard output', filledText)
	.action(async (input: unknown) => {
		const options = v.parse(optionsSchema, input);
		announce(options.schema);
		await withStores(locationOf(options), ({ store }) => exportSchema(store, options.schema, options.out));
	});

withLocation(program.command('check'))
	.description('reports wrong references and counters and unfinished deletions; exits with 1 when any is left')
	.option('--repair', 'repairs what it can; may be interrupted and run again', false)
	.action(async (input: unknown) => {
		const options = v.parse(optionsSchema, input);
		announce(options.schema);
		process.exitCode = await withStores(locationOf(options), ({ store }) => checkSchema(store, options.schema, options.repair));
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
		const names = [
			...(schema === undefined ? [] : [{ kind: 'schema', name: schema } as const]),
			...(database === undefined ? [] : [{ kind: 'database', name: database } as const]),
		];
		await withStores({ environment: env }, (stores) =>
			names.length === 0 ? listOwners(stores) : showOwners(stores, names, set),
		);
	});

await runTool(program);

/** Adds the options that name a schema and where it is stored. */
function withLocation(command: Command): Command {
	return command
		.requiredOption('--schema <name>', 'the schema', filledText)
		.option('--env <name>', 'an environment on AWS, instead of the service in STATE_DIR', environment)
		.option('--variables-table <name>', 'with --env: the table of variables, restored under another name', filledText)
		.option('--boards-table <name>', 'with --env: the table of boards, likewise', filledText)
		.option('--panels-table <name>', 'with --env: the table of panels, likewise', filledText);
}

/** Tells a person at a terminal that rows are being read, which takes seconds for a large schema. */
function announce(schema: string): void {
	if (process.stderr.isTTY) process.stderr.write(`Reading schema ${schema} …\n`);
}

/** @throws ConfigError when tables are named without an environment */
function locationOf(options: v.InferOutput<typeof optionsSchema>): StoreLocation {
	const { env, variablesTable: variables, boardsTable: boards, panelsTable: panels } = options;
	const tables = {
		...(variables === undefined ? {} : { variables }),
		...(boards === undefined ? {} : { boards }),
		...(panels === undefined ? {} : { panels }),
	};
	if (env === undefined && Object.keys(tables).length > 0)
		throw new ConfigError('Only an environment on AWS has named tables: give it too, with --env.');
	return { environment: env, tables };
}
