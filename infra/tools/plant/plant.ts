import { Command } from 'commander';
import * as v from 'valibot';
import { filledText, httpAddress, whole } from '#infra/cli/options.ts';
import { print, printLines } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { ConfigError, readConfig } from '#shared/config.ts';
import { apply, type ChangeOptions, plan, pull } from './commands.ts';
import { openSession, type PlantCredentials, type Session } from './session.ts';

/** The days before now that a plan is tried on. */
const defaultDays = 30;

const commonSchema = v.object({ url: v.instance(URL), json: v.boolean() });
const planSchema = v.object({
	...commonSchema.entries,
	days: v.number(),
	delete: v.optional(v.number()),
	schema: v.optional(v.string()),
});
const applySchema = v.object({ ...planSchema.entries, yes: v.boolean() });

const environmentSchema = v.object({
	CAUDAL_CLIENT_ID: v.optional(v.string()),
	CAUDAL_CLIENT_SECRET: v.optional(v.string()),
	CAUDAL_TOKEN: v.optional(v.string()),
});

/** `npm run plant -- pull|plan|apply FILE --url URL`, and `npx caudal-plant`: a plant as a file (infra/tools/plant/README.md). */
const program = new Command('plant').description(
	'Writes a plant’s definitions to a file, says what a file would change in a plant, and changes it. Signs in with CAUDAL_CLIENT_ID and CAUDAL_CLIENT_SECRET, or with CAUDAL_TOKEN. Exits with 2 where there is something to do.',
);

withAddress(program.command('pull'))
	.description('writes the plant to a file')
	.action(async (file: string, input: unknown) => {
		const options = v.parse(commonSchema, input);
		process.exitCode = await pull(sessionOf(options), file, options);
	});

withChanges(program.command('plan'))
	.description(
		'says what apply would do, field by field, and what it does to numbers; exits with 2 where there is something to do',
	)
	.action(async (file: string, input: unknown) => {
		const options = v.parse(planSchema, input);
		process.exitCode = await plan(sessionOf(options), file, changesOf(options));
	});

withChanges(program.command('apply'))
	.description('plans, asks, and makes the plant as the file says; may be interrupted and run again')
	.option('--yes', 'does not ask', false)
	.action(async (file: string, input: unknown) => {
		const options = v.parse(applySchema, input);
		process.exitCode = await apply(sessionOf(options), file, { ...changesOf(options), yes: options.yes });
	});

program
	.command('file-schema')
	.description('prints the JSON Schema of the file, for editors')
	// Loads the description of the whole API, which no other command needs.
	.action(async () => printLines((await import('./file-schema.ts')).fileSchemaText().trimEnd()));

await runTool(program);

/** Adds what every command that reaches a service needs. */
function withAddress(command: Command): Command {
	return command
		.argument('<file>', 'the file of the plant, JSON')
		.requiredOption('--url <address>', 'address of the service', httpAddress)
		.option('--json', 'prints JSON', false);
}

/** Adds the options of the commands that plan changes. */
function withChanges(command: Command): Command {
	return withAddress(command)
		.option('--days <number>', 'the days before now that changes are tried on', whole(1, 366), defaultDays)
		.option('--delete <number>', 'deletes what the file lacks, exactly so many items', whole(0, 100_000))
		.option('--schema <name>', 'the schema, where it is another one than the file was pulled from', filledText);
}

function changesOf(options: v.InferOutput<typeof planSchema>): ChangeOptions {
	const { days, schema = null, json } = options;
	return { days, schema, json, deletions: options.delete ?? null };
}

function sessionOf({ url }: { readonly url: URL }): Session {
	return openSession({
		url,
		credentials: credentialsOf(readConfig(environmentSchema)),
		onRetry: (reason) => print(`Trying again: ${reason}`, process.stderr),
	});
}

function credentialsOf(env: v.InferOutput<typeof environmentSchema>): PlantCredentials {
	const { CAUDAL_CLIENT_ID: clientId, CAUDAL_CLIENT_SECRET: clientSecret, CAUDAL_TOKEN: token } = env;
	if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
	if (token !== undefined) return { token };
	throw new ConfigError('Set CAUDAL_CLIENT_ID and CAUDAL_CLIENT_SECRET (a machine), or CAUDAL_TOKEN (a person).');
}
