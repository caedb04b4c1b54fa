import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { openDynamo } from '#adapters/dynamo/dynamo-client.ts';
import { defaultJournalDays } from '#adapters/stored-change.ts';
import { demoTenants, demoUsers, startDemoIdp } from '#infra/local/demo/idp.ts';
import { demoIdpToken } from '#infra/local/wiring/settings.ts';
import { dynamoStores } from '#infra/local/wiring/stores.ts';
import { readConfig } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type TableName, tableNames } from '#shared/tables.ts';
import type { AlarmTarget } from '#test/e2e/target.ts';
import { runProgram } from '../process.ts';
import { awsEnvironment, awsSettings } from './aws.ts';
import { callAws } from './aws-query.ts';
import { influxd } from './influx.ts';
import { createBucket, createReadToken, type InfluxdAccess } from './influxd.ts';

const account = '000000000000';

/** The project's app, with stand-ins for the alarms that the emulator refuses. */
const app = 'node test/support/servers/emulated-app.ts';

/** The secret that a proxy in front of the service would send. */
export const proxySecret = 'secret-of-the-proxy';

const pathSchema = v.object({ PATH: v.optional(v.string(), '') });
const orgSchema = v.object({ id: v.string() });

/** The service, deployed on the emulator. */
export interface Cloud extends AlarmTarget {
	/** The address that tokens name as their issuer. */
	readonly issuer: string;
	/** Synthesizes the project's app, which bundles all functions, with this deployment's settings and those of `args`. */
	synthesize(...args: readonly string[]): Promise<string>;
	/** Runs CDK's command line on the stacks that were synthesized last. Resolves to its output. */
	cdk(...args: readonly string[]): Promise<string>;
	/** Deploys the stacks that were synthesized last, and updates `baseUrl` and `issuer`. Resolves to CDK's output. */
	deploy(): Promise<string>;
	/** Does what an operator does once after the first deployment: sets secrets, publishes a signing key, adds users. */
	prepare(): Promise<void>;
}

/** Deploys every stack to the emulator as a user would, with test data in InfluxDB and the demo's identity provider. */
export async function openCloud(environment: string): Promise<Cloud> {
	const names = resourceNames(environment);
	const idp = await startDemoIdp(demoIdpToken);
	const series = await openSeries();
	const output = mkdtempSync(join(tmpdir(), 'caudal-cdk-'));
	const [canaryUser] = demoTenants;
	const canary = { email: canaryUser.email, schemaName: canaryUser.schema, tsdbName: canaryUser.database };
	const settings = {
		env: environment,
		influxUrl: series.url,
		influxOrg: series.org,
		authUrl: idp.url,
		canary: JSON.stringify(canary),
		trustedProxy: JSON.stringify({ header: 'x-origin-verify' }),
		// The emulator has no CodeDeploy.
		gradualTraffic: 'false',
	};
	const context = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	let baseUrl = '';
	let issuer = '';

	const runCdk = (...args: readonly string[]): Promise<string> => runOnEmulator('node_modules/aws-cdk/bin/cdk', args);
	const cdk = (...args: readonly string[]): Promise<string> => runCdk(...args, '--app', output);
	const synthesize = (...args: readonly string[]): Promise<string> =>
		runCdk('synth', '--quiet', '--app', app, '--output', output, ...context, ...args);

	const deploy = async (): Promise<string> => {
		const printed = await cdk('deploy', '--all', '--require-approval', 'never');
		const urlOf = (name: string): string => {
			const [, url] = new RegExp(`${name} = (http\\S+)`).exec(printed) ?? [];
			if (url === undefined) throw new Error(`CDK printed no ${name}:\n${printed}`);
			return url;
		};
		baseUrl = urlOf('ServiceUrl');
		issuer = urlOf('IssuerUrl');
		return printed;
	};

	const prepare = async (): Promise<void> => {
		const secrets = new SecretsManagerClient(awsSettings());
		const put = (SecretId: string, SecretString: string) => secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
		await put(names.secrets.influxToken, await createReadToken(series));
		await put(names.secrets.idpToken, demoIdpToken);
		await put(names.secrets.canaryToken, canaryUser.tokenApps);
		await put(names.secrets.proxySecret, proxySecret);
		secrets.destroy();
		await runOnEmulator('infra/tools/key/key.ts', ['publish', 'first', '--env', environment]);
		await runOnEmulator('infra/tools/key/key.ts', ['activate', 'first', '--env', environment]);
		for (const { email, userId, firstName, lastName, clientId } of demoUsers)
			await runOnEmulator(
				'infra/tools/user.ts',
				[
					...['add', '--env', environment, '--email', email, '--id', String(userId)],
					...['--first-name', firstName, '--last-name', lastName, '--client-id', String(clientId)],
				],
				{ AUTH_URL: idp.url, IDP_TOKEN: demoIdpToken },
			);
	};

	const dynamo = openDynamo(awsSettings());
	const { alarms, people } = dynamoStores(dynamo, deployedTables(names), defaultJournalDays);
	await runCdk('bootstrap', `aws://${account}/${awsSettings().region}`);
	// The policy of CDK's bucket refuses requests without TLS, and the emulator has no TLS.
	await callAws('s3', 'DELETE', `/cdk-hnb659fds-assets-${account}-${awsSettings().region}?policy`);
	await synthesize();
	await deploy();
	await prepare();
	return {
		get baseUrl() {
			return baseUrl;
		},
		get issuer() {
			return issuer;
		},
		feed: async (database, lines) => {
			const query = new URLSearchParams({ org: series.org, bucket: database, precision: 'ms' });
			const response = await fetch(`${series.url}/api/v2/write?${query}`, {
				method: 'POST',
				headers: { authorization: `Token ${series.token}` },
				body: lines,
			});
			if (response.status !== 204) throw new Error(`Write to ${database}: ${response.status} ${await response.text()}`);
		},
		synthesize,
		cdk,
		deploy,
		prepare,
		alarms,
		people,
		close: async () => {
			dynamo.close();
			idp.close();
			rmSync(output, { recursive: true, force: true });
		},
	};
}

/**
 * Runs a program of the project against the emulator. Resolves to its output.
 *
 * @throws Error with the output when the program fails
 */
export async function runOnEmulator(
	file: string,
	args: readonly string[],
	environment: Readonly<Record<string, string>> = {},
): Promise<string> {
	// CDK runs the app with the first node on the PATH.
	const PATH = `${dirname(process.execPath)}${delimiter}${readConfig(pathSchema).PATH}`;
	const program = runProgram(file, args, { HOME: homedir(), PATH, ...awsEnvironment(), ...environment });
	const ended = await program.ended;
	if (ended !== 0) throw new Error(`${file} ended with ${ended}:\n${program.output()}`);
	return program.output();
}

/** The names of the deployed tables. */
const deployedTables = ({ table }: ReturnType<typeof resourceNames>): Readonly<Record<TableName, string>> =>
	Object.fromEntries(tableNames.map((name) => [name, table(name)])) as Record<TableName, string>;

/** Creates an organization in the integration tests' InfluxDB, with a bucket for each demo tenant. */
async function openSeries(): Promise<InfluxdAccess> {
	const { url, token } = influxd();
	const org = `cloud-${crypto.randomUUID()}`;
	const response = await fetch(`${url}/api/v2/orgs`, {
		method: 'POST',
		headers: { authorization: `Token ${token}` },
		body: JSON.stringify({ name: org }),
	});
	const access = { url, token, org, orgId: v.parse(orgSchema, await response.json()).id };
	for (const { database } of demoTenants) await createBucket(access, database);
	return access;
}
