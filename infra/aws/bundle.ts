import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import * as v from 'valibot';
import { bundleConsole, filesText } from '#infra/console/console-files.ts';
import { shippedPackages } from '#infra/console/licences.ts';
import { docsFilesText, docsPackage } from '#infra/openapi/docs-files.ts';
import { apiDocumentText } from '#infra/openapi/document.ts';
import { readManifest } from '#infra/openapi/manifest.ts';
import { sbomText } from '#infra/sbom/sbom.ts';
import { endpoints, type FunctionName, functionNames } from '#shared/contract.ts';
import { tasks } from '#shared/tasks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where esbuild would write. Nothing is written there: the paths of outputs are relative to it. */
const outdir = join(root, 'out');

/** esbuild's default options for Lambda, minified. `npm run bundles` compares the deployed bundles with these. */
export const esbuildDefaults = {
	absWorkingDir: root,
	outdir,
	bundle: true,
	platform: 'node',
	target: 'node24',
	format: 'cjs',
	minify: true,
	write: false,
	logLevel: 'warning',
} as const satisfies BuildOptions;

/** SDK modules that never run on Lambda, mapped to the stubs that replace them in bundles (infra/aws/README.md#functions-and-bundles). */
const stubs: Readonly<Record<string, string>> = {
	'@aws-sdk/credential-provider-node': 'credentials',
	'@smithy/core/event-streams': 'unused-exports',
	'mnemonist/lru-cache': 'lru-cache',
	'./Sha256Js': 'unused-exports',
	'../util-retry/AdaptiveRetryStrategy': 'unused-exports',
	'./util-retry/AdaptiveRetryStrategy': 'unused-exports',
	'./getInstanceMetadataRegion': 'no-metadata-service',
	'../config-resolver/regionConfig/getInstanceMetadataRegion': 'no-metadata-service',
	'./HeaderFormatter': 'header-formatter',
	'./HttpBindingNormalizedSchema': 'no-http-bindings',
};

/** Modules that clients of services need whose operations have HTTP bindings or stream events. Lambda is one: only tasks that start workers call it. */
const neededByLambdaClient: readonly string[] = ['./HttpBindingNormalizedSchema', '@smithy/core/event-streams'];

const manifestSchema = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }));

/** Returns the plugin that puts the stubs into bundles, except in place of the modules `kept`. */
const stubUnusedModules = (kept: readonly string[] = []): Plugin => ({
	name: 'stub unused modules',
	setup: ({ onResolve, onLoad }) => {
		const stubbed = Object.keys(stubs).filter((path) => !kept.includes(path));
		onResolve({ filter: new RegExp(`^(${stubbed.join('|')})$`) }, ({ path }) => ({
			path: fileURLToPath(new URL(`./bundle-stubs/${stubs[path]}.ts`, import.meta.url)),
		}));
		// A client of the SDK reads only its own version from its package.json.
		onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, ({ path }) => ({
			loader: 'json',
			contents: JSON.stringify(v.parse(manifestSchema, readFileSync(path, 'utf8'))),
		}));
	},
});

/** The options for deployed bundles: ES modules where packages have them, because only those can be tree-shaken, and the stubs. */
export const deployOptions = {
	...esbuildDefaults,
	mainFields: ['module', 'main'],
	plugins: [stubUnusedModules()],
	charset: 'utf8',
	legalComments: 'none',
	sourcemap: 'external',
} as const satisfies BuildOptions;

/**
 * Bundles functions, by default every one, into `FOLDER/NAME/index.js`, with the source map in `FOLDER/source-maps/NAME/index.js.map`, and
 * lists the packages whose code is in each in `FOLDER/sbom.cdx.json`.
 */
export async function writeBundles(
	folder: string,
	options: BuildOptions = deployOptions,
	names: readonly FunctionName[] = functionNames,
): Promise<void> {
	const page = await bundleConsole({ demo: null });
	// Only functions/health, functions/openapi, functions/docs and functions/console use these names, so no other bundle contains them.
	// Defined as objects, they would make all larger.
	const define = {
		serviceVersion: JSON.stringify(readManifest().version),
		openApiDocument: JSON.stringify(apiDocumentText()),
		docsFiles: JSON.stringify(docsFilesText()),
		consoleFiles: JSON.stringify(filesText(page)),
	};
	const rows = functionRows.filter(({ name }) => names.includes(name));
	const lambdaCallers = rows.filter(({ uses }) => 'workers' in uses);
	const others = rows.filter((row) => !lambdaCallers.includes(row));
	// Functions that start others need modules that are stubbed elsewhere. Options without plugins put no stubs into any bundle.
	const withFewerStubs = options.plugins === undefined ? {} : { plugins: [stubUnusedModules(neededByLambdaClient)] };
	const bundled = [
		...(await writeEach(folder, others, { ...options, define })),
		...(await writeEach(folder, lambdaCallers, { ...options, ...withFewerStubs, define })),
	];
	// The files of pages are values of those names, so esbuild does not see whose code they are.
	const inPages: Partial<Record<FunctionName, Iterable<string>>> = { console: page.packages, docs: [docsPackage] };
	const packages = new Map(bundled.map(([name, folders]) => [name, new Set([...folders, ...(inPages[name] ?? [])])]));
	writeFileSync(join(folder, 'sbom.cdx.json'), sbomText(packages));
}

const functionRows = [...endpoints, ...tasks];

/** @returns the folders of the packages whose code is in each bundle, by the name of its function */
async function writeEach(folder: string, rows: typeof functionRows, options: BuildOptions) {
	const entryPoints = Object.fromEntries(rows.map(({ name }) => [`${name}/index`, `functions/${name}/index.ts`]));
	const { outputFiles = [], metafile } = await build({ ...options, entryPoints, metafile: true });
	for (const { path, contents } of outputFiles) {
		// A map beside the bundle would be uploaded with it and unpacked at every cold start.
		const file = join(folder, path.endsWith('.map') ? 'source-maps' : '', relative(outdir, path));
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, contents);
	}
	const bundles = Object.values(metafile.outputs);
	return rows.map(({ name }) => {
		const bundle = bundles.filter(({ entryPoint }) => entryPoint === `functions/${name}/index.ts`);
		return [name, shippedPackages(bundle)] as const;
	});
}
