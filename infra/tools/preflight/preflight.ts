import {
	AuthorizationErrorException,
	GetTopicAttributesCommand,
	NotFoundException,
	paginateListTopics,
	SNSClient,
} from '@aws-sdk/client-sns';
import { Command, InvalidArgumentError } from 'commander';
import * as v from 'valibot';
import { type ClientLimits, clientSettings } from '#adapters/aws/aws-client.ts';
import { unownedSchemas } from '#domain/use-cases/own-tenant.ts';
import { coloursFor } from '#infra/cli/colours.ts';
import { environment } from '#infra/cli/options.ts';
import { pluralize } from '#infra/cli/pluralize.ts';
import { runTool } from '#infra/cli/run-tool.ts';
import { ConfigError } from '#shared/config.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { settingsOf } from '../deployed-settings.ts';
import { withStores } from '../stores.ts';
import { checkConcurrency } from './check-concurrency.ts';
import { checkIdentityProvider, checkInflux, checkKeys, checkOwners, checkSecrets, type PreflightResult } from './checks.ts';
import { trustCertificates } from './trust-certificates.ts';

const pc = coloursFor(process.stdout);

const limits: ClientLimits = { connectTimeoutMs: 3000, requestTimeoutMs: 10_000, maxAttempts: 3 };

const optionsSchema = v.object({ env: v.string(), context: v.record(v.string(), v.string()) });

/** `npm run preflight`: reports what is missing before an environment can be deployed and used. */
const program = new Command('preflight')
	.description(
		'Says what an environment lacks before it is deployed and used: Lambda’s concurrency, secrets, signing keys, owners of schemas, ' +
			'InfluxDB, the identity provider and subscribers of alarms. Ends with exit code 1 when something is missing. It changes nothing.',
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
		await checkInflux(settings),
		await checkIdentityProvider(settings),
		await checkTopic('topic of the service’s own alarms', 'operatorTopicArn', settings.operatorTopicArn, operatorTopicEnd(env)),
		await checkTopic(
			'topic of plants’ alarms',
			'alarmTopicArn',
			settings.alarmTopicArn,
			new RegExp(`:${resourceNames(env).plantAlarms}$`),
		),
	];
	for (const result of results) print(result);
	const count = results.reduce((sum, { missing }) => sum + missing.length, 0);
	console.log(
		count === 0 ? pc.green(`Nothing is missing in ${env}.`) : pc.red(`${pluralize(count, 'thing')} missing in ${env}.`),
	);
	if (count > 0) process.exitCode = 1;
}

function print({ subject, missing, notes = [] }: PreflightResult): void {
	console.log(`${missing.length === 0 ? pc.green('OK') : pc.red('NO')}  ${subject}`);
	for (const each of missing) console.log(`    ${each}`);
	for (const each of notes) console.log(pc.dim(`    ${each}`));
}

function addContext(text: string, previous: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
	const [, name, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
	if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be NAME=VALUE.');
	return { ...previous, [name]: value };
}

/**
 * Returns the pattern of the end of the operators' topic's ARN. CloudFormation builds the name from the stack, the topic's id in it, and
 * random characters.
 */
function operatorTopicEnd(env: string): RegExp {
	return new RegExp(`:${resourceNames(env).stack('service')}-MonitoringAlarms[0-9A-F]{8}-\\w+$`);
}

/**
 * Checks that a topic has a subscriber. Nothing else reports a topic without subscribers.
 * @param about what the topic is
 * @param setting the setting that names the topic, and its value
 * @param end matches the end of the ARN of the stack's own topic, which is used without the setting
 */
async function checkTopic(
	about: string,
	setting: 'operatorTopicArn' | 'alarmTopicArn',
	topicArn: string | undefined,
	end: RegExp,
): Promise<PreflightResult> {
	const client = new SNSClient(clientSettings({}, limits));
	let subject = about;
	try {
		const arn = topicArn ?? (await findTopic(client, end));
		if (arn === null) return { subject: `${subject}: the deployment creates it`, missing: [] };
		subject = `${subject} ${arn}`;
		const { Attributes = {} } = await client.send(new GetTopicAttributesCommand({ TopicArn: arn }));
		const { SubscriptionsConfirmed: confirmed = '0', SubscriptionsPending: pending = '0' } = Attributes;
		return {
			subject: `${subject}: ${confirmed} confirmed, ${pending} unconfirmed subscriptions`,
			missing: [],
			notes: confirmed === '0' ? [`Nobody gets its messages: aws sns subscribe --topic-arn ${arn} …, then confirm.`] : [],
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

async function findTopic(client: SNSClient, end: RegExp): Promise<string | null> {
	for await (const { Topics = [] } of paginateListTopics({ client }, {})) {
		const found = Topics.find(({ TopicArn = '' }) => end.test(TopicArn));
		if (found?.TopicArn !== undefined) return found.TopicArn;
	}
	return null;
}
