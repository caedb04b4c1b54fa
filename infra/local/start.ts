import { ConfigError } from '#shared/config.ts';
import { banner } from './banner.ts';
import { createConsoleLog } from './console-log.ts';
import { startLocalServer } from './server.ts';
import { readLocalSettings } from './wiring/settings.ts';

/** How often the parent is looked for. */
const parentCheckMs = 250;

/**
 * Calls `stop` when the parent process is gone. npm starts programs through a shell, and a signal sent to npm alone ends npm
 * and that shell only.
 */
function onParentGone(stop: () => void): void {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid !== parent) stop();
	}, parentCheckMs);
	timer.unref();
}

/** `npm start`: the whole service on this machine, until SIGINT or SIGTERM; with --attached, until its parent ends too. */
async function main(): Promise<void> {
	const settings = readLocalSettings();
	const local = await startLocalServer(settings, createConsoleLog());
	let stopping = false;
	const shutDown = (): void => {
		if (stopping) return;
		stopping = true;
		local.close().then(
			() => process.exit(0),
			(error: unknown) => {
				console.error(error);
				process.exit(1);
			},
		);
	};
	process.on('SIGINT', shutDown);
	process.on('SIGTERM', shutDown);
	if (process.argv.includes('--attached')) onParentGone(shutDown);
	console.log(await banner(local.baseUrl, settings));
}

main().catch((error: unknown) => {
	console.error(error instanceof ConfigError ? `caudal: ${error.message}` : error);
	process.exit(1);
});
