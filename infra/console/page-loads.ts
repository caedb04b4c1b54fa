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
	const sourceOf = (path: string): string => outputs[path]?.entryPoint ?? '';
	/** The files at `from` and those that they need to run. */
	const reach = (from: readonly string[]): ReadonlySet<string> => {
		const reached = new Set(from);
		// A set's iteration also visits what is added meanwhile.
		for (const path of reached) for (const { kind, path: to } of importsOf(path)) if (kind !== 'dynamic-import') reached.add(to);
		return reached;
	};
	const paths = Object.keys(outputs);
	const dynamic = new Set(
		paths.flatMap((path) => importsOf(path).flatMap(({ kind, path: to }) => (kind === 'dynamic-import' ? [to] : []))),
	);
	const later = new Set([...dynamic, ...paths.filter((path) => laterEntries.includes(sourceOf(path)))]);
	const entries = paths.filter((path) => sourceOf(path) !== '' && !later.has(path));
	const first = reach(entries);
	const names = [...first].map((path) => basename(path));
	return {
		first: ['index.html', ...names],
		preloaded: [...first].filter((path) => path.endsWith('.js') && !entries.includes(path)).map((path) => basename(path)),
		later: new Map(
			[...later].map((path) => {
				const lacking = [...reach([path])].filter((each) => !first.has(each));
				return [basename(sourceOf(path), extname(sourceOf(path))), lacking.map((each) => basename(each))];
			}),
		),
	};
}
