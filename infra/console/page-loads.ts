import { basename, extname } from 'node:path';
import type { Metafile } from 'esbuild';

/** The files of a page that a browser loads at first, and those that it loads later, by name. */
export interface PageLoads {
	/** The files of the first load: the page, its style sheet and its module, with the modules that it needs to run. */
	readonly first: readonly string[];
	/** The modules of the first load beside the page's own. */
	readonly preloaded: readonly string[];
	/**
	 * What is loaded later, by the name of the source that is imported dynamically, or of a style sheet whose link is `rel="later"`: the files
	 * that the first load lacks.
	 */
	readonly later: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns the files that a page loads, from esbuild's metafile. Its entry points are the files that `index.html` loads.
 * @param laterEntries files that `index.html` names, but does not load at first
 */
export function pageLoadsOf({ outputs }: Metafile, laterEntries: readonly string[]): PageLoads {
	const importsOf = (path: string) => outputs[path]?.imports ?? [];
	/** The source of a file that is an entry point, or is imported dynamically; otherwise ''. */
	const sourceOf = (path: string): string => outputs[path]?.entryPoint ?? '';
	/** Returns the files at `paths` and those that they need to run. */
	const withImports = (paths: readonly string[]): ReadonlySet<string> => {
		const reached = new Set(paths);
		// A set's iteration also visits what is added meanwhile.
		for (const path of reached)
			for (const imported of importsOf(path)) if (imported.kind !== 'dynamic-import') reached.add(imported.path);
		return reached;
	};
	const allPaths = Object.keys(outputs);
	const dynamicImports = allPaths.flatMap(importsOf).filter(({ kind }) => kind === 'dynamic-import');
	const laterPaths = new Set([
		...dynamicImports.map(({ path }) => path),
		...allPaths.filter((path) => laterEntries.includes(sourceOf(path))),
	]);
	const firstEntries = allPaths.filter((path) => sourceOf(path) !== '' && !laterPaths.has(path));
	const firstPaths = withImports(firstEntries);
	const preloaded = [...firstPaths].filter((path) => path.endsWith('.js') && !firstEntries.includes(path));
	return {
		first: ['index.html', ...namesOf(firstPaths)],
		preloaded: namesOf(preloaded),
		later: new Map(
			[...laterPaths].map((path) => {
				const source = sourceOf(path);
				const lacking = [...withImports([path])].filter((needed) => !firstPaths.has(needed));
				return [basename(source, extname(source)), namesOf(lacking)];
			}),
		),
	};
}

const namesOf = (paths: Iterable<string>): readonly string[] => Array.from(paths, (path) => basename(path));
