import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

/** Which files of a page a browser loads, by name, and when. */
export interface PageLoads {
	/**
	 * The files of the first load: the page, what it names, what those import without belonging to a screen (such as the texts of a
	 * language), and the first screens.
	 */
	readonly first: readonly string[];
	/** The modules of the first load that the page does not name itself, and without which its first screens do not run. */
	readonly preloaded: readonly string[];
	/** By screen, the files that the first load lacks. Empty for a first screen. */
	readonly screens: ReadonlyMap<string, readonly string[]>;
}

/** The folders below the page's `screens/` of the screens that everybody sees first. */
const firstScreens: ReadonlySet<string | undefined> = new Set(['sign-in', 'overview']);

/** Derives what a browser loads from esbuild's metafile of a page. */
export function pageLoadsOf({ outputs }: Metafile): PageLoads {
	const paths = Object.keys(outputs);
	const screenOf = (path: string): string | undefined => /(?:^|\/)screens\/([^/]+)\//.exec(outputs[path]?.entryPoint ?? '')?.[1];
	const named = entriesOf(outputs);
	const roots = [...named, ...paths.filter((path) => firstScreens.has(screenOf(path)))];
	const belongsToOthers = (path: string) => screenOf(path) !== undefined && !firstScreens.has(screenOf(path));
	const first = reach(outputs, roots, (path, isDynamic) => !isDynamic || !belongsToOthers(path));
	const needed = reach(outputs, roots, (_, isDynamic) => !isDynamic);
	const screens = Object.entries(Object.groupBy(paths, (path) => screenOf(path) ?? '')).filter(([screen]) => screen !== '');
	return {
		first: ['index.html', ...namesOf(first)],
		preloaded: namesOf(needed).filter((name) => name.endsWith('.js') && !namesOf(named).includes(name)),
		screens: new Map(
			screens.map(([screen, own = []]) => {
				const loaded = reach(outputs, own, (path, isDynamic) => !isDynamic || screenOf(path) === undefined);
				return [screen, namesOf([...loaded].filter((path) => !first.has(path)))];
			}),
		),
	};
}

/** The files that `index.html` names: those of the entry points that no module imports. */
function entriesOf(outputs: Metafile['outputs']): readonly string[] {
	const imported = new Set(Object.values(outputs).flatMap(({ imports }) => imports.map(({ path }) => path)));
	return Object.keys(outputs).filter((path) => outputs[path]?.entryPoint !== undefined && !imported.has(path));
}

/** Returns the files at `roots` and all that they import, directly or not, where `isFollowed` agrees. */
function reach(
	outputs: Metafile['outputs'],
	roots: readonly string[],
	isFollowed: (path: string, isDynamic: boolean) => boolean,
): ReadonlySet<string> {
	const reached = new Set(roots);
	// A set visits what is added while it is iterated.
	for (const path of reached)
		for (const { path: imported, kind } of outputs[path]?.imports ?? [])
			if (isFollowed(imported, kind === 'dynamic-import')) reached.add(imported);
	return reached;
}

function namesOf(paths: Iterable<string>): readonly string[] {
	return [...paths].map((path) => basename(path));
}
