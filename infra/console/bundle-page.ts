import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { licencesOf, shippedPackages } from './licences.ts';
import { type PageLoads, pageLoadsOf } from './page-loads.ts';

/** A page as it is served. */
export interface PageBundle {
	/** The text of each file by its name. `index.html` is the page itself; the names of most others change with their content. */
	readonly files: ReadonlyMap<string, string>;
	readonly loads: PageLoads;
	/** The folders of the packages whose code is in it. */
	readonly packages: ReadonlySet<string>;
}

/** The folder of a page's sources, and the values of its build-time constants (functions/console/page/env.d.ts). */
export interface PageSource {
	readonly folder: string;
	/** JSON values by name. */
	readonly constants: Readonly<Record<string, unknown>>;
	/** The folder of the page's files in its addresses, as seen from the page. Relative, so that the service may be below another path. */
	readonly filesFolder: string;
}

/** The oldest supported browsers, of 2024. They have what ES2024's types allow (functions/console/page/tsconfig.json). */
const browsers = ['chrome128', 'edge128', 'firefox128', 'safari17.4'];

/** Where esbuild would write. Nothing is written there: the paths of outputs are relative to it. */
const outdir = 'out';

/**
 * Bundles a page. Its `index.html` names the module and the style sheet that it loads, another style sheet with `rel="later"` that the module
 * loads when it is needed, and in a comment the SVG file of its symbols. Each module that is imported dynamically becomes a file of its own.
 * @throws Error when the sources cannot be bundled
 */
export async function bundlePage({ folder, constants, filesFolder }: PageSource): Promise<PageBundle> {
	const html = readFileSync(join(folder, 'index.html'), 'utf8');
	const entryPoints = [...html.matchAll(entryAddress)].map(([, entry = '']) => entry);
	const modulePaths = entryPoints.filter((entry) => entry.endsWith('.tsx')).map((entry) => join(folder, entry));
	const { metafile, outputFiles } = await build({
		absWorkingDir: folder,
		entryPoints,
		plugins: [togetherWith(modulePaths)],
		entryNames: '[name]-[hash]',
		chunkNames: '[name]-[hash]',
		outdir,
		define: Object.fromEntries(Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)])),
		loader: { '.svg': 'dataurl' },
		bundle: true,
		splitting: true,
		format: 'esm',
		target: browsers,
		minify: true,
		charset: 'utf8',
		legalComments: 'none',
		write: false,
		metafile: true,
		logLevel: 'silent',
	});
	const laterEntries = [...html.matchAll(laterAddress)].map(([, entry = '']) => entry);
	const loads = pageLoadsOf(metafile, laterEntries);
	const page = html
		.replace(symbolsComment, (_, file: string) => symbolsIn(join(folder, file)))
		.replace('</head>', `${loads.preloaded.map((name) => preloadLink(`${filesFolder}/${name}`)).join('')}</head>`)
		.replace(entryAddress, (_, entry: string) => `"${filesFolder}/${outputOf(metafile, entry)}"`);
	return {
		files: new Map([
			['index.html', page],
			...outputFiles.map(({ path, text }): [string, string] => [basename(path), text]),
			['licences.txt', licencesOf(metafile)],
		]),
		loads,
		packages: shippedPackages(Object.values(metafile.outputs)),
	};
}

/**
 * Returns a plugin that makes each dynamically imported module import the page's own modules first. They are loaded by then, so nothing
 * more is loaded or run. esbuild puts modules that are needed by the same entry points into one file. With the plugin, the modules of the
 * first load become one file, and not one file for each set of later modules that share some of them: a browser would ask for dozens.
 */
function togetherWith(modulePaths: readonly string[]): Plugin {
	const imports = modulePaths.map((path) => `import ${JSON.stringify(path)};`).join('');
	return {
		name: 'keep the first load together',
		setup: ({ onResolve, onLoad, resolve }) => {
			/** The paths of the modules that are imported dynamically. */
			const dynamicModules = new Set<string>();
			// Notes each dynamic import. The mark in `pluginData` tells the plugin's own call of `resolve`, which comes here again.
			onResolve({ filter: /./ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
				if (kind !== 'dynamic-import' || pluginData === dynamicModules) return undefined;
				const resolved = await resolve(path, { kind, importer, resolveDir, pluginData: dynamicModules });
				dynamicModules.add(resolved.path);
				// esbuild applies tsconfig.json only to what it resolves itself.
				return undefined;
			});
			onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
				dynamicModules.has(path)
					? {
							contents: `${imports}${readFileSync(path, 'utf8')}`,
							loader: path.endsWith('x') ? 'tsx' : 'ts',
							resolveDir: dirname(path),
						}
					: undefined,
			);
		},
	};
}

/** The comment in `index.html` that names the SVG file of the symbols, which replaces it. */
const symbolsComment = /<!-- (\S+\.svg) -->/g;

/** The address of a source file in `index.html`, in its quotes. */
const entryAddress = /(?<=(?:src|href)=)"([\w-]+\.(?:tsx?|css))"/g;

/** The address of a style sheet that the page loads by itself later. */
const laterAddress = /rel="later" href="([\w-]+\.css)"/g;

/** Returns the text of an SVG file without its comments, and without the blanks after them. */
function symbolsIn(file: string): string {
	return readFileSync(file, 'utf8')
		.replace(/<!--[\s\S]*?-->\s*/g, '')
		.trim();
}

/**
 * Returns a link with which the browser fetches a module before the module that imports it has arrived. It is inserted before a closing
 * tag that is indented by one tab.
 */
function preloadLink(address: string): string {
	return `\t<link rel="modulepreload" href="${address}">\n\t`;
}

/** Returns the name of the file that an entry point was bundled into. */
function outputOf({ outputs }: Metafile, entry: string): string {
	const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry) ?? [];
	if (path === undefined) throw new Error(`No file was made of ${entry}.`);
	return basename(path);
}
