import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FoldFunctions } from './fold-check.ts';

/** A text of the fold's source, and what replaces it. */
export interface Break {
	readonly file: 'fold.ts' | 'alarm-machine.ts';
	readonly text: string;
	readonly replacement: string;
}

const home = join(import.meta.dirname, '../../../shared/domain/alarm');
const copied = ['fold.ts', 'alarm-machine.ts'] as const;

/**
 * Loads a copy of the fold with a break, and passes it to `use`. Everything that the copy imports is the project's own.
 * @throws RangeError when the source does not hold the text exactly once: the break must follow a change of the source
 */
export async function withBrokenFold<Result>(
	{ file, text, replacement }: Break,
	use: (functions: FoldFunctions) => Promise<Result>,
): Promise<Result> {
	const folder = mkdtempSync(join(tmpdir(), 'caudal-broken-fold-'));
	try {
		for (const name of copied) {
			const source = readFileSync(join(home, name), 'utf8');
			if (name === file && source.split(text).length !== 2) throw new RangeError(`${file} does not hold once: ${text}`);
			const broken = name === file ? source.replace(text, () => replacement) : source;
			writeFileSync(
				join(folder, name),
				broken.replaceAll(/from '(\.[^']*)'/g, (_, path: string) => `from '${placeOf(path)}'`),
			);
		}
		return await use(await import(/* @vite-ignore */ pathToFileURL(join(folder, 'fold.ts')).href));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** The copies import each other; everything else is where it was. */
const placeOf = (path: string): string =>
	copied.some((name) => path === `./${name}`) ? path : pathToFileURL(join(home, path)).href;
