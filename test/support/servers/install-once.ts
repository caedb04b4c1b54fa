import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { cacheFolder } from './cache-folder.ts';

/**
 * Returns the cache folder `name` and lets `install` fill it, unless it exists. An interrupted installation leaves nothing behind.
 *
 * @throws whatever `install` throws
 */
export async function installOnce(name: string, install: (temporary: string) => Promise<unknown>): Promise<string> {
	const folder = cacheFolder(name);
	if (existsSync(folder)) return folder;
	mkdirSync(dirname(folder), { recursive: true });
	const temporary = mkdtempSync(`${folder}-`);
	try {
		await install(temporary);
		// Another run may have finished first. Its copy is equally good.
		if (!existsSync(folder)) renameSync(temporary, folder);
		return folder;
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
}
