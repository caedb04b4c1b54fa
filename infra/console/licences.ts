import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * Returns the licences of the packages whose code is in a bundle, as one text. They go with every copy.
 * @param folder the folder that the paths of inputs are relative to
 * @throws Error when a package has no licence file
 */
export function licencesOf({ inputs }: Metafile, folder: string): string {
	const packages = new Set(Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
	return [...packages]
		.sort()
		.map((path) => {
			const file = ['LICENSE', 'LICENSE.md'].map((name) => join(folder, path, name)).find((each) => existsSync(each));
			if (file === undefined) throw new Error(`${path} has no licence file.`);
			return `${path.replace(/^.*node_modules\//, '')}\n\n${readFileSync(file, 'utf8').trim()}\n`;
		})
		.join('\n\n');
}
