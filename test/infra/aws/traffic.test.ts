import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { account } from '#test/support/builders/references.ts';
import { ofType, only, openSynthesis, type Stacks, stubBundles } from '#test/support/templates.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;
beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	dev = synthesis.synthesize('dev');
	production = synthesis.synthesize('production');
}, 120_000);
afterAll(() => synthesis.close());

const aliasSchema = v.strictObject({ FunctionName: v.string(), FunctionVersion: v.string(), Name: v.literal('live') });
const versionSchema = v.strictObject({ FunctionName: v.string() });
const groupSchema = v.strictObject({
	ApplicationName: v.string(),
	ServiceRoleArn: v.string(),
	DeploymentConfigName: v.string(),
	DeploymentStyle: v.unknown(),
	AlarmConfiguration: v.object({ Enabled: v.literal(true), Alarms: v.array(v.object({ Name: v.string() })) }),
	AutoRollbackConfiguration: v.unknown(),
});

const aliasesOf = ({ service }: Stacks) => ofType(service.resources, 'AWS::Lambda::Alias', aliasSchema);
const versionsOf = ({ service }: Stacks) => ofType(service.resources, 'AWS::Lambda::Version', versionSchema);
const groupsOf = ({ service }: Stacks) => ofType(service.resources, 'AWS::CodeDeploy::DeploymentGroup', groupSchema);
const namesOf = (env: string, { settings }: Stacks) =>
	deployedEndpoints(settings).flatMap(({ api, name }) => (api === 'service' ? [resourceNames(env).function(name)] : []));

describe.each([
	['dev', () => dev],
	['production', () => production],
] as const)('in %s', (env, stacks) => {
	test('each endpoint of the service has an alias of the version that is deployed', () => {
		const versions = new Map(versionsOf(stacks()).map(({ id, properties }) => [id, properties.FunctionName]));
		const aliases = aliasesOf(stacks()).map(({ properties }) => properties);
		expect(aliases.map(({ FunctionName }) => FunctionName)).toEqual(namesOf(env, stacks()));
		for (const { FunctionName, FunctionVersion } of aliases) expect(versions.get(FunctionVersion)).toBe(FunctionName);
	});

	test('a function that changes gets another version, and no other function does', () => {
		const versionsWith = (overrides: Readonly<Record<string, unknown>>) =>
			new Map(versionsOf(synthesis.synthesize(env, overrides)).map(({ id, properties }) => [properties.FunctionName, id]));
		const [before, after] = [versionsWith({}), versionsWith({ idpTimeoutMs: 2500 })];
		const changed = [...after].flatMap(([name, id]) => (before.get(name) === id ? [] : [name]));
		expect(changed).toEqual(['loginSso', 'renewToken'].map((name) => `caudal-${env}-${name}`));
	});
});

test('in production a tenth of the requests goes to a new version for 10 minutes, and an alarm of releases takes them back', () => {
	const { resources } = production.service;
	const groups = groupsOf(production);
	const application = only(resources.filter(({ type }) => type === 'AWS::CodeDeploy::Application'));
	const alarms = new Set(groups.flatMap(({ properties }) => properties.AlarmConfiguration.Alarms.map(({ Name }) => Name)));
	expect([...alarms].map((name) => name.replace(/[0-9A-F]{8}$/, ''))).toEqual([
		'AlarmServerErrors',
		'AlarmLatency',
		'AlarmTokenSigningFailed',
	]);
	for (const { properties } of groups)
		expect(properties).toMatchObject({
			ApplicationName: application.id,
			ServiceRoleArn: expect.stringMatching(new RegExp(`^arn:aws:iam::${account}:role/RolloutRole`)),
			DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
			AutoRollbackConfiguration: {
				Enabled: true,
				Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
			},
		});
	const policies = aliasesOf(production).map(({ properties, updatePolicy }) => [properties.FunctionName, updatePolicy] as const);
	const gradual = policies.filter(([, policy]) => Object.keys(policy).length > 0);
	expect(gradual.map(([, policy]) => policy)).toEqual(
		groups.map(({ id }) => ({
			CodeDeployLambdaAliasUpdate: { ApplicationName: application.id, DeploymentGroupName: id },
		})),
	);
	// A page of the console asks for files of its own version.
	const atOnce = policies.filter(([, policy]) => Object.keys(policy).length === 0).map(([name]) => name);
	expect(atOnce).toEqual(['caudal-production-docs', 'caudal-production-console']);
});

test('the setting gradualTraffic switches it on and off, elsewhere it follows protected', () => {
	const countOf = (stacks: Stacks) => groupsOf(stacks).length;
	expect(countOf(dev)).toBe(0);
	expect(countOf(synthesis.synthesize('dev', { gradualTraffic: true }))).toBe(aliasesOf(dev).length - 2);
	const off = synthesis.synthesize('production', { gradualTraffic: false });
	expect(countOf(off)).toBe(0);
	// A deployment without it moves the same aliases at once.
	expect(aliasesOf(off).map(({ id, properties }) => [id, properties])).toEqual(
		aliasesOf(production).map(({ id, properties }) => [id, properties]),
	);
});
