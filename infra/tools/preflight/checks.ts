import { ResourceNotFoundException as TableNotFound } from '@aws-sdk/client-dynamodb';
import { DescribeSecretCommand, ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import { createSecretsManagerSecret } from '#adapters/aws/secrets-manager-secret.ts';
import { sdkErrorOf } from '#adapters/dynamo/send.ts';
import { createIdpClient } from '#adapters/idp-client.ts';
import { type Secret, SecretError } from '#adapters/secret.ts';
import { tokenFor } from '#adapters/token-by-address.ts';
import { DomainError, messageOf } from '#domain/errors.ts';
import type { Environment } from '#infra/aws/environment.ts';
import { awsErrorMessage } from '#infra/cli/aws-error-message.ts';
import type { CheckResult } from '#infra/cli/print-check.ts';
import { addressesOf, isPrefix } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { cannotSignMessage, commandLine, deployCommand } from '../key/messages.ts';
import { type KeySession, openSession } from '../key/session.ts';

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

/** Time limit of one request to InfluxDB or to the identity provider. */
const timeoutMs = 5000;

/** Checks that the secrets of an environment exist and that an operator has set them. */
export async function checkSecrets(settings: Environment): Promise<readonly CheckResult[]> {
	const client = new SecretsManagerClient(clientSettings({}, limits));
	const { name, authUrl, canary, trustedProxy } = settings;
	const { secrets } = resourceNames(name);
	const usedSecrets = [
		secrets.influxToken,
		...(authUrl === undefined ? [] : [secrets.idpToken]),
		...(canary ? [secrets.canaryToken] : []),
		...(trustedProxy?.header !== undefined ? [secrets.proxySecret] : []),
	];
	return Promise.all(
		usedSecrets.map(async (secretId) => {
			const state = await secretState(client, secretId);
			return { subject: `secret ${secretId}: ${state}`, missing: secretAdvice[state](name, secretId) };
		}),
	);
}

/** Returns what is missing before the secret of a provider's client is set. */
export async function missingOpenIdSecret(environment: string, provider: string): Promise<readonly string[]> {
	const client = new SecretsManagerClient(clientSettings({}, limits));
	const secretId = resourceNames(environment).openIdSecret(provider);
	return secretAdvice[await secretState(client, secretId)](environment, secretId);
}

/** `empty`: the stack has created it, but nobody has set its value. */
type SecretState = 'set' | 'empty' | 'missing';

/** What is missing, by the state of a secret. */
const secretAdvice: Readonly<Record<SecretState, (environment: string, secretId: string) => readonly string[]>> = {
	set: () => [],
	empty: (_environment, secretId) => [
		`Nobody has set it yet: aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file://token.txt`,
	],
	missing: (environment) => [
		`It does not exist yet: deploy its stack first (npx cdk deploy ${resourceNames(environment).stack('data')} -c env=${environment}).`,
	],
};

async function secretState(client: SecretsManagerClient, secretId: string): Promise<SecretState> {
	try {
		const { VersionIdsToStages: versions = {} } = await client.send(new DescribeSecretCommand({ SecretId: secretId }));
		// The stack creates a secret with one version of a random value. Setting it adds another.
		return Object.keys(versions).length > 1 ? 'set' : 'empty';
	} catch (error) {
		if (error instanceof ResourceNotFoundException) return 'missing';
		throw error;
	}
}

/** Checks that the signing keys of the settings exist, and that one of them is active and can sign. */
export async function checkKeys({ name, signingKeys, tokenLifetimeSeconds }: Environment): Promise<CheckResult> {
	const session = await openSession(name, tokenLifetimeSeconds * 1000);
	const absent = signingKeys.filter((key) => !session.aliases.has(key));
	const active = session.keys.find(({ kid }) => kid === session.ring.active);
	const [first = ''] = signingKeys;
	return {
		subject: `signing keys: ${active === undefined ? 'none is active' : `${active.name} is active`}`,
		missing: [
			...(absent.length > 0 ? [`There is no key ${absent.join(', ')} yet: ${deployCommand(name)}`] : []),
			...missingToSign(name, active, first),
		],
	};
}

/** Returns what is missing before tokens can be signed: an active key, or its repair. `first` is the key that the settings name first. */
function missingToSign(environment: string, active: KeySession['keys'][number] | undefined, first: string): readonly string[] {
	if (active === undefined)
		return [
			`Nobody can sign in: ${commandLine(environment, 'publish', first)}, then ${commandLine(environment, 'activate', first)}`,
		];
	return active.state === 'Enabled' ? [] : [cannotSignMessage(environment, active)];
}

/**
 * Checks that every schema with data belongs to a client. A protected environment refuses sign-ins with the others.
 * @param readUnowned returns the schemas that hold data and belong to nobody
 */
export async function checkOwners(
	{ name, protected: isProtected }: Pick<Environment, 'name' | 'protected'>,
	readUnowned: () => Promise<readonly string[]>,
): Promise<CheckResult> {
	try {
		const unowned = await readUnowned();
		const commands = unowned.map((schema) => `npm run schema -- owner --schema ${schema} --set CLIENT --env ${name}`);
		return {
			subject: `owners of schemas: ${unowned.length === 0 ? 'every schema with data has one' : `${unowned.join(', ')} without`}`,
			missing: isProtected ? commands.map((command) => `Sign-ins with it are refused until its client is set: ${command}`) : [],
			notes: isProtected ? [] : unowned.map((schema) => `${schema} will belong to the first client that signs in with it.`),
		};
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		if (sdkErrorOf(error.cause) instanceof TableNotFound)
			return { subject: 'owners of schemas: not known before the tables are deployed', missing: [] };
		return { subject: 'owners of schemas: not read', missing: [], notes: [awsErrorMessage(error) ?? messageOf(error)] };
	}
}

/**
 * Checks that each InfluxDB can be reached and, once its secret is set, that it accepts the token in the language of the settings. Notes the languages
 * that it speaks and, of several servers, the databases of each.
 */
export async function checkInflux(settings: Environment): Promise<readonly CheckResult[]> {
	const addresses = new Set(Object.values(addressesOf(settings.influxUrl)));
	return Promise.all([...addresses].map((address) => checkInfluxAt(address, settings)));
}

async function checkInfluxAt(address: string, settings: Environment): Promise<CheckResult> {
	const { name, influxLanguage } = settings;
	const spoken: string[] = [];
	const result = await checkServer(settings, {
		subject: `InfluxDB at ${address}`,
		url: `${address}/ping`,
		secretId: resourceNames(name).secrets.influxToken,
		mayBeTable: true,
		tryToken: async (secret) => {
			const token = tokenFor(secret, address);
			try {
				const [flux, influxql] = await Promise.all([tryFlux(address, settings, token), tryInfluxql(address, settings, token)]);
				if (flux === null) spoken.push('Flux');
				if (influxql === null) spoken.push('InfluxQL');
				return influxLanguage === 'flux' ? flux : influxql;
			} catch (error) {
				if (!(error instanceof SecretError)) throw error;
				return `gets no token. ${error.message}`;
			}
		},
	});
	const notes =
		spoken.length === 0 ? [] : [`It speaks ${spoken.join(' and ')} with this token; influxLanguage is ${influxLanguage}.`];
	return { ...result, notes: [...(result.notes ?? []), ...notes, ...databasesNote(address, settings)] };
}

/** Says which databases each of several servers holds. */
function databasesNote(address: string, { influxUrl }: Environment): readonly string[] {
	if (typeof influxUrl === 'string') return [];
	const entries = Object.keys(influxUrl).filter((entry) => influxUrl[entry] === address);
	const words = entries.map((entry) =>
		entry === '' ? 'all others' : isPrefix(entry) ? `those that begin with ${entry}` : entry,
	);
	return [`Its databases: ${words.join(', ')}.`];
}

/** Tries the token in Flux. Returns the problem as `CheckedServer.tryToken` does. */
async function tryFlux(address: string, { influxOrg = '' }: Environment, token: Secret): Promise<string | null> {
	const response = await fetch(`${address}/api/v2/query?${new URLSearchParams({ org: influxOrg })}`, {
		method: 'POST',
		headers: { authorization: `Token ${await token.value()}`, 'content-type': 'application/vnd.flux' },
		body: queryWithoutBucket,
		// The token must not go to another address.
		redirect: 'error',
		signal: AbortSignal.timeout(timeoutMs),
	});
	await response.body?.cancel();
	if (response.status === 401) return 'does not accept the token of its secret.';
	if (response.status === 400 || response.status === 404)
		return `knows no organization ${influxOrg}, or the token may not use it.`;
	return response.ok ? null : `answers a query with status ${response.status}.`;
}

/** Tries the secret in InfluxQL, likewise: on the path of InfluxDB 1 and 2, then on that of InfluxDB 3. */
async function tryInfluxql(address: string, { influxUser }: Environment, token: Secret): Promise<string | null> {
	const secret = await token.value();
	const q = 'SHOW DATABASES';
	const statusOf = async (path: string, headers: Readonly<Record<string, string>>, body: URLSearchParams | string) => {
		const signal = AbortSignal.timeout(timeoutMs);
		const response = await fetch(`${address}${path}`, { method: 'POST', headers, body, redirect: 'error', signal });
		await response.body?.cancel();
		return response.status;
	};
	const basic = `Basic ${Buffer.from(`${influxUser}:${secret}`).toString('base64')}`;
	const status = await statusOf('/query', { authorization: basic }, new URLSearchParams({ q }));
	if (status === 200) return null;
	if (status === 401) return `does not accept its secret as the password of ${influxUser}.`;
	const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
	const status3 = await statusOf('/api/v3/query_influxql', headers, JSON.stringify({ q, format: 'json' }));
	return status3 === 200 ? null : `answers a statement with status ${status}.`;
}

/** A Flux query that reads no bucket, so that it succeeds with every token of the organization. */
const queryWithoutBucket = 'import "array" array.from(rows: [{_value: 1}])';

/** Checks that the identity provider, if the settings name one, can be reached and, once its secret is set, that it accepts the token. */
export async function checkIdentityProvider(settings: Environment): Promise<readonly CheckResult[]> {
	const { name, authUrl } = settings;
	if (authUrl === undefined) return [];
	const result = await checkServer(settings, {
		subject: `the identity provider at ${authUrl}`,
		url: authUrl,
		secretId: resourceNames(name).secrets.idpToken,
		tryToken: async (token) => {
			try {
				await createIdpClient({ url: authUrl, token, timeoutMs }).getUser(idOfNobody);
				return null;
			} catch (error) {
				if (!(error instanceof DomainError)) throw error;
				return `fails: ${'cause' in error.payload ? error.payload.cause : error.message}.`;
			}
		},
	});
	return [result];
}

/** No user has this id. That the identity provider answers at all shows that it accepts the token. */
const idOfNobody = 0;

/** A server that the service depends on. */
interface CheckedServer {
	readonly subject: string;
	/** An address of it that answers without a token. */
	readonly url: string;
	readonly secretId: string;
	/** Whether the secret may hold tokens by address. */
	readonly mayBeTable?: boolean;
	/** Uses the token. Returns the problem, as the rest of a sentence that begins with `It`; null without one. */
	readonly tryToken: (token: Secret) => Promise<string | null>;
}

/**
 * Checks that a server can be reached, and that it accepts its token. With a VPC it may be reachable only from there, so an unreachable
 * server is then not reported as missing.
 */
async function checkServer(
	settings: Environment,
	{ subject, url, secretId, mayBeTable = false, tryToken }: CheckedServer,
): Promise<CheckResult> {
	const failure = await failureToReach(url);
	if (failure !== null) {
		const message = `It cannot be reached from this machine (${failure}): check its address in cdk.json and the network.`;
		const isPrivate = settings.vpc !== undefined;
		return {
			subject,
			missing: isPrivate ? [] : [message],
			notes: isPrivate ? [`${message} With vpc, the functions' network counts.`] : [],
		};
	}
	const client = new SecretsManagerClient(clientSettings({}, limits));
	if ((await secretState(client, secretId)) !== 'set') return { subject, missing: [], notes: ['Its token is not checked yet.'] };
	const problem = await tryToken(createSecretsManagerSecret({ secretId, mayBeTable }));
	return { subject, missing: problem === null ? [] : [`It ${problem}`] };
}

/** Returns why an address does not answer; null when it does, with any status. */
async function failureToReach(url: string): Promise<string | null> {
	try {
		const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
		await response.body?.cancel();
		return null;
	} catch (error) {
		return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
	}
}
