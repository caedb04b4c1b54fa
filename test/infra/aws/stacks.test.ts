import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { arnOf } from '#test/support/builders/references.ts';
import { openSynthesis, type Resource, type Stacks, stubBundles } from '#test/support/templates.ts';

const stackNames = ['issuer', 'data', 'service'] as const;

/**
 * The resources of production, with a domain and OpenID providers, in the release before the service had nested stacks: by logical id, the type and the
 * properties that CloudFormation can only change by a replacement.
 */
const releaseSchema = v.pipe(v.string(), v.parseJson(), v.record(v.picklist(stackNames), v.record(v.string(), v.string())));
const before = v.parse(
	releaseSchema,
	readFileSync(new URL('../../data/release-before-nested-stacks.json', import.meta.url), 'utf8'),
);
const propertiesSchema = v.pipe(v.optional(v.string(), '{}'), v.parseJson(), v.record(v.string(), v.unknown()));

/** Splits a row of the earlier release into the type of the resource and its properties. */
const earlierOf = (row: string) => {
	const [type = '', ...json] = row.split(' ');
	return { type, properties: v.parse(propertiesSchema, json.join(' ') || undefined) };
};

/** The property that names a resource of a type, where the templates name any. Two resources of one type cannot have one name. */
const nameProperties: Readonly<Record<string, string>> = {
	'AWS::ApiGatewayV2::DomainName': 'DomainName',
	'AWS::CloudWatch::CompositeAlarm': 'AlarmName',
	'AWS::CloudWatch::Dashboard': 'DashboardName',
	'AWS::DynamoDB::GlobalTable': 'TableName',
	'AWS::Events::Rule': 'Name',
	'AWS::KMS::Alias': 'AliasName',
	'AWS::Lambda::EventInvokeConfig': 'FunctionName',
	'AWS::Lambda::Function': 'FunctionName',
	'AWS::Logs::LogGroup': 'LogGroupName',
	'AWS::Scheduler::Schedule': 'Name',
	'AWS::SecretsManager::Secret': 'Name',
	'AWS::SNS::Topic': 'TopicName',
};

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let production: Stacks;
beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	const domain = { name: 'api.utility.test', certificateArn: arnOf('acm', 'certificate/one') };
	production = synthesis.synthesize('production', { ...openIdSettings, domain });
}, 120_000);
afterAll(() => synthesis.close());

describe('an upgrade of the release before nested stacks', () => {
	/** The resources that a stack no longer has in its own template. */
	const movedFrom = (name: (typeof stackNames)[number]) => {
		const own = new Set(production[name].resources.filter(({ nestedIn }) => nestedIn === '').map(({ id }) => id));
		return Object.entries(before[name] ?? {}).flatMap(([id, row]) => (own.has(id) ? [] : [earlierOf(row)]));
	};

	test('removes only resources that hold nothing, and of those only an alarm and the dashboard have a name', () => {
		const types = (name: (typeof stackNames)[number]) => [...new Set(movedFrom(name).map(({ type }) => type))].sort();
		expect(types('data')).toEqual([]);
		expect(types('issuer')).toEqual([]);
		expect(types('service')).toEqual([
			'AWS::ApiGatewayV2::Integration',
			'AWS::CloudWatch::Alarm',
			'AWS::CloudWatch::CompositeAlarm',
			'AWS::CloudWatch::Dashboard',
			'AWS::IAM::Role',
			'AWS::Lambda::Permission',
		]);
		const named = movedFrom('service').filter(({ properties }) => Object.keys(properties).some((key) => /Name$/.test(key)));
		expect(named.map(({ type }) => type)).toEqual(['AWS::CloudWatch::CompositeAlarm', 'AWS::CloudWatch::Dashboard']);
	});

	test('replaces no table, key, secret, API, route, domain, function, log or subscription', () => {
		const kept = stackNames.flatMap((name) =>
			production[name].resources.flatMap(({ nestedIn, id, type, properties }) => {
				const row = nestedIn === '' ? before[name]?.[id] : undefined;
				if (row === undefined) return [];
				const earlier = earlierOf(row);
				const today = Object.fromEntries(Object.keys(earlier.properties).map((key) => [key, properties[key]]));
				return [
					[
						{ id, type, properties: today },
						{ id, ...earlier },
					] as const,
				];
			}),
		);
		expect(kept.length).toBeGreaterThan(300);
		expect(kept.map(([today]) => today)).toEqual(kept.map(([, earlier]) => earlier));
	});

	test('creates nothing under a name that exists until the end of the deployment', () => {
		const nameOf = ({ type, properties }: Pick<Resource, 'type' | 'properties'>) => {
			const property = nameProperties[type];
			return property === undefined ? undefined : `${type} ${String(properties[property])}`;
		};
		const places = new Map(
			stackNames.flatMap((name) =>
				Object.entries(before[name] ?? {}).map(([id, row]) => [nameOf(earlierOf(row)), `${name} ${id}`] as const),
			),
		);
		const elsewhere = stackNames.flatMap((name) =>
			production[name].resources.filter((resource) => {
				const place = places.get(nameOf(resource));
				const here = `${name} ${resource.nestedIn}${resource.id}`;
				return nameOf(resource) !== undefined && place !== undefined && place !== here;
			}),
		);
		expect(elsewhere).toEqual([]);
	});
});

describe('the plan of resources', () => {
	test('names the kinds of resources in each nested stack', () => {
		const typesIn = (stack: string) =>
			[...new Set(production.service.resources.flatMap(({ nestedIn, type }) => (nestedIn === stack ? [type] : [])))].sort();
		const nested = production.service.templates.flatMap(({ name }) => (name === '' ? [] : [name]));
		expect(Object.fromEntries(nested.map((name) => [name, typesIn(name)]))).toEqual({
			Roles: ['AWS::IAM::Role'],
			Traffic: [
				'AWS::ApiGatewayV2::Integration',
				'AWS::CodeDeploy::Application',
				'AWS::CodeDeploy::DeploymentGroup',
				'AWS::IAM::Role',
				'AWS::Lambda::Alias',
				'AWS::Lambda::Permission',
			],
			MonitoringWatch: ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm', 'AWS::CloudWatch::Dashboard'],
		});
	});

	test('leaves 150 of the 500 resources that CloudFormation lets a stack have, and room for parameters and outputs', () => {
		for (const { name, template } of stackNames.flatMap((stack) => production[stack].templates)) {
			expect(Object.keys(template.Resources).length, name).toBeLessThanOrEqual(350);
			expect(Object.keys(template.Parameters).length, name).toBeLessThanOrEqual(150);
			expect(Object.keys(template.Outputs).length, name).toBeLessThanOrEqual(150);
			expect(JSON.stringify(template).length, name).toBeLessThan(700_000);
		}
	});
});
