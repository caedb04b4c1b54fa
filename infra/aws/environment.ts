import * as v from 'valibot';
import { addressesOf, ConfigError } from '#shared/config.ts';
import { environmentName } from '#shared/resource-names.ts';
import { checkedSchema, settingsSchema } from './settings-schema.ts';

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
	const result = v.safeParse(checkedSchema, { ...settings, ...Object.fromEntries(overrides) }, { message: describeIssue });
	if (result.success) return { name, ...result.output };
	const lines = result.issues.map((issue) => `${v.getDotPath(issue) ?? 'settings'} ${issue.message}`);
	throw new ConfigError(`Wrong settings of environment ${name} (cdk.json, context.environments.${name}): ${lines.join(' ')}`);
}

/** Whether the topic of the plants' alarms is of another account. That account then has its metrics, and its policy says who may publish. */
export function isForeignTopic({ account, alarmTopicArn }: Environment): boolean {
	// arn:aws:sns:REGION:ACCOUNT:NAME
	return alarmTopicArn !== undefined && alarmTopicArn.split(':')[4] !== account;
}

/** Returns the names of the settings that still have the example hosts of cdk.json. */
export function exampleSettings({ influxUrl, authUrl, corsOrigins, alarmEmails }: Environment): readonly string[] {
	const hosts = (urls: readonly string[]) => urls.map((url) => new URL(url).hostname);
	const hostsBySetting = {
		influxUrl: hosts(Object.values(addressesOf(influxUrl))),
		authUrl: hosts(authUrl === undefined ? [] : [authUrl]),
		corsOrigins: hosts(corsOrigins),
		alarmEmails: alarmEmails.map((email) => email.slice(email.lastIndexOf('@') + 1)),
	};
	// The top-level domain `example` is reserved for examples (RFC 2606).
	return Object.entries(hostsBySetting).flatMap(([name, hostsOfSetting]) =>
		hostsOfSetting.some((host) => /(^|\.)example$/.test(host)) ? [name] : [],
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

/** The types of valibot in the words of cdk.json. */
const typeNames = new Map([
	['Array', 'a list'],
	['Object', 'an object'],
	['boolean', 'true or false'],
	['string', 'text'],
]);

/** The message of an issue whose schema does not give one. */
function describeIssue({ expected, received }: v.BaseIssue<unknown>): string {
	if (expected === 'never') return 'is not a setting: infra/aws/DEPLOYING.md lists them.';
	if (received === 'undefined') return 'is required.';
	return `must be ${typeNames.get(expected ?? '') ?? expected}.`;
}
