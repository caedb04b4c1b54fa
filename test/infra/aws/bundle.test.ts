import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staticFilesSchema } from '#http/page.ts';
import { esbuildDefaults, writeBundles } from '#infra/aws/bundle.ts';
import { addProvidersFile, providersFile } from '#infra/aws/openid-providers.ts';
import { consoleFilesText } from '#infra/console/console-files.ts';
import { demoCredentials } from '#infra/local/demo/idp.ts';
import { docsFilesText } from '#infra/openapi/docs-files.ts';
import { endpoints, type FunctionName, functionNames } from '#shared/contract.ts';
import { tableNames } from '#shared/tables.ts';
import { tasks } from '#shared/tasks.ts';
import { openIdSettings } from '#test/support/builders/openid-settings.ts';
import { apiDocument } from '#test/support/openapi/api-description.ts';
import { packagesByPart, schemaFaults } from '#test/support/sbom.ts';
import { functionsIn, only, openSynthesis } from '#test/support/templates.ts';

const run = promisify(execFile);
const names = functionNames;

const mapSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ version: v.literal(3), sources: v.array(v.string()), mappings: v.pipe(v.string(), v.nonEmpty()) }),
);

const componentsSchema = v.pipe(v.string(), v.parseJson(), v.object({ components: v.array(v.unknown()) }));

/** The user of the canary, without whom an environment has no canary. */
const canary = { email: 'canary@utility.test', schemaName: 's', tsdbName: 't' };

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
/** The environment variables of each function in the template. */
let variables: Readonly<Record<string, Readonly<Record<string, string>>>>;
/** The bundle of multipleDataTsdb with esbuild's default options. */
let defaultBundle: string;

/** Returns the names of the functions whose rows use something. */
const usersOf = (use: 'openIdProviders' | 'signingKey'): readonly FunctionName[] =>
	[...endpoints, ...tasks].flatMap(({ name, uses }): FunctionName[] => (use in uses ? [name] : []));
/** The functions that send requests to OpenID providers. */
const askers: readonly FunctionName[] = usersOf('openIdProviders').filter((name) => name !== 'openIdProviders');

const fileOf = (name: FunctionName): string => join(synthesis.bundles, name, 'index.js');
const textOf = (name: FunctionName): string => readFileSync(fileOf(name), 'utf8');
const mapFileOf = (name: FunctionName): string => join(synthesis.bundles, 'source-maps', name, 'index.js.map');
/** Returns the source files whose code is in a bundle. */
const sourcesOf = (name: FunctionName): readonly string[] => v.parse(mapSchema, readFileSync(mapFileOf(name), 'utf8')).sources;

beforeAll(async () => {
	synthesis = await openSynthesis(writeBundles);
	const stacks = synthesis.synthesize('dev', { ...openIdSettings, canary, publicUrl: 'https://public.utility.test' });
	addProvidersFile(stacks.settings, synthesis.bundles);
	const functions = functionsIn(stacks).map(({ properties }) => properties.Environment.Variables);
	variables = Object.fromEntries(functions.map((each) => [each['ENDPOINT'] ?? '', each]));
	const byDefault = await build({ ...esbuildDefaults, entryPoints: ['functions/multipleDataTsdb/index.ts'] });
	defaultBundle = only(byDefault.outputFiles).text;
}, 120_000);
afterAll(() => synthesis.close());

test('the bundle of multipleDataTsdb has at most 0.49 times the size of esbuild’s default (test/bench/README.md#budgets)', () => {
	const [bytes, defaultBytes] = [statSync(fileOf('multipleDataTsdb')).size, Buffer.byteLength(defaultBundle)];
	expect(bytes / defaultBytes, `${bytes} bytes, by default ${defaultBytes}`).toBeLessThanOrEqual(0.49);
});

test('signing in and renewing with OpenID providers need at most 14 KB more than with the identity provider, compressed', () => {
	const size = (name: FunctionName) => gzipSync(readFileSync(fileOf(name))).length;
	for (const [name, sibling] of [
		['signInOpenId', 'loginSso'],
		['renewOpenId', 'renewToken'],
	] as const)
		expect(size(name) - size(sibling), name).toBeLessThanOrEqual(14 * 1024);
});

describe('each bundle', () => {
	test.each(names)('is one minified CommonJS file, with its source map in another folder: %s', (name) => {
		expect(readdirSync(join(synthesis.bundles, name))).toEqual([
			'index.js',
			...(usersOf('openIdProviders').includes(name) ? [providersFile] : []),
		]);
		const text = textOf(name);
		expect(() => new Script(text)).not.toThrow();
		expect(text).toContain('module.exports=');
		expect(text).not.toMatch(/sourceMappingURL|sourcesContent/);
		expect(text.length / text.split('\n').length).toBeGreaterThan(500);
		expect(sourcesOf(name).some((source) => source.endsWith(`functions/${name}/handler.ts`))).toBe(true);
	});

	test('contains the handler of its own endpoint only', () => {
		for (const name of names) {
			const endpointFolders = sourcesOf(name).flatMap((source) => /functions\/(\w+)\//.exec(source)?.[1] ?? []);
			expect(new Set(endpointFolders)).toEqual(new Set([name]));
		}
		expect(readdirSync(synthesis.bundles).sort()).toEqual([...names, 'sbom.cdx.json', 'source-maps'].sort());
	});
});

test('the bill of materials has the packages of each bundle, and no other', () => {
	const sbom = readFileSync(join(synthesis.bundles, 'sbom.cdx.json'), 'utf8');
	expect(schemaFaults(sbom)).toEqual([]);
	const inPages: Partial<Record<FunctionName, readonly string[]>> = {
		console: [
			'preact',
			'@preact/signals',
			'@preact/signals-core',
			'openapi-fetch',
			'valibot',
			'@csstools/css-tokenizer',
			'@rgrove/parse-xml',
			'lean-qr',
		],
		docs: ['swagger-ui-dist'],
	};
	// Source maps tell it independently. The innermost folder of packages has the version that is bundled.
	const mapped = names.map((name) => {
		const folders = sourcesOf(name).flatMap((source) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(join('/', source)) ?? []);
		const shipped = [...folders, ...(inPages[name] ?? []).map((each) => `/node_modules/${each}`)];
		const versions = shipped.map((folder) => {
			const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../..', folder, 'package.json'), 'utf8'));
			return `${manifest.name}@${manifest.version}`;
		});
		return [name, [...new Set(versions)].sort()] as const;
	});
	expect(packagesByPart(sbom)).toEqual(Object.fromEntries(mapped));
	const packages = new Set(mapped.flatMap(([, each]) => each));
	expect(v.parse(componentsSchema, sbom).components).toHaveLength(names.length + packages.size);
	expect(packages.size).toBeGreaterThan(20);
});

/** Returns an error message from jose's source. Minifying keeps string literals, so it shows whether a bundle contains jose. */
const joseErrorMessage = (): string => {
	const file = fileURLToPath(new URL('lib/jws_verify.js', import.meta.resolve('jose')));
	const [, message] = /["'](Compact JWS [\w ]{20,})["']/.exec(readFileSync(file, 'utf8')) ?? [];
	if (message === undefined) throw new Error(`${file} has no such message.`);
	return message;
};

describe('a bundle contains what its function needs', () => {
	test('the writer of workbooks, only in the functions of tables', () => {
		const tableNames = endpoints.filter(({ path }) => path.startsWith('/table/')).map(({ name }) => name);
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('node_modules/write-excel-file/')))).toEqual(
			tableNames,
		);
	});

	test('jose, only in the functions that sign or check tokens, or ask OpenID providers', () => {
		const message = joseErrorMessage();
		const ownAuthorized: readonly string[] = endpoints.filter(({ auth }) => auth === 'basic').map(({ name }) => name);
		const users = names.filter(
			(name) => usersOf('signingKey').includes(name) || askers.includes(name) || ownAuthorized.includes(name),
		);
		expect(names.filter((name) => textOf(name).includes(message))).toEqual(users);
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('node_modules/jose/')))).toEqual(users);
	});

	test('the engine of regular expressions, only in the function that takes selectors', () => {
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('node_modules/re2js/')))).toEqual([
			'prometheus',
		]);
	});

	test('the parser of XML, only in the function that saves diagrams', () => {
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('@rgrove/parse-xml')))).toEqual([
			'saveDiagram',
		]);
	});

	test('the InfluxDB client, only in functions that read series', () => {
		const readers = [...endpoints, ...tasks].flatMap(({ name, uses }) => ('timeSeries' in uses ? [name] : []));
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('node_modules/@influxdata/')))).toEqual(
			readers,
		);
	});

	test('the metrics of reads, not in the evaluation of alarms: those of one bad tenant would hide how the reads of clients are', () => {
		const measured = names.filter((name) => textOf(name).includes('TsdbFaults'));
		expect(measured).toContain('getAlarms');
		expect(measured).not.toContain('evaluateAlarms');
	});

	test('DynamoDB’s client, only in functions that use tables; so the issuer’s load neither it nor InfluxDB’s', () => {
		const users = [...endpoints, ...tasks].flatMap(({ name, uses }) => (tableNames.some((table) => table in uses) ? [name] : []));
		const has = (name: FunctionName, part: RegExp) => sourcesOf(name).some((source) => part.test(source));
		expect(names.filter((name) => has(name, /@aws-sdk\/(client-dynamodb|lib-dynamodb)|adapters\/dynamo/))).toEqual(users);
		for (const { name, api } of endpoints)
			if (api === 'issuer')
				expect(has(name, /dynamo|influx|adapters\/(?!aws\/|cached-read|redact|broken-connection)/i), name).toBe(false);
	});

	test.each([
		['client-sns', ['evaluateAlarms', 'closeReportDays']],
		['client-lambda', ['dispatchAlarms', 'closeReportDays']],
	])('the client of AWS, only in the tasks that call it: %s', (client, callers) => {
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes(`@aws-sdk/${client}/`)))).toEqual(callers);
	});

	test('the AWS SDK, only in functions that call AWS', () => {
		const without = names.filter((name) => !sourcesOf(name).some((source) => source.includes('node_modules/@aws-sdk/')));
		expect(without).toEqual(['openIdProviders', 'openIdProvider', 'health', 'openapi', 'docs', 'console', 'openidConfiguration']);
	});
});

describe('the API’s description', () => {
	/** The descriptions in the document. Most are sentences that no other code contains. */
	const textsIn = (part: unknown): readonly string[] => {
		if (typeof part !== 'object' || part === null) return [];
		const own = 'description' in part && typeof part.description === 'string' ? [part.description] : [];
		return [...own, ...Object.values(part).flatMap(textsIn)];
	};

	test('is in the bundle of openapi as a whole, and in no other one', () => {
		// Sentences without characters that are escaped in JSON, or in a string.
		const parts = textsIn(apiDocument).flatMap((text) => text.split(/["'\\`\n]/));
		const texts = [...new Set(parts)].filter((part) => part.length > 40 && part.includes(' '));
		expect(texts.length).toBeGreaterThan(100);
		for (const name of names) {
			const bundle = textOf(name);
			expect(
				texts.filter((text) => bundle.includes(text)),
				name,
			).toEqual(name === 'openapi' ? texts : []);
		}
	});

	test('is made without a trace: no bundle has its code or the converter', () => {
		const parts = /infra\/openapi|@valibot\/to-json-schema|node_modules\/ajv/;
		for (const name of names) expect([name, sourcesOf(name).filter((source) => parts.test(source))]).toEqual([name, []]);
	});
});

describe('the page of the API’s description', () => {
	test('is in the bundle of docs as it was compressed, and in no other one', () => {
		const files = [...v.parse(staticFilesSchema, docsFilesText())];
		expect(files.length).toBeGreaterThan(4);
		for (const name of names) {
			const bundle = textOf(name);
			const found = files.filter(([, { gzip }]) => bundle.includes(gzip)).map(([file]) => file);
			expect(found, name).toEqual(name === 'docs' ? files.map(([file]) => file) : []);
		}
	});

	test('has no code of Swagger UI or of its package in any bundle', () => {
		for (const name of names) {
			expect([name, sourcesOf(name).filter((source) => /swagger|docs-files/.test(source))]).toEqual([name, []]);
			expect(textOf(name), name).not.toContain('SwaggerUIBundle');
		}
	});
});

describe('the operator’s console', () => {
	test('is in the bundle of console as it was compressed, and in no other one', async () => {
		const files = [...v.parse(staticFilesSchema, await consoleFilesText({ demo: null }))];
		expect(files.length).toBeGreaterThan(4);
		for (const name of names) {
			const bundle = textOf(name);
			const found = files.filter(([, { gzip }]) => bundle.includes(gzip)).map(([file]) => file);
			expect(found, name).toEqual(name === 'console' ? files.map(([file]) => file) : []);
		}
	});

	test('has no code of its page or of what the page needs among the code of any function', () => {
		const page = /functions\/console\/page\/|infra\/console\/|node_modules\/(@?preact|openapi-fetch)\b/;
		for (const name of names) expect([name, sourcesOf(name).filter((source) => page.test(source))]).toEqual([name, []]);
	});

	test('cannot sign in to the demo: neither it nor any other bundle has the demo’s credentials', () => {
		const [, literal = ''] = /\bfiles:async\(\)=>('[^']*'|"[^"]*"|`[^`]*`)/.exec(textOf('console')) ?? [];
		const served = v.parse(staticFilesSchema, new Script(literal).runInNewContext());
		const texts = [...served.values()].map(({ gzip }) => gunzipSync(Buffer.from(gzip, 'base64')).toString('utf8'));
		expect(texts.some((text) => text.startsWith('<!doctype html>'))).toBe(true);
		// The description of the API has the demo's sign-in as its example.
		for (const text of [...texts, ...names.filter((name) => name !== 'openapi').map(textOf)])
			expect(text).not.toMatch(new RegExp(`${demoCredentials.email}|\\b${demoCredentials.tokenApp}\\b`));
	});
});

describe('no bundle contains code that never runs on Lambda', () => {
	/** Strings in the source of each credential provider. The default bundle contains all of them. */
	const providers = {
		container: 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
		instance: 'AWS_EC2_METADATA_V1_DISABLED',
		'web identity': 'AWS_WEB_IDENTITY_TOKEN_FILE',
		'single sign-on': 'sso_start_url',
		process: 'credential_process',
	};

	test.each(Object.entries(providers))('credential provider: %s', (_, string) => {
		expect(defaultBundle).toContain(string);
		expect(names.filter((name) => textOf(name).includes(string))).toEqual([]);
	});

	test('files of other credential providers than the environment’s, of CDK, of local mode or of tests', () => {
		const unwanted =
			/@aws-sdk\/credential-provider-(?!env\/)|@aws-sdk\/(token-providers|nested-clients)|@smithy\/credential-provider|node_modules\/(aws-cdk|constructs|cdk-nag|esbuild|dayjs)|infra\/(?!aws\/bundle-stubs\/)|sqlite|test\//;
		for (const name of names) expect([name, sourcesOf(name).filter((source) => unwanted.test(source))]).toEqual([name, []]);
	});

	test.each(['node:sqlite', 'aws-cdk-lib', 'node:worker_threads'])('%s', (module) => {
		expect(names.filter((name) => textOf(name).includes(module))).toEqual([]);
	});
});

/**
 * A script that loads a bundle once for each list of environment variables to remove. It prints the type of the handler, or the
 * error, for each list.
 */
const loader = `
const [file, ...lists] = process.argv.slice(1);
const environment = { ...process.env };
const outcomes = lists.map((list) => {
	delete require.cache[file];
	process.env = { ...environment };
	for (const name of list.split(',')) delete process.env[name];
	try {
		return typeof require(file).handler;
	} catch (error) {
		return error.name + ': ' + error.message;
	}
});
console.log(JSON.stringify(outcomes));
`;
const outcomesSchema = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** The environment variables that Lambda sets. */
const lambdaVariables = {
	AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
	AWS_REGION: 'eu-west-1',
	AWS_ACCESS_KEY_ID: 'x',
	AWS_SECRET_ACCESS_KEY: 'x',
	AWS_SESSION_TOKEN: 'x',
	AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
};

/** Loads a function's bundle in a process of its own, once for each list of variables to remove from those of the template. */
const load = async (name: FunctionName, removedLists: readonly string[]) => {
	const home = join(dirname(synthesis.bundles), 'home');
	mkdirSync(home, { recursive: true });
	return run(process.execPath, ['-e', loader, fileOf(name), ...removedLists], {
		cwd: home,
		env: {
			HOME: home,
			LAMBDA_TASK_ROOT: dirname(fileOf(name)),
			...lambdaVariables,
			AWS_LAMBDA_FUNCTION_NAME: `caudal-dev-${name}`,
			...variables[name],
		},
	});
};

/** Variables that have a default. */
const optional: ReadonlySet<string> = new Set([
	'INFLUX_TIMEOUT_MS',
	'INFLUX_GZIP',
	'READINGS_SHARED_MS',
	'TSDB_TOPIC_COLUMN',
	'IDP_TIMEOUT_MS',
	'OPENID_TIMEOUT_MS',
	'PUBLIC_URL',
	'ALARM_SETTLE_SECONDS',
	'TOKEN_AUDIENCE',
	'TOKEN_LIFETIME_SECONDS',
	'SESSION_HOURS',
	'TRUSTED_PROXY_HOPS',
	'NODE_OPTIONS',
]);

test('a function whose provider has a button needs the address of the console', async () => {
	const { stdout } = await load('openIdProvider', ['CONSOLE_URL']);
	expect(stdout).toContain('entra: consoleUrl is required with a clientId.');
});

describe('with the environment variables of the template', () => {
	test.concurrent.each(names)(
		'loads silently and has a handler, and without a required variable throws an error that names it: %s',
		async (name) => {
			const required = Object.keys(variables[name] ?? {}).filter(
				(variable) => !optional.has(variable) && variable !== 'CONSOLE_URL',
			);
			const { stdout, stderr } = await load(name, ['', [...optional].join(), ...required]);
			expect(stderr).toBe('');
			const [complete, withoutOptional, ...outcomes] = v.parse(outcomesSchema, stdout);
			expect([complete, withoutOptional]).toEqual(['function', 'function']);
			expect(required).toEqual(expect.arrayContaining(['ENVIRONMENT', 'ENDPOINT']));
			expect(outcomes).toEqual(required.map((variable) => `ConfigError: ${variable} is required.`));
		},
	);
});
