import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * Returns the licences of the packages whose code is in a bundle, as one text. They go with every copy.
 * @param folder the folder that the paths of inputs are relative to
 * @throws Error when a package has no licence file
 */
export function licencesOf({ inputs }: Metafile, folder: string): string {
	const packageFolders = new Set(Object.keys(inputs).flatMap((path) => packageFolder.exec(path) ?? []));
	return [...packageFolders]
		.sort()
		.map((path) => {
			const file = ['LICENSE', 'LICENSE.md'].map((name) => join(folder, path, name)).find((candidate) => existsSync(candidate));
			if (file === undefined) throw new Error(`${path} has no licence file.`);
			return `${path.replace(upToPackages, '')}\n\n${readFileSync(file, 'utf8').trim()}\n`;
		})
		.join('\n\n');
}

/** The beginning of the path of a package's file: up to the name of the package, which may have a scope. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** What stands before the name of a package. */
const upToPackages = /^.*node_modules\//;
