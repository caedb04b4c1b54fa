import { basename } from 'node:path';
import type { Metafile } from 'esbuild';

/** Which files of a page a browser loads, by name, and when. */
export interface PageLoads {
	/**
	 * The files of the first load: the page, its style sheet, its modules, what they import without belonging to a screen (the messages
	 * of every language), and the first screens.
	 */
	readonly first: readonly string[];
	/** The modules of the first load that `main` and the first screens need to run. */
	readonly preloaded: readonly string[];
	/** By screen, the files that the first load lacks. Empty for a first screen. */
	readonly screens: ReadonlyMap<string, readonly string[]>;
}

/** The screens that everybody sees first. Each is a folder of the page's `screens/`. */
const firstScreens: readonly (string | undefined)[] = ['sign-in', 'overview'];

/** Derives from esbuild's metafile what a page loads. Its entry points are what `index.html` loads. */
export function pageLoadsOf({ outputs }: Metafile): PageLoads {
	const paths = Object.keys(outputs);
	const screenOf = (path: string) => /(?:^|\/)screens\/([^/]+)\//.exec(outputs[path]?.entryPoint ?? '')?.[1];
	/** The files that those at `from` import, directly or not, and they themselves. */
	const reach = (from: readonly string[], isFollowed: (path: string, isDynamic: boolean) => boolean): ReadonlySet<string> => {
		const reached = new Set(from);
		// A set's iteration also visits what is added meanwhile.
		for (const path of reached)
			for (const next of outputs[path]?.imports ?? [])
				if (isFollowed(next.path, next.kind === 'dynamic-import')) reached.add(next.path);
		return reached;
	};
	const dynamic = new Set(
		paths.flatMap(
			(path) => outputs[path]?.imports.flatMap(({ kind, path: to }) => (kind === 'dynamic-import' ? [to] : [])) ?? [],
		),
	);
	const entries = paths.filter((path) => outputs[path]?.entryPoint !== undefined && !dynamic.has(path));
	const isFirst = (path: string) => firstScreens.includes(screenOf(path));
	const isOther = (path: string) => screenOf(path) !== undefined && !isFirst(path);
	const roots = [...entries, ...paths.filter(isFirst)];
	const first = reach(roots, (path, isDynamic) => !isDynamic || !isOther(path));
	const preloaded = reach(roots, (_, isDynamic) => !isDynamic);
	const names = [...new Set(paths.flatMap((path) => screenOf(path) ?? []))].sort();
	const filesOf = (screen: string): readonly string[] => {
		const own = paths.filter((path) => screenOf(path) === screen);
		const needed = reach(own, (path, isDynamic) => !isDynamic || screenOf(path) === undefined);
		return [...needed].filter((path) => !first.has(path)).map((path) => basename(path));
	};
	return {
		first: ['index.html', ...[...first].map((path) => basename(path))],
		preloaded: [...preloaded].filter((path) => path.endsWith('.js') && !entries.includes(path)).map((path) => basename(path)),
		screens: new Map(names.map((name) => [name, filesOf(name)])),
	};
}
