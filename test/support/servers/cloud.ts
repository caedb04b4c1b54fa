import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as v from 'valibot';
import { demoTenants } from '#infra/local/demo/idp.ts';
import { startDemoIdp } from '#infra/local/demo/idp-server.ts';
import { demoIdpToken } from '#infra/local/wiring/settings.ts';
import { readConfig } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import type { Target } from '#test/e2e/target.ts';
import { type Program, run } from '../process.ts';
import { awsEnvironment, awsSettings } from './aws.ts';
import { askAws } from './aws-query.ts';
import { influxd } from './influx.ts';
import { createBucket, type InfluxdAccess } from './influxd.ts';

const account = '000000000000';

const pathSchema = v.object({ PATH: v.optional(v.string(), '') });

/** What programs need beside the emulator: CDK runs the app with the first node that it finds. */
const programEnvironment = (): Record<string, string> => ({
	HOME: homedir(),
	PATH: `${dirname(process.execPath)}${delimiter}${readConfig(pathSchema).PATH}`,
});

const done = async (program: Program): Promise<string> => {
	const ended = await program.ended;
	if (ended !== 0) throw new Error(`Ended with ${ended}:\n${program.printed()}`);
	return program.printed();
};

/** Runs a tool of the project against the emulator; resolves with what it printed, rejects where it fails. */
export const tool = (file: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<string> =>
	done(run(file, args, { ...programEnvironment(), ...awsEnvironment(), ...more }));

const orgSchema = v.object({ id: v.string() });

/** An organization of its own in the proofs' InfluxDB, with the demo tenants' buckets. */
const openSeries = async (): Promise<InfluxdAccess> => {
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
};

/** The service as it is deployed, on the emulator. */
export interface Cloud extends Target {
	/** What tokens name as their issuer. */
	readonly issuer: string;
	/** Runs CDK's CLI on the project's app, with this deployment's settings. */
	cdk(...args: readonly string[]): Promise<string>;
	/** Deploys everything, and finds where it is. */
	deploy(...more: readonly string[]): Promise<string>;
	/** What an operator does once after the first deployment: secrets, a signing key, users. */
	prepare(): Promise<void>;
}

/**
 * Deploys every stack to the emulator as a user would, with InfluxDB's series and the demo's identity provider, and does what the
 * README says has to be done once.
 */
export const openCloud = async (environment: string): Promise<Cloud> => {
	const names = resourceNames(environment);
	const idp = await startDemoIdp(demoIdpToken);
	const series = await openSeries();
	const output = mkdtempSync(join(tmpdir(), 'caudal-cdk-'));
	const settings = { env: environment, influxUrl: series.url, influxOrg: series.org, authUrl: idp.url };
	const context = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	let baseUrl = '';
	let issuer = '';

	const cdk = (...args: readonly string[]): Promise<string> =>
		tool('node_modules/aws-cdk/bin/cdk', [...args, '--output', output, ...context]);

	const deploy = async (...more: readonly string[]): Promise<string> => {
		const printed = await cdk('deploy', '--all', '--require-approval', 'never', ...more);
		const urlOf = (name: string): string => {
			const [, url] = new RegExp(`${name} = (http\\S+)`).exec(printed) ?? [];
			if (url === undefined) throw new Error(`No ${name} was printed:\n${printed}`);
			return url;
		};
		baseUrl = urlOf('ServiceUrl');
		issuer = urlOf('IssuerUrl');
		return printed;
	};

	const prepare = async (): Promise<void> => {
		const secrets = new SecretsManagerClient(awsSettings());
		const put = (SecretId: string, SecretString: string) => secrets.send(new PutSecretValueCommand({ SecretId, SecretString }));
		await put(names.secrets.influxToken, series.token);
		await put(names.secrets.idpToken, demoIdpToken);
		secrets.destroy();
		await tool('infra/tools/key/key.ts', ['publish', 'first', '--env', environment]);
		await tool('infra/tools/key/key.ts', ['activate', 'first', '--env', environment]);
		for (const { email, userId, firstName, lastName, clientId } of demoTenants)
			await tool(
				'infra/tools/user.ts',
				[
					...['add', '--env', environment, '--email', email, '--id', String(userId)],
					...['--first-name', firstName, '--last-name', lastName, '--client-id', String(clientId)],
				],
				{ AUTH_URL: idp.url, IDP_TOKEN: demoIdpToken },
			);
	};

	await tool('node_modules/aws-cdk/bin/cdk', [
		'bootstrap',
		`aws://${account}/${awsSettings().region}`,
		'--output',
		output,
		...context,
	]);
	// CDK's bucket refuses requests without TLS, which the emulator does not speak here.
	await askAws('s3', 'DELETE', `/cdk-hnb659fds-assets-${account}-${awsSettings().region}?policy`);
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
		cdk,
		deploy,
		prepare,
		close: async () => {
			idp.close();
			rmSync(output, { recursive: true, force: true });
		},
	};
};
