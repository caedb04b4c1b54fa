import { describe, expect, test } from 'vitest';
import { readLocalSettings } from '#infra/local/wiring/settings.ts';
import { influxFunctionSchema, isOrigin, readConfig, signInFunctionSchema } from '#shared/config.ts';

describe('settings', () => {
	test('have a default for everything in local mode', () => {
		expect(readLocalSettings({})).toEqual({
			HOST: '127.0.0.1',
			TRUSTED_PROXY_HOPS: 0,
			PORT: 3000,
			INFLUX_LANGUAGE: 'flux',
			INFLUX_USER: 'caudal',
			STATE_DIR: '.local',
			AWS_REGION: 'us-east-1',
			AWS_ACCESS_KEY_ID: 'local',
			AWS_SECRET_ACCESS_KEY: 'local',
			PUBLIC_DOCS: 'on',
			DEMO_PLANT: 'on',
			IDP_TOKEN: 'demo-idp-token',
			IDP_PRODUCT_ID: 1,
			IDP_TIMEOUT_MS: 3000,
			TOKEN_AUDIENCE: 'caudal',
			TOKEN_LIFETIME_SECONDS: 3600,
			SESSION_HOURS: 12,
			UNOWNED_DATA: 'claim',
			DEFAULT_ROLE: 'engineer',
			CORS_ORIGINS: [3000, 5173, 8080].flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`]),
			ALLOWED_HOSTS: [],
			WRITE_TOKEN: 'demo-write-token',
			PUBLIC_METRICS: 'off',
			LOG_LEVEL: 'info',
			RETENTION_DAYS: 400,
			ALARM_EVENT_DAYS: 400,
			CHANGE_DAYS: 1825,
			ALARM_SETTLE_SECONDS: 15,
			TSDB_TOPIC_COLUMN: '_measurement',
			INFLUX_TIMEOUT_MS: 8000,
			INFLUX_GZIP: 'on',
			READINGS_SHARED_MS: 0,
			ACCOUNTS: 'off',
			ACCOUNTS_SECOND_FACTOR: 'optional',
			REQUESTS_PER_SCHEMA: 50,
			OPENID_TIMEOUT_MS: 3000,
			hasDemoIdp: true,
			isProduction: false,
			messageAddresses: [],
			openIdProviders: [],
			openIdSecrets: new Map(),
		});
	});

	test('name every missing variable at once', () => {
		expect(() => readConfig(signInFunctionSchema, {})).toThrow(/IDP_PRODUCT_ID is required\..*IDP_TOKEN_SECRET is required\./);
	});

	test.each([
		['PORT', '65535', '65536'],
		['PORT', '0', '-1'],
		['PORT', '80', '80.5'],
		['RETENTION_DAYS', '1', '0'],
		['IDP_TIMEOUT_MS', '25000', '25001'],
		['TOKEN_LIFETIME_SECONDS', '60', '59'],
		['SESSION_HOURS', '168', '169'],
		['SESSION_HOURS', '1', '0'],
		['AUTH_URL', 'https://idp.example/auth/', 'idp.example'],
		['AUTH_URL', 'http://127.0.0.1:1', 'ftp://idp.example'],
		['AUTH_URL', 'https://idp.example', 'https://user:password@idp.example'],
		['CORS_ORIGINS', 'https://a.example, https://b.example:8443', 'https://a.example/'],
		['CORS_ORIGINS', '', '*'],
		['ALLOWED_HOSTS', 'caudal.test, plant-1', 'caudal.test:3000'],
		['ALLOWED_HOSTS', '', '*'],
		['INFLUX_TIMEOUT_MS', '25000', '25001'],
		['INFLUX_GZIP', 'off', 'no'],
		['READINGS_SHARED_MS', '10000', '10001'],
		['IDP_TOKEN', 'a-b_c==', 'a b'],
		['IDP_TOKEN', '~', 'ñ'],
		['PUBLIC_DOCS', 'off', 'no'],
		['INFLUX_LANGUAGE', 'influxql', 'sql'],
		['INFLUX_USER', 'reader', ''],
		['DEMO_PLANT', 'off', 'no'],
		['STATE_DIR', 'memory', ''],
	])('%s accepts %j and refuses %j by name', (name, valid, invalid) => {
		expect(() => readLocalSettings({ [name]: valid })).not.toThrow();
		expect(() => readLocalSettings({ [name]: invalid })).toThrow(new RegExp(`^${name} `));
	});

	test('require a token and an organization with INFLUX_URL', () => {
		const influx = { INFLUX_URL: 'http://127.0.0.1:8086', INFLUX_TOKEN: 't', INFLUX_ORG: 'o' };
		expect(readLocalSettings(influx)).toMatchObject(influx);
		expect(() => readLocalSettings({ ...influx, INFLUX_TOKEN: undefined })).toThrow('INFLUX_TOKEN is required with INFLUX_URL.');
		expect(() => readLocalSettings({ ...influx, INFLUX_ORG: undefined })).toThrow('INFLUX_ORG is required with INFLUX_URL.');
		const influxql = { ...influx, INFLUX_LANGUAGE: 'influxql', INFLUX_ORG: undefined };
		expect(readLocalSettings(influxql)).toMatchObject({ INFLUX_LANGUAGE: 'influxql', INFLUX_USER: 'caudal' });
	});

	test('share readings for a second with InfluxDB, unless a time is set', () => {
		const influx = { INFLUX_URL: 'http://127.0.0.1:8086', INFLUX_TOKEN: 't', INFLUX_ORG: 'o' };
		expect(readLocalSettings(influx).READINGS_SHARED_MS).toBe(1000);
		expect(readLocalSettings({ ...influx, READINGS_SHARED_MS: '0' }).READINGS_SHARED_MS).toBe(0);
	});

	test.each([
		['3100', ['http://localhost:3100', 'http://127.0.0.1:3100']],
		['80', ['http://localhost', 'http://127.0.0.1']],
		['8080', []],
		['0', []],
	])('let pages of this machine call on port %s, besides 5173 and 8080', (PORT, own) => {
		const others = ['http://localhost:5173', 'http://127.0.0.1:5173', 'http://localhost:8080', 'http://127.0.0.1:8080'];
		expect(new Set(readLocalSettings({ PORT }).CORS_ORIGINS)).toEqual(new Set([...own, ...others]));
		expect(readLocalSettings({ PORT, CORS_ORIGINS: 'https://a.example' }).CORS_ORIGINS).toEqual(['https://a.example']);
	});

	test('drop slashes at the end of an address', () => {
		expect(readLocalSettings({ AUTH_URL: 'https://idp.example/auth//' }).AUTH_URL).toBe('https://idp.example/auth');
	});
});

test.each([
	['https://a.example', true],
	['http://localhost:5173', true],
	['https://a.example/', false],
	['https://a.example/path', false],
	['a.example', false],
	['*', false],
	['null', false],
])('isOrigin says of %j: %j', (text, expected) => {
	expect(isOrigin(text)).toBe(expected);
});

describe('INFLUX_URL of functions', () => {
	const read = (INFLUX_URL: string) =>
		readConfig(influxFunctionSchema, { INFLUX_URL, INFLUX_ORG: 'utility', INFLUX_TOKEN_SECRET: 'influx-token' }).INFLUX_URL;

	test.each([
		['https://a.utility.test/', { '': 'https://a.utility.test' }],
		[
			'{"":"https://a.utility.test/","north_":"https://b.utility.test"}',
			{ '': 'https://a.utility.test', north_: 'https://b.utility.test' },
		],
	])('is one address or several: %s', (text, addresses) => {
		expect(read(text)).toEqual(addresses);
	});

	test.each([
		['{"":"https://a', 'INFLUX_URL must be an address or JSON.'],
		['{}', 'INFLUX_URL must name a server.'],
		['{"north_":"b.utility.test"}', 'INFLUX_URL.north_ must be an http:// or https:// address.'],
		['[]', 'INFLUX_URL must be an http:// or https:// address.'],
	])('is refused: %s', (text, message) => {
		expect(() => read(text)).toThrow(message);
	});
});
