import * as v from 'valibot';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { environmentName } from '#shared/resource-names.ts';
import { type TableName, tables } from '#shared/tables.ts';

const text = v.pipe(v.string(), v.nonEmpty('must not be empty.'));

function whole(min: number, max: number) {
	const message = `must be a whole number from ${min} to ${max}.`;
	return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

const address = v.pipe(
	v.string(),
	v.check((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), 'must be an http:// or https:// address.'),
	v.check(
		(value) => !URL.canParse(value) || `${new URL(value).username}${new URL(value).password}` === '',
		'must hold no password.',
	),
);

const origin = v.pipe(
	v.string(),
	v.check(
		(value) => URL.canParse(value) && new URL(value).origin === value,
		'must be an origin, such as https://dashboard.example.',
	),
);

/** Requests a second over time, and at once. */
const throttle = v.strictObject({ rate: whole(1, 10_000), burst: whole(1, 10_000) });

const endpointNames: readonly EndpointName[] = endpoints.map(({ name }) => name);

const endpointName = v.picklist(endpointNames, 'is no endpoint.');

const tableNames = Object.keys(tables) as TableName[];

/** Days that CloudWatch can keep logs for. */
const retentions = [
	1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** What differs from one environment to another: `context.environments` in cdk.json. */
const settingsSchema = v.strictObject({
	/** InfluxDB 2: a database of the service is a bucket of this organization there. */
	influxUrl: address,
	influxOrg: text,
	influxTimeoutMs: v.optional(whole(1, 25_000), 8000),
	influxGzip: v.optional(v.picklist(['on', 'off']), 'on'),
	/** The column that carries a topic, and with a tag the only measurement to read. */
	topicColumn: v.optional(text, '_measurement'),
	measurement: v.optional(text),
	/** The identity provider. */
	authUrl: address,
	idpProductId: whole(1, Number.MAX_SAFE_INTEGER),
	idpTimeoutMs: v.optional(whole(1, 25_000), 3000),
	/** Names of the keys that sign tokens, oldest first; `npm run key` says which of them signs. */
	signingKeys: v.pipe(
		v.array(v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,30}$/, 'must be small letters, digits and dashes.'))),
		v.minLength(1, 'must name a key.'),
	),
	tokenAudience: v.optional(text, 'caudal'),
	tokenLifetimeSeconds: v.optional(whole(60, 86_400), 3600),
	/** Pages that may call, with credentials. */
	corsOrigins: v.optional(v.array(origin), []),
	/** A name of your own for the service, with its certificate in AWS Certificate Manager, in the stack's region. */
	domain: v.optional(v.strictObject({ name: text, certificateArn: text })),
	throttling: v.strictObject({ requests: throttle, signIn: throttle }),
	/** Functions that may run only so many times at once, and always so many times. */
	reservedConcurrency: v.optional(v.record(endpointName, whole(1, 1000)), {}),
	/** Who hears of alarms. */
	alarmEmails: v.optional(v.array(text), []),
	logRetentionDays: v.picklist(retentions, 'must be a number of days that CloudWatch knows, such as 30 or 90.'),
	/** Whether tables, keys, secrets and logs stay when their stack is destroyed; tables then refuse to be deleted. */
	protected: v.boolean(),
	/** Tables restored from a backup, used in place of the stack's own, by the names that they were restored under. */
	restoredTables: v.optional(v.record(v.picklist(tableNames, 'is no table.'), text), {}),
});

/** An environment's settings, with its name. */
export type Environment = v.InferOutput<typeof settingsSchema> & { readonly name: string };

/** Settings that are missing or wrong. */
export class SettingsError extends Error {
	override readonly name = 'SettingsError';
}

const exampleHost = /(^|\.)example$/;

/** The settings that are still cdk.json's examples, which nothing answers. */
export function examplesIn({ influxUrl, authUrl }: Environment): readonly string[] {
	return Object.entries({ influxUrl, authUrl }).flatMap(([name, url]) => (exampleHost.test(new URL(url).hostname) ? [name] : []));
}

/**
 * The settings of the environment that `-c env=` names (`dev` without it), from `context.environments` in cdk.json. Any of them may
 * be given on the command line instead: `-c influxUrl=https://…`.
 * @param context reads a value of CDK's context
 * Throws SettingsError naming every setting that is missing or wrong.
 */
export function readEnvironment(context: (key: string) => unknown): Environment {
	const name = context('env') ?? 'dev';
	const environments = v.parse(v.optional(v.record(v.string(), v.record(v.string(), v.unknown())), {}), context('environments'));
	const known = typeof name === 'string' && environmentName.test(name) ? environments[name] : undefined;
	if (typeof name !== 'string' || known === undefined)
		throw new SettingsError(
			`There is no environment ${String(name)} in cdk.json, context.environments (${Object.keys(environments).join(', ')}). ` +
				'Choose one with -c env=NAME, or add one: small letters and digits, at most 16.',
		);
	const overrides = Object.entries(settingsSchema.entries).flatMap(([key, schema]) => {
		const value = given(schema, context(key));
		return value === undefined ? [] : [[key, value] as const];
	});
	const result = v.safeParse(settingsSchema, { ...known, ...Object.fromEntries(overrides) });
	if (result.success) return { name, ...result.output };
	const lines = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'settings'} ${wordsOf(issue)}`);
	throw new SettingsError(`Wrong settings of environment ${name} (cdk.json, context.environments.${name}): ${lines.join(' ')}`);
}

/** A value of the command line is text; where a setting is no text, it is JSON. */
function given(schema: v.GenericSchema, value: unknown): unknown {
	if (typeof value !== 'string' || v.is(schema, value)) return value;
	try {
		return JSON.parse(value);
	} catch {
		return value;
	}
}

/** What is wrong with a setting, in words. */
function wordsOf({ expected, received, message }: v.BaseIssue<unknown>): string {
	if (expected === 'never') return 'is no setting: cdk.json and the README have them all, spelt as they are.';
	if (received === 'undefined') return 'is required.';
	const kinds: Readonly<Record<string, string>> = {
		Array: 'a list',
		Object: 'an object',
		boolean: 'true or false',
		string: 'text',
	};
	if (!message.startsWith('Invalid ')) return message;
	return `must be ${kinds[expected ?? ''] ?? expected}.`;
}
