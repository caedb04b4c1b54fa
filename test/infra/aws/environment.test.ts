import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { openIdProvidersSchema } from '#domain/identity/provider-settings.ts';
import { exampleSettings, readEnvironment } from '#infra/aws/environment.ts';
import { ConfigError } from '#shared/config.ts';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { makeVpc, settingsOf } from '#test/support/templates.ts';

/** The settings without a default. */
const required = {
	influxUrl: 'https://influxdb.utility.test',
	influxOrg: 'utility',
	authUrl: 'https://identity.utility.test',
	idpProductId: 1,
	signingKeys: ['first'],
	throttling: { requests: { rate: 50, burst: 100 }, signIn: { rate: 5, burst: 10 } },
	logRetentionDays: 7,
	protected: false,
};

const vault = 'arn:aws-us-gov:backup:us-gov-east-1:123456789012:backup-vault:caudal-production';

/** Reads `dev` from `settings` in cdk.json. `overrides` come from the command line. */
const read = (settings: Readonly<Record<string, unknown>>, overrides: Readonly<Record<string, unknown>> = {}) => {
	const context: Readonly<Record<string, unknown>> = { environments: { dev: settings }, ...overrides };
	return readEnvironment((key) => context[key]);
};

const without = (name: string): Record<string, unknown> =>
	Object.fromEntries(Object.entries(required).filter(([key]) => key !== name));

const errorOf = (settings: Readonly<Record<string, unknown>>, overrides: Readonly<Record<string, unknown>> = {}): string => {
	try {
		read(settings, overrides);
	} catch (error) {
		if (error instanceof ConfigError) return error.message;
		throw error;
	}
	throw new Error('Expected a ConfigError.');
};

describe('the settings of an environment', () => {
	test('have defaults', () => {
		expect(read(required)).toEqual({
			...required,
			name: 'dev',
			influxLanguage: 'flux',
			influxUser: 'caudal',
			influxTimeoutMs: 8000,
			influxGzip: 'on',
			readingsSharedMs: 0,
			topicColumn: '_measurement',
			idpTimeoutMs: 3000,
			openIdProviders: [],
			openIdTimeoutMs: 3000,
			openIdInVpc: false,
			tokenAudience: 'caudal',
			tokenLifetimeSeconds: 3600,
			sessionHours: 12,
			corsOrigins: [],
			defaultRole: 'engineer',
			publicDocs: true,
			throttling: { ...required.throttling, public: { rate: 50, burst: 200 } },
			disableExecuteApiEndpoint: false,
			accountConcurrency: 10,
			reservedConcurrency: {},
			alarmEmails: [],
			alarmSettleSeconds: 15,
			alarmEventDays: 400,
			changeDays: 1825,
			tracing: false,
			tags: {},
			restoredTables: {},
		});
	});

	test('keep every valid value', () => {
		const all = {
			...required,
			account: '123456789012',
			region: 'us-gov-west-1',
			vpc: {
				vpcId: 'vpc-0a1b2c3d',
				subnetIds: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
				securityGroupIds: ['sg-0123456789abcdef0'],
			},
			caBundle: 'certificates/utility.pem',
			tracing: true,
			tags: { 'cost-center': 'water' },
			publicDocs: false,
			influxLanguage: 'influxql',
			influxUser: 'reader',
			influxTimeoutMs: 25_000,
			influxGzip: 'off',
			readingsSharedMs: 10_000,
			topicColumn: 'topic',
			measurement: 'mqtt_consumer',
			idpTimeoutMs: 25_000,
			openIdProviders: v.parse(openIdProvidersSchema, openIdSettings.openIdProviders),
			openIdTimeoutMs: 5000,
			openIdInVpc: true,
			consoleUrl: openIdSettings.consoleUrl,
			publicUrl: 'https://public.utility.test',
			tokenAudience: 'dashboard',
			tokenLifetimeSeconds: 60,
			sessionHours: 168,
			corsOrigins: ['https://dashboard.utility.test', 'http://localhost:5173'],
			defaultRole: 'viewer',
			domain: { name: 'api.utility.test', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/one' },
			throttling: { ...required.throttling, public: { rate: 7, burst: 8 } },
			trustedProxy: { header: 'x-origin-verify', hops: 2 },
			backup: { copyTo: vault, retentionDays: 90, keyArn: 'arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/0a1b' },
			disableExecuteApiEndpoint: true,
			accountConcurrency: 200,
			reservedConcurrency: { multipleDataTsdb: 1000, health: 1 },
			canary: { email: 'canary@utility.test', schemaName: 'canary', tsdbName: 'canary' },
			alarmEmails: ['operations@utility.test'],
			alarmTopicArn: 'arn:aws-us-gov:sns:us-gov-west-1:123456789012:operators',
			alarmTopicKeyArn: 'arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/0a1b-2c3d',
			alarmSettleSeconds: 600,
			alarmEventDays: 3650,
			changeDays: 0,
			restoredTables: { boards: 'boards-of-yesterday' },
		};
		expect(read(all)).toEqual({ ...all, name: 'dev' });
	});

	test('copy backups to another region only', () => {
		expect(read({ ...required, backup: { copyTo: vault }, region: 'us-gov-west-1' }).backup?.retentionDays).toBe(35);
		expect(errorOf({ ...required, backup: { copyTo: vault }, region: 'us-gov-east-1' })).toContain(
			'backup.copyTo must be in another region: a lost region would take the copy, too.',
		);
	});

	test.each([
		['without account and region', {}],
		['without account', { region: 'eu-west-1' }],
		['without region', { account: '123456789012' }],
		['in another region', { account: '123456789012', region: 'eu-north-1' }],
	])('refuse a topic that the function could not publish to: %s', (_, location) => {
		const alarmTopicArn = 'arn:aws:sns:eu-west-1:123456789012:operators';
		expect(errorOf({ ...required, alarmTopicArn, ...location })).toContain(
			'alarmTopicArn must be in the region of the stacks, where its client is: set account and region to those of the stacks.',
		);
	});

	test('refuse a topic of operators in another region, or beside addresses', () => {
		const operatorTopicArn = 'arn:aws:sns:eu-west-1:210987654321:on-call';
		for (const location of [{}, { region: 'eu-north-1' }])
			expect(errorOf({ ...required, ...location, operatorTopicArn })).toContain('operatorTopicArn must be in the region');
		expect(errorOf({ ...required, region: 'eu-west-1', operatorTopicArn, alarmEmails: ['a@utility.test'] })).toContain(
			'alarmEmails are subscribed to a topic of the stack',
		);
	});

	test.each([
		['of no topic', {}],
		['of another region', { alarmTopicArn: 'arn:aws:sns:eu-north-1:123456789012:operators', region: 'eu-north-1' }],
	])('refuse a key of the topic: %s', (_, topic) => {
		const alarmTopicKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/0a1b-2c3d';
		expect(errorOf({ ...required, account: '123456789012', region: 'eu-west-1', alarmTopicKeyArn, ...topic })).toContain(
			'alarmTopicKeyArn must be the key of alarmTopicArn, in the same region.',
		);
	});

	test('need no organization in InfluxQL', () => {
		expect(read({ ...without('influxOrg'), influxLanguage: 'influxql' })).not.toHaveProperty('influxOrg');
	});

	test.each(Object.keys(required).filter((name) => !['authUrl', 'idpProductId'].includes(name)))(
		'without a default are required: %s',
		(name) => {
			expect(errorOf(without(name))).toBe(
				`Wrong settings of environment dev (cdk.json, context.environments.dev): ${name} is required.`,
			);
		},
	);

	test('are all named in the error when several are missing or wrong', () => {
		const message = errorOf({});
		for (const name of Object.keys(required).filter((each) => each !== 'authUrl' && each !== 'idpProductId'))
			expect(message).toContain(`${name} is required.`);
		expect(message).toContain('authUrl or openIdProviders is required: without both nobody can sign in.');
		expect(errorOf({ ...without('influxUrl'), idpProductId: 0, protected: 'yes' })).toMatch(
			/: influxUrl is required\. idpProductId must be a whole number from 1 to \d+\. protected must be true or false\./,
		);
	});

	test.each([
		['trafficHours', { from: 24, to: 3 }, 'trafficHours.from must be a whole number from 0 to 23.'],
		['trafficHours', { from: 0, to: 0 }, 'trafficHours.to must be a whole number from 1 to 24.'],
		['trafficHours', { from: 7, to: 7 }, 'trafficHours must end at another hour: the whole day is from 0 to 24.'],
		['trafficHours', { from: 7, to: 18, days: [] }, 'trafficHours.days must name a day.'],
		['trafficHours', { from: 7, to: 18, days: [0] }, 'trafficHours.days.0 must be a whole number from 1 to 7.'],
		['trafficHours', { from: 7, to: 18, zone: 'CET' }, 'trafficHours.zone is not a setting'],
		['influxUrl', 'influxdb.utility.test', 'influxUrl must be an http:// or https:// address.'],
		['influxUrl', 'ftp://influxdb.utility.test', 'influxUrl must be an http:// or https:// address.'],
		['influxOrg', '', 'influxOrg must not be empty.'],
		['influxLanguage', 'sql', 'influxLanguage must be flux or influxql.'],
		['influxUser', '', 'influxUser must not be empty.'],
		['influxTimeoutMs', 0, 'influxTimeoutMs must be a whole number from 1 to 25000.'],
		['influxTimeoutMs', 25_001, 'influxTimeoutMs must be a whole number from 1 to 25000.'],
		['influxGzip', 'yes', 'influxGzip must be on or off.'],
		['readingsSharedMs', 10_001, 'readingsSharedMs must be a whole number from 0 to 10000.'],
		['topicColumn', '', 'topicColumn must not be empty.'],
		['authUrl', 1, 'authUrl must be text.'],
		['openIdTimeoutMs', 5001, 'openIdTimeoutMs must be a whole number from 1 to 5000.'],
		['openIdInVpc', true, 'openIdInVpc needs vpc, the network that it means.'],
		['consoleUrl', 'http://dashboard.utility.test/console', 'consoleUrl must be an https:// address without ? and #.'],
		['consoleUrl', 'https://dashboard.utility.test/console?via=entra', 'consoleUrl must be an https:// address without ? and #.'],
		['publicUrl', 'https://api.utility.test/#', 'publicUrl must be an https:// address without ? and #.'],
		['idpProductId', 1.5, 'idpProductId must be a whole number'],
		['influxUrl', 'https://user:password@influx.example', 'influxUrl must hold no password.'],
		['influxUrl', 'http://influxdb.utility.test', 'influxUrl must be an https:// address: over http:// its token can be read'],
		['influxUrl', { north_: 'north.utility.test' }, 'influxUrl.north_ must be an http:// or https:// address.'],
		['influxUrl', { '': 'https://user:password@influx.test' }, 'influxUrl. must hold no password.'],
		['influxUrl', { '': 'https://a.test', north_: 'http://b.test' }, 'influxUrl must be an https:// address: over http:// its'],
		['influxUrl', {}, 'influxUrl must name a server.'],
		['influxUrl', ['https://a.utility.test'], 'influxUrl must be text.'],
		[
			'influxUrl',
			{ '': 'https://a.utility.test', [`${'p'.repeat(1500)}`]: 'https://b.utility.test' },
			'influxUrl must have at most 1500 characters as JSON',
		],
		['authUrl', 'http://10.0.0.7:9090', 'authUrl must be an https:// address: over http:// its token can be read'],
		['authUrl', 'http://localhost.utility.test', 'authUrl must be an https:// address'],
		['authUrl', 'http://127.0.0.1.utility.test', 'authUrl must be an https:// address'],
		['account', '12345678901', 'account must be the 12 digits of an AWS account, as text.'],
		['account', 123_456_789_012, 'account must be text.'],
		['region', 'Ireland', 'region must be a region, such as eu-west-1.'],
		[
			'vpc',
			{ vpcId: 'vpc-0a1b2c3d', subnetIds: [], securityGroupIds: ['sg-0a1b2c3d'] },
			'vpc.subnetIds must name at least one subnet-….',
		],
		['vpc', { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] }, 'vpc.securityGroupIds is required.'],
		[
			'vpc',
			{ vpcId: 'utility', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] },
			'vpc.vpcId must be an id such as vpc-',
		],
		['caBundle', '', 'caBundle must not be empty.'],
		['tracing', 'on', 'tracing must be true or false.'],
		['tags', { 'aws:owner': 'x' }, 'tags.aws:owner must be a key of a tag'],
		['tags', { environment: 'x' }, 'tags.environment must be a key of a tag'],
		['tags', { owner: 'x'.repeat(257) }, 'tags.owner must have at most 256 characters.'],
		['publicDocs', 'off', 'publicDocs must be true or false.'],
		['idpTimeoutMs', 25_001, 'idpTimeoutMs must be a whole number from 1 to 25000.'],
		['signingKeys', [], 'signingKeys must name a key.'],
		['signingKeys', 'first', 'signingKeys must be a list.'],
		['throttling', 5, 'throttling must be an object.'],
		['influxORG', 'utility', 'influxORG is not a setting: infra/aws/DEPLOYING.md lists them.'],
		['signingKeys', ['First'], 'signingKeys.0 must be lower-case letters, digits and dashes.'],
		['signingKeys', ['first', 'k'.repeat(31)], 'signingKeys.1 must be lower-case letters, digits and dashes.'],
		['tokenLifetimeSeconds', 59, 'tokenLifetimeSeconds must be a whole number from 60 to 86400.'],
		['sessionHours', 0, 'sessionHours must be a whole number from 1 to 168.'],
		['tokenLifetimeSeconds', 86_401, 'tokenLifetimeSeconds must be a whole number from 60 to 86400.'],
		['defaultRole', 'administrator', 'defaultRole must be viewer, operator or engineer.'],
		['corsOrigins', ['*'], 'corsOrigins.0 must be an origin, such as https://dashboard.example.'],
		['corsOrigins', ['https://dashboard.utility.test/'], 'corsOrigins.0 must be an origin'],
		[
			'disableExecuteApiEndpoint',
			true,
			'disableExecuteApiEndpoint needs a domain: without one the service would have no address.',
		],
		['backup', { copyTo: 'caudal' }, 'backup.copyTo must be the ARN of a vault'],
		['backup', { copyTo: vault, keyArn: 'alias/backup' }, 'backup.keyArn must be the ARN of a key'],
		['trustedProxy', { header: 'X-Origin-Verify' }, 'trustedProxy.header must be the name of a header of its own in lower case'],
		['trustedProxy', { header: 'x-forwarded-for' }, 'trustedProxy.header must be the name of a header of its own in lower case'],
		['trustedProxy', { header: 'x-origin-verify', hops: 0 }, 'trustedProxy.hops must be a whole number from 1 to 5'],
		['domain', { name: 'api.utility.test' }, 'domain.certificateArn is required.'],
		['trustedProxy', { hops: 1 }, 'trustedProxy.header is required without domain.truststore'],
		[
			'domain',
			{ name: 'api.utility.test', certificateArn: 'c', truststore: { bucket: 'b', key: 'k', version: 'v' } },
			'domain.truststore needs disableExecuteApiEndpoint, publicUrl and trustedProxy',
		],
		['throttling', { requests: { rate: 1, burst: 1 } }, 'throttling.signIn is required.'],
		['throttling', { ...required.throttling, signIn: { rate: 0, burst: 1 } }, 'throttling.signIn.rate must be a whole number'],
		['reservedConcurrency', { health: 0 }, 'reservedConcurrency.health must be a whole number from 1 to 1000.'],
		['reservedConcurrency', { nothing: 1 }, 'reservedConcurrency.nothing is not a function.'],
		['accountConcurrency', 0, 'accountConcurrency must be a whole number from 1 to 1000000.'],
		['canary', { email: 'canary@utility.test', schemaName: 'canary' }, 'canary.tsdbName is required.'],
		['changeDays', -1, 'changeDays must be a whole number from 0 to 36500.'],
		['alarmEventDays', 29, 'alarmEventDays must be a whole number from 30 to 3650.'],
		['alarmEventDays', 3651, 'alarmEventDays must be a whole number from 30 to 3650.'],
		['alarmEmails', [''], 'alarmEmails.0 must not be empty.'],
		['logRetentionDays', 8, 'logRetentionDays must be a number of days that CloudWatch knows, such as 30 or 90.'],
		['protected', 'true', 'protected must be true or false.'],
		['restoredTables', { readings: 'x' }, 'restoredTables.readings is not a table.'],
	] as const)('are rejected when wrong: %s %j', (name, value, message) => {
		expect(errorOf({ ...required, [name]: value })).toContain(`(cdk.json, context.environments.dev): ${message}`);
	});

	test('a domain that only a proxy reaches needs the proxy, or sign-ins of all clients would count as those of one', () => {
		const domain = {
			...{ name: 'origin.utility.test', certificateArn: 'c' },
			truststore: { bucket: 'b', key: 'k', version: 'v' },
		};
		const settings = { ...required, domain, disableExecuteApiEndpoint: true, publicUrl: 'https://api.utility.test' };
		expect(errorOf(settings)).toContain('domain.truststore needs disableExecuteApiEndpoint, publicUrl and trustedProxy');
		expect(read({ ...settings, trustedProxy: {} }).trustedProxy).toEqual({ hops: 1 });
	});

	test.each(['http://localhost:8086', 'http://127.0.0.1', 'http://127.4.5.6:1', 'http://[::1]:8086'])(
		'may have a loopback address over http://: %s',
		(url) => {
			expect(read({ ...required, influxUrl: url, authUrl: url })).toMatchObject({ influxUrl: url, authUrl: url });
		},
	);

	test('may have any address over http:// in a private network', () => {
		const url = 'http://10.0.0.7:8086';
		const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] };
		expect(read({ ...required, influxUrl: url, authUrl: url, vpc })).toMatchObject({ influxUrl: url, authUrl: url, vpc });
	});

	test('may have several InfluxDB servers, by prefix of the databases', () => {
		const influxUrl = { '': 'https://a.utility.test', north_: 'http://127.0.0.1:8086' };
		expect(read({ ...required, influxUrl: { ...influxUrl, '': 'https://a.utility.test/' } }).influxUrl).toEqual(influxUrl);
		expect(read(required, { influxUrl: JSON.stringify(influxUrl) }).influxUrl).toEqual(influxUrl);
		const vpc = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-0a1b2c3d'] };
		const inVpc = { '': 'http://10.0.0.7:8086', north_: 'http://10.0.0.8:8086' };
		expect(read({ ...required, influxUrl: inVpc, vpc }).influxUrl).toEqual(inVpc);
	});

	test('name both addresses when both are over http://', () => {
		const message = errorOf({
			...required,
			influxUrl: 'http://a.utility.test',
			authUrl: 'http://b.utility.test',
			protected: 'no',
		});
		expect(message).toMatch(/protected must be true or false\. influxUrl must be an https.* authUrl must be an https/);
	});

	test.each(['influxURL', 'name', 'domains'])('that do not exist are rejected: %s', (name) => {
		expect(errorOf({ ...required, [name]: 'x' })).toContain(name);
	});
});

describe('the ways to sign in', () => {
	const { authUrl, idpProductId, ...neither } = required;
	const [entra, github] = openIdSettings.openIdProviders;
	const { consoleUrl } = openIdSettings;
	const errorOfProviders = (openIdProviders: unknown, more: Readonly<Record<string, unknown>> = { consoleUrl }) =>
		errorOf({ ...required, openIdProviders, ...more });

	test('are the identity provider, OpenID providers, or both', () => {
		expect(read({ ...neither, ...openIdSettings })).toMatchObject({ openIdProviders: [{ name: 'entra' }, { name: 'github' }] });
		expect(read({ ...required, ...openIdSettings }).authUrl).toBe(authUrl);
		expect(errorOf(neither)).toContain('authUrl or openIdProviders is required: without both nobody can sign in.');
		expect(errorOf({ ...neither, authUrl })).toContain('idpProductId is required with authUrl, and only with it.');
		expect(errorOf({ ...neither, idpProductId, ...openIdSettings })).toContain('idpProductId is required with authUrl');
		const canary = { email: 'canary@utility.test', schemaName: 'canary', tsdbName: 'canary' };
		expect(errorOf({ ...neither, ...openIdSettings, canary })).toContain('canary needs authUrl: it signs in there.');
	});

	test.each<[string, unknown, string]>([
		['without TLS', { issuer: 'http://login.utility.test' }, 'entra: http://login.utility.test must be an https:// address'],
		['with a password', { issuer: 'https://a:b@login.utility.test' }, 'must be an https:// address without a password.'],
		['whose page of leaving is none', { signOutUrl: 'javascript:alert(1)' }, 'entra: javascript:alert(1) must be an https://'],
		['whose ID tokens would be exchanged', { audiences: ['caudal'] }, 'audiences must not hold clientId'],
		['of programs with a button', { actors: 'programs' }, 'must have no clientId with actors programs'],
		['with a field of no table', { clientID: 'caudal' }, 'clientID is not a setting'],
		['with a parameter of the page', { parameters: { state: 'x' } }, 'parameters must not hold response_type,'],
		['without openid', { scopes: 'email' }, 'scopes must hold openid.'],
		['without a name for people', { label: '' }, 'label must not be empty.'],
		['with another way of authentication', { clientAuthentication: 'jwt' }, 'clientAuthentication must be basic or post.'],
	])('refuse a provider %s', (_, settings, message) => {
		expect(errorOfProviders([{ ...entra, ...Object(settings) }])).toContain(message);
	});

	test('refuse a provider of nobody, an issuer and audience of two, a name twice, an eleventh', () => {
		const { clientId, ...nobodys } = entra;
		expect(errorOfProviders([nobodys])).toContain('needs clientId or audiences: otherwise nobody signs in with it.');
		expect(errorOfProviders([github, { ...github, name: 'other' }])).toContain('a token would belong to both.');
		expect(errorOfProviders([entra, entra])).toContain('openIdProviders must have unique names.');
		const eleven = Array.from({ length: 11 }, (_, index) => ({ ...entra, name: `entra-${index}` }));
		expect(errorOfProviders(eleven)).toContain('openIdProviders must have at most 10 providers.');
		expect(clientId).toBe('caudal');
	});

	test('need the address of the console with a button only', () => {
		expect(errorOfProviders([entra], {})).toContain('openIdProviders entra: consoleUrl is required with a clientId.');
		expect(read({ ...neither, openIdProviders: [github] }).consoleUrl).toBeUndefined();
	});

	test('keep an issuer byte for byte, also with a slash at its end', () => {
		const issuers = [
			'https://utility.eu.auth0.com/',
			'https://sso.utility.test/application/o/caudal/',
			'http://127.0.0.1:8080/x',
		];
		const openIdProviders = issuers.map((issuer, index) => ({ ...entra, name: `p${index}`, issuer }));
		expect(read({ ...neither, openIdProviders, consoleUrl }).openIdProviders.map(({ issuer }) => issuer)).toEqual(issuers);
	});

	test('may lack TLS in the private network', () => {
		const openIdProviders = [{ ...entra, issuer: 'http://keycloak.internal' }];
		const inVpc = { vpc: makeVpc(), openIdInVpc: true, consoleUrl };
		expect(read({ ...neither, openIdProviders, ...inVpc }).openIdInVpc).toBe(true);
		expect(errorOf({ ...neither, openIdProviders, ...inVpc, openIdInVpc: false })).toContain('must be an https:// address');
	});
});

describe('an environment', () => {
	const environments = { dev: required, production: { ...required, protected: true } };
	const readChosen = (env: unknown) => readEnvironment((key) => ({ environments, env })[key]);

	test('is dev by default', () => {
		expect(readChosen(undefined)).toMatchObject({ name: 'dev', protected: false });
		expect(readChosen('production')).toMatchObject({ name: 'production', protected: true });
	});

	test.each(['staging', 'Production', 'toString', 'constructor', '__proto__', '', 7])(
		'that does not exist is rejected, and the error names the ones that do: %j',
		(env) => {
			expect(() => readChosen(env)).toThrow(ConfigError);
			expect(() => readChosen(env)).toThrow(
				`There is no environment ${env} in cdk.json, context.environments (dev, production).`,
			);
		},
	);

	test('whose name cannot be part of AWS names is rejected', () => {
		const context: Readonly<Record<string, unknown>> = { env: 'dev-2', environments: { 'dev-2': required } };
		expect(() => readEnvironment((key) => context[key])).toThrow('There is no environment dev-2');
	});

	test('is rejected when cdk.json has none', () => {
		expect(() => readEnvironment(() => undefined)).toThrow(ConfigError);
	});
});

describe('the command line', () => {
	test('overrides settings of cdk.json, and gives those that are not text as JSON', () => {
		const overrides = {
			influxUrl: 'https://other.utility.test',
			influxOrg: 'other',
			idpProductId: '7',
			protected: 'true',
			corsOrigins: '["https://a.utility.test"]',
			throttling: '{"requests":{"rate":1,"burst":2},"signIn":{"rate":3,"burst":4}}',
		};
		expect(read(required, overrides)).toMatchObject({
			influxUrl: 'https://other.utility.test',
			influxOrg: 'other',
			authUrl: required.authUrl,
			idpProductId: 7,
			protected: true,
			corsOrigins: ['https://a.utility.test'],
			throttling: { requests: { rate: 1, burst: 2 }, signIn: { rate: 3, burst: 4 } },
		});
	});

	test('can give settings that cdk.json lacks', () => {
		expect(read(without('influxUrl'), { influxUrl: 'https://other.utility.test' }).influxUrl).toBe('https://other.utility.test');
	});

	test('is checked like cdk.json', () => {
		expect(errorOf(required, { idpProductId: '7.5', logRetentionDays: '8', corsOrigins: '[' })).toMatch(
			/idpProductId must be a whole number.* corsOrigins .*logRetentionDays must be a number of days/,
		);
	});

	test('can give text that looks like a number', () => {
		expect(read(required, { influxOrg: '4f0c17d1e2a3b4c5' }).influxOrg).toBe('4f0c17d1e2a3b4c5');
	});
});

describe('cdk.json', () => {
	test.each([
		['dev', ['influxUrl', 'authUrl']],
		['production', ['influxUrl', 'authUrl', 'corsOrigins', 'alarmEmails']],
	])('has a valid environment in which only examples must be replaced: %s', (env, examples) => {
		const { name, throttling } = settingsOf(env);
		expect(name).toBe(env);
		expect(exampleSettings(settingsOf(env))).toEqual(examples);
		expect(throttling.signIn.rate).toBeLessThan(throttling.requests.rate);
		expect(throttling.signIn.burst).toBeLessThan(throttling.requests.burst);
	});

	test('protects production, and keeps its logs longer than those of dev', () => {
		const [dev, production] = [settingsOf('dev'), settingsOf('production')];
		expect([dev.protected, production.protected]).toEqual([false, true]);
		expect(production.logRetentionDays).toBeGreaterThan(dev.logRetentionDays);
		expect(production.alarmEmails).not.toEqual([]);
	});
});

test.each([
	['influxUrl', 'https://influxdb.example', true],
	['influxUrl', 'https://example', true],
	['influxUrl', { '': 'https://a.utility.test', north_: 'https://b.example' }, true],
	['influxUrl', { '': 'https://a.utility.test', north_: 'https://b.utility.test' }, false],
	['authUrl', 'https://identity.example:8086/', true],
	['influxUrl', 'https://influxdb.example.org', false],
	['authUrl', 'https://notexample', false],
	['corsOrigins', ['https://dashboard.utility.test', 'https://dashboard.example'], true],
	['corsOrigins', ['http://localhost:5173'], false],
	['alarmEmails', ['operations@utility.example'], true],
	['alarmEmails', ['example@utility.test', 'a.example@utility.test'], false],
])('exampleSettings finds the top-level domain example: %s %j', (name, value, isExample) => {
	expect(exampleSettings(read({ ...required, [name]: value }))).toEqual(isExample ? [name] : []);
});
