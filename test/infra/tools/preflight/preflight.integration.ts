import { CreateAliasCommand, CreateKeyCommand, DisableKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
	CreateFunctionCommand,
	GetAccountSettingsCommand,
	LambdaClient,
	PutFunctionConcurrencyCommand,
	UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CreateTopicCommand, SetSubscriptionAttributesCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { startDemoIdp } from '#infra/local/demo/idp.ts';
import { demoIdpToken } from '#infra/local/wiring/settings.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { runProgram } from '#test/support/process.ts';
import { awsEnvironment, awsSettings } from '#test/support/servers/aws.ts';
import { callAws } from '#test/support/servers/aws-query.ts';
import { startFakeProvider } from '#test/support/servers/fake-provider.ts';
import { influxd } from '#test/support/servers/influx.ts';
import { createReadToken } from '#test/support/servers/influxd.ts';
import { influxdb3Token, startInfluxdb3 } from '#test/support/servers/influxdb3.ts';
import { influxqlTarget } from '#test/support/servers/influxql.ts';
import { freePort } from '#test/support/servers/managed-server.ts';

/** An archive without files. */
const emptyZip = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');

/** A region of its own: other tests deploy `dev` too. */
const region = 'eu-central-1';
const { secrets, signingKey, plantAlarms } = resourceNames('dev');

describe.skipIf(inject('awsEndpoint') === null || inject('influxd') === null)('npm run preflight', () => {
	const aws = { ...awsSettings(), region };
	const environment = { ...awsEnvironment(), AWS_REGION: region };
	const [store, kms, sns] = [new SecretsManagerClient(aws), new KMSClient(aws), new SNSClient(aws)];
	const lambda = new LambdaClient(aws);
	let idp: Awaited<ReturnType<typeof startDemoIdp>>;
	let keyId: string;
	beforeAll(async () => {
		idp = await startDemoIdp(demoIdpToken);
	});
	afterAll(() => {
		idp.close();
		store.destroy();
		kms.destroy();
		sns.destroy();
		lambda.destroy();
	});

	const run = async (...args: readonly string[]) => {
		const program = runProgram('infra/tools/preflight/preflight.ts', ['--env', 'dev', ...args], environment);
		return { code: await program.ended, text: program.output() };
	};
	/** Runs the preflight on the real InfluxDB and identity provider, with other settings where `overrides` has them. */
	const preflight = async (overrides: Readonly<Record<string, string>> = {}) => {
		const { url, org } = influxd();
		const settings = { influxUrl: url, influxOrg: org, authUrl: idp.url, ...overrides };
		const { code, text } = await run(...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]));
		return { code, text, lines: text.split('\n').map((line) => line.trim()) };
	};
	const runKey = (step: string) => runProgram('infra/tools/key/key.ts', [step, 'first', '--env', 'dev'], environment).ended;
	const put = (SecretId: string, SecretString: string) => store.send(new PutSecretValueCommand({ SecretId, SecretString }));

	test('names everything that a new account lacks', async () => {
		const { code, text, lines } = await preflight();
		expect(code, text).toBe(1);
		expect(lines).toContain(`NO  secret ${secrets.influxToken}: missing`);
		expect(text).toContain('deploy its stack first (npx cdk deploy caudal-dev-data -c env=dev)');
		expect(lines).toContain('NO  signing keys: none is active');
		expect(text).toContain('There is no key first yet: npx cdk deploy caudal-dev-issuer');
		expect(lines).toContain(`OK  InfluxDB at ${influxd().url}`);
		expect(lines).toContain(`OK  the identity provider at ${idp.url}`);
		expect(lines).toContain('4 things missing in dev.');
		expect(text).not.toContain('canary-token');
		expect(lines).toContain('OK  topic of plants’ alarms: the deployment creates it');
	}, 120_000);

	test('names secrets that nobody has set, and keys that are not published', async () => {
		for (const Name of [secrets.influxToken, secrets.idpToken])
			await store.send(new CreateSecretCommand({ Name, SecretString: 'random' }));
		const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }));
		keyId = KeyMetadata?.KeyId ?? '';
		await kms.send(new CreateAliasCommand({ AliasName: signingKey('first'), TargetKeyId: keyId }));
		const { code, text, lines } = await preflight();
		expect(code, text).toBe(1);
		expect(lines).toContain(`NO  secret ${secrets.idpToken}: empty`);
		expect(text).toContain(
			`aws secretsmanager put-secret-value --secret-id ${secrets.idpToken} --secret-string file://token.txt`,
		);
		expect(text).toContain('npm run key -- publish first --env dev, then npm run key -- activate first --env dev');
		expect(lines).toContain('Its token is not checked yet.');
		expect(lines).toContain('3 things missing in dev.');
	}, 120_000);

	test('finds nothing missing when all is done, and says that a small quota reserves nothing', async () => {
		await put(secrets.influxToken, await createReadToken(influxd()));
		await put(secrets.idpToken, demoIdpToken);
		await runKey('publish');
		await runKey('activate');
		const { code, text, lines } = await preflight();
		expect(code, text).toBe(0);
		expect(lines).toContain('Nothing is missing in dev.');
		expect(text).toMatch(/Nothing is reserved below 200, .* then set accountConcurrency\./);
		expect(text).toMatch(/carry so many requests per second to functions: .*accountConcurrency 33 for \d+ together/);
		expect(lines).toContain(
			'accountConcurrency (33 a second) is reached first, by 317 dashboards with the requests that are expected of them.',
		);
	}, 120_000);

	test('says whether somebody is subscribed to the alarms of plants', async () => {
		const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: plantAlarms }));
		const alone = await preflight();
		expect(alone.code, alone.text).toBe(0);
		expect(alone.lines).toContain(`OK  topic of plants’ alarms ${TopicArn}: 0 confirmed, 0 unconfirmed subscriptions`);
		expect(alone.text).toContain(`Nobody gets its messages: aws sns subscribe --topic-arn ${TopicArn}`);
		const Endpoint = `arn:aws:sqs:${region}:000000000000:told`;
		const { SubscriptionArn = '' } = await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint }));
		const told = await preflight();
		expect(told.lines).toContain(`OK  topic of plants’ alarms ${TopicArn}: 1 confirmed, 0 unconfirmed subscriptions`);
		expect(told.text).not.toContain('Nobody gets');
		const AttributeValue = `{"deadLetterTargetArn":"arn:aws:sqs:${region}:000000000000:caudal-dev-plant-alarms-undelivered"}`;
		const lost = `What SNS gives up to deliver to sqs ${Endpoint} is lost: aws sns set-subscription-attributes --subscription-arn ${SubscriptionArn} --attribute-name RedrivePolicy --attribute-value '${AttributeValue}'`;
		expect(told.lines).toContain(lost);
		const unguarded = await preflight({ protected: 'true' });
		expect(unguarded.lines).toContain(`NO  topic of plants’ alarms ${TopicArn}: 1 confirmed, 0 unconfirmed subscriptions`);
		expect(unguarded.lines).toContain(lost);
		const AttributeName = 'RedrivePolicy';
		await sns.send(new SetSubscriptionAttributesCommand({ SubscriptionArn, AttributeName, AttributeValue }));
		const Name = `caudal-dev-service-MonitoringAlarms66989066-${'x'.repeat(12)}`;
		const { TopicArn: operators } = await sns.send(new CreateTopicCommand({ Name }));
		const unheard = await preflight();
		expect(unheard.lines).toContain(
			`OK  topic of the service’s own alarms ${operators}: 0 confirmed, 0 unconfirmed subscriptions`,
		);
		expect(unheard.text).toContain(`Nobody gets its messages: aws sns subscribe --topic-arn ${operators}`);
		const isProtected = await preflight({ protected: 'true' });
		expect(isProtected.code).toBe(1);
		expect(isProtected.lines).toContain(
			`NO  topic of the service’s own alarms ${operators}: 0 confirmed, 0 unconfirmed subscriptions`,
		);
		expect(isProtected.lines).toContain(`OK  topic of plants’ alarms ${TopicArn}: 1 confirmed, 0 unconfirmed subscriptions`);
		expect(isProtected.text).not.toContain('is lost');
		const absent = await preflight({
			...{ account: '000000000000', region },
			alarmTopicArn: TopicArn.replace(plantAlarms, 'nothing'),
		});
		expect(absent.code).toBe(1);
		expect(absent.text).toContain('It does not exist: correct alarmTopicArn, or create the topic.');
	}, 120_000);

	test('says that the account has less concurrency than the settings', async () => {
		const { code, text } = await preflight({ accountConcurrency: '900000' });
		expect(code, text).toBe(1);
		expect(text).toMatch(/accountConcurrency is 900000, but the account has \d+: ask AWS for a higher quota/);
		expect(text).toMatch(
			/At 0\.3 s a request, these carry so many requests per second to functions: .*reservedConcurrency\.multipleDataTsdb \d{6}, .*throttling\.signIn 5 for each of \d+, .*throttling\.requests 50 for \d+ together/,
		);
		expect(text).toContain('Tasks are enough for so many schemas: evaluateAlarms 4500000, closeReportDays 4500000.');
		expect(text).toContain('throttling.requests (50 a second) is reached first, by 501 dashboards');
	}, 120_000);

	test('says that another environment has reserved what this one needs, and counts its own reservations once', async () => {
		const policy = {
			Version: '2012-10-17',
			Statement: { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' },
		};
		const role = {
			Action: 'CreateRole',
			Version: '2010-05-08',
			RoleName: 'preflight',
			AssumeRolePolicyDocument: JSON.stringify(policy),
		};
		await callAws('iam', 'POST', '/', new URLSearchParams(role));
		const Role = 'arn:aws:iam::000000000000:role/preflight';
		const reserve = async (FunctionName: string, ReservedConcurrentExecutions: number) => {
			const code = { Runtime: 'nodejs24.x', Handler: 'index.handler', Role, Code: { ZipFile: emptyZip } } as const;
			await lambda.send(new CreateFunctionCommand({ FunctionName, ...code }));
			await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
		};
		// accountConcurrency 300 reserves 186: 5 for each of 5 functions of sign-in, 2 for each of 5 that check credentials, 38 for tasks, the rest by traffic.
		const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
		const quota = AccountLimit?.ConcurrentExecutions ?? 0;
		const others = quota - 186 - 100;
		await reserve(resourceNames('dev').function('multipleDataTsdb'), 16);
		await reserve(resourceNames('production').function('multipleDataTsdb'), others);
		const enough = await preflight({ accountConcurrency: '300' });
		expect(enough.text).toContain(`${quota}. This environment reserves 186, now 16. Other functions have reserved ${others}`);
		expect(enough.code, enough.text).toBe(0);
		await reserve('other', 1);
		const short = await preflight({ accountConcurrency: '300' });
		expect(short.code).toBe(1);
		expect(short.text).toContain('The reservations leave 99 to functions without one, and AWS refuses to leave less than 100');
		expect(short.text).toContain("lower accountConcurrency, which is this environment's share");
	}, 120_000);

	test('asks OpenID providers, and refuses them while functions of an earlier release are deployed', async () => {
		const fake = await startFakeProvider();
		const provider = { name: 'entra', label: 'Plant account', issuer: fake.issuer, clientId: 'caudal', secret: true };
		const settings = { openIdProviders: JSON.stringify([provider]), consoleUrl: 'https://console.utility.test/console' };
		try {
			const undeployed = await preflight(settings);
			expect(undeployed.code).toBe(1);
			expect(undeployed.lines).toContain(`NO  the OpenID provider entra at ${fake.issuer}`);
			expect(undeployed.lines).toContain('Register this redirect address there: https://console.utility.test/console');
			expect(undeployed.lines).toContain('OK  deployed functions: there are none yet');
			const secretId = resourceNames('dev').openIdSecret('entra');
			await store.send(new CreateSecretCommand({ Name: secretId, SecretString: 'random' }));
			expect((await preflight(settings)).text).toContain(`put-secret-value --secret-id ${secretId} `);
			await put(secretId, 'secret-of-the-client');
			const FunctionName = resourceNames('dev').function('saveVariable');
			const code = { Runtime: 'nodejs24.x', Handler: 'index.handler', Role: 'arn:aws:iam::000000000000:role/preflight' } as const;
			await lambda.send(new CreateFunctionCommand({ FunctionName, ...code, Code: { ZipFile: emptyZip } }));
			const earlier = await preflight(settings);
			expect(earlier.code).toBe(1);
			expect(earlier.text).toContain('They are of an earlier release: deploy this release without openIdProviders first');
			expect((await preflight()).code).toBe(0);
			const Environment = { Variables: { TABLE_SESSIONS: 'caudal-dev-sessions' } };
			await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment }));
			const today = await preflight(settings);
			expect(today.code, today.text).toBe(0);
			expect(today.lines).toContain(`OK  the OpenID provider entra at ${fake.issuer}`);
		} finally {
			fake.close();
		}
	}, 120_000);

	test.skipIf(inject('influxd1') === null)(
		'says which languages a server speaks, of each generation',
		async () => {
			const access = influxqlTarget('influxd1').access;
			const standIn = await startInfluxdb3(access);
			onTestFinished(() => standIn.close());
			const speak = async (influxUrl: string, secret: string, influxLanguage: string) => {
				await put(secrets.influxToken, secret);
				return preflight({ influxUrl, influxLanguage, influxUser: access.user });
			};
			for (const [url, secret] of [
				[access.url, access.password],
				[standIn.url, influxdb3Token],
			] as const) {
				const fits = await speak(url, secret, 'influxql');
				expect([fits.code, fits.lines.includes(`OK  InfluxDB at ${url}`)], fits.text).toEqual([0, true]);
				expect(fits.lines).toContain('It speaks InfluxQL with this token; influxLanguage is influxql.');
				const other = await speak(url, secret, 'flux');
				expect(other.code, other.text).toBe(1);
				expect(other.lines).toContain('It speaks InfluxQL with this token; influxLanguage is flux.');
				const wrong = await speak(url, 'wrong', 'influxql');
				expect(wrong.code, wrong.text).toBe(1);
				expect(wrong.text).toContain(`It does not accept its secret as the password of ${access.user}.`);
			}
			const both = await speak(influxd().url, await createReadToken(influxd()), 'influxql');
			expect(both.code, both.text).toBe(0);
			expect(both.lines).toContain('It speaks Flux and InfluxQL with this token; influxLanguage is influxql.');
		},
		240_000,
	);

	test('asks each of several InfluxDB servers with its own token', async () => {
		const { url } = influxd();
		// The same server under another name.
		const other = url.replace('127.0.0.1', 'localhost');
		expect(other).not.toBe(url);
		const influxUrl = JSON.stringify({ '': url, north_: other, plant_a: other });
		const token = await createReadToken(influxd());
		await put(secrets.influxToken, JSON.stringify({ [url]: token }));
		const lacking = await preflight({ influxUrl });
		expect(lacking.code, lacking.text).toBe(1);
		expect(lacking.lines).toContain(`OK  InfluxDB at ${url}`);
		expect(lacking.lines).toContain(`NO  InfluxDB at ${other}`);
		expect(lacking.lines).toContain('Its databases: all others.');
		expect(lacking.lines).toContain('Its databases: those that begin with north_, plant_a.');
		expect(lacking.text).toContain(`It gets no token. The secret of InfluxDB has no token for ${other}.`);
		await put(secrets.influxToken, JSON.stringify({ [url]: token, [other]: token }));
		const whole = await preflight({ influxUrl });
		expect(whole.code, whole.text).toBe(0);
		expect(whole.lines).toEqual(expect.arrayContaining([`OK  InfluxDB at ${url}`, `OK  InfluxDB at ${other}`]));
		await put(secrets.influxToken, `{"${url}":"${token}"`);
		const broken = await preflight({ influxUrl });
		expect(broken.code, broken.text).toBe(1);
		expect(broken.text).toContain('It gets no token. The secret of InfluxDB begins with { and is not JSON.');
		expect(broken.text).not.toContain(token);
		await put(secrets.influxToken, token);
	}, 120_000);

	test('says which server cannot be reached, or does not accept its token', async () => {
		const nowhere = `http://127.0.0.1:${await freePort()}`;
		const unreachable = await preflight({ influxUrl: nowhere, authUrl: nowhere });
		expect(unreachable.code).toBe(1);
		expect(unreachable.text.match(/cannot be reached from this machine \(.*ECONNREFUSED.*\): check its address/g)).toHaveLength(
			2,
		);
		expect((await preflight({ influxOrg: 'nobody' })).text).toContain('It knows no organization nobody');
		await put(secrets.influxToken, 'wrong');
		await put(secrets.idpToken, 'wrong');
		const refused = await preflight();
		expect(refused.code).toBe(1);
		expect(refused.text).toContain('It does not accept the token of its secret.');
		expect(refused.text).toContain('It fails: getUser: status 401');
	}, 120_000);

	test('says that the active key cannot sign, that an environment does not exist, and that an option is wrong', async () => {
		await kms.send(new DisableKeyCommand({ KeyId: keyId }));
		expect((await preflight()).text).toContain('first cannot sign: KMS reports Disabled.');
		const unknown = await run('--env', 'none');
		expect([unknown.code, unknown.text]).toEqual([1, expect.stringContaining('There is no environment none in cdk.json')]);
		expect((await run('-c', 'influxUrl')).text).toContain('It must be NAME=VALUE.');
	}, 120_000);
});
