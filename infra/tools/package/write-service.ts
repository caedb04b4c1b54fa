import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleConsole, filesText } from '#infra/console/console-files.ts';
import { licencesOf, shippedPackages } from '#infra/console/licences.ts';
import { docsFilesText, docsPackage } from '#infra/openapi/docs-files.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Bundles the program `caudal` with the console and the page at /docs into a folder, whose files need no package.
 * @returns the folders of the packages whose code is in it
 */
export async function writeService(folder: string): Promise<ReadonlySet<string>> {
	const { metafile } = await build({
		absWorkingDir: root,
		entryPoints: ['infra/tools/caudal.ts', `infra/local/adapters/sqlite-time-series/${workerName}.ts`],
		entryNames: '[name]',
		outdir: folder,
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node24',
		minify: true,
		keepNames: true,
		legalComments: 'none',
		metafile: true,
		logLevel: 'silent',
		// Packages in the form of CommonJS call it.
		banner: {
			js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
		},
		plugins: [pagesFromFiles, workerByItsName],
	});
	const page = await bundleConsole({ demo: null });
	writeFileSync(join(folder, 'console.json'), filesText(page));
	writeFileSync(join(folder, 'docs.json'), docsFilesText());
	writeFileSync(join(folder, 'licences.txt'), licencesOf(metafile, { namesToo: true }));
	return new Set([...shippedPackages(Object.values(metafile.outputs)), ...page.packages, docsPackage]);
}

/** Modules that build pages, with the function and the file that the program reads instead. */
const pages = [
	{ module: 'console/console-files', name: 'consoleFilesText', file: 'console.json' },
	{ module: 'openapi/docs-files', name: 'docsFilesText', file: 'docs.json' },
] as const;

/** Replaces the modules that build pages by ones that read what was built: the program has neither their sources nor a bundler. */
const pagesFromFiles: Plugin = {
	name: 'pages from files',
	setup: ({ onLoad }) => {
		for (const { module, name, file } of pages)
			onLoad({ filter: new RegExp(`/infra/${module}\\.ts$`) }, () => ({
				contents: `import { readFileSync } from 'node:fs';
					export const ${name} = () => readFileSync(new URL('./${file}', import.meta.url), 'utf8');`,
			}));
	},
};

const workerName = 'sqlite-time-series-worker';

/** Names the worker thread as it is bundled. */
const workerByItsName: Plugin = {
	name: 'worker by its name',
	setup: ({ onLoad }) => {
		onLoad({ filter: /\/sqlite-time-series\.ts$/ }, ({ path }) => ({
			contents: readFileSync(path, 'utf8').replace(`'./${workerName}.ts', import`, `'./${workerName}.js', import`),
			loader: 'ts',
		}));
	},
};
