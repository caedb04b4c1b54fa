import * as v from 'valibot';
import { ConfigError, httpUrl, isOrigin, nonEmpty } from '#shared/config.ts';
import { endpoints } from '#shared/contract.ts';
import { environmentName } from '#shared/resource-names.ts';
import { tableNames } from '#shared/tables.ts';

function whole(min: number, max: number) {
	const message = `must be a whole number from ${min} to ${max}.`;
	return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

const origin = v.pipe(v.string(), v.check(isOrigin, 'must be an origin, such as https://dashboard.example.'));

const signingKeyName = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,30}$/, 'must be lower-case letters, digits and dashes.'));

/** Requests per second: the sustained rate, and the burst above it. */
const throttle = v.strictObject({ rate: whole(1, 10_000), burst: whole(1, 10_000) });

const endpointName = v.picklist(
	endpoints.map(({ name }) => name),
	'is not an endpoint.',
);
const tableName = v.picklist(tableNames, 'is not a table.');

/** The retention periods, in days, that CloudWatch Logs accepts. */
const retentionDays = [
	1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** The settings of one environment: an entry of `context.environments` in cdk.json (DESIGN.md section 9.5). */
const settingsSchema = v.strictObject({
	/** InfluxDB 2. Each database of the service is a bucket of this organization. */
	influxUrl: httpUrl,
	influxOrg: nonEmpty,
	influxTimeoutMs: v.optional(whole(1, 25_000), 8000),
	influxGzip: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'on'),
	/** The column that holds the topic. If it is a tag, `measurement` names the only measurement that is read. */
	topicColumn: v.optional(nonEmpty, '_measurement'),
	measurement: v.optional(nonEmpty),
	/** The identity provider. */
	authUrl: httpUrl,
	idpProductId: whole(1, Number.MAX_SAFE_INTEGER),
	idpTimeoutMs: v.optional(whole(1, 25_000), 3000),
	/** Names of the keys that may sign tokens, oldest first. `npm run key -- activate` chooses the one that signs. */
	signingKeys: v.pipe(v.array(signingKeyName), v.minLength(1, 'must name a key.')),
	tokenAudience: v.optional(nonEmpty, 'caudal'),
	tokenLifetimeSeconds: v.optional(whole(60, 86_400), 3600),
	/** Origins whose pages may call the service with credentials. */
	corsOrigins: v.optional(v.array(origin), []),
	/** A custom domain name. Its certificate is in AWS Certificate Manager, in the stack's region. */
	domain: v.optional(v.strictObject({ name: nonEmpty, certificateArn: nonEmpty })),
	throttling: v.strictObject({ requests: throttle, signIn: throttle }),
	/** Reserved concurrency by endpoint. Functions that are not named share what the account has left. */
	reservedConcurrency: v.optional(v.record(endpointName, whole(1, 1000)), {}),
	/** E-mail addresses that receive alarms. */
	alarmEmails: v.optional(v.array(nonEmpty), []),
	logRetentionDays: v.picklist(retentionDays, 'must be a number of days that CloudWatch knows, such as 30 or 90.'),
	/** Keeps tables, keys, secrets and logs when their stack is destroyed, and protects the tables from deletion. */
	protected: v.boolean(),
	/** Tables that were restored from a backup. Functions use them instead of the stack's tables of those names. */
	restoredTables: v.optional(v.record(tableName, nonEmpty), {}),
});

const environmentsSchema = v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {});

/** The settings of an environment, with its name. */
export type Environment = v.InferOutput<typeof settingsSchema> & { readonly name: string };

/**
 * Reads the settings of the environment that `-c env=NAME` selects (default `dev`) from `context.environments` in cdk.json. The
 * command line overrides single settings: `-c influxUrl=https://…`.
 *
 * @param context reads one value of CDK's context
 * @throws ConfigError when the environment does not exist or settings are missing or wrong; the message names all of them
 * @example readEnvironment((key) => app.node.tryGetContext(key)).influxUrl // 'https://influxdb.example'
 */
export function readEnvironment(context: (key: string) => unknown): Environment {
	const environments = new Map(Object.entries(v.parse(environmentsSchema, context('environments'))));
	const name = String(context('env') ?? 'dev');
	const settings = environmentName.test(name) ? environments.get(name) : undefined;
	if (settings === undefined)
		throw new ConfigError(
			`There is no environment ${name} in cdk.json, context.environments (${[...environments.keys()].join(', ')}). ` +
				'Choose one with -c env=NAME, or add one: lower-case letters and digits, at most 16.',
		);
	const overrides = Object.entries(settingsSchema.entries)
		.map(([key, schema]) => [key, parseOverride(schema, context(key))] as const)
		.filter(([, value]) => value !== undefined);
	const result = v.safeParse(settingsSchema, { ...settings, ...Object.fromEntries(overrides) }, { message: describeIssue });
	if (result.success) return { name, ...result.output };
	const lines = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'settings'} ${issue.message}`);
	throw new ConfigError(`Wrong settings of environment ${name} (cdk.json, context.environments.${name}): ${lines.join(' ')}`);
}

/** Returns the names of the URL settings that still have the example hosts of cdk.json. */
export function exampleUrls({ influxUrl, authUrl }: Environment): readonly string[] {
	return Object.entries({ influxUrl, authUrl }).flatMap(([name, url]) =>
		/(^|\.)example$/.test(new URL(url).hostname) ? [name] : [],
	);
}

/** Values from the command line are text. Text that is not a valid value of its setting is read as JSON. */
function parseOverride(schema: v.GenericSchema, value: unknown): unknown {
	if (typeof value !== 'string' || v.is(schema, value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

const typeNames = new Map([
	['Array', 'a list'],
	['Object', 'an object'],
	['boolean', 'true or false'],
	['string', 'text'],
]);

/** The message of an issue whose schema has none of its own. */
function describeIssue({ expected, received }: v.BaseIssue<unknown>): string {
	if (expected === 'never') return 'is not a setting: infra/aws/DEPLOYING.md lists them.';
	if (received === 'undefined') return 'is required.';
	return `must be ${typeNames.get(expected ?? '') ?? expected}.`;
}
