import * as v from 'valibot';
import { openIdProvidersSchema, providerFaults } from '#domain/identity/provider-settings.ts';
import {
	addressesOf,
	defaultInfluxUser,
	defaultRole,
	hasOrg,
	httpUrl,
	influxAddress,
	influxLanguage,
	isOrigin,
	nonEmpty,
	orgIsRequired,
} from '#shared/config.ts';
import { functionNames } from '#shared/contract.ts';
import { tableNames } from '#shared/tables.ts';

/** Returns a schema for a whole number from `min` to `max`. */
function whole(min: number, max: number) {
	const message = `must be a whole number from ${min} to ${max}.`;
	return v.pipe(v.number(message), v.integer(message), v.minValue(min, message), v.maxValue(max, message));
}

const origin = v.pipe(v.string(), v.check(isOrigin, 'must be an origin, such as https://dashboard.example.'));

const signingKeyName = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,30}$/, 'must be lower-case letters, digits and dashes.'));

/** A header that no client and no usual proxy sends by itself. The names of `X-Forwarded-For` and the like are taken. */
const proxyHeader = v.pipe(
	v.string(),
	v.regex(/^x-(?!forwarded-)[a-z0-9-]{1,40}$/, 'must be the name of a header of its own in lower case, such as x-origin-verify.'),
);

/** A file in S3 with the authorities of the certificates that clients of a domain must show, in PEM, and its version. */
const truststore = v.strictObject({ bucket: nonEmpty, key: nonEmpty, version: nonEmpty });

/** Requests per second: the sustained rate, and the burst above it. */
const throttle = v.strictObject({ rate: whole(1, 10_000), burst: whole(1, 10_000) });

/** Hours in UTC, from `from` until `to`, on the days of the week on which they begin: 1 is Monday. They may pass midnight. */
const weeklyHours = v.pipe(
	v.strictObject({
		from: whole(0, 23),
		to: whole(1, 24),
		days: v.optional(v.pipe(v.array(whole(1, 7)), v.minLength(1, 'must name a day.')), [1, 2, 3, 4, 5, 6, 7]),
	}),
	v.check(({ from, to }) => from !== to, 'must end at another hour: the whole day is from 0 to 24.'),
);

const functionName = v.picklist(functionNames, 'is not a function.');
const tableName = v.picklist(tableNames, 'is not a table.');

/** Returns a schema for a list of at least one id of EC2 with a prefix, such as `subnet-0a1b`. */
function ec2Ids(prefix: string) {
	return v.pipe(v.array(ec2Id(prefix)), v.minLength(1, `must name at least one ${prefix}-….`));
}

/** Returns a schema for one such id. */
function ec2Id(prefix: string) {
	return v.pipe(
		v.string(),
		v.regex(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`), `must be an id such as ${prefix}-0123456789abcdef0.`),
	);
}

const topicArn = v.pipe(
	v.string(),
	v.regex(/^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, 'must be the ARN of a topic: arn:aws:sns:REGION:ACCOUNT:NAME.'),
);

const vaultArn = v.pipe(
	v.string(),
	v.regex(
		/^arn:aws[\w-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
		'must be the ARN of a vault: arn:aws:backup:REGION:ACCOUNT:backup-vault:NAME.',
	),
);

const keyArn = v.pipe(
	v.string(),
	v.regex(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a key: arn:aws:kms:REGION:ACCOUNT:key/ID.'),
);

/** A key of a tag. Keys that begin with `aws:` are reserved for AWS. */
const tagKey = v.pipe(
	v.string(),
	v.regex(
		/^(?!aws:|application$|environment$)[\w .:/=+@-]{1,128}$/,
		'must be a key of a tag, and neither application nor environment.',
	),
);

/** The retention periods, in days, that CloudWatch Logs accepts. */
const retentionDays = [
	1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** The longest timeout of a request to a dependency: functions of endpoints end after 28 s (service-stack.ts). */
const maxDependencyMs = 25_000;

/** The longest timeout of a request to an OpenID provider. A sign-in may need four of them. */
const maxOpenIdMs = 5000;

/** An address to which something is added. */
const plainUrl = v.pipe(
	httpUrl,
	v.check((url) => !/[?#]/.test(url) && isSafe(url), 'must be an https:// address without ? and #.'),
);

/** The settings of one environment: an entry of `context.environments` in cdk.json (infra/aws/README.md#environments). */
export const settingsSchema = v.strictObject({
	/** The account and region of the environment. A deployment or a tool with credentials of another account, or for another region, is refused. */
	account: v.optional(v.pipe(v.string(), v.regex(/^\d{12}$/, 'must be the 12 digits of an AWS account, as text.'))),
	region: v.optional(v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-west-1.'))),
	/** InfluxDB: an address, or addresses by databases. In Flux, each database of the service is a bucket of the organization. InfluxQL needs none, and has a user. */
	influxUrl: influxAddress,
	influxLanguage: v.optional(influxLanguage, 'flux'),
	influxOrg: v.optional(nonEmpty),
	influxUser: v.optional(nonEmpty, defaultInfluxUser),
	influxTimeoutMs: v.optional(whole(1, maxDependencyMs), 8000),
	influxGzip: v.optional(v.picklist(['on', 'off'], 'must be on or off.'), 'on'),
	/** Milliseconds for which polls share what one of them has read. */
	readingsSharedMs: v.optional(whole(0, 10_000), 0),
	/** The column that holds the topic. If it is a tag, `measurement` names the only measurement that is read. */
	topicColumn: v.optional(nonEmpty, '_measurement'),
	measurement: v.optional(nonEmpty),
	/** The identity provider of `loginSso`. Left out: there is no `loginSso`. */
	authUrl: v.optional(httpUrl),
	/** The id of this service among the products of the identity provider. */
	idpProductId: v.optional(whole(1, Number.MAX_SAFE_INTEGER)),
	idpTimeoutMs: v.optional(whole(1, maxDependencyMs), 3000),
	/** The OpenID providers (shared/domain/identity/README.md#settings). */
	openIdProviders: v.optional(openIdProvidersSchema, []),
	openIdTimeoutMs: v.optional(whole(1, maxOpenIdMs), 3000),
	/** Whether the functions that call OpenID providers are in `vpc`, too. A VPC without a NAT gateway reaches no public provider. */
	openIdInVpc: v.optional(v.boolean(), false),
	/** The address of the console, to which OpenID providers send people back. */
	consoleUrl: v.optional(plainUrl),
	/** The address by which clients reach the service, for the discovery document. Left out: that of `domain`. */
	publicUrl: v.optional(plainUrl),
	/** The private network of the functions that call InfluxDB or the identity provider. */
	vpc: v.optional(v.strictObject({ vpcId: ec2Id('vpc'), subnetIds: ec2Ids('subnet'), securityGroupIds: ec2Ids('sg') })),
	/** Path of a PEM file, from the project's folder: certificate authorities that these functions trust beside the public ones. */
	caBundle: v.optional(nonEmpty),
	/** Names of the keys that may sign tokens, oldest first. `npm run key -- activate` chooses the one that signs. */
	signingKeys: v.pipe(v.array(signingKeyName), v.minLength(1, 'must name a key.')),
	tokenAudience: v.optional(nonEmpty, 'caudal'),
	tokenLifetimeSeconds: v.optional(whole(60, 86_400), 3600),
	/** The role of a person who was given none. */
	defaultRole: v.optional(defaultRole, 'engineer'),
	/** Hours after signing in for which tokens are renewed. */
	sessionHours: v.optional(whole(1, 168), 12),
	/** Origins whose pages may call the service with credentials. */
	corsOrigins: v.optional(v.array(origin), []),
	/** Whether GET /openapi.json and GET /docs are served. */
	publicDocs: v.optional(v.boolean(), true),
	/** A custom domain name. Its certificate is in AWS Certificate Manager, in the stack's region. */
	domain: v.optional(v.strictObject({ name: nonEmpty, certificateArn: nonEmpty, truststore: v.optional(truststore) })),
	/** Whether the service answers at its domain only, and not at the address that API Gateway gives it. */
	disableExecuteApiEndpoint: v.optional(v.boolean(), false),
	/**
	 * The proxy in front of the service: the header in which it sends its secret, and the number of proxies (shared/http/trusted-proxy.ts).
	 * Without a header it shows a certificate of the truststore.
	 */
	trustedProxy: v.optional(v.strictObject({ header: v.optional(proxyHeader), hops: v.optional(whole(1, 5), 1) })),
	/** The limits of all routes together, of the routes that sign in, and of public pages and documents. */
	throttling: v.strictObject({ requests: throttle, signIn: throttle, public: v.optional(throttle, { rate: 50, burst: 200 }) }),
	/** This environment's share of Lambda's concurrency quota. Below 200 nothing is reserved (concurrency.ts). A new account has 10. */
	accountConcurrency: v.optional(whole(1, 1_000_000), 10),
	/** Reserved concurrency by endpoint or task, instead of what concurrency.ts derives from `accountConcurrency`. */
	reservedConcurrency: v.optional(v.record(functionName, whole(1, 1000)), {}),
	/** The canary's own user (functions/canary). Without it there is no canary. */
	canary: v.optional(v.strictObject({ email: nonEmpty, schemaName: nonEmpty, tsdbName: nonEmpty })),
	/** E-mail addresses that receive alarms. */
	alarmEmails: v.optional(v.array(nonEmpty), []),
	/** The topic that the service's own alarms notify. Left out: the service stack has one of its own, and mails to `alarmEmails`. */
	operatorTopicArn: v.optional(topicArn),
	/** When clients are expected to send requests. Left out: where some did within 6 hours. */
	trafficHours: v.optional(weeklyHours),
	/** The topic that messages about the plants' alarms are published to. Left out: the service stack has one of its own. */
	alarmTopicArn: v.optional(topicArn),
	/** The customer's key that encrypts that topic. */
	alarmTopicKeyArn: v.optional(keyArn),
	/** Seconds for which the evaluation of the plants' alarms waits for late samples. */
	alarmSettleSeconds: v.optional(whole(5, 600), 15),
	/** Days for which events of the plants' alarms stay in the journal. */
	alarmEventDays: v.optional(whole(30, 3650), 400),
	/** Days for which changes stay in the journal of changes; 0: for ever. */
	changeDays: v.optional(whole(0, 36_500), 1825),
	/** Whether AWS X-Ray records traces of requests. */
	tracing: v.optional(v.boolean(), false),
	/** Days for which CloudWatch keeps logs. */
	logRetentionDays: v.picklist(retentionDays, 'must be a number of days that CloudWatch knows, such as 30 or 90.'),
	/** Keeps tables, keys, secrets and logs when their stack is destroyed, and protects the tables from deletion. */
	protected: v.boolean(),
	/** Whether a new version of a function gets a tenth of its requests for 10 minutes first. By default where `protected`. */
	gradualTraffic: v.optional(v.boolean()),
	/** The daily backup of the tables, for `retentionDays`, with a copy in the vault `copyTo` of another region; `keyArn`: the vault's key. */
	backup: v.optional(
		v.strictObject({ copyTo: vaultArn, retentionDays: v.optional(whole(1, 3650), 35), keyArn: v.optional(keyArn) }),
	),
	/** Tags of every resource, beside `application` and `environment`. */
	tags: v.optional(v.record(tagKey, v.pipe(v.string(), v.maxLength(256, 'must have at most 256 characters.'))), {}),
	/** The most that one table may read and write in a second, in DynamoDB's request units. Left out: what the account's quota allows. */
	maxReadRequestUnits: v.optional(whole(1, 40_000)),
	maxWriteRequestUnits: v.optional(whole(1, 40_000)),
	/** Tables that were restored from a backup. Functions use them instead of the stack's tables of those names. */
	restoredTables: v.optional(v.record(tableName, nonEmpty), {}),
});

/** The message about an address whose token others can read. */
const notEncrypted =
	'must be an https:// address: over http:// its token can be read on the way. Without vpc only a loopback address may be http://.';

/** The settings, with the rule that tokens travel unencrypted only within a private network or one machine. */
export const checkedSchema = v.pipe(
	settingsSchema,
	v.forward(
		v.partialCheck(
			[['influxLanguage'], ['influxOrg']],
			({ influxLanguage: language, influxOrg: org }) => hasOrg({ language, org }),
			orgIsRequired,
		),
		['influxOrg'],
	),
	v.forward(
		v.partialCheck(
			[['influxUrl'], ['vpc']],
			({ influxUrl, vpc }) => vpc !== undefined || Object.values(addressesOf(influxUrl)).every(isSafe),
			notEncrypted,
		),
		['influxUrl'],
	),
	v.forward(
		v.partialCheck(
			[['authUrl'], ['vpc']],
			({ authUrl, vpc }) => vpc !== undefined || authUrl === undefined || isSafe(authUrl),
			notEncrypted,
		),
		['authUrl'],
	),
	v.forward(
		v.partialCheck(
			[['authUrl'], ['openIdProviders']],
			({ authUrl, openIdProviders }) => authUrl !== undefined || openIdProviders.length > 0,
			'or openIdProviders is required: without both nobody can sign in.',
		),
		['authUrl'],
	),
	v.forward(
		v.partialCheck(
			[['authUrl'], ['idpProductId']],
			({ authUrl, idpProductId }) => (authUrl === undefined) === (idpProductId === undefined),
			'is required with authUrl, and only with it.',
		),
		['idpProductId'],
	),
	v.forward(
		v.partialCheck(
			[['authUrl'], ['canary']],
			({ authUrl, canary }) => canary === undefined || authUrl !== undefined,
			'needs authUrl: it signs in there.',
		),
		['canary'],
	),
	v.forward(
		v.partialCheck(
			[['openIdInVpc'], ['vpc']],
			({ openIdInVpc, vpc }) => !openIdInVpc || vpc !== undefined,
			'needs vpc, the network that it means.',
		),
		['openIdInVpc'],
	),
	v.forward(
		v.rawCheck(({ dataset, addIssue }) => {
			if (!dataset.typed) return;
			const { openIdProviders, consoleUrl = null, openIdInVpc } = dataset.value;
			// AWS gives the issuer its address, which only functions know: `openOpenIdProviders` checks it.
			const surroundings = { ownIssuer: '', consoleUrl, httpToo: openIdInVpc };
			for (const message of providerFaults(openIdProviders, surroundings)) addIssue({ message });
		}),
		['openIdProviders'],
	),
	v.forward(
		v.partialCheck(
			[['backup'], ['region']],
			({ backup, region }) => region === undefined || backup === undefined || regionOf(backup.copyTo) !== region,
			'must be in another region: a lost region would take the copy, too.',
		),
		['backup', 'copyTo'],
	),
	v.forward(
		v.partialCheck(
			[['disableExecuteApiEndpoint'], ['domain']],
			({ disableExecuteApiEndpoint, domain }) => !disableExecuteApiEndpoint || domain !== undefined,
			'needs a domain: without one the service would have no address.',
		),
		['disableExecuteApiEndpoint'],
	),
	v.forward(
		v.partialCheck(
			[['domain'], ['disableExecuteApiEndpoint'], ['publicUrl'], ['trustedProxy']],
			({ domain, disableExecuteApiEndpoint, publicUrl, trustedProxy }) =>
				domain?.truststore === undefined || (disableExecuteApiEndpoint && publicUrl !== undefined && trustedProxy !== undefined),
			'needs disableExecuteApiEndpoint, publicUrl and trustedProxy: only the proxy reaches the domain, nobody may go around it, and it knows the addresses of clients.',
		),
		['domain', 'truststore'],
	),
	v.forward(
		v.partialCheck(
			[['trustedProxy'], ['domain']],
			({ trustedProxy, domain }) =>
				trustedProxy === undefined || trustedProxy.header !== undefined || domain?.truststore !== undefined,
			'is required without domain.truststore, which tells requests of the proxy from others by a certificate.',
		),
		['trustedProxy', 'header'],
	),
	v.forward(
		v.partialCheck(
			[['alarmTopicArn'], ['account'], ['region']],
			({ alarmTopicArn, account, region }) =>
				// `isForeignTopic` compares the topic's account with that of the settings.
				alarmTopicArn === undefined || (account !== undefined && isInRegion(alarmTopicArn, region)),
			'must be in the region of the stacks, where its client is: set account and region to those of the stacks.',
		),
		['alarmTopicArn'],
	),
	v.forward(
		v.partialCheck(
			[['operatorTopicArn'], ['region']],
			({ operatorTopicArn, region }) => isInRegion(operatorTopicArn, region),
			'must be in the region of the stacks, where the alarms are: set region to that of the stacks.',
		),
		['operatorTopicArn'],
	),
	v.forward(
		v.partialCheck(
			[['alarmEmails'], ['operatorTopicArn']],
			({ alarmEmails, operatorTopicArn }) => operatorTopicArn === undefined || alarmEmails.length === 0,
			'are subscribed to a topic of the stack: leave them out, and subscribe them to operatorTopicArn.',
		),
		['alarmEmails'],
	),
	v.forward(
		v.partialCheck(
			[['alarmTopicKeyArn'], ['alarmTopicArn'], ['region']],
			({ alarmTopicKeyArn, alarmTopicArn, region }) =>
				alarmTopicKeyArn === undefined || (alarmTopicArn !== undefined && isInRegion(alarmTopicKeyArn, region)),
			'must be the key of alarmTopicArn, in the same region.',
		),
		['alarmTopicKeyArn'],
	),
);

/** Whether the resource of an ARN is in the region of the stacks. Without an ARN it is; without a region nobody knows, so it is not. */
function isInRegion(arn: string | undefined, region: string | undefined): boolean {
	return arn === undefined || (region !== undefined && regionOf(arn) === region);
}

/** Returns the region in an ARN: arn:aws:SERVICE:REGION:ACCOUNT:… */
const regionOf = (arn: string): string | undefined => arn.split(':')[3];

/**
 * Whether nobody on the way can read what is sent to an address: it is encrypted, or stays on this machine.
 * @param url a valid address: `httpUrl` has checked it
 */
function isSafe(url: string): boolean {
	const parsed = URL.parse(url);
	return parsed?.protocol !== 'http:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname);
}
