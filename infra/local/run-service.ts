import { inspect } from 'node:util';
import { DomainError } from '#domain/errors.ts';
import { print, printLines } from '#infra/cli/print.ts';
import { toolCommand } from '#infra/cli/tool-command.ts';
import { ConfigError } from '#shared/config.ts';
import type { LocalServer } from './server.ts';
import { defaultStateDirectory, type LocalSettings } from './wiring/settings.ts';

/** How often `--attached` looks whether the parent process still runs. */
const parentCheckMs = 250;

/**
 * Runs a service until SIGINT or SIGTERM; with --attached, until its parent ends, too. A mistake of the operator is printed as one line, with
 * exit code 1.
 * @param start starts the service
 * @param greet prints what the operator should know of the running service
 */
export async function runService(start: () => Promise<LocalServer>, greet: (local: LocalServer) => Promise<void>): Promise<void> {
	try {
		const local = await start();
		let stopping = false;
		const shutDown = (): void => {
			if (stopping) return;
			stopping = true;
			local.close().then(() => process.exit(0), fail);
		};
		process.on('SIGINT', shutDown);
		process.on('SIGTERM', shutDown);
		if (process.argv.includes('--attached')) onParentExit(shutDown);
		await greet(local);
	} catch (error) {
		fail(error);
	}
}

/**
 * Returns the schemas in which nobody is an administrator, by a role or by a grant, so that nobody may set roles: an earlier release stored no
 * roles.
 */
export async function schemasWithoutAdministrator({
	owners,
	people,
	grants,
}: LocalServer['service']): Promise<readonly string[]> {
	const schemas = (await owners.list()).flatMap(({ kind, name }) => (kind === 'schema' ? [name] : []));
	const lists = await Promise.all(schemas.map((schema) => people.list(schema)));
	const granted = new Set((await grants.all()).flatMap(({ schema, role }) => (role === 'administrator' ? [schema] : [])));
	return schemas.filter((schema, index) => !granted.has(schema) && lists[index]?.every(({ role }) => role !== 'administrator'));
}

/** Returns what an operator types to give a schema its first administrator. */
export function administratorCommand(schema: string, { STATE_DIR }: Pick<LocalSettings, 'STATE_DIR'>): string {
	const state = STATE_DIR === defaultStateDirectory ? '' : `STATE_DIR=${quoted(STATE_DIR)} `;
	return `${state}${toolCommand('user')} role E-MAIL administrator --schema ${schema}`;
}

/** Returns a text as one word of a shell. */
function quoted(text: string): string {
	return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Calls `stop` when the parent process has ended. npm starts programs through a shell, and a signal to npm alone ends only npm
 * and that shell.
 */
function onParentExit(stop: () => void): void {
	const parent = process.ppid;
	const timer = setInterval(() => {
		// The parent of an orphan is another process.
		if (process.ppid !== parent) stop();
	}, parentCheckMs);
	timer.unref();
}

function fail(error: unknown): never {
	const isExpected = error instanceof ConfigError || error instanceof DomainError;
	if (isExpected) print(`caudal: ${error.message}`, process.stderr);
	else printLines(inspect(error), process.stderr);
	process.exit(1);
}
