import { coloursFor } from '#infra/cli/colours.ts';
import { print } from '#infra/cli/print.ts';
import { type CheckResult, printCheck } from '#infra/cli/print-check.ts';
import { toolCommand } from '#infra/cli/tool-command.ts';
import { pathOf } from '#shared/contract.ts';
import { writePath } from './influx-write-api/write-api.ts';
import { createJsonLog } from './json-log.ts';
import { administratorCommand, runService, schemasWithoutAdministrator } from './run-service.ts';
import { type LocalServer, startLocalServer, waysToSignIn } from './server.ts';
import { tellServiceManager } from './service-manager.ts';
import { readProductionSettings, writeTokenPlace } from './wiring/production-settings.ts';

const pc = coloursFor(process.stdout);

/** `npm run serve`: runs the service in production, without anything of the demo, until SIGINT or SIGTERM. */
await runService(
	async () => {
		const settings = await readProductionSettings();
		return startLocalServer(settings, createJsonLog(settings.LOG_LEVEL));
	},
	async (local) => {
		await tellServiceManager();
		print(`${pc.bold('Caudal')} is running on ${pc.cyan(local.baseUrl)}, its state in ${local.settings.STATE_DIR}`);
		for (const result of await productionChecks(local)) printCheck(result, pc);
	},
);

/** Returns what a service in production has, and what it lacks. */
async function productionChecks(local: LocalServer): Promise<readonly CheckResult[]> {
	const { baseUrl, settings, service } = local;
	const { PUBLIC_URL, messageAddresses } = settings;
	const hasNoAddress = messageAddresses.length === 0;
	const schemas = await schemasWithoutAdministrator(service);
	return [
		{ subject: `sign-in by ${waysToSignIn(settings).join(', ')}`, missing: await signInFaults(local) },
		{
			subject: `administrators ${schemas.length === 0 ? 'of every schema' : 'of schemas'}`,
			missing: schemas.map((schema) => `${schema} has none, who sets roles: ${administratorCommand(schema, settings)}`),
		},
		{
			subject: `console at ${PUBLIC_URL ?? baseUrl}${pathOf('console')}`,
			missing: PUBLIC_URL === undefined ? [] : proxyFaults(PUBLIC_URL, settings.TRUSTED_PROXY_HOPS),
			notes: PUBLIC_URL === undefined ? ['PUBLIC_URL is not set: the service is for this machine only.'] : [],
		},
		{ subject: `series write API at ${baseUrl}${writePath}, its token in ${writeTokenPlace()}`, missing: [] },
		{
			subject: `messages about alarms ${hasNoAddress ? 'in this log' : `to ${messageAddresses.map(({ name }) => name).join(', ')}`}`,
			missing: [],
			notes: hasNoAddress ? ['NOTIFY_URL and NOTIFY_FILE are not set: nobody gets them.'] : [],
		},
	];
}

/** Returns what keeps out everybody whom grants have to let in. Who signs in with AUTH_URL needs none. */
async function signInFaults({ settings, service }: LocalServer): Promise<readonly string[]> {
	const { ACCOUNTS, AUTH_URL } = settings;
	const [accounts, grants] = await Promise.all([service.accounts.list(), service.grants.all()]);
	return [
		...(ACCOUNTS === 'on' && accounts.length === 0
			? [`There is no account: ${toolCommand('account')} add E-MAIL --name NAME --group GROUP`]
			: []),
		...(AUTH_URL === undefined && grants.length === 0
			? [
					`No grant lets anybody in: ${toolCommand('grant')} add PROVIDER --where CLAIM=VALUE --schema NAME --database NAME --owner NUMBER --role administrator`,
				]
			: []),
	];
}

/** Returns what is wrong with the way in which a proxy leads clients to the service. */
function proxyFaults(publicUrl: string, hops: number): readonly string[] {
	return [
		...(publicUrl.startsWith('https:') ? [] : ['PUBLIC_URL is not https: everybody on the way can read tokens.']),
		...(hops > 0
			? []
			: ['TRUSTED_PROXY_HOPS is 0: limits on sign-in count the proxy as one client. Behind one proxy, set it to 1.']),
	];
}
