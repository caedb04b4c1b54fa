import { describe, expect, test } from 'vitest';
import { examplesIn, readEnvironment, SettingsError } from '#infra/aws/environment.ts';
import { settingsOf } from '#test/support/templates.ts';

/** The settings that have no default. */
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

/** Reads an environment `dev` of such settings. */
const read = (settings: Readonly<Record<string, unknown>>, given: Readonly<Record<string, unknown>> = {}) => {
	const context: Readonly<Record<string, unknown>> = { environments: { dev: settings }, ...given };
	return readEnvironment((key) => context[key]);
};

const without = (name: string): Record<string, unknown> =>
	Object.fromEntries(Object.entries(required).filter(([key]) => key !== name));

const refusalOf = (settings: Readonly<Record<string, unknown>>, given: Readonly<Record<string, unknown>> = {}): string => {
	try {
		read(settings, given);
	} catch (error) {
		if (error instanceof SettingsError) return error.message;
		throw error;
	}
	throw new Error('They are taken.');
};

describe('the settings of an environment', () => {
	test('have defaults where they can', () => {
		expect(read(required)).toEqual({
			...required,
			name: 'dev',
			influxTimeoutMs: 8000,
			influxGzip: 'on',
			topicColumn: '_measurement',
			idpTimeoutMs: 3000,
			tokenAudience: 'caudal',
			tokenLifetimeSeconds: 3600,
			corsOrigins: [],
			reservedConcurrency: {},
			alarmEmails: [],
			restoredTables: {},
		});
	});

	test('are all taken as they are', () => {
		const all = {
			...required,
			influxTimeoutMs: 25_000,
			influxGzip: 'off',
			topicColumn: 'topic',
			measurement: 'mqtt_consumer',
			idpTimeoutMs: 25_000,
			tokenAudience: 'dashboard',
			tokenLifetimeSeconds: 60,
			corsOrigins: ['https://dashboard.utility.test', 'http://localhost:5173'],
			domain: { name: 'api.utility.test', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/one' },
			reservedConcurrency: { multipleDataTsdb: 1000, health: 1 },
			alarmEmails: ['operations@utility.test'],
			restoredTables: { boards: 'boards-of-yesterday' },
		};
		expect(read(all)).toEqual({ ...all, name: 'dev' });
	});

	test.each(Object.keys(required))('are required where they cannot: %s', (name) => {
		expect(refusalOf(without(name))).toBe(
			`Wrong settings of environment dev (cdk.json, context.environments.dev): ${name} is required.`,
		);
	});

	test('are all named, the missing and the wrong ones', () => {
		const refusal = refusalOf({});
		for (const name of Object.keys(required)) expect(refusal).toContain(`${name} is required.`);
		expect(refusalOf({ ...without('influxUrl'), idpProductId: 0, protected: 'yes' })).toMatch(
			/: influxUrl is required\. idpProductId must be a whole number from 1 to \d+\. protected must be true or false\./,
		);
	});

	test.each([
		['influxUrl', 'influxdb.utility.test', 'influxUrl must be an http:// or https:// address.'],
		['influxUrl', 'ftp://influxdb.utility.test', 'influxUrl must be an http:// or https:// address.'],
		['influxOrg', '', 'influxOrg must not be empty.'],
		['influxTimeoutMs', 0, 'influxTimeoutMs must be a whole number from 1 to 25000.'],
		['influxTimeoutMs', 25_001, 'influxTimeoutMs must be a whole number from 1 to 25000.'],
		['influxGzip', 'yes', 'influxGzip '],
		['topicColumn', '', 'topicColumn must not be empty.'],
		['authUrl', 1, 'authUrl '],
		['idpProductId', 1.5, 'idpProductId must be a whole number'],
		['influxUrl', 'https://user:password@influx.example', 'influxUrl must hold no password.'],
		['idpTimeoutMs', 25_001, 'idpTimeoutMs must be a whole number from 1 to 25000.'],
		['signingKeys', [], 'signingKeys must name a key.'],
		['signingKeys', 'first', 'signingKeys must be a list.'],
		['throttling', 5, 'throttling must be an object.'],
		['influxORG', 'utility', 'influxORG is no setting'],
		['signingKeys', ['First'], 'signingKeys.0 must be small letters, digits and dashes.'],
		['signingKeys', ['first', 'k'.repeat(31)], 'signingKeys.1 must be small letters, digits and dashes.'],
		['tokenLifetimeSeconds', 59, 'tokenLifetimeSeconds must be a whole number from 60 to 86400.'],
		['tokenLifetimeSeconds', 86_401, 'tokenLifetimeSeconds must be a whole number from 60 to 86400.'],
		['corsOrigins', ['*'], 'corsOrigins.0 must be an origin, such as https://dashboard.example.'],
		['corsOrigins', ['https://dashboard.utility.test/'], 'corsOrigins.0 must be an origin'],
		['domain', { name: 'api.utility.test' }, 'domain.certificateArn is required.'],
		['throttling', { requests: { rate: 1, burst: 1 } }, 'throttling.signIn is required.'],
		['throttling', { ...required.throttling, signIn: { rate: 0, burst: 1 } }, 'throttling.signIn.rate must be a whole number'],
		['reservedConcurrency', { health: 0 }, 'reservedConcurrency.health must be a whole number from 1 to 1000.'],
		['reservedConcurrency', { nothing: 1 }, 'reservedConcurrency.nothing is no endpoint.'],
		['alarmEmails', [''], 'alarmEmails.0 must not be empty.'],
		['logRetentionDays', 8, 'logRetentionDays must be a number of days that CloudWatch knows, such as 30 or 90.'],
		['protected', 'true', 'protected '],
		['restoredTables', { readings: 'x' }, 'restoredTables.readings is no table.'],
	] as const)('are refused where they are wrong: %s %j', (name, value, refusal) => {
		expect(refusalOf({ ...required, [name]: value })).toContain(`(cdk.json, context.environments.dev): ${refusal}`);
	});

	test.each(['influxURL', 'name', 'domains'])('are refused where nothing is known of them: %s', (name) => {
		expect(refusalOf({ ...required, [name]: 'x' })).toContain(name);
	});
});

describe('an environment', () => {
	const environments = { dev: required, production: { ...required, protected: true } };
	const chosen = (env: unknown) => readEnvironment((key) => ({ environments, env })[key]);

	test('is dev unless another is chosen', () => {
		expect(chosen(undefined)).toMatchObject({ name: 'dev', protected: false });
		expect(chosen('production')).toMatchObject({ name: 'production', protected: true });
	});

	test.each(['staging', 'Production', 'toString', '__proto__', '', 7])(
		'that is not there is refused, naming those that are: %j',
		(env) => {
			expect(() => chosen(env)).toThrow(SettingsError);
			expect(() => chosen(env)).toThrow(`There is no environment ${env} in cdk.json, context.environments (dev, production).`);
		},
	);

	test('of a name that is no part of names on AWS is refused', () => {
		const context: Readonly<Record<string, unknown>> = { env: 'dev-2', environments: { 'dev-2': required } };
		expect(() => readEnvironment((key) => context[key])).toThrow('There is no environment dev-2');
	});

	test('is refused where cdk.json has none', () => {
		expect(() => readEnvironment(() => undefined)).toThrow(SettingsError);
	});
});

describe('the command line', () => {
	test('gives settings in place of those of cdk.json, those that are no text as JSON', () => {
		const given = {
			influxUrl: 'https://other.utility.test',
			influxOrg: 'other',
			idpProductId: '7',
			protected: 'true',
			corsOrigins: '["https://a.utility.test"]',
			throttling: '{"requests":{"rate":1,"burst":2},"signIn":{"rate":3,"burst":4}}',
		};
		expect(read(required, given)).toMatchObject({
			influxUrl: 'https://other.utility.test',
			influxOrg: 'other',
			authUrl: required.authUrl,
			idpProductId: 7,
			protected: true,
			corsOrigins: ['https://a.utility.test'],
			throttling: { requests: { rate: 1, burst: 2 }, signIn: { rate: 3, burst: 4 } },
		});
	});

	test('gives settings that cdk.json lacks', () => {
		expect(read(without('influxUrl'), { influxUrl: 'https://other.utility.test' }).influxUrl).toBe('https://other.utility.test');
	});

	test('is refused where it is wrong, as cdk.json is', () => {
		expect(refusalOf(required, { idpProductId: '7.5', logRetentionDays: '8', corsOrigins: '[' })).toMatch(
			/idpProductId must be a whole number.* corsOrigins .*logRetentionDays must be a number of days/,
		);
	});

	test('may give text that looks like a number', () => {
		expect(read(required, { influxOrg: '4f0c17d1e2a3b4c5' }).influxOrg).toBe('4f0c17d1e2a3b4c5');
	});
});

describe('cdk.json', () => {
	test.each(['dev', 'production'])('has an environment that needs no more than its examples replaced: %s', (env) => {
		const { name, throttling } = settingsOf(env);
		expect(name).toBe(env);
		expect(examplesIn(settingsOf(env))).toEqual(['influxUrl', 'authUrl']);
		expect(throttling.signIn.rate).toBeLessThan(throttling.requests.rate);
		expect(throttling.signIn.burst).toBeLessThan(throttling.requests.burst);
	});

	test('keeps in production what it need not keep in dev', () => {
		const [dev, production] = [settingsOf('dev'), settingsOf('production')];
		expect([dev.protected, production.protected]).toEqual([false, true]);
		expect(production.logRetentionDays).toBeGreaterThan(dev.logRetentionDays);
		expect(production.alarmEmails).not.toEqual([]);
	});
});

test.each([
	['https://influxdb.example', ['influxUrl']],
	['https://example', ['influxUrl']],
	['http://influxdb.example:8086/', ['influxUrl']],
	['https://influxdb.example.org', []],
	['https://notexample', []],
])('an address of the top-level domain example is an example: %s', (influxUrl, examples) => {
	expect(examplesIn(read({ ...required, influxUrl }))).toEqual(examples);
});
