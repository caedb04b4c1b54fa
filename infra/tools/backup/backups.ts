import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '#domain/errors.ts';
import { dayMs } from '#domain/milliseconds.ts';
import { copyDatabases, finish } from '#infra/local/adapters/sqlite/copy-databases.ts';
import { keepPrivate, openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { lockDirectory, openDirectory, restoredFolder, stateFiles } from '#infra/local/wiring/state.ts';
import { ConfigError } from '#shared/config.ts';

/** The names of backups, which sort by their time: `caudal-2026-11-29T01-16-16.123Z`. */
const namePattern = /^caudal-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3}Z)$/;

const ownerOnly = 0o700;

/** The file without which a folder is no backup. */
const [mainFile] = stateFiles.databases;

/**
 * Writes a backup of a state directory into a folder of `directory`. The service may be running. The folder gets its name when all of it is
 * written and checked, so an interruption leaves none.
 * @param now epoch milliseconds
 * @returns the folder
 * @throws ConfigError when there is no state, or it cannot be copied
 */
export async function makeBackup(stateDirectory: string, directory: string, now: number): Promise<string> {
	const present = stateFiles.databases.filter((name) => existsSync(join(stateDirectory, name)));
	if (!present.includes(mainFile)) throw new ConfigError(`STATE_DIR ${stateDirectory} holds no state of Caudal.`);
	const folder = join(directory, `caudal-${new Date(now).toISOString().replaceAll(':', '-')}`);
	const partial = `${folder}.partial`;
	try {
		mkdirSync(partial, { recursive: true, mode: ownerOnly });
		try {
			await copyDatabases(present.map((name) => ({ from: join(stateDirectory, name), to: join(partial, name) })));
			copyOthers(stateDirectory, partial);
			renameSync(partial, folder);
		} catch (error) {
			rmSync(partial, { recursive: true, force: true });
			throw error;
		}
		return folder;
	} catch (cause) {
		throw new ConfigError(`No backup was made: ${messageOf(cause)}`, { cause });
	}
}

/**
 * Deletes the backups that are older than `keptDays`, and what interrupted ones left. The newest one stays.
 * @param now epoch milliseconds
 * @returns the names of the deleted folders
 */
export function pruneBackups(directory: string, keptDays: number, now: number): readonly string[] {
	const names = readdirSync(directory).sort();
	const newest = names.findLast((name) => namePattern.test(name));
	const old = names.filter((name) => {
		const time = timeOf(name.replace(/\.partial$/, ''));
		return name !== newest && time !== null && (name.endsWith('.partial') || time < now - keptDays * dayMs);
	});
	for (const name of old) rmSync(join(directory, name), { recursive: true });
	return old;
}

/** Returns the time of a backup in epoch milliseconds; null: the name is none of a backup. */
function timeOf(name: string): number | null {
	return namePattern.test(name) ? Date.parse(name.replace(namePattern, '$1$2:$3:$4')) : null;
}

/**
 * Puts a backup into a state directory that no service uses. The files that it replaces are moved into a folder beside them. It ends what may
 * have been ended since the backup: sessions, and links to set a password.
 * @param now epoch milliseconds
 * @returns the folder with the files that it replaced; null without any
 * @throws ConfigError when the backup is damaged or of a later version, or a service runs
 */
export async function restoreBackup(folder: string, stateDirectory: string, now: number): Promise<string | null> {
	if (!existsSync(join(folder, mainFile))) throw new ConfigError(`${folder} holds no backup: ${mainFile} is missing.`);
	return openDirectory(stateDirectory, () => {
		const lock = lockDirectory(stateDirectory);
		try {
			const partial = join(stateDirectory, restoredFolder);
			copyBackup(folder, partial);
			const names = readdirSync(partial);
			const replaced = moveAway(
				stateDirectory,
				names,
				join(stateDirectory, `replaced-${new Date(now).toISOString().replaceAll(':', '-')}`),
			);
			// An interruption from here on leaves the folder, so the service does not start on half a state.
			for (const name of names) renameSync(join(partial, name), join(stateDirectory, name));
			rmSync(partial, { recursive: true });
			return replaced;
		} finally {
			lock.close();
		}
	});
}

/**
 * Copies a backup into a folder, and checks it. When it throws, it leaves no folder, but the one of a restore that was interrupted: the state
 * may be half of that.
 */
function copyBackup(folder: string, partial: string): void {
	const isRepeated = existsSync(partial);
	mkdirSync(partial, { recursive: true, mode: ownerOnly });
	for (const name of readdirSync(partial)) rmSync(join(partial, name));
	try {
		for (const name of stateFiles.databases.filter((each) => existsSync(join(folder, each)))) {
			const copy = join(partial, name);
			copyFileSync(join(folder, name), copy);
			keepPrivate(copy);
			finish(copy);
			// Refuses a later version.
			const database = openDatabase(copy, { keepsVersion: true });
			try {
				endSignIns(database);
			} finally {
				database.close();
			}
		}
		copyOthers(folder, partial);
	} catch (error) {
		if (!isRepeated) rmSync(partial, { recursive: true });
		throw error;
	}
}

/** What ends sessions and links to set a password, by the table that holds them. Earlier releases have fewer tables. */
const signInsEnd = {
	openid_session: 'DELETE FROM openid_session',
	openid_session_tokens: 'DELETE FROM openid_session_tokens',
	account: 'UPDATE account SET link_hash = NULL, link_until = NULL',
} as const;

function endSignIns(database: DatabaseSync): void {
	const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
	for (const [table, statement] of Object.entries(signInsEnd)) if (hasTable.get(table) !== undefined) database.exec(statement);
}

/**
 * Moves files of a state, with those that SQLite keeps beside them, into a folder. Returns the folder; null without files. Files that are not
 * replaced stay: the copy before an upgrade has definitions alone.
 */
function moveAway(stateDirectory: string, names: readonly string[], folder: string): string | null {
	const present = names
		.flatMap((name) => [name, `${name}-wal`, `${name}-shm`])
		.filter((name) => existsSync(join(stateDirectory, name)));
	if (present.length === 0) return null;
	mkdirSync(folder, { mode: ownerOnly });
	for (const name of present) renameSync(join(stateDirectory, name), join(folder, name));
	return folder;
}

/** Copies the files of a state that are no databases. */
function copyOthers(from: string, to: string): void {
	for (const name of stateFiles.others.filter((each) => existsSync(join(from, each))))
		copyFileSync(join(from, name), join(to, name));
}
