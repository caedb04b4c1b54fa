import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deployedEndpoints } from '#infra/aws/deployed-endpoints.ts';
import { deployedTasks } from '#infra/aws/deployed-tasks.ts';
import { demoIdpToken, readLocalSettings } from '#infra/local/wiring/settings.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { type Access, actions, type TableDefinition, type TableName, tableNames, tables } from '#shared/tables.ts';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { account, arnOf } from '#test/support/builders/references.ts';
import { functionsIn, ofType, only, openSynthesis, type Stacks, stubBundles, withoutAuthUrl } from '#test/support/templates.ts';

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let dev: Stacks;
let production: Stacks;
/** dev with two restored tables and two signing keys. */
let restored: Stacks;
/** dev with OpenID providers beside the identity provider, and without it. */
let openId: Stacks;
let openIdOnly: Stacks;
const restoredTables: Partial<Record<TableName, string>> = { variables: 'variables-of-yesterday', users: 'users-of-yesterday' };

beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	dev = synthesis.synthesize('dev');
	production = synthesis.synthesize('production');
	restored = synthesis.synthesize('dev', { restoredTables, signingKeys: ['first', 'second'] });
	openId = synthesis.synthesize('dev', openIdSettings);
	openIdOnly = synthesis.synthesize('dev', { ...withoutAuthUrl('dev'), ...openIdSettings });
}, 120_000);
afterAll(() => synthesis.close());

const environments = [
	['dev', 'dev', () => dev, {}],
	['production', 'production', () => production, {}],
	['dev with restored tables', 'dev', () => restored, restoredTables],
	['dev with OpenID providers, too', 'dev', () => openId, {}],
	['dev with OpenID providers only', 'dev', () => openIdOnly, {}],
] as const;

const oneOrMore = v.pipe(
	v.union([v.string(), v.array(v.string())]),
	v.transform((value) => [value].flat()),
);
/** Accepts only `Allow` with actions and resources: no condition, no principal, no `NotAction` or `NotResource`. */
const grantSchema = v.strictObject({ Effect: v.literal('Allow'), Action: oneOrMore, Resource: oneOrMore });
const policySchema = v.strictObject({ Version: v.literal('2012-10-17'), Statement: v.array(grantSchema) });
type Policy = v.InferOutput<typeof policySchema>;

/** The managed policy signs, and only with the algorithm of RS256. */
const signingGrantSchema = v.strictObject({
	...grantSchema.entries,
	Condition: v.strictObject({
		StringEqualsIfExists: v.strictObject({ 'kms:SigningAlgorithm': v.literal('RSASSA_PKCS1_V1_5_SHA_256') }),
	}),
});

const roleSchema = v.strictObject({
	AssumeRolePolicyDocument: v.unknown(),
	ManagedPolicyArns: v.optional(v.array(v.string()), []),
	Policies: v.optional(v.array(v.strictObject({ PolicyName: v.string(), PolicyDocument: policySchema })), []),
});
const managedPolicySchema = v.strictObject({
	Description: v.string(),
	Path: v.literal('/'),
	PolicyDocument: v.strictObject({ ...policySchema.entries, Statement: v.array(signingGrantSchema) }),
});

const allowedBy = ({ Statement }: Policy): string[] =>
	Statement.flatMap(({ Action, Resource }) => Action.flatMap((action) => Resource.map((resource) => `${action} ${resource}`)));

/** Returns each function's role, its trust policy, and what it allows as `action resource`. */
const rolesIn = (stacks: Stacks) => {
	const { service, issuer } = stacks;
	const roles = ofType([...service.resources, ...issuer.resources], 'AWS::IAM::Role', roleSchema);
	const policies = ofType(stacks.resources, 'AWS::IAM::ManagedPolicy', managedPolicySchema);
	return functionsIn(stacks).map(({ properties: { Role, Environment } }) => {
		const { id, properties } = only(roles.filter((role) => Role === `arn:aws:iam::${account}:role/${role.id}`));
		// `only` throws when a policy is not in the stacks.
		const managed = properties.ManagedPolicyArns.map(
			(arn) => only(policies.filter(({ id }) => arn === `arn:aws:iam::${account}:policy/${id}`)).properties,
		);
		const documents = [...properties.Policies, ...managed].map(({ PolicyDocument }) => PolicyDocument);
		return {
			name: Environment.Variables['ENDPOINT'],
			role: id,
			trustPolicy: properties.AssumeRolePolicyDocument,
			allowed: documents.flatMap(allowedBy).sort(),
		};
	});
};

const keysIn = (stacks: Stacks): string[] =>
	stacks.resources.filter(({ type }) => type === 'AWS::KMS::Key').map(({ id }) => arnOf('kms', `key/${id}`));

/** The rows of the contract that an environment has functions for. */
const rowsOf = ({ settings }: Stacks) => [...deployedEndpoints(settings), ...deployedTasks(settings)];
const hasOpenId = (stacks: Stacks) => stacks === openId || stacks === openIdOnly;
/** The functions that give tokens. */
const givers = (stacks: Stacks) => rowsOf(stacks).flatMap(({ name, uses }) => (uses.signingKey ? [name] : []));

/** Returns the permissions that a row of the contract implies. */
const expectedOf = (
	env: string,
	{ name, uses }: ReturnType<typeof rowsOf>[number],
	keys: readonly string[],
	renamed: typeof restoredTables,
) => {
	const names = resourceNames(env);
	const log = arnOf('logs', `log-group:/aws/lambda/${names.function(name)}:*`);
	const expected = [`logs:CreateLogStream ${log}`, `logs:PutLogEvents ${log}`];
	const dependencies: Endpoint['uses'] = uses;
	for (const table of tableNames) {
		const access: readonly Access[] = dependencies[table] ?? [];
		const resource = arnOf('dynamodb', `table/${renamed[table] ?? names.table(table)}`);
		const { indexes = [] }: TableDefinition = tables[table];
		for (const each of access) {
			const resources = each === 'listIndex' ? indexes.map((index) => `${resource}/index/${index.name}`) : [resource];
			expected.push(...resources.flatMap((one) => actions[each].map((action) => `dynamodb:${action} ${one}`)));
		}
	}
	const readSecret = (secretName: string): string =>
		`secretsmanager:GetSecretValue ${arnOf('secretsmanager', `secret:${secretName}-??????`)}`;
	if (dependencies.timeSeries !== undefined) expected.push(readSecret(names.secrets.influxToken));
	if (dependencies.identityProvider !== undefined) expected.push(readSecret(names.secrets.idpToken));
	if (dependencies.openIdProviders?.[0] === 'ask') expected.push(readSecret(`caudal/${env}/openid-entra`));
	if (dependencies.canaryToken !== undefined) expected.push(readSecret(names.secrets.canaryToken));
	if (dependencies.signingKey !== undefined) expected.push(...keys.map((key) => `kms:Sign ${key}`));
	if (dependencies.notifier !== undefined) expected.push(`sns:Publish ${arnOf('sns', `caudal-${env}-plant-alarms`)}`);
	for (const worker of dependencies.workers ?? [])
		expected.push(`lambda:InvokeFunction ${arnOf('lambda', `function:${names.function(worker)}`)}`);
	if (dependencies.signingKey !== undefined || dependencies.publicKeys !== undefined)
		expected.push(`ssm:GetParameter ${arnOf('ssm', `parameter${names.keyRing}`)}`);
	return expected.sort();
};

/** The functions that check credentials themselves. */
const tableFunctions = ['tableReport', 'tableTotals', 'tableHistory', 'tableReadings', 'prometheus'] as const;

describe.each(environments)('in %s', (_, env, stacks, renamed) => {
	test('each function may do exactly what its row of the contract says', () => {
		const roles = rolesIn(stacks());
		expect(Object.fromEntries(roles.map(({ name, allowed }) => [name, allowed]))).toEqual(
			Object.fromEntries(rowsOf(stacks()).map((row) => [row.name, expectedOf(env, row, keysIn(stacks()), renamed)])),
		);
	});

	test('each function has a role of its own, which only Lambda may assume', () => {
		const roles = rolesIn(stacks());
		expect(new Set(roles.map(({ role }) => role)).size).toBe(rowsOf(stacks()).length);
		for (const { trustPolicy } of roles)
			expect(trustPolicy).toEqual({
				Version: '2012-10-17',
				Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
			});
	});

	test('no other principal has access to anything', () => {
		const { resources } = stacks();
		const identities = resources.filter(({ type }) => type.startsWith('AWS::IAM::')).map(({ type }) => type);
		// One more for each schedule, one for restoring tables (backups.test.ts), and one for CodeDeploy.
		const others = 3 + 1 + (env === 'production' ? 1 : 0);
		expect(identities.filter((type) => type === 'AWS::IAM::Role')).toHaveLength(rowsOf(stacks()).length + others);
		expect(identities.filter((type) => type !== 'AWS::IAM::Role')).toEqual(['AWS::IAM::ManagedPolicy']);
		/** Every principal in any policy. */
		const principalsOf = (value: unknown): string[] => {
			if (typeof value !== 'object' || value === null) return [];
			const named =
				'Principal' in value ? [`${'Effect' in value ? value.Effect : 'Allow'} ${JSON.stringify(value.Principal)}`] : [];
			return [...named, ...Object.values(value).flatMap(principalsOf)];
		};
		const principals = resources.flatMap(({ type, properties }) => principalsOf(properties).map((each) => `${type}: ${each}`));
		expect(new Set(principals)).toEqual(
			new Set([
				'AWS::IAM::Role: Allow {"Service":"lambda.amazonaws.com"}',
				'AWS::IAM::Role: Allow {"Service":"scheduler.amazonaws.com"}',
				'AWS::IAM::Role: Allow {"Service":"backup.amazonaws.com"}',
				...(env === 'production' ? ['AWS::IAM::Role: Allow {"Service":"codedeploy.amazonaws.com"}'] : []),
				'AWS::Lambda::Permission: Allow "apigateway.amazonaws.com"',
				...(env === 'production' ? ['AWS::Lambda::Permission: Allow "events.amazonaws.com"'] : []),
				// The account's root in a key policy means that identity policies decide.
				`AWS::KMS::Key: Allow {"AWS":"arn:aws:iam::${account}:root"}`,
				'AWS::SNS::TopicPolicy: Allow {"Service":"cloudwatch.amazonaws.com"}',
				'AWS::SNS::TopicPolicy: Deny "*"',
				'AWS::SQS::QueuePolicy: Allow {"Service":"sns.amazonaws.com"}',
				'AWS::SQS::QueuePolicy: Deny {"AWS":"*"}',
			]),
		);
	});

	test('each schedule may start its task, for this account, and nothing else', () => {
		const scheduleRoles = ofType(stacks().service.resources, 'AWS::IAM::Role', roleSchema).filter(({ properties }) =>
			JSON.stringify(properties.AssumeRolePolicyDocument).includes('scheduler.amazonaws.com'),
		);
		for (const { properties } of scheduleRoles)
			expect(properties.AssumeRolePolicyDocument).toMatchObject({
				Statement: [{ Condition: { StringEquals: { 'aws:SourceAccount': account } } }],
			});
		const allowed = scheduleRoles.map(({ properties }) =>
			properties.Policies.flatMap(({ PolicyDocument }) => allowedBy(PolicyDocument)),
		);
		expect(allowed).toEqual(
			['dispatchAlarms', 'closeReportDays', 'packDefinitions'].map((task) => [
				`lambda:InvokeFunction ${arnOf('lambda', `function:caudal-${env}-${task}`)}`,
			]),
		);
	});

	test('only what gives tokens signs, with the keys of the environment', () => {
		const roles = rolesIn(stacks());
		const keys = keysIn(stacks());
		expect(keys).toHaveLength(stacks() === restored ? 2 : 1);
		expect(
			roles.flatMap(({ name, allowed }) => allowed.filter((each) => each.startsWith('kms:')).map((each) => [name, each])),
		).toEqual(givers(stacks()).flatMap((name) => keys.map((key) => [name, `kms:Sign ${key}`])));
		const { properties } = only(ofType(stacks().resources, 'AWS::IAM::ManagedPolicy', managedPolicySchema));
		expect(allowedBy(properties.PolicyDocument)).toEqual(keys.map((key) => `kms:Sign ${key}`));
	});

	test('a sign-in with data without an owner is refused where the environment is protected', () => {
		const given = functionsIn(stacks()).flatMap(({ properties }) => properties.Environment.Variables['UNOWNED_DATA'] ?? []);
		expect(given).toEqual(stacks() === openIdOnly ? [] : [env === 'production' ? 'refuse' : 'claim']);
	});

	test('only functions of tokens and tables read the key ring, users and owners, and only loginSso writes owners', () => {
		const functionsAllowed = (permission: string): (string | undefined)[] =>
			rolesIn(stacks()).flatMap(({ name, allowed }) => (allowed.some((each) => each.startsWith(permission)) ? [name] : []));
		expect(functionsAllowed('ssm:').sort()).toEqual(['jwks', ...tableFunctions, ...givers(stacks())].sort());
		const owners = arnOf('dynamodb', `table/${resourceNames(env).table('owners')}`);
		expect(functionsAllowed(`dynamodb:PutItem ${owners}`)).toEqual(stacks() === openIdOnly ? [] : ['loginSso']);
		expect(functionsAllowed(`dynamodb:GetItem ${arnOf('dynamodb', `table/${restoredTables.users}`)}`)).toEqual(
			stacks() === restored ? ['loginSso', 'renewToken'] : [],
		);
	});
});

test('the tokens of providers are read by three functions and deleted by those that end sessions; the list of grants is read where tokens are given', () => {
	const allowedTo = (action: string, table: TableName) => {
		const permission = `dynamodb:${action} ${arnOf('dynamodb', `table/${resourceNames('dev').table(table)}`)}`;
		return rolesIn(openId).flatMap(({ name, allowed }) => (allowed.includes(permission) ? [name] : []));
	};
	expect(allowedTo('GetItem', 'sessionTokens')).toEqual(['renewOpenId', 'signOut']);
	expect(allowedTo('PutItem', 'sessionTokens')).toEqual(['signInOpenId', 'renewOpenId']);
	expect(allowedTo('DeleteItem', 'sessionTokens')).toEqual(['renewOpenId', 'signOut', 'backchannelLogout']);
	expect(allowedTo('Query', 'grants')).toEqual(['signInOpenId', 'renewOpenId', 'token']);
	for (const action of ['PutItem', 'UpdateItem', 'DeleteItem']) expect(allowedTo(action, 'grants')).toEqual([]);
});

test('with tracing, every function may also send traces, and nothing else', () => {
	const traced = rolesIn(synthesis.synthesize('dev', { tracing: true }));
	const untraced = new Map(rolesIn(dev).map(({ name, allowed }) => [name, allowed]));
	for (const { name, allowed } of traced)
		expect(allowed).toEqual([...(untraced.get(name) ?? []), 'xray:PutTraceSegments *', 'xray:PutTelemetryRecords *'].sort());
	expect(traced).toHaveLength(rowsOf(dev).length);
});

test('signing keys are RSA keys with an alias, created in KMS', () => {
	const keySchema = v.object({ KeySpec: v.string(), KeyUsage: v.string(), Origin: v.optional(v.string(), 'AWS_KMS') });
	expect(ofType(restored.resources, 'AWS::KMS::Key', keySchema).map(({ properties }) => properties)).toEqual(
		Array.from({ length: 2 }, () => ({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY', Origin: 'AWS_KMS' })),
	);
	const aliasSchema = v.object({ AliasName: v.string(), TargetKeyId: v.string() });
	expect(ofType(restored.resources, 'AWS::KMS::Alias', aliasSchema).map(({ properties }) => properties)).toEqual(
		keysIn(restored).map((key, index) => ({ AliasName: `alias/caudal-dev-${['first', 'second'][index]}`, TargetKeyId: key })),
	);
});

describe('secrets', () => {
	test.each(environments)('are not in the templates of %s', (_, env, stacks) => {
		const { issuer, data, service, resources } = stacks();
		for (const { text } of [issuer, data, service]) {
			expect(text).not.toContain(demoIdpToken);
			expect(text).not.toContain(readLocalSettings({}).WRITE_TOKEN);
			expect(text).not.toMatch(/password/i);
			expect(text).not.toContain('"SecretString"');
			// A dynamic reference would put the secret's value into a function's configuration.
			expect(text).not.toContain('{{resolve:');
		}
		const secretSchema = v.strictObject({ Name: v.string(), Description: v.string(), GenerateSecretString: v.strictObject({}) });
		const { influxToken, idpToken, canaryToken } = resourceNames(env).secrets;
		expect(ofType(resources, 'AWS::SecretsManager::Secret', secretSchema).map(({ properties }) => properties.Name)).toEqual([
			influxToken,
			...(stacks() === openIdOnly ? [] : [idpToken]),
			...(hasOpenId(stacks()) ? ['caudal/dev/openid-entra'] : []),
			...(env === 'production' ? [canaryToken] : []),
		]);
	});

	test.each(environments)('are given to functions by name only: %s', (_, env, stacks) => {
		const values = new Map<string, Set<string>>();
		for (const { properties } of functionsIn(stacks()))
			for (const [name, value] of Object.entries(properties.Environment.Variables))
				if (/^(?!TABLE_).*(TOKEN|SECRET|KEY|PASS|CREDENTIAL|AUTH)/.test(name))
					values.set(name, new Set([...(values.get(name) ?? []), value]));
		const { secrets, keyRing } = resourceNames(env);
		expect(Object.fromEntries(values)).toEqual({
			INFLUX_TOKEN_SECRET: new Set([secrets.influxToken]),
			KEY_RING: new Set([keyRing]),
			TOKEN_ISSUER: new Set([expect.stringMatching(/^https:\/\/[a-z0-9]+\.execute-api\./)]),
			TOKEN_AUDIENCE: new Set(['caudal']),
			TOKEN_LIFETIME_SECONDS: new Set(['3600']),
			...(stacks() !== openIdOnly && {
				AUTH_URL: new Set(['https://identity.example']),
				IDP_TOKEN_SECRET: new Set([secrets.idpToken]),
			}),
			...(hasOpenId(stacks()) && { OPENID_SECRET_PREFIX: new Set(['caudal/dev/openid-']) }),
			...(env === 'production' && { CANARY_TOKEN_SECRET: new Set([secrets.canaryToken]) }),
		});
	});
});

test('a trusted proxy has a secret, which only sign-in and tables may read, and no template holds', () => {
	const { proxySecret } = resourceNames('dev').secrets;
	const stacks = synthesis.synthesize('dev', { trustedProxy: { header: 'x-origin-verify' } });
	const arn = arnOf('secretsmanager', `secret:${proxySecret}-??????`);
	const readers = rolesIn(stacks).filter(({ allowed }) => allowed.some((each) => each.endsWith(arn)));
	expect(readers.map(({ name, allowed }) => [name, allowed.filter((each) => each.endsWith(arn))])).toEqual([
		...['loginSso', 'token', ...tableFunctions].map((name) => [name, [`secretsmanager:GetSecretValue ${arn}`]]),
	]);
	const variables = functionsIn(stacks).flatMap(({ properties: { Environment } }) =>
		Object.entries(Environment.Variables).filter(([name]) => name.startsWith('TRUSTED_PROXY')),
	);
	const settings = [
		['TRUSTED_PROXY_HEADER', 'x-origin-verify'],
		['TRUSTED_PROXY_HOPS', '1'],
		['TRUSTED_PROXY_SECRET', proxySecret],
	];
	expect(variables).toEqual(Array(7).fill(settings).flat());
	const secret = only(stacks.data.resources.filter(({ properties }) => properties['Name'] === proxySecret));
	expect(secret.properties).not.toHaveProperty('SecretString');
	expect(JSON.stringify(dev.resources)).not.toMatch(/trusted-proxy|TRUSTED_PROXY/);
});

test('a trusted proxy with a certificate has no secret, and the domain asks for the certificate', () => {
	const truststore = { bucket: 'utility-truststore', key: 'cloudfront.pem', version: 'v1' };
	const domain = {
		name: 'origin.utility.test',
		certificateArn: 'arn:aws:acm:eu-west-1:000000000000:certificate/one',
		truststore,
	};
	const publicUrl = 'https://api.utility.test';
	const settings = { trustedProxy: { hops: 2 }, domain, disableExecuteApiEndpoint: true, publicUrl };
	const stacks = synthesis.synthesize('production', settings);
	const variables = functionsIn(stacks).flatMap(({ properties: { Environment } }) =>
		Object.entries(Environment.Variables).filter(([name]) => name.startsWith('TRUSTED_PROXY')),
	);
	expect(variables).toEqual(Array(7).fill(['TRUSTED_PROXY_HOPS', '2']));
	expect(JSON.stringify(stacks.resources)).not.toContain(resourceNames('production').secrets.proxySecret);
	const name = only(stacks.resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::DomainName'));
	expect(name.properties['MutualTlsAuthentication']).toEqual({
		TruststoreUri: 's3://utility-truststore/cloudfront.pem',
		TruststoreVersion: 'v1',
	});
	// Nothing without the certificate reaches the domain, so the canary asks where clients do.
	const canary = functionsIn(stacks).find(({ properties }) => properties.Environment.Variables['ENDPOINT'] === 'canary');
	expect(canary?.properties.Environment.Variables['SERVICE_URL']).toBe(publicUrl);
	expect(stacks.service.serviceUrl).toBe(publicUrl);
});

test('several InfluxDB servers need no other permission, and are in one variable with room in the 4 KB of a function', () => {
	// As long as the settings allow.
	const influxUrl = { '': 'https://influx-1.utility.test', [`${'p'.repeat(1428)}_`]: 'https://influx-2.utility.test' };
	expect(JSON.stringify(influxUrl)).toHaveLength(1500);
	const stacks = synthesis.synthesize('dev', { ...openIdSettings, influxUrl });
	expect(rolesIn(stacks)).toEqual(rolesIn(openId));
	const [one, several] = [openId, stacks].map((each) =>
		functionsIn(each).map(({ properties }) => properties.Environment.Variables),
	);
	const readers = several?.filter(({ INFLUX_URL }) => INFLUX_URL !== undefined) ?? [];
	expect(readers.length).toBeGreaterThan(10);
	for (const { INFLUX_URL } of readers) expect(INFLUX_URL).toBe(JSON.stringify(influxUrl));
	// The address of an only server stays as it stands in the settings.
	expect(new Set(one?.flatMap(({ INFLUX_URL }) => INFLUX_URL ?? []))).toEqual(new Set([openId.settings.influxUrl]));
	const sizes = several?.map((variables) => Object.entries(variables).join('').length) ?? [];
	expect(Math.max(...sizes)).toBeLessThan(4096);
});
