import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle, byDefault, writeBundles } from '#infra/aws/bundle.ts';
import { type EndpointName, endpoints } from '#shared/contract.ts';
import { functionsIn, openSynthesis } from '#test/support/templates.ts';

const run = promisify(execFile);
const names = endpoints.map(({ name }) => name);

const mapSchema = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ version: v.literal(3), sources: v.array(v.string()), mappings: v.pipe(v.string(), v.nonEmpty()) }),
);

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
/** The environment variables that the template gives each function. */
let variables: Readonly<Record<string, Readonly<Record<string, string>>>>;
/** The hot function as esbuild bundles by default. */
let usual: string;

const fileOf = (name: EndpointName): string => join(synthesis.bundles[name], 'index.js');
const textOf = (name: EndpointName): string => readFileSync(fileOf(name), 'utf8');
const mapFileOf = (name: EndpointName): string => join(dirname(synthesis.bundles[name]), 'source-maps', name, 'index.js.map');
/** The files that a bundle has code of. */
const sourcesOf = (name: EndpointName): readonly string[] => v.parse(mapSchema, readFileSync(mapFileOf(name), 'utf8')).sources;

beforeAll(async () => {
	synthesis = await openSynthesis(writeBundles);
	const functions = functionsIn(synthesis.synthesize('dev')).map(({ properties }) => properties.Environment.Variables);
	variables = Object.fromEntries(functions.map((each) => [each['ENDPOINT'] ?? '', each]));
	const [file] = await bundle(byDefault, ['multipleDataTsdb']);
	usual = file?.text ?? '';
}, 120_000);
afterAll(() => synthesis.close());

test('the hot function is at most 0.45 of what esbuild makes by default', () => {
	const [ours, theirs] = [statSync(fileOf('multipleDataTsdb')).size, Buffer.byteLength(usual)];
	expect(ours / theirs, `${ours} bytes, by default ${theirs}`).toBeLessThanOrEqual(0.45);
});

describe('each function', () => {
	test.each(names)('is one minified file, a script, with its source map aside: %s', (name) => {
		expect(readdirSync(synthesis.bundles[name])).toEqual(['index.js']);
		const text = textOf(name);
		expect(() => new Script(text)).not.toThrow();
		expect(text).toContain('module.exports=');
		expect(text).not.toMatch(/sourceMappingURL|sourcesContent/);
		expect(text.length / text.split('\n').length).toBeGreaterThan(500);
		expect(sourcesOf(name).some((source) => source.endsWith(`functions/${name}/handler.ts`))).toBe(true);
	});

	test('is its endpoint’s alone', () => {
		for (const name of names) {
			const having = sourcesOf(name).flatMap((source) => /functions\/(\w+)\//.exec(source)?.[1] ?? []);
			expect(new Set(having)).toEqual(new Set([name]));
		}
		expect(readdirSync(dirname(synthesis.bundles.health)).sort()).toEqual([...names, 'source-maps'].sort());
	});
});

/** What jose says of a compact token that is none: words of its source, which minifying leaves as they are. */
const wordsOfJose = (): string => {
	const file = fileURLToPath(new URL('lib/jws_verify.js', import.meta.resolve('jose')));
	const [, words] = /["'](Compact JWS [\w ]{20,})["']/.exec(readFileSync(file, 'utf8')) ?? [];
	if (words === undefined) throw new Error(`${file} has no such words.`);
	return words;
};

describe('a bundle has what its function needs', () => {
	test('jose where tokens are signed, and only there', () => {
		const words = wordsOfJose();
		expect(names.filter((name) => textOf(name).includes(words))).toEqual(['loginSso']);
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('node_modules/jose/')))).toEqual(['loginSso']);
	});

	test('the client of InfluxDB where series are read, and only there', () => {
		const reading = endpoints.flatMap(({ name, uses }) => ('timeSeries' in uses ? [name] : []));
		expect(names.filter((name) => sourcesOf(name).some((source) => source.includes('node_modules/@influxdata/')))).toEqual(
			reading,
		);
	});

	test('nothing of the SDK where nothing of AWS is asked', () => {
		const without = names.filter((name) => !sourcesOf(name).some((source) => source.includes('node_modules/@aws-sdk/')));
		expect(without).toEqual(['health', 'openidConfiguration']);
	});
});

describe('no bundle has what Lambda never runs', () => {
	/** What of the SDK's credentials is left out, by words of it; a bundle by default has them. */
	const leftOut = {
		'where a container’s credentials are': 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
		'where an instance’s are': 'AWS_EC2_METADATA_V1_DISABLED',
		'a web identity': 'AWS_WEB_IDENTITY_TOKEN_FILE',
		'single sign-on': 'sso_start_url',
		'a process': 'credential_process',
	};

	test.each(Object.entries(leftOut))('credentials of %s', (_, words) => {
		expect(usual).toContain(words);
		expect(names.filter((name) => textOf(name).includes(words))).toEqual([]);
	});

	test('files of credential providers but the environment’s, of CDK, or of local mode', () => {
		const unwanted =
			/@aws-sdk\/credential-provider-(?!env\/)|@aws-sdk\/(token-providers|nested-clients)|@smithy\/credential-provider|node_modules\/(aws-cdk|constructs|cdk-nag|esbuild)|infra\/(?!aws\/bundle-stubs\/)|sqlite|test\//;
		for (const name of names) expect([name, sourcesOf(name).filter((source) => unwanted.test(source))]).toEqual([name, []]);
	});

	test.each(['node:sqlite', 'aws-cdk-lib', 'node:worker_threads'])('%s', (words) => {
		expect(names.filter((name) => textOf(name).includes(words))).toEqual([]);
	});
});

/**
 * Loads a bundle as Lambda does, once for each list of variables to leave out; prints what each came to: what the handler is, or the
 * error.
 */
const loader = `
const [file, ...lists] = process.argv.slice(1);
const given = { ...process.env };
const outcomes = lists.map((list) => {
	delete require.cache[file];
	process.env = { ...given };
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

/** What Lambda itself sets. */
const ofLambda = {
	AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
	AWS_REGION: 'eu-west-1',
	AWS_ACCESS_KEY_ID: 'x',
	AWS_SECRET_ACCESS_KEY: 'x',
	AWS_SESSION_TOKEN: 'x',
	AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
};

/** Loads a function's bundle in a process of its own, with the variables of the template but those left out. */
const load = async (name: EndpointName, leavingOut: readonly string[]) => {
	const home = join(dirname(synthesis.bundles[name]), 'home');
	mkdirSync(home, { recursive: true });
	return run(process.execPath, ['-e', loader, fileOf(name), ...leavingOut], {
		cwd: home,
		env: { HOME: home, ...ofLambda, AWS_LAMBDA_FUNCTION_NAME: `caudal-dev-${name}`, ...variables[name] },
	});
};

/** What a function does without: each has a default. */
const optional: ReadonlySet<string> = new Set([
	'INFLUX_TIMEOUT_MS',
	'INFLUX_GZIP',
	'TSDB_TOPIC_COLUMN',
	'IDP_TIMEOUT_MS',
	'TOKEN_AUDIENCE',
	'TOKEN_LIFETIME_SECONDS',
	'NODE_OPTIONS',
]);

describe('with the environment that the template gives it', () => {
	test.concurrent.each(names)(
		'loads, prints nothing, and has a handler; without a variable it stops, naming it: %s',
		async (name) => {
			const given = Object.keys(variables[name] ?? {});
			const required = given.filter((variable) => !optional.has(variable));
			const { stdout, stderr } = await load(name, ['', [...optional].join(), ...required]);
			expect(stderr).toBe('');
			const [complete, withoutOptional, ...outcomes] = v.parse(outcomesSchema, stdout);
			expect([complete, withoutOptional]).toEqual(['function', 'function']);
			expect(required).toEqual(expect.arrayContaining(['ENVIRONMENT', 'ENDPOINT']));
			expect(outcomes).toEqual(required.map((variable) => `ConfigError: ${variable} is required.`));
		},
	);
});
