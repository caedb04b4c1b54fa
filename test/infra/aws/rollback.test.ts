import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSynthesis, type Resource, type Stacks, stubBundles } from '#test/support/templates.ts';

/** The property that names a resource, for each type of resource that holds something: rows, secrets, keys, lines, subscriptions, messages. */
const nameProperties: Readonly<Record<string, string>> = {
	'AWS::DynamoDB::GlobalTable': 'TableName',
	'AWS::Logs::LogGroup': 'LogGroupName',
	'AWS::SecretsManager::Secret': 'Name',
	'AWS::SNS::Topic': 'TopicName',
	'AWS::SQS::Queue': 'QueueName',
	'AWS::KMS::Key': 'KeyId',
};

const holderSchema = v.object({ type: v.string(), name: v.optional(v.string()) });
const holdersSchema = v.record(v.string(), holderSchema);
const releaseSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ issuer: holdersSchema, data: holdersSchema, service: holdersSchema }),
);

/** The resources that hold something in production, in the release before alarms of plants were evaluated. It has no roles. */
const before = v.parse(
	releaseSchema,
	readFileSync(new URL('../../data/release-before-evaluation.json', import.meta.url), 'utf8'),
);

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let production: Stacks;
beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	production = synthesis.synthesize('production');
}, 120_000);
afterAll(() => synthesis.close());

const holdersIn = (resources: readonly Resource[]) => resources.filter(({ type }) => Object.hasOwn(nameProperties, type));

const nameOf = ({ type, properties }: Resource): string | undefined =>
	v.parse(v.optional(v.string()), properties[nameProperties[type] ?? '']);

/** Returns what a stack no longer has after a deployment of the earlier release, and whether it then still exists outside the stack. */
const droppedBy = (earlier: v.InferOutput<typeof holdersSchema>, { resources }: Stacks['service']) =>
	holdersIn(resources)
		.filter(({ id }) => !Object.hasOwn(earlier, id))
		.map((resource) => ({ name: nameOf(resource), isKept: resource.policies[0] === 'RetainExceptOnCreate' }));

test('a rollback of the service stack keeps what it drops, under names by which the way forward imports it', () => {
	const logs = [
		'renewToken',
		'ackAlarms',
		'shelveAlarm',
		'unshelveAlarm',
		'alarmEvents',
		'dispatchAlarms',
		'evaluateAlarms',
		'getTopics',
		'describeTopics',
		'getChange',
		'getChanges',
		'restoreItem',
		'getPeople',
		'savePerson',
		'openIdProviders',
		'token',
		'getMachines',
		'saveMachine',
		'deleteMachine',
		'totals',
		'getCorrections',
		'saveCorrection',
		'deleteCorrection',
		'getReports',
		'saveReport',
		'deleteReport',
		'getEntries',
		'saveEntry',
		'deleteEntry',
		'readReport',
		'getReportDay',
		'sealReportDays',
		'tableReport',
		'tableTotals',
		'tableHistory',
		'tableReadings',
		'prometheus',
		'closeReportDays',
		'packDefinitions',
	].map((each) => `/aws/lambda/caudal-production-${each}`);
	const names = [...logs, 'caudal-production-plant-alarms', 'caudal-production-plant-alarms-undelivered'].sort();
	const dropped = droppedBy(before.service, production.service);
	expect(dropped.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''))).toEqual(
		names.map((name) => ({ name, isKept: true })),
	);
});

test('nothing that holds something is in the service stack without being kept and named, but the topic that mails to operators', () => {
	const unsafe = holdersIn(production.service.resources).filter(
		(resource) => resource.policies[0] !== 'RetainExceptOnCreate' || nameOf(resource) === undefined,
	);
	expect(unsafe.map(({ type, properties }) => [type, properties['DisplayName']])).toEqual([
		['AWS::SNS::Topic', 'Caudal production'],
	]);
	// It is there before and after, and each address is subscribed by the stack.
	for (const { id } of unsafe) expect(Object.keys(before.service)).toContain(id);
});

test('the earlier release works with the tables, secrets and keys of this one, so only the service stack has to be rolled back', () => {
	expect(droppedBy(before.issuer, production.issuer)).toEqual([]);
	const added = droppedBy(before.data, production.data);
	expect(added.map(({ name }) => name)).toEqual([
		'caudal-production-changes',
		'caudal-production-report-days',
		'caudal-production-people',
		'caudal-production-machines',
		'caudal-production-grants',
		'caudal-production-sessions',
		'caudal-production-session-tokens',
	]);
	for (const [id, holder] of Object.entries(before.data)) {
		const today = holdersIn(production.data.resources).find((resource) => resource.id === id);
		expect(today === undefined ? undefined : { type: today.type, name: nameOf(today) }).toEqual({ name: undefined, ...holder });
	}
});

test('a rollback replaces nothing that holds something: what both releases have, has the same name in both', () => {
	for (const stack of ['data', 'issuer', 'service'] as const)
		for (const resource of holdersIn(production[stack].resources)) {
			const earlier = before[stack][resource.id];
			if (earlier !== undefined) expect({ type: resource.type, name: nameOf(resource) }).toEqual({ name: undefined, ...earlier });
		}
});
