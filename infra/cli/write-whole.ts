import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';

/**
 * Writes a file whole or not at all, so that an interruption leaves the previous file. A pipe or a device is written to,
 * not replaced.
 * @throws ConfigError when it cannot be written
 */
export async function writeWhole(file: string, text: string): Promise<void> {
	const partial = `${file}.partial`;
	try {
		// Undefined where there is no such file yet. Any other failure shows when it is written.
		const existing = await stat(file).catch(() => undefined);
		if (existing?.isFile() === false) return await writeFile(file, text);
		await writeFile(partial, text, { flush: true });
		await rename(partial, file);
	} catch (cause) {
		// The first failure is reported, whether or not the partial file can be removed.
		await rm(partial, { force: true }).catch(() => undefined);
		throw new ConfigError(`${file} cannot be written: ${messageOf(cause)}`, { cause });
	}
}
