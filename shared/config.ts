import * as v from 'valibot';

/** Settings are missing or wrong. The message names each of them, and is shown without a stack. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/** Returns a schema for text that is a whole number from `min` to `max`; its output is the number. 15 digits are always a safe integer. */
export function wholeNumber(min: number, max: number) {
	const message = `must be a whole number from ${min} to ${max}.`;
	return v.pipe(
		v.string(),
		v.regex(/^\d{1,15}$/, message),
		v.transform(Number),
		v.minValue(min, message),
		v.maxValue(max, message),
	);
}

/** An http:// or https:// address without credentials; its output has no slash at the end. */
export const httpUrl = v.pipe(
	v.string(),
	v.check((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http:// or https:// address.'),
	v.check((text) => !(URL.parse(text)?.username || URL.parse(text)?.password), 'must hold no password.'),
	v.transform((text) => text.replace(/\/+$/, '')),
);

/** InfluxDB servers by the databases that each holds: by prefixes (`isPrefix`) and whole names. The longest entry that takes a database wins. */
export type InfluxAddresses = Readonly<Record<string, string>>;

/** Most characters of the addresses as JSON: the variables of a Lambda function hold 4 KB. */
const maxAddressesLength = 1500;

/** The addresses of several InfluxDB servers, by databases. */
const addressesByDatabase = v.pipe(
	v.record(v.string(), httpUrl),
	v.check((table) => Object.keys(table).length > 0, 'must name a server.'),
	v.check(
		(table) => JSON.stringify(table).length <= maxAddressesLength,
		`must have at most ${maxAddressesLength} characters as JSON: a function's variables hold 4 KB.`,
	),
);

/** The setting of InfluxDB: the address of the only server, or addresses by databases. */
export const influxAddress = v.lazy((input) =>
	typeof input === 'object' && !Array.isArray(input) ? addressesByDatabase : httpUrl,
);

/** Returns the addresses by databases of such a setting. */
export function addressesOf(setting: v.InferOutput<typeof influxAddress>): InfluxAddresses {
	return typeof setting === 'string' ? { '': setting } : setting;
}

/**
 * Whether an entry of the addresses is a prefix of databases: one that ends with a sign that separates, or "", which is all. Any other entry is the whole
 * name of one database, with its retention policies, so that `plant_a` never takes `plant_ab`.
 */
export function isPrefix(entry: string): boolean {
	return entry === '' || /[_./-]$/.test(entry);
}

/** The same setting as text: an address, or JSON. Its output is addresses by databases. */
const influxAddressText = v.pipe(
	v.lazy((input) =>
		typeof input === 'string' && input.startsWith('{')
			? v.pipe(v.string(), v.parseJson(undefined, 'must be an address or JSON.'), addressesByDatabase)
			: httpUrl,
	),
	v.transform(addressesOf),
);

/** Returns whether a text is a web origin, such as `https://dashboard.example`: no path, and no slash at the end. */
export function isOrigin(text: string): boolean {
	return URL.parse(text)?.origin === text;
}

/** Text that is not empty. */
export const nonEmpty = v.pipe(v.string(), v.nonEmpty('must not be empty.'));

/** The time limit of a dependency, in milliseconds: less than the 28 s that a function may run. */
const dependencyTimeoutMs = wholeNumber(1, 25_000);

/** The languages in which InfluxDB is asked. */
export const influxLanguage = v.picklist(['flux', 'influxql'], 'must be flux or influxql.');

/** The user whose password is the secret of InfluxDB, in InfluxQL. InfluxDB 2 and 3 take a token as the password of any user. */
export const defaultInfluxUser = 'caudal';

/** A message for the organization, which only InfluxQL does without: InfluxDB 1 has none. */
export const orgIsRequired = 'is required.';

/** Whether an organization is there, where it is needed. */
export function hasOrg({
	language,
	org,
}: {
	readonly language: v.InferOutput<typeof influxLanguage>;
	readonly org: string | undefined;
}): boolean {
	return language === 'influxql' || org !== undefined;
}

/**
 * Settings of an InfluxDB. In Flux, each tenant's database is a bucket of the organization (shared/adapters/influx/README.md); in InfluxQL it is a
 * database (shared/adapters/influxql/README.md#databases-and-users).
 */
export const influxSchema = v.object({
	INFLUX_URL: httpUrl,
	INFLUX_LANGUAGE: v.optional(influxLanguage, 'flux'),
	INFLUX_ORG: v.optional(nonEmpty),
	INFLUX_USER: v.optional(nonEmpty, defaultInfluxUser),
	INFLUX_TIMEOUT_MS: v.optional(dependencyTimeoutMs, '8000'),
	INFLUX_GZIP: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'on'),
	/** The column that holds topics (shared/adapters/influx/README.md#topics): `_measurement`, or a tag. */
	TSDB_TOPIC_COLUMN: v.optional(nonEmpty, '_measurement'),
	/** With a tag as the topic column: the only measurement to read. */
	TSDB_MEASUREMENT: v.optional(nonEmpty),
});

const unownedData = v.picklist(['claim', 'refuse'], 'must be claim or refuse.');

/** Settings of the tokens that a function gives (shared/domain/use-cases/README.md#tokens). */
const tokenSchema = v.object({
	TOKEN_AUDIENCE: v.optional(nonEmpty, 'caudal'),
	TOKEN_LIFETIME_SECONDS: v.optional(wholeNumber(60, 86_400), '3600'),
});

/**
 * Settings of sign-in: the identity provider, and the contents of tokens (shared/domain/use-cases/README.md#sign-in and
 * shared/domain/use-cases/README.md#tokens).
 */
export const signInSchema = v.object({
	...tokenSchema.entries,
	IDP_PRODUCT_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER),
	IDP_TIMEOUT_MS: v.optional(dependencyTimeoutMs, '3000'),
	/** Hours after signing in for which tokens are renewed, at most a week. */
	SESSION_HOURS: v.optional(wholeNumber(1, 168), '12'),
	/** What a sign-in does with a schema that holds data and has no owner: the client becomes its owner, or is refused. */
	UNOWNED_DATA: v.optional(unownedData, 'claim'),
});

/** The role of a person without a row, before the first sign-in or after an upgrade (shared/domain/access/README.md#people). */
export const defaultRole = v.picklist(['viewer', 'operator', 'engineer'], 'must be viewer, operator or engineer.');

/** Settings of a function that gives tokens to people. */
export const roleSchema = v.object({ TABLE_PEOPLE: nonEmpty, DEFAULT_ROLE: defaultRole });

/** Settings of a function that checks the role of its caller, a person or a machine. */
export const callerRoleSchema = v.object({ ...roleSchema.entries, TABLE_MACHINES: nonEmpty, TABLE_SESSIONS: nonEmpty });

/** Days for which events of alarms stay in the journal. */
export const alarmEventDays = wholeNumber(30, 3650);

/** Days for which changes stay in the journal of changes, at most a hundred years; 0: for ever. */
export const changeDays = wholeNumber(0, 36_500);

/** Settings of a function that adds to the journal of changes. */
const changesSchema = v.object({ TABLE_CHANGES: nonEmpty, CHANGE_DAYS: changeDays });

/** Settings of a function that sets roles. */
export const roleChangesSchema = v.object({ ...roleSchema.entries, TABLE_SESSIONS: nonEmpty, ...changesSchema.entries });

/** Settings of a function that changes machines. */
export const machineChangesSchema = v.object({ TABLE_MACHINES: nonEmpty, ...changesSchema.entries });

/** Settings of a function that stores variables, boards and panels: the names of its tables. */
export const schemaTablesSchema = v.object({
	TABLE_VARIABLES: nonEmpty,
	TABLE_PANELS: nonEmpty,
	TABLE_BOARDS: nonEmpty,
	TABLE_ALARM_EVENTS: nonEmpty,
	TABLE_CHANGES: nonEmpty,
	TABLE_IDEMPOTENCY: nonEmpty,
	ALARM_EVENT_DAYS: alarmEventDays,
	CHANGE_DAYS: changeDays,
});

/** Settings of a function that reads or writes the states of alarms, beside `schemaTablesSchema`: the names of its tables. */
export const alarmTablesSchema = v.object({ TABLE_EVALUATIONS: nonEmpty, TABLE_ALARM_STATES: nonEmpty });

/** Settings of a function that reads or writes the stored days of reports: the name of their table. */
export const reportDaysSchema = v.object({ TABLE_REPORT_DAYS: nonEmpty });

/** Milliseconds for which requests share what one of them has read (shared/domain/reading/README.md#shared-reads); 0: they share nothing. */
export const sharedReadsMs = wholeNumber(0, 10_000);

/** Settings of a function that reads InfluxDB. The token, or those of several servers, is a secret in Secrets Manager with this id. */
export const influxFunctionSchema = v.pipe(
	v.object({
		...influxSchema.entries,
		INFLUX_URL: influxAddressText,
		INFLUX_TOKEN_SECRET: nonEmpty,
		READINGS_SHARED_MS: v.optional(sharedReadsMs, '0'),
	}),
	v.forward(
		v.partialCheck(
			[['INFLUX_LANGUAGE'], ['INFLUX_ORG']],
			({ INFLUX_LANGUAGE: language, INFLUX_ORG: org }) => hasOrg({ language, org }),
			orgIsRequired,
		),
		['INFLUX_ORG'],
	),
);

/** Settings of a function that reads the public keys: the name of an SSM parameter. */
export const keyRingSchema = v.object({ KEY_RING: nonEmpty });

/** Settings of every function, for its log and metrics. Lambda itself sets the last two. */
export const telemetrySchema = v.object({
	/** The name of the endpoint or task in the contract. */
	ENDPOINT: nonEmpty,
	ENVIRONMENT: nonEmpty,
	AWS_LAMBDA_FUNCTION_NAME: v.optional(nonEmpty),
	AWS_LAMBDA_INITIALIZATION_TYPE: v.optional(nonEmpty),
});

/** Settings of a function that names the issuer of tokens. */
export const issuerSchema = v.object({ TOKEN_ISSUER: httpUrl });

const onOff = v.picklist(['on', 'off'], 'must be on or off.');

/** Settings of the discovery document: the service's own address, if the settings name it, and whether it exchanges tokens. */
export const discoverySchema = v.object({ ...issuerSchema.entries, PUBLIC_URL: v.optional(httpUrl), OPENID_EXCHANGE: onOff });

/**
 * Settings of a function that lists the OpenID providers. OPENID_PROVIDERS names a JSON file in the function's folder, which Lambda tells in
 * LAMBDA_TASK_ROOT. OPENID_HTTP: whether they may lack TLS. LOGIN_SSO: whether people may sign in by `loginSso`, too.
 */
export const openIdListSchema = v.object({
	LAMBDA_TASK_ROOT: nonEmpty,
	OPENID_PROVIDERS: nonEmpty,
	OPENID_HTTP: onOff,
	CONSOLE_URL: v.optional(httpUrl),
	LOGIN_SSO: onOff,
});

/** Settings of a function that asks OpenID providers. */
export const openIdSchema = v.object({
	...v.omit(openIdListSchema, ['LOGIN_SSO']).entries,
	OPENID_TIMEOUT_MS: v.optional(wholeNumber(1, 5000), '3000'),
});

/** Settings of a function that asks them with the secrets of their clients, whose ids are this prefix and the name of the provider. */
export const openIdClientSchema = v.object({ ...openIdSchema.entries, OPENID_SECRET_PREFIX: nonEmpty });

/** Settings of a function that ends sessions of OpenID providers. */
export const sessionTablesSchema = v.object({ TABLE_SESSIONS: nonEmpty, TABLE_SESSION_TOKENS: nonEmpty });

/** Seconds for which the evaluation of alarms waits for late samples. */
export const alarmSettleSeconds = wholeNumber(5, 600);

/** Settings of a function that evaluates alarms, or says how far they are evaluated. */
export const alarmSettleSchema = v.object({ ALARM_SETTLE_SECONDS: v.optional(alarmSettleSeconds, '15') });

/** Settings of the function that evaluates alarms, beside those of its tables and of InfluxDB. */
export const evaluateAlarmsSchema = v.object({ ...alarmSettleSchema.entries, ALARM_TOPIC_ARN: nonEmpty });

/** Settings of the function that stores the days of reports, beside those of its tables and of InfluxDB. Its workers are its own invocations. */
export const closeReportDaysSchema = v.object({
	...reportDaysSchema.entries,
	TABLE_OWNERS: nonEmpty,
	ALARM_TOPIC_ARN: nonEmpty,
	WORKER_FUNCTION: nonEmpty,
});

/** Settings of the function that packs definitions, beside those of its tables. */
export const packDefinitionsSchema = v.object({ TABLE_OWNERS: nonEmpty });

/** Settings of the function that starts the evaluation of alarms: the function that its workers are invocations of. */
export const dispatchAlarmsSchema = v.object({ ...alarmSettleSchema.entries, WORKER_FUNCTION: nonEmpty });

/** Settings of the canary: the service, and the user that it signs in as. Its application token is a secret with this id. */
export const canarySchema = v.object({
	SERVICE_URL: httpUrl,
	CANARY_EMAIL: nonEmpty,
	CANARY_SCHEMA: nonEmpty,
	CANARY_DATABASE: nonEmpty,
	CANARY_TOKEN_SECRET: nonEmpty,
});

/**
 * Settings of a function behind a trusted proxy: header and secret together, or neither where it shows a certificate. The secret is one in
 * Secrets Manager with this id.
 */
export const trustedProxySchema = v.object({
	TRUSTED_PROXY_HEADER: v.optional(nonEmpty),
	TRUSTED_PROXY_HOPS: v.optional(wholeNumber(1, 5)),
	TRUSTED_PROXY_SECRET: v.optional(nonEmpty),
});

/** Settings of the function that renews tokens. It has no UNOWNED_DATA, because a renewal never makes a client the owner of data. */
export const renewTokenFunctionSchema = v.object({
	...v.omit(signInSchema, ['UNOWNED_DATA']).entries,
	...roleSchema.entries,
	...issuerSchema.entries,
	...keyRingSchema.entries,
	AUTH_URL: httpUrl,
	IDP_TOKEN_SECRET: nonEmpty,
	TABLE_USERS: nonEmpty,
	TABLE_OWNERS: nonEmpty,
});

/** Settings of a function that reads grants of OpenID providers. */
export const grantsSchema = v.object({ TABLE_GRANTS: nonEmpty });

/** Settings of a function that gives tokens by the grants of OpenID providers. */
export const grantedTokenSchema = v.object({
	...tokenSchema.entries,
	SESSION_HOURS: signInSchema.entries.SESSION_HOURS,
	...issuerSchema.entries,
	...keyRingSchema.entries,
	...grantsSchema.entries,
	TABLE_OWNERS: nonEmpty,
	TABLE_PEOPLE: nonEmpty,
	TABLE_SESSIONS: nonEmpty,
});

/** Settings of the function that gives tokens to machines, and for tokens of OpenID providers. */
export const machineTokenFunctionSchema = v.object({
	...grantedTokenSchema.entries,
	...openIdSchema.entries,
	...changesSchema.entries,
	TABLE_MACHINES: nonEmpty,
});

/** Settings of a function that checks tokens and the credentials of machines itself. */
export const ownAuthorizationSchema = v.object({
	...issuerSchema.entries,
	...keyRingSchema.entries,
	...changesSchema.entries,
	TOKEN_AUDIENCE: tokenSchema.entries.TOKEN_AUDIENCE,
	TABLE_MACHINES: nonEmpty,
	TABLE_OWNERS: nonEmpty,
});

/** Settings of the function that renews the tokens of OpenID providers' sessions. */
export const openIdRenewSchema = v.object({
	...grantedTokenSchema.entries,
	...openIdClientSchema.entries,
	...sessionTablesSchema.entries,
});

/** Settings of the function for sign-in with OpenID providers. */
export const openIdSignInSchema = v.object({
	...openIdRenewSchema.entries,
	...changesSchema.entries,
	TABLE_SIGN_IN_FAILURES: nonEmpty,
});

/** Settings of the function for sign-in. */
export const signInFunctionSchema = v.object({
	...renewTokenFunctionSchema.entries,
	/** Without a default, so that a protected environment cannot lose it unnoticed. */
	UNOWNED_DATA: unownedData,
	...changesSchema.entries,
	TABLE_VARIABLES: nonEmpty,
	TABLE_SIGN_IN_FAILURES: nonEmpty,
});

/**
 * Reads settings from environment variables. No other function of the service reads the environment.
 * @throws ConfigError when variables are missing or wrong; the message names all of them.
 * @example
 * const { TOKEN_ISSUER } = readConfig(issuerSchema);
 */
export function readConfig<Schema extends v.GenericSchema>(
	schema: Schema,
	environment: Readonly<Record<string, string | undefined>> = process.env,
): v.InferOutput<Schema> {
	const result = v.safeParse(schema, environment);
	if (result.success) return result.output;
	const messages = result.issues.map((issue) => {
		const name = v.getDotPath(issue) ?? 'environment';
		return issue.received === 'undefined' ? `${name} is required.` : `${name} ${issue.message}`;
	});
	throw new ConfigError(messages.join(' '));
}
