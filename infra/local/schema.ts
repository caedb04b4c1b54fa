import { Command, InvalidArgumentError } from 'commander';
import pc from 'picocolors';
import * as v from 'valibot';
import { ConfigError } from '../../shared/config.ts';
import { DomainError } from '../../shared/domain/errors.ts';
import { checkAndSay } from './schema/check.ts';
import { exportSchema } from './schema/export.ts';
import { withStore } from './schema/open-store.ts';

const filledText = (text: string): string => {
	if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
	return text;
};

const exportOptions = v.object({ schema: v.string(), out: v.optional(v.string()) });
const checkOptions = v.object({ schema: v.string(), repair: v.boolean() });

/** `npm run schema -- export|check`: backup and repair of one schema. */
const program = new Command('schema').description(
	'Exports or checks a schema in STATE_DIR, or in the DynamoDB at DYNAMODB_ENDPOINT. The service may be running.',
);
program
	.command('export')
	.description('writes variables, boards and panel as JSON (use npm run -s where standard output goes to a file)')
	.requiredOption('--schema <name>', 'the schema', filledText)
	.option('--out <file>', 'the file to write, instead of standard output', filledText)
	.action(async (input: unknown) => {
		const { schema, out } = v.parse(exportOptions, input);
		await withStore((store) => exportSchema(store, schema, out));
	});
program
	.command('check')
	.description(
		'finds references to nothing, wrong usages, unfinished deletions and wrong counters; ends with 1 where any is left',
	)
	.requiredOption('--schema <name>', 'the schema', filledText)
	.option('--repair', 'mends what is found; may be interrupted and run again', false)
	.action(async (input: unknown) => {
		const { schema, repair } = v.parse(checkOptions, input);
		process.exitCode = await withStore((store) => checkAndSay(store, schema, repair));
	});

/** What an operator is told of a failure; a bug is told whole. */
const wordsOf = (error: unknown): string | null => {
	if (error instanceof ConfigError) return error.message;
	if (!(error instanceof DomainError)) return null;
	switch (error.code) {
		case 'write_contention':
			return 'The schema is written to all the time: run this again later.';
		case 'outcome_unknown':
			return `The store did not say whether it wrote (${error.message}): run this again, it goes on from there.`;
		case 'store_failed':
			return `The store failed (${error.message}): run this again, it goes on from there.`;
		default:
			return null;
	}
};

// A bar hides the cursor. Whatever was mended stays mended.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
	process.once(signal, () => {
		if (process.stderr.isTTY) process.stderr.write('\u001b[?25h\u001b[?7h\n');
		process.kill(process.pid, signal);
	});

try {
	await program.parseAsync();
} catch (error) {
	const words = wordsOf(error);
	if (words === null) throw error;
	process.stderr.write(`${pc.red(`schema: ${words}`)}\n`);
	process.exitCode = 1;
}
