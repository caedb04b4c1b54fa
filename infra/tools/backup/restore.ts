import { Command } from 'commander';
import { coloursFor } from '#infra/cli/colours.ts';
import { filledText } from '#infra/cli/options.ts';
import { print } from '#infra/cli/print.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { localStateDirectory } from '../stores.ts';
import { restoreBackup } from './backups.ts';

const pc = coloursFor(process.stdout);

/** `npm run restore -- FOLDER`: puts a backup into STATE_DIR (infra/local/OPERATING.md#backup). */
const program = new Command('restore')
	.description(
		'Checks a backup and puts it into STATE_DIR, which no service may use meanwhile. The files that it replaces stay in a folder beside them. Sessions and links end.',
	)
	.argument('<folder>', 'a folder that backup made', filledText)
	.action(async (folder: string) => {
		const stateDirectory = localStateDirectory();
		const replaced = await restoreBackup(folder, stateDirectory, Date.now());
		print(`${pc.green('restored')} ${folder} into ${stateDirectory}`);
		if (replaced !== null) print(`What it replaced is in ${replaced}: delete it when all is well.`);
		print(
			'Sessions and links are over. Accounts, passwords, grants, roles and tokens are those of the backup: remove again what was removed since.',
		);
	});

await runTool(program);
