import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { tasks } from '#shared/tasks.ts';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { runProgram } from '#test/support/process.ts';
import { freePort } from '#test/support/servers/managed-server.ts';
import { makeApp, makeVpc, settingsOf, stubBundles } from '#test/support/templates.ts';

const reportSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({
		pluginReports: v.array(
			v.object({
				pluginName: v.string(),
				violations: v.array(
					v.object({ ruleName: v.string(), violatingConstructs: v.array(v.object({ constructPath: v.string() })) }),
				),
			}),
		),
	}),
);
/** Returns the findings of cdk-nag in a cloud assembly, as `rule construct`. */
const findingsIn = (folder: string): string[] =>
	v
		.parse(reportSchema, readFileSync(join(folder, 'validation-report.json'), 'utf8'))
		.pluginReports.flatMap(({ violations }) => violations)
		.flatMap(({ ruleName, violatingConstructs }) =>
			violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
		);

const root = mkdtempSync(join(tmpdir(), 'caudal-synth-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const bundles = join(root, 'stub-bundles');
stubBundles(bundles);

/** Runs `cdk synth` without credentials, network access or earlier caches. */
const synth = async (name: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) => {
	const folder = join(root, name);
	const home = join(root, `${name}-home`);
	mkdirSync(home);
	const closedProxy = `http://127.0.0.1:${await freePort()}`;
	const program = runProgram('node_modules/aws-cdk/bin/cdk', ['synth', '--output', folder, ...args], {
		HOME: home,
		USERPROFILE: home,
		// CDK runs the app with the first node on the PATH.
		PATH: dirname(process.execPath),
		HTTP_PROXY: closedProxy,
		HTTPS_PROXY: closedProxy,
		http_proxy: closedProxy,
		https_proxy: closedProxy,
		...environment,
	});
	return { folder, ended: await program.ended, printed: program.output() };
};

type Synthesized = Awaited<ReturnType<typeof synth>>;
const realAddresses = ['influxUrl=https://influxdb.utility.test', 'authUrl=https://identity.utility.test'].flatMap((each) => [
	'-c',
	each,
]);

describe('cdk synth, without an account or a network', () => {
	let dev: Synthesized;
	let production: Synthesized;
	beforeAll(async () => {
		[dev, production] = await Promise.all([synth('dev'), synth('production', ['-c', 'env=production', ...realAddresses])]);
	}, 180_000);

	test.each([
		['dev', () => dev],
		['production', () => production],
	] as const)('creates the stacks of an environment without findings: %s', (env, synthesized) => {
		const { folder, ended, printed } = synthesized();
		expect(ended, printed).toBe(0);
		const { stack } = resourceNames(env);
		const templates = readdirSync(folder).filter((name) => name.endsWith('.template.json'));
		expect(templates.filter((name) => !name.includes('.nested.'))).toEqual(
			[stack('data'), stack('issuer'), stack('service')].map((name) => `${name}.template.json`),
		);
		expect(templates.filter((name) => name.includes('.nested.'))).toHaveLength(3);
		expect(findingsIn(folder)).toEqual([]);
	});

	test('creates an asset for each function', () => {
		// All tasks are deployed everywhere but the canary.
		const assets = readdirSync(dev.folder).filter((name) => name.startsWith('asset.'));
		expect(assets).toHaveLength(deployedEndpoints(settingsOf('dev')).length + tasks.length - 1);
	});

	test('warns only of settings that are still examples, and of concurrency that cannot be reserved', () => {
		const warnings = (printed: string): string[] => printed.split('\n').filter((line) => /warning/i.test(line));
		const examples = (...names: string[]) => names.map((name) => `WARNING ${name} is still the example in cdk.json`);
		expect(warnings(dev.printed)).toEqual(
			[
				...examples('influxUrl', 'authUrl'),
				'WARNING accountConcurrency is 10, so no concurrency is reserved by itself: AWS refuses a reservation that leaves less than 100.',
			].map((text) => expect.stringContaining(text)),
		);
		expect(warnings(production.printed)).toEqual(
			examples('corsOrigins', 'alarmEmails').map((text) => expect.stringContaining(text)),
		);
	});

	test('rejects an unknown environment and names the known ones', async () => {
		const { ended, printed, folder } = await synth('staging', ['-c', 'env=staging']);
		expect(ended).toBe(1);
		expect(printed).toContain('There is no environment staging in cdk.json, context.environments (dev, production).');
		expect(existsSync(join(folder, 'manifest.json'))).toBe(false);
	}, 60_000);

	test('says in one line that the credentials are of another account', async () => {
		const { ended, printed, folder } = await synth('account', ['-c', 'account=111111111111'], {
			CDK_DEFAULT_ACCOUNT: '222222222222',
		});
		expect(ended).toBe(1);
		expect(printed).toContain(
			'Environment dev is in AWS account 111111111111, and these credentials are of account 222222222222: use others, such as with AWS_PROFILE.\n',
		);
		expect(existsSync(join(folder, 'manifest.json'))).toBe(false);
	}, 60_000);
});

describe('the rules of AWS Solutions', () => {
	afterEach(() => vi.restoreAllMocks());
	let count = 0;
	/** Prepares to synthesize dev in this process, with a change to the app. */
	const prepare = (change: (app: App) => void = () => undefined, overrides: Readonly<Record<string, unknown>> = {}) => {
		count += 1;
		const folder = join(root, `app-${count}`);
		const app = makeApp(folder, bundles, settingsOf('dev', overrides));
		change(app);
		return { folder, synth: () => app.synth() };
	};

	test('find nothing in the stacks', () => {
		const { folder, synth } = prepare();
		synth();
		expect(findingsIn(folder)).toEqual([]);
	});

	test('stop synthesis when a stack breaks one of them', () => {
		const { folder, synth } = prepare((app) => new Topic(new Stack(app, 'Extra'), 'WithoutTls'));
		expect(synth).toThrow(/AwsSolutions-SNS3/);
		expect(findingsIn(folder)).toEqual(['AwsSolutions-SNS3 Extra/WithoutTls/Resource']);
	});

	test.each([
		['', {}, []],
		[' with tracing', { tracing: true }, ['AwsSolutions-IAM5[Resource::*]']],
		[' in a private network', { vpc: makeVpc() }, ['AwsSolutions-IAM5[Resource::*]']],
		[' with OpenID providers', openIdSettings, []],
		[
			' with gradual traffic',
			{ gradualTraffic: true },
			['AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]'],
		],
	])('report exactly the acknowledged findings when acknowledgements are removed%s', (_, overrides, more) => {
		const acknowledge = vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(() => undefined);
		const { folder, synth } = prepare(undefined, overrides);
		expect(synth).toThrow(/AwsSolutions/);
		const rulesOf = (findings: readonly string[]): string[] => findings.map((finding) => finding.split(' ')[0] ?? '').sort();
		const acknowledged = acknowledge.mock.calls.flat().map(({ id, reason }) => {
			expect(reason).toMatch(/\w+ \w+/);
			return id;
		});
		expect(rulesOf(findingsIn(folder))).toEqual(acknowledged.sort());
		const restoreKeys = 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]';
		expect(new Set(acknowledged)).toEqual(
			new Set(['AwsSolutions-APIG4', restoreKeys, ...more, 'AwsSolutions-SMG4', 'AwsSolutions-SQS3']),
		);
	});

	test.each(['AwsSolutions-APIG4', 'AwsSolutions-IAM5[Resource::*]', 'AwsSolutions-SMG4'])(
		'stop synthesis without the acknowledgement of %s',
		(rule) => {
			const acknowledge = Validations.prototype.acknowledge;
			vi.spyOn(Validations.prototype, 'acknowledge').mockImplementation(function (this: Validations, ...acknowledgements) {
				acknowledge.apply(
					this,
					acknowledgements.filter(({ id }) => id !== rule),
				);
			});
			const { synth } = prepare(undefined, { tracing: true });
			expect(synth).toThrow(rule);
		},
	);
});
