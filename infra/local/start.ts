import { inspect } from 'node:util';
import { DomainError } from '#domain/errors.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { print, printLines } from '#infra/cli/print.ts';
import { ConfigError } from '#shared/config.ts';
import { pathOf } from '#shared/contract.ts';
import { createConsoleLog } from './console-log.ts';
import { demoToken } from './demo/demo-token.ts';
import { plantA } from './demo/idp.ts';
import { writePath } from './influx-write-api/write-api.ts';
import { type LocalServer, startLocalServer } from './server.ts';
import { type LocalSettings, memoryState, readLocalSettings } from './wiring/settings.ts';

const pc = coloursFor(process.stdout);

/** How often `--attached` looks whether the parent process still runs. */
const parentCheckMs = 250;

/** `npm start`: runs the whole service on this machine until SIGINT or SIGTERM; with --attached, it also stops when its parent ends. */
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
	printLines(await banner(local.baseUrl, settings));
	for (const schema of await schemasWithoutAdministrator(local.service))
		print(`${schema} has no administrator, who sets roles: npm run user -- role E-MAIL administrator --schema ${schema}`);
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

/** Returns the text that `npm start` prints: the addresses, a token, and a curl command that reads the plant. */
async function banner(baseUrl: string, settings: LocalSettings): Promise<string> {
	const token = settings.hasDemoIdp ? await demoToken(baseUrl) : null;
	const state = settings.STATE_DIR === memoryState ? 'in memory: lost when the service stops' : settings.STATE_DIR;
	const lines = [
		'',
		`${pc.bold('Caudal')} is running on ${pc.cyan(baseUrl)}`,
		'',
		`  console            ${baseUrl}${pathOf('console')}`,
		`  API                ${baseUrl}`,
		...(settings.PUBLIC_DOCS === 'on' ? [`  to try it          ${baseUrl}${pathOf('docs')}`] : []),
		...(settings.hasDemoIdp || settings.AUTH_URL !== undefined
			? [`  identity provider  ${settings.AUTH_URL ?? `${baseUrl}/idp  (demo)`}`]
			: []),
		...settings.openIdProviders.map(({ name, issuer }) => `  sign-in by ${name.padEnd(8)} ${issuer}`),
		`  series write API   ${baseUrl}${writePath}  (token ${settings.WRITE_TOKEN})`,
		`  state              ${state}`,
		'',
	];
	if (token === null && settings.AUTH_URL === undefined) lines.push(`Sign in at ${baseUrl}${pathOf('console')}.`);
	else if (token === null) lines.push(`Sign in with POST ${baseUrl}${pathOf('loginSso')} (README.md, "A first reading").`);
	else
		lines.push(
			`A token of ${plantA.email}, schema ${plantA.schema}, for ${Math.round(settings.TOKEN_LIFETIME_SECONDS / 60)} minutes:`,
			'',
			pc.dim(token),
			'',
			'Paste this into another terminal to read the plant:',
			'',
			`curl -s -X POST ${baseUrl}${pathOf('multipleDataTsdb')} -H 'Content-Type: application/json' -d '{"ids":[1,2,3]}' -H 'Authorization: Bearer ${token}'`,
		);
	return [...lines, '', pc.dim('Stop with Ctrl+C.'), ''].join('\n');
}

/** Returns the schemas without an administrator, in which nobody may set roles: an earlier release stored no roles. */
async function schemasWithoutAdministrator({ owners, people }: LocalServer['service']): Promise<readonly string[]> {
	const schemas = (await owners.list()).flatMap(({ kind, name }) => (kind === 'schema' ? [name] : []));
	const lists = await Promise.all(schemas.map((schema) => people.list(schema)));
	return schemas.filter((_, index) => lists[index]?.every(({ role }) => role !== 'administrator'));
}

main().catch(fail);
