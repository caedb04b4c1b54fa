import { DomainError } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { banner } from './banner.ts';
import { createConsoleLog } from './console-log.ts';
import { startLocalServer } from './server.ts';
import { readLocalSettings } from './wiring/settings.ts';

const parentCheckMs = 250;

/** `npm start`: runs the whole service on this machine until SIGINT or SIGTERM; with --attached, until its parent ends too. */
async function main(): Promise<void> {
	const settings = readLocalSettings();
	const local = await startLocalServer(settings, createConsoleLog());
	let stopping = false;
	const shutDown = (): void => {
		if (stopping) return;
		stopping = true;
		local.close().then(() => process.exit(0), fail);
	};
	process.on('SIGINT', shutDown);
	process.on('SIGTERM', shutDown);
	if (process.argv.includes('--attached')) onParentExit(shutDown);
	console.log(await banner(local.baseUrl, settings));
}

/**
 * Calls `stop` when the parent process has ended. npm starts programs through a shell, and a signal to npm alone ends only npm
 * and that shell.
 */
function onParentExit(stop: () => void): void {
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid !== parent) stop();
	}, parentCheckMs);
	timer.unref();
}

function fail(error: unknown): never {
	const isExpected = error instanceof ConfigError || error instanceof DomainError;
	console.error(isExpected ? `caudal: ${error.message}` : error);
	process.exit(1);
}

main().catch(fail);
