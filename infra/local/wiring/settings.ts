import { isIP } from 'node:net';
import * as v from 'valibot';
import { isSecretText } from '#adapters/secret.ts';
import { accountsProvider } from '#domain/identity/account.ts';
import { defaultRequestsPerSchema } from '#http/schema-limit.ts';
import {
	alarmEventDays,
	alarmSettleSeconds,
	ConfigError,
	changeDays,
	defaultRole,
	hasOrg,
	httpUrl,
	influxSchema,
	isOrigin,
	nonEmpty,
	openIdSchema,
	readConfig,
	sharedReadsMs,
	signInSchema,
	wholeNumber,
} from '#shared/config.ts';
import { pathOf } from '#shared/contract.ts';
import type { MessageAddress } from '../adapters/message-address.ts';
import { webhookSecrets } from '../adapters/webhook-signature.ts';
import { logLevels } from '../json-log.ts';
import { messageAddressesOf } from './message-addresses.ts';
import { type OpenIdSettings, readOpenIdSettings } from './openid-settings.ts';

/** The token that the service sends to the demo identity provider, unless IDP_TOKEN is set. */
export const demoIdpToken = 'demo-idp-token';

/** The id that the service has as a product at the demo identity provider, unless IDP_PRODUCT_ID is set. */
export const demoProductId = 1;

/** The token of the write API, unless WRITE_TOKEN is set. Everybody knows it. */
export const demoWriteToken = 'demo-write-token';

/** The folder of the state, unless STATE_DIR is set. */
export const defaultStateDirectory = '.local';

/** Text that is split at its commas into a list. */
const commaSeparated = v.pipe(
	v.string(),
	v.transform((value) =>
		value
			.split(',')
			.map((item) => item.trim())
			.filter((item) => item !== ''),
	),
);

const origins = v.pipe(
	commaSeparated,
	v.check((list) => list.every(isOrigin), 'must be origins separated by commas, such as http://localhost:5173.'),
);

const hosts = v.pipe(
	commaSeparated,
	v.check((list) => list.every((host) => /^[\w.-]+$/.test(host)), 'must be names of hosts without ports, separated by commas.'),
	v.transform((list) => list.map((host) => host.toLowerCase())),
);

/** A token that is sent to another service in a header. */
const token = v.pipe(nonEmpty, v.check(isSecretText, 'must be visible ASCII characters without spaces.'));

/** The environment variables of the service on one machine. Each is optional, some only together with others. */
const entriesSchema = v.object({
	...influxSchema.entries,
	INFLUX_URL: v.optional(httpUrl),
	INFLUX_TOKEN: v.optional(token),
	/** For how long polls share what one of them read; 0: never. Left out: 1 s with InfluxDB, never with SQLite, whose reads are fast. */
	READINGS_SHARED_MS: v.optional(sharedReadsMs),
	...signInSchema.entries,
	IDP_TOKEN: v.optional(token, demoIdpToken),
	IDP_PRODUCT_ID: v.optional(signInSchema.entries.IDP_PRODUCT_ID, String(demoProductId)),
	DEFAULT_ROLE: v.optional(defaultRole, 'engineer'),
	/** The address of this machine that the service listens on. Others than 127.0.0.1 are for production. */
	HOST: v.optional(
		v.pipe(
			nonEmpty,
			v.check((text) => isIP(text) !== 0, 'must be an IP address.'),
		),
		'127.0.0.1',
	),
	/** Number of proxies in front of the service. Each adds the address that called it to X-Forwarded-For; 0: that header never counts. */
	TRUSTED_PROXY_HOPS: v.optional(wholeNumber(0, 5), '0'),
	/** Most requests of one schema under way at once. */
	REQUESTS_PER_SCHEMA: v.optional(wholeNumber(1, 10_000), String(defaultRequestsPerSchema)),
	/** 0: any free port. */
	PORT: v.optional(wholeNumber(0, 65_535), '3000'),
	STATE_DIR: v.optional(nonEmpty, defaultStateDirectory),
	AUTH_URL: v.optional(httpUrl),
	/** A JSON file with OpenID providers (shared/domain/identity/README.md#settings). */
	OPENID_PROVIDERS: v.optional(nonEmpty),
	OPENID_TIMEOUT_MS: openIdSchema.entries.OPENID_TIMEOUT_MS,
	/** The address of the console, to which providers send people back. Left out: the one below PUBLIC_URL, or http://localhost:PORT/console. */
	CONSOLE_URL: v.optional(httpUrl),
	/** The address by which clients reach the service, where a proxy is in front of it. */
	PUBLIC_URL: v.optional(httpUrl),
	/** Whether people sign in with accounts of the service itself (shared/domain/identity/README.md#accounts). */
	ACCOUNTS: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'off'),
	/** `required`: nobody signs in with an account without a second factor. */
	ACCOUNTS_SECOND_FACTOR: v.optional(v.picklist(['optional', 'required'], 'must be optional or required.'), 'optional'),
	/** Whether the demo identity provider runs, with credentials that everybody knows. Left out: where nothing else signs people in. */
	DEMO_IDP: v.optional(v.picklist(['on', 'off'], 'must be on or off.')),
	/** Left out: pages of this machine, on the service's own port and on 5173 and 8080. */
	CORS_ORIGINS: v.optional(origins),
	/** Names by which requests may address the service, beside 127.0.0.1, localhost and [::1] (infra/local/README.md#gateway). */
	ALLOWED_HOSTS: v.optional(hosts, ''),
	WRITE_TOKEN: v.optional(nonEmpty, demoWriteToken),
	/** Whether everybody may read GET /metrics. Otherwise it takes METRICS_TOKEN, and is not there without one. */
	PUBLIC_METRICS: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'off'),
	METRICS_TOKEN: v.optional(token),
	/** The least urgent lines of the log in production. */
	LOG_LEVEL: v.optional(v.picklist(logLevels, `must be one of ${logLevels.join(', ')}.`), 'info'),
	/** Days for which samples stay. At most about 100 years. */
	RETENTION_DAYS: v.optional(wholeNumber(1, 36_600), '400'),
	/** Days for which events of alarms stay in the journal. */
	ALARM_EVENT_DAYS: v.optional(alarmEventDays, '400'),
	/** Days for which changes stay in the journal of changes; 0: for ever. */
	CHANGE_DAYS: v.optional(changeDays, '1825'),
	/** Seconds for which the evaluation of alarms waits for late samples. */
	ALARM_SETTLE_SECONDS: v.optional(alarmSettleSeconds, '15'),
	/** The address that messages are sent to, by POST as JSON. With neither this nor NOTIFY_FILE, they are printed. */
	NOTIFY_URL: v.optional(httpUrl),
	/** One or two secrets that sign the messages to NOTIFY_URL. Left out: they are not signed. */
	NOTIFY_SECRETS: v.optional(webhookSecrets),
	/** A JSON file with addresses that messages are sent to, each with its format and severities. */
	NOTIFY_FILE: v.optional(nonEmpty),
	/** A DynamoDB emulator to use in place of SQLite, and the region and credentials for it. */
	DYNAMODB_ENDPOINT: v.optional(httpUrl),
	AWS_REGION: v.optional(nonEmpty, 'us-east-1'),
	AWS_ACCESS_KEY_ID: v.optional(nonEmpty, 'local'),
	AWS_SECRET_ACCESS_KEY: v.optional(nonEmpty, 'local'),
	AWS_SESSION_TOKEN: v.optional(nonEmpty),
	/** Whether GET /openapi.json and GET /docs are served. */
	PUBLIC_DOCS: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'on'),
	DEMO_PLANT: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'on'),
});

/** The default of READINGS_SHARED_MS with InfluxDB. */
const influxReadsSharedMs = 1000;

const requiredWithUrl = 'is required with INFLUX_URL.';

const localSchema = v.pipe(
	entriesSchema,
	v.forward(
		v.check(({ INFLUX_URL, INFLUX_TOKEN }) => INFLUX_URL === undefined || INFLUX_TOKEN !== undefined, requiredWithUrl),
		['INFLUX_TOKEN'],
	),
	v.forward(
		v.check(
			({ INFLUX_URL, INFLUX_LANGUAGE: language, INFLUX_ORG: org }) => INFLUX_URL === undefined || hasOrg({ language, org }),
			requiredWithUrl,
		),
		['INFLUX_ORG'],
	),
	v.forward(
		v.check(
			({ ACCOUNTS, DYNAMODB_ENDPOINT }) => ACCOUNTS === 'off' || DYNAMODB_ENDPOINT === undefined,
			'cannot be on with DYNAMODB_ENDPOINT: accounts are in STATE_DIR.',
		),
		['ACCOUNTS'],
	),
	v.transform(({ READINGS_SHARED_MS, CORS_ORIGINS, DEMO_IDP, ...settings }) => ({
		...settings,
		// Its credentials are public: they must not stay beside those of real people.
		hasDemoIdp:
			settings.AUTH_URL === undefined &&
			(DEMO_IDP ?? (settings.OPENID_PROVIDERS === undefined && settings.ACCOUNTS === 'off' ? 'on' : 'off')) === 'on',
		READINGS_SHARED_MS: READINGS_SHARED_MS ?? (settings.INFLUX_URL === undefined ? 0 : influxReadsSharedMs),
		CORS_ORIGINS: CORS_ORIGINS ?? pagesOfThisMachine(settings.PORT),
	})),
);

/** The settings of the service on one machine, with their defaults. */
export type LocalSettings = v.InferOutput<typeof localSchema> &
	OpenIdSettings & {
		/** Where messages about alarms are posted. None: they are printed. */
		readonly messageAddresses: readonly MessageAddress[];
		readonly isProduction: boolean;
	};

/** The value of STATE_DIR that keeps everything in memory. */
export const memoryState = 'memory';

/**
 * Reads the settings, by default from the environment of the process.
 * @throws ConfigError when settings are missing or wrong
 */
export function readLocalSettings(environment?: Readonly<Record<string, string | undefined>>): LocalSettings {
	const settings = readConfig(localSchema, environment);
	const messageAddresses = messageAddressesOf(settings);
	const openId = readOpenIdSettings(environment);
	if (settings.ACCOUNTS === 'on' && openId.openIdProviders.some(({ name }) => name === accountsProvider))
		throw new ConfigError(
			`OPENID_PROVIDERS: ${accountsProvider} is the name of the service's own accounts: rename the provider.`,
		);
	return { ...settings, ...openId, messageAddresses, isProduction: false };
}

/** Returns the address of the console. @param port the one that the service listens on */
export function consoleUrlOf(
	{ CONSOLE_URL, PUBLIC_URL }: Pick<LocalSettings, 'CONSOLE_URL' | 'PUBLIC_URL'>,
	port: number | string,
): string {
	// Entra and Cognito take http for the name localhost only.
	return CONSOLE_URL ?? `${PUBLIC_URL ?? `http://localhost:${port}`}${pathOf('console')}`;
}

/** The ports on which development servers usually serve pages: Vite, and many others. */
const developmentPorts = [5173, 8080] as const;

/** Returns the origins of pages of this machine. Port 0 stands for any free port, which is not known yet. */
function pagesOfThisMachine(port: number): string[] {
	const ports = new Set([port, ...developmentPorts].filter((each) => each !== 0));
	return [...ports].flatMap((each) => ['localhost', '127.0.0.1'].map((host) => new URL(`http://${host}:${each}`).origin));
}
