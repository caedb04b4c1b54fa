import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile, type Plugin } from 'esbuild';
import * as v from 'valibot';
import { type EndpointName, endpoints } from '#shared/contract.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const out = join(root, 'out');

/** Modules of packages that a function on Lambda never runs, by what is bundled instead. */
const instead: Readonly<Record<string, string>> = {
	'@aws-sdk/credential-provider-node': 'credentials',
	'@smithy/core/event-streams': 'event-streams',
	'mnemonist/lru-cache': 'lru-cache',
	'./Sha256Js': 'sha256-js',
};

const manifestSchema = v.pipe(v.string(), v.parseJson(), v.object({ version: v.string() }));

const leaveOut: Plugin = {
	name: 'leave out',
	setup: ({ onResolve, onLoad }) => {
		onResolve({ filter: new RegExp(`^(${Object.keys(instead).join('|')})$`) }, ({ path }) => ({
			path: fileURLToPath(new URL(`./bundle-stubs/${instead[path]}.ts`, import.meta.url)),
		}));
		// A client takes its own version from there, and nothing else.
		onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, ({ path }) => ({
			loader: 'json',
			contents: JSON.stringify(v.parse(manifestSchema, readFileSync(path, 'utf8'))),
		}));
	},
};

/** As esbuild bundles for Lambda by default, minified: what the way below is measured against. */
export const byDefault = {
	absWorkingDir: root,
	outdir: out,
	bundle: true,
	platform: 'node',
	target: 'node24',
	format: 'cjs',
	minify: true,
	write: false,
	logLevel: 'warning',
} as const satisfies BuildOptions;

/** As functions are deployed: ES modules where packages have them, which can be shaken, without what Lambda never runs. */
export const deployed = {
	...byDefault,
	mainFields: ['module', 'main'],
	plugins: [leaveOut],
	charset: 'utf8',
	legalComments: 'none',
	sourcemap: 'external',
} as const satisfies BuildOptions;

const names = endpoints.map(({ name }) => name);

/** Bundles functions, each into a file `NAME/index.js`. */
export async function bundle(options: BuildOptions, which: readonly EndpointName[] = names): Promise<readonly OutputFile[]> {
	const entryPoints = Object.fromEntries(which.map((name) => [`${name}/index`, `functions/${name}/index.ts`]));
	const { outputFiles = [] } = await build({ ...options, entryPoints });
	return outputFiles.map((file) => ({ ...file, path: file.path.slice(out.length + 1), text: file.text }));
}

/**
 * Writes every function's bundle below `folder`, as `NAME/index.js`, and its source map aside, as `source-maps/NAME/index.js.map`:
 * in the same folder a map would be uploaded, and unpacked at every cold start.
 * @returns each function's folder
 */
export async function writeBundles(folder: string): Promise<Readonly<Record<EndpointName, string>>> {
	for (const { path, contents } of await bundle(deployed)) {
		const file = join(folder, path.endsWith('.map') ? 'source-maps' : '.', path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, contents);
	}
	return Object.fromEntries(names.map((name) => [name, join(folder, name)])) as Record<EndpointName, string>;
}
