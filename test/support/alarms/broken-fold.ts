import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FoldFunctions } from './fold-check.ts';

const home = join(import.meta.dirname, '../../../shared/domain');
const copied = ['alarm/fold.ts', 'alarm/alarm-machine.ts', 'board/condition.ts'] as const;

/** A text of the fold's source, and what replaces it. */
export interface Break {
	readonly file: (typeof copied)[number];
	readonly text: string;
	readonly replacement: string;
}

/**
 * Loads a copy of the fold with a break, and passes it to `use`. The other modules that the copy imports are the project's own.
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
			mkdirSync(join(folder, dirname(name)), { recursive: true });
			writeFileSync(join(folder, name), withPlaces(name, broken));
		}
		return await use(await import(/* @vite-ignore */ pathToFileURL(join(folder, 'alarm/fold.ts')).href));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** The copies import each other; everything else is where it was. */
function withPlaces(name: string, source: string): string {
	return source.replaceAll(/from '(\.[^']*)'/g, (imported, path: string) => {
		const place = join(dirname(name), path);
		return copied.some((each) => each === place) ? imported : `from '${pathToFileURL(join(home, place)).href}'`;
	});
}
