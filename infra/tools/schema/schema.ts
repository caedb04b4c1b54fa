import { Command } from 'commander';
import * as v from 'valibot';
import { environment, filledText } from '#infra/cli/options.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { ConfigError } from '#shared/config.ts';
import { type Where, withStores } from '../stores.ts';
import { checkAndSay } from './check.ts';
import { exportSchema } from './export.ts';

const whereOptions = v.object({
	schema: v.string(),
	env: v.optional(v.string()),
	variablesTable: v.optional(v.string()),
	boardsTable: v.optional(v.string()),
	panelsTable: v.optional(v.string()),
});

const exportOptions = v.object({ ...whereOptions.entries, out: v.optional(v.string()) });

const checkOptions = v.object({ ...whereOptions.entries, repair: v.boolean() });

/** The tables that options name. Throws ConfigError where they are no environment's. */
function whereOf({ env, variablesTable, boardsTable, panelsTable }: v.InferOutput<typeof whereOptions>): Where {
	const tables = {
		...(variablesTable === undefined ? {} : { variables: variablesTable }),
		...(boardsTable === undefined ? {} : { boards: boardsTable }),
		...(panelsTable === undefined ? {} : { panels: panelsTable }),
	};
	if (env === undefined && Object.keys(tables).length > 0)
		throw new ConfigError('A table has a name of its own on AWS only: give the environment too, with --env.');
	return { environment: env, tables };
}

/** The options that say which schema, and where. */
const withWhere = (command: Command): Command =>
	command
		.requiredOption('--schema <name>', 'the schema', filledText)
		.option('--env <name>', 'an environment on AWS, instead of the service in STATE_DIR', environment)
		.option(
			'--variables-table <name>',
			'with --env: the table of variables, where a backup was restored under another name',
			filledText,
		)
		.option('--boards-table <name>', 'with --env: the table of boards, likewise', filledText)
		.option('--panels-table <name>', 'with --env: the table of panels, likewise', filledText);

/** `npm run schema -- export|check`: backup and repair of one schema. */
const program = new Command('schema').description(
	'Exports or checks a schema: in STATE_DIR, in the DynamoDB at DYNAMODB_ENDPOINT, or with --env on AWS. The service may be running.',
);

withWhere(program.command('export'))
	.description('writes variables, boards and panel as JSON (use npm run -s where standard output goes to a file)')
	.option('--out <file>', 'the file to write, instead of standard output', filledText)
	.action(async (input: unknown) => {
		const options = v.parse(exportOptions, input);
		await withStores(whereOf(options), ({ store }) => exportSchema(store, options.schema, options.out));
	});

withWhere(program.command('check'))
	.description(
		'finds references to nothing, wrong usages, unfinished deletions and wrong counters; ends with 1 where any is left',
	)
	.option('--repair', 'mends what is found; may be interrupted and run again', false)
	.action(async (input: unknown) => {
		const options = v.parse(checkOptions, input);
		process.exitCode = await withStores(whereOf(options), ({ store }) => checkAndSay(store, options.schema, options.repair));
	});

// A bar hides the cursor. Whatever was mended stays mended.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
	process.once(signal, () => {
		if (process.stderr.isTTY) process.stderr.write('\u001b[?25h\u001b[?7h\n');
		process.kill(process.pid, signal);
	});

await runTool(program);
