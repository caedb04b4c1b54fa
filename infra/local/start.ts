import { coloursFor } from '#infra/cli/colours.ts';
import { print, printLines } from '#infra/cli/print.ts';
import { pathOf } from '#shared/contract.ts';
import { createConsoleLog } from './console-log.ts';
import { demoToken } from './demo/demo-token.ts';
import { plantA } from './demo/idp.ts';
import { writePath } from './influx-write-api/write-api.ts';
import { administratorCommand, runService, schemasWithoutAdministrator } from './run-service.ts';
import { startLocalServer } from './server.ts';
import { type LocalSettings, memoryState, readLocalSettings } from './wiring/settings.ts';

const pc = coloursFor(process.stdout);

/** `npm start`: runs the demo, or a trial with an identity provider of its own, until SIGINT or SIGTERM. Production is serve.ts. */
await runService(
	() => startLocalServer(readLocalSettings(), createConsoleLog()),
	async ({ baseUrl, settings, service }) => {
		printLines(await banner(baseUrl, settings));
		for (const schema of await schemasWithoutAdministrator(service))
			print(`${schema} has no administrator, who sets roles: ${administratorCommand(schema, settings)}`);
	},
);

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
