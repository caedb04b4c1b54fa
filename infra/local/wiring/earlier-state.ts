import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { readManifest } from '#infra/openapi/manifest.ts';
import { copyDatabases } from '../adapters/sqlite/copy-databases.ts';
import { tablesVersion } from '../adapters/sqlite/sqlite-database.ts';
import { fileFaultOf } from '../adapters/sqlite/sqlite-fault.ts';

/** The name under which a state says which release used it last. */
export const releaseName = 'release';

const rowSchema = v.object({ version: v.number(), release: v.nullable(v.string()) });

const ownerOnly = 0o700;

/**
 * Copies the state of another release into a folder beside it, before this release adds to its tables. A release of the same version makes no
 * copy, and neither does one after which nobody has written: the start that made it failed. The series, which may be large, are copied only
 * when the version of their tables rises. What an interrupted copy left is deleted.
 * @param files the database of definitions, then that of series
 * @returns the folder with the copy that was made; null: none was needed
 */
export async function keepEarlierState(directory: string, [main, series]: readonly [string, string]): Promise<string | null> {
	for (const name of readdirSync(directory))
		if (/^before-.*\.partial$/.test(name)) rmSync(join(directory, name), { recursive: true });
	const used = usedBy(join(directory, main), true);
	const { version } = readManifest();
	if (used === null || used.release === JSON.stringify(version)) return null;
	const seriesVersion = usedBy(join(directory, series), false)?.version ?? tablesVersion;
	const names = seriesVersion < tablesVersion ? [main, series] : [main];
	if (isKept(directory, `before-${version}-`, names)) return null;
	const folder = join(directory, `before-${version}-${new Date().toISOString().replaceAll(':', '-')}`);
	const partial = `${folder}.partial`;
	mkdirSync(partial, { mode: ownerOnly });
	try {
		await copyDatabases(names.map((name) => ({ from: join(directory, name), to: join(partial, name) })));
		renameSync(partial, folder);
		return folder;
	} catch (error) {
		rmSync(partial, { recursive: true });
		throw error;
	}
}

/** Returns whether a folder whose name begins with `prefix` has copies of files as they still are. */
function isKept(directory: string, prefix: string, names: readonly string[]): boolean {
	const written = names
		.flatMap((name) => [name, `${name}-wal`])
		.map((name) => statSync(join(directory, name), { throwIfNoEntry: false }))
		// An empty log is made by whoever opens the database, also to read.
		.flatMap((stats) => (stats === undefined || stats.size === 0 ? [] : [stats.mtimeMs]));
	return readdirSync(directory)
		.filter((name) => name.startsWith(prefix) && names.every((each) => existsSync(join(directory, name, each))))
		.some((name) => statSync(join(directory, name)).ctimeMs >= Math.max(...written));
}

/** Returns the version of a file's tables, and the release that used it last. Null for a file that is absent, or that opening will refuse. */
function usedBy(file: string, hasNotes: boolean): v.InferOutput<typeof rowSchema> | null {
	if (!existsSync(file)) return null;
	try {
		const database = new DatabaseSync(file, { timeout: 0 });
		try {
			const release = hasNotes ? `(SELECT value FROM note WHERE name = '${releaseName}')` : 'NULL';
			const row = database.prepare(`SELECT user_version AS version, ${release} AS release FROM pragma_user_version`).get();
			const used = v.parse(rowSchema, row);
			return used.version > tablesVersion ? null : used;
		} finally {
			database.close();
		}
	} catch (error) {
		if (fileFaultOf(error) === 'busy') throw error;
		return null;
	}
}
