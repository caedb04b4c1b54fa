import { Command } from 'commander';
import * as v from 'valibot';
import { coloursFor } from '#infra/cli/colours.ts';
import { filledText, whole } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { localStateDirectory } from '../stores.ts';
import { makeBackup, pruneBackups } from './backups.ts';

const pc = coloursFor(process.stdout);

const optionsSchema = v.object({ keepDays: v.optional(v.number()) });

/** `npm run backup -- DIR`: copies the state of a service, which may be running (infra/local/OPERATING.md#backup). */
const program = new Command('backup')
	.description(
		'Copies STATE_DIR into a new folder of DIR: definitions and series as they are at one moment. The service may be running.',
	)
	.argument('<dir>', 'the folder of backups', filledText)
	.option('--keep-days <number>', 'deletes backups that are older, but never the newest', whole(1, 36_600))
	.action(async (directory: string, input: unknown) => {
		const { keepDays } = v.parse(optionsSchema, input);
		const now = Date.now();
		print(`${pc.green('made')} ${await makeBackup(localStateDirectory(), directory, now)}`);
		if (keepDays !== undefined) for (const name of pruneBackups(directory, keepDays, now)) print(`deleted ${name}`);
	});

await runTool(program);
