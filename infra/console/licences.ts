import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';

/**
 * Returns the licences of the packages whose code is in a bundle, as one text. They go with every copy.
 * @param folder the folder that the paths of inputs are relative to
 * @param options `namesToo`: of a package without a licence file, the name of its licence will do
 * @throws Error when a package has no licence file
 */
export function licencesOf({ inputs }: Metafile, folder: string, { namesToo = false } = {}): string {
	const packageFolders = new Set(Object.keys(inputs).flatMap((path) => packageFolder.exec(path) ?? []));
	return [...packageFolders]
		.sort()
		.map((path) => {
			const file = ['LICENSE', 'LICENSE.md'].map((name) => join(folder, path, name)).find((candidate) => existsSync(candidate));
			if (file === undefined && !namesToo) throw new Error(`${path} has no licence file.`);
			const text = file === undefined ? licenceName(join(folder, path)) : readFileSync(file, 'utf8').trim();
			return `${path.replace(upToPackages, '')}\n\n${text}\n`;
		})
		.join('\n\n');
}

/** Returns the name of a package's licence. @throws ValiError when its package.json has none */
function licenceName(path: string): string {
	return v.parse(manifestSchema, readFileSync(join(path, 'package.json'), 'utf8')).license;
}

const manifestSchema = v.pipe(v.string(), v.parseJson(), v.object({ license: v.string() }));

/** The beginning of the path of a package's file: up to the name of the package, which may have a scope. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** What stands before the name of a package. */
const upToPackages = /^.*node_modules\//;
