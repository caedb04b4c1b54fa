import * as v from 'valibot';

/** Settings that are missing or wrong, each by the name of its environment variable. */
export class ConfigError extends Error {
	override readonly name = 'ConfigError';
}

/** A whole number within bounds, from text. */
export function wholeNumber(min: number, max: number) {
	return v.pipe(
		v.string(),
		v.regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}.`),
		v.transform(Number),
		v.minValue(min, `must be a whole number from ${min} to ${max}.`),
		v.maxValue(max, `must be a whole number from ${min} to ${max}.`),
	);
}

/** An http(s) address, kept without a slash at its end. */
export const httpUrl = v.pipe(
	v.string(),
	v.check((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), 'must be an http:// or https:// address.'),
	v.check(
		(value) => !URL.canParse(value) || `${new URL(value).username}${new URL(value).password}` === '',
		'must hold no password.',
	),
	v.transform((value) => value.replace(/\/+$/, '')),
);

/** Text that is not empty. */
export const nonEmpty = v.pipe(v.string(), v.nonEmpty('must not be empty.'));

/** Which column of the time-series database carries a topic (design section 5). */
export const seriesSchema = v.object({
	TSDB_TOPIC_COLUMN: v.optional(nonEmpty, '_measurement'),
	TSDB_MEASUREMENT: v.optional(nonEmpty),
});

/** InfluxDB 2 (design section 5): a database is a bucket of this organization. */
export const influxSchema = v.object({
	INFLUX_URL: httpUrl,
	INFLUX_ORG: nonEmpty,
	INFLUX_TIMEOUT_MS: v.optional(wholeNumber(1, 25_000), '8000'),
	INFLUX_GZIP: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'on'),
});

/** Sign-in: the identity provider, and what tokens say (design section 7). */
export const signInSchema = v.object({
	IDP_PRODUCT_ID: wholeNumber(1, Number.MAX_SAFE_INTEGER),
	IDP_TIMEOUT_MS: v.optional(wholeNumber(1, 25_000), '3000'),
	TOKEN_AUDIENCE: v.optional(nonEmpty, 'caudal'),
	TOKEN_LIFETIME_SECONDS: v.optional(wholeNumber(60, 86_400), '3600'),
});

/** A function on AWS that keeps variables, boards and panels: its tables. */
export const schemaTablesSchema = v.object({
	TABLE_VARIABLES: nonEmpty,
	TABLE_PANELS: nonEmpty,
	TABLE_BOARDS: nonEmpty,
	TABLE_IDEMPOTENCY: nonEmpty,
});

/** A function on AWS that reads series: where the token for it is kept, in Secrets Manager. */
export const influxSecretSchema = v.object({ INFLUX_TOKEN_SECRET: nonEmpty });

/** The SSM parameter with the public keys. */
export const keyRingSchema = v.object({ KEY_RING: nonEmpty });

/** What every function on AWS tells of itself. Lambda sets the last two. */
export const telemetrySchema = v.object({
	/** The endpoint's name, as the contract has it. */
	ENDPOINT: nonEmpty,
	ENVIRONMENT: nonEmpty,
	AWS_LAMBDA_FUNCTION_NAME: v.optional(nonEmpty),
	AWS_LAMBDA_INITIALIZATION_TYPE: v.optional(nonEmpty),
});

/** What tokens name as their issuer. */
export const issuerSchema = v.object({ TOKEN_ISSUER: httpUrl });

/** The function on AWS that signs people in. */
export const signInFunctionSchema = v.object({
	...signInSchema.entries,
	...issuerSchema.entries,
	...keyRingSchema.entries,
	AUTH_URL: httpUrl,
	IDP_TOKEN_SECRET: nonEmpty,
	TABLE_USERS: nonEmpty,
	TABLE_SIGN_IN_FAILURES: nonEmpty,
});

/**
 * Reads settings from the environment: the only place that does.
 * Throws ConfigError naming every variable that is missing or wrong.
 */
export function readConfig<Schema extends v.GenericSchema>(
	schema: Schema,
	environment: Readonly<Record<string, string | undefined>> = process.env,
): v.InferOutput<Schema> {
	const result = v.safeParse(schema, environment);
	if (result.success) return result.output;
	const lines = result.issues.map((issue) => {
		const name = v.getDotPath(issue) ?? 'environment';
		return issue.received === 'undefined' ? `${name} is required.` : `${name} ${issue.message}`;
	});
	throw new ConfigError(lines.join(' '));
}
