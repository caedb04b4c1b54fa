import {
	AuthorizationErrorException,
	GetSubscriptionAttributesCommand,
	GetTopicAttributesCommand,
	NotFoundException,
	paginateListSubscriptionsByTopic,
	paginateListTopics,
	SNSClient,
} from '@aws-sdk/client-sns';
import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import { createProviderReads } from '#adapters/openid/openid-providers.ts';
import { unownedSchemas } from '#domain/access/own-tenant.ts';
import { type Environment, isForeignTopic } from '#infra/aws/environment.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { print } from '#infra/cli/print.ts';
import { type CheckResult, printCheck } from '#infra/cli/print-check.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { settingsOf } from '../deployed-settings.ts';
import { withStores } from '../stores.ts';
import { checkConcurrency } from './check-concurrency.ts';
import { checkDeployedRelease } from './check-deployed-release.ts';
import { checkOpenIdProviders } from './check-openid-providers.ts';
import { checkIdentityProvider, checkInflux, checkKeys, checkOwners, checkSecrets, missingOpenIdSecret } from './checks.ts';
import { trustCertificates } from './trust-certificates.ts';

const pc = coloursFor(process.stdout);

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

const optionsSchema = v.object({ env: v.string(), context: v.record(v.string(), v.string()) });

/** `npm run preflight`: reports what is missing before an environment can be deployed and used. */
const program = new Command('preflight')
	.description(
		'Says what an environment lacks before it is deployed and used: Lambda’s concurrency, secrets, signing keys, owners of schemas, ' +
			'InfluxDB, the identity provider, OpenID providers and subscribers of alarms. Ends with exit code 1 when something is missing. It changes nothing.',
	)
	.option('--env <name>', 'the environment', environment, 'dev')
	.option(
		'-c, --context <name=value>',
		'a setting instead of the one in cdk.json, as for npx cdk deploy; repeatable',
		addContext,
		{},
	)
	.action(preflight);

await runTool(program);

async function preflight(input: unknown): Promise<void> {
	const { env, context } = v.parse(optionsSchema, input);
	const settings = settingsOf(env, context);
	if (settings === undefined)
		throw new ConfigError(`There is no environment ${env} in cdk.json, context.environments: add it there.`);
	if (settings.caBundle !== undefined) trustCertificates(settings.caBundle);
	const results = [
		await checkConcurrency(settings),
		...(await checkSecrets(settings)),
		await checkKeys(settings),
		await checkOwners(settings, () => withStores({ environment: env }, unownedSchemas)),
		...(await checkInflux(settings)),
		...(await checkIdentityProvider(settings)),
		...(await checkProvidersOf(settings)),
		...(await checkDeployedRelease(settings)),
		await checkTopic({
			description: 'topic of the service’s own alarms',
			setting: 'operatorTopicArn',
			topicArn: settings.operatorTopicArn,
			ownTopic: operatorTopicPattern(env),
			isRequired: settings.protected,
			undelivered: null,
		}),
		await checkTopic({
			description: 'topic of plants’ alarms',
			setting: 'alarmTopicArn',
			topicArn: settings.alarmTopicArn,
			ownTopic: new RegExp(`:${resourceNames(env).plantAlarms}$`),
			isRequired: settings.protected,
			undelivered: isForeignTopic(settings) ? null : resourceNames(env).undeliveredPlantAlarms,
		}),
	];
	for (const result of results) printCheck(result, pc);
	const count = results.reduce((sum, { missing }) => sum + missing.length, 0);
	print(count === 0 ? pc.green(`Nothing is missing in ${env}.`) : pc.red(`${pluralize(count, 'thing')} missing in ${env}.`));
	if (count > 0) process.exitCode = 1;
}

/** Checks the OpenID providers of the settings from this machine. */
function checkProvidersOf(settings: Environment): Promise<readonly CheckResult[]> {
	const { name, openIdProviders, consoleUrl = null, openIdInVpc, openIdTimeoutMs } = settings;
	return checkOpenIdProviders({
		providers: openIdProviders,
		consoleUrl,
		isPrivate: openIdInVpc,
		reads: createProviderReads({ timeoutMs: openIdTimeoutMs, httpToo: openIdInVpc, now: Date.now }),
		missingSecret: (provider) => missingOpenIdSecret(name, provider),
	});
}

/** Adds a setting, NAME=VALUE, to those of earlier options. The value may hold any character. */
function addContext(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
	if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
	return { ...previous, [name]: value };
}

/**
 * Returns the pattern of the end of the ARN of the stack's own topic for operators. CloudFormation builds the name from the stack, the topic's
 * id in it, and random characters.
 */
function operatorTopicPattern(env: string): RegExp {
	return new RegExp(`:${resourceNames(env).stack('service')}-MonitoringAlarms[0-9A-F]{8}-\\w+$`);
}

interface CheckedTopic {
	readonly description: string;
	/** The name of the setting that gives another topic. */
	readonly setting: 'operatorTopicArn' | 'alarmTopicArn';
	/** The value of the setting. Without it the stack creates a topic of its own. */
	readonly topicArn: string | undefined;
	/** Matches the ARN of the stack's own topic. */
	readonly ownTopic: RegExp;
	/** Whether the environment must not be used before somebody is subscribed. */
	readonly isRequired: boolean;
	/** The name of the queue that redrive policies of its subscriptions should name; null: there is none. */
	readonly undelivered: string | null;
}

/** Checks that a topic exists and has a subscriber: nothing else reports that, and the service works without one. */
async function checkTopic(topic: CheckedTopic): Promise<CheckResult> {
	const { description, setting, topicArn, ownTopic, isRequired, undelivered } = topic;
	const client = new SNSClient(clientSettings({}, limits));
	let subject = description;
	try {
		const arn = topicArn ?? (await findTopic(client, ownTopic));
		if (arn === null) return { subject: `${subject}: the deployment creates it`, missing: [] };
		subject = `${subject} ${arn}`;
		const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn: arn }));
		const { SubscriptionsConfirmed: confirmed = '0', SubscriptionsPending: pending = '0' } = Attributes;
		const unheard = confirmed === '0' ? [`Nobody gets its messages: aws sns subscribe --topic-arn ${arn} …, then confirm.`] : [];
		const advice = [...unheard, ...(undelivered === null ? [] : await adviceOnRedrive(client, arn, undelivered))];
		return {
			subject: `${subject}: ${confirmed} confirmed, ${pending} unconfirmed subscriptions`,
			missing: isRequired ? advice : [],
			notes: isRequired ? [] : advice,
		};
	} catch (error) {
		if (error instanceof NotFoundException)
			return { subject, missing: [`It does not exist: correct ${setting}, or create the topic.`] };
		if (error instanceof AuthorizationErrorException)
			return { subject, missing: [], notes: ['These credentials may not read its subscriptions.'] };
		throw error;
	} finally {
		client.destroy();
	}
}

/** Names each confirmed subscription of the account without a redrive policy, with the command that sets it. */
async function adviceOnRedrive(client: SNSClient, topicArn: string, queueName: string): Promise<readonly string[]> {
	const [, partition, , region, account = ''] = topicArn.split(':');
	const policy = JSON.stringify({ deadLetterTargetArn: `arn:${partition}:sqs:${region}:${account}:${queueName}` });
	const advice: string[] = [];
	for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn: topicArn }))
		for (const { SubscriptionArn = '', Protocol, Endpoint, Owner } of Subscriptions) {
			// An unconfirmed one has no ARN, and the queue of another account's is of that account.
			if (!SubscriptionArn.startsWith('arn:') || Owner !== account) continue;
			const { Attributes = {} } = await client.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
			if (Attributes['RedrivePolicy'] === undefined)
				advice.push(
					`What SNS gives up to deliver to ${Protocol} ${Endpoint} is lost: aws sns set-subscription-attributes --subscription-arn ${SubscriptionArn} --attribute-name RedrivePolicy --attribute-value '${policy}'`,
				);
		}
	return advice;
}

/** Returns the ARN of the first topic that matches; null where there is none. */
async function findTopic(client: SNSClient, pattern: RegExp): Promise<string | null> {
	for await (const { Topics = [] } of paginateListTopics({ client }, {})) {
		const found = Topics.find(({ TopicArn = '' }) => pattern.test(TopicArn));
		if (found?.TopicArn !== undefined) return found.TopicArn;
	}
	return null;
}
