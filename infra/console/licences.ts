import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import * as v from 'valibot';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Returns the licences of the packages whose code is in a bundle, as one text. They go with every copy.
 * @param options `namesToo`: of a package without a licence file, the name of its licence will do
 * @throws Error when a package has no licence file
 */
export function licencesOf(metafile: Metafile, { namesToo = false } = {}): string {
	return [...shippedPackages(Object.values(metafile.outputs))]
		.sort()
		.map((path) => {
			const file = ['LICENSE', 'LICENSE.md'].map((name) => join(root, path, name)).find((candidate) => existsSync(candidate));
			if (file === undefined && !namesToo) throw new Error(`${path} has no licence file.`);
			const text = file === undefined ? licenceName(join(root, path)) : readFileSync(file, 'utf8').trim();
			return `${path.replace(upToPackages, '')}\n\n${text}\n`;
		})
		.join('\n\n');
}

/** Returns the folders of the packages whose code is in bundles, as package-lock.json has them, such as `node_modules/valibot`. */
export function shippedPackages(outputs: readonly Pick<Metafile['outputs'][string], 'inputs'>[]): ReadonlySet<string> {
	const shipped = outputs.flatMap(({ inputs }) => Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0));
	return new Set(shipped.flatMap(([path]) => packageFolder.exec(path) ?? []));
}

/** Returns the name of a package's licence. @throws ValiError when its package.json has none */
function licenceName(path: string): string {
	return v.parse(manifestSchema, readFileSync(join(path, 'package.json'), 'utf8')).license;
}

const manifestSchema = v.pipe(v.string(), v.parseJson(), v.object({ license: v.string() }));

/** The folder of the innermost package in the path of its file, without what stands before the outermost. */
const packageFolder = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/;

/** What stands before the name of a package. */
const upToPackages = /^.*node_modules\//;
