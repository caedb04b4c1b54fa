import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { keepPrivate, openDatabase } from '../adapters/sqlite/sqlite-database.ts';
import { fileFaultOf, whileBusy, withFileFaults } from '../adapters/sqlite/sqlite-fault.ts';
import { keepEarlierState } from './earlier-state.ts';
import { memoryState } from './settings.ts';

/** Stores small JSON values by name, beside the rows and the series. @throws DomainError `store_failed` */
export interface KeyValueStore {
	/** Returns undefined when nothing is stored under the name. */
	get(name: string): Promise<unknown>;
	set(name: string, value: unknown): Promise<void>;
}

/** The open state directory (infra/local/README.md#state). */
export interface State {
	readonly database: DatabaseSync;
	/** The database file of the time series, or `:memory:`. */
	readonly seriesFile: string;
	readonly keyValues: KeyValueStore;
	close(): void;
}

/** The files of a state directory that hold it. Beside them there are the lock, and files that SQLite keeps with its databases. */
export const stateFiles = { databases: ['caudal.db', 'series.db'], others: ['write-token'] } as const;

/** The folder in a state directory from which a restore moves the files of a backup to their place. It stays when that was interrupted. */
export const restoredFolder = 'restored.partial';

const valueSchema = v.object({ value: v.string() });

/** The mode of a folder that only its owner may use. */
const ownerOnly = 0o700;

/** The mode bit of a folder such as /tmp, which all users of the machine share. */
const stickyBit = 0o1000;

/**
 * Opens the state directory and creates it if needed; `memory` keeps everything in memory. Nobody but its owner can read it.
 * @param options `isExclusive`: takes the directory's lock, refuses a directory that a running service uses or a restore left half done, and keeps the state of an earlier release. Not in memory.
 * @throws ConfigError when the directory or a file in it cannot be used, or it is in use
 */
export async function openState(directory: string, { isExclusive = false } = {}): Promise<State> {
	if (directory === memoryState) return stateOf(openDatabase(':memory:'), ':memory:');
	return openDirectory(directory, async () => {
		const lock = isExclusive ? lockDirectory(directory) : undefined;
		try {
			if (isExclusive && existsSync(join(directory, restoredFolder)))
				throw new ConfigError(`A restore into STATE_DIR ${directory} was interrupted: run it again.`);
			if (isExclusive) await keepEarlierState(directory, stateFiles.databases);
			const database = openDatabase(join(directory, stateFiles.databases[0]), { checksPages: true });
			return stateOf(database, join(directory, stateFiles.databases[1]), lock);
		} catch (error) {
			lock?.close();
			throw error;
		}
	});
}

/** Opens files of the state directory as `openFiles`, after it created the directory if needed, and restricted it to its owner. */
export function openDirectory<Opened>(directory: string, open: () => Opened): Promise<Awaited<Opened>> {
	return openFiles(directory, () => {
		mkdirSync(directory, { recursive: true, mode: ownerOnly });
		if ((statSync(directory).mode & stickyBit) !== 0)
			throw new ConfigError(`STATE_DIR ${directory} is shared by all users: set a folder of its own.`);
		chmodSync(directory, ownerOnly);
		return open();
	});
}

/**
 * Opens files of the state directory. Tries again for a moment while another process holds a lock.
 * @throws ConfigError when `open` throws
 */
export async function openFiles<Opened>(directory: string, open: () => Opened): Promise<Awaited<Opened>> {
	try {
		return await whileBusy(open);
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		throw new ConfigError(`STATE_DIR ${directory} cannot be used${adviceOn(error)}: ${messageOf(error)}`, { cause: error });
	}
}

const deniedSchema = v.object({ code: v.picklist(['EACCES', 'EPERM']) });

/** Returns what the operator can do about a fault of a file; empty when nothing is known. */
function adviceOn(error: unknown): string {
	if (fileFaultOf(error) === 'busy') return ': another process holds its lock, so end that, and start again';
	if (v.is(deniedSchema, error))
		return ': it or a file in it is of another user: run this as that user (runuser -u NAME), or give all of it to this one (chown -R)';
	return '';
}

/**
 * Takes a lock on the directory, and holds it until it is closed. The operating system releases it when the process ends, even after a crash.
 * @throws ConfigError when a running service has it
 */
export function lockDirectory(directory: string): DatabaseSync {
	const file = join(directory, 'lock.db');
	keepPrivate(file);
	const lock = new DatabaseSync(file, { timeout: 0 });
	try {
		lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
		return lock;
	} catch (cause) {
		lock.close();
		if (fileFaultOf(cause) !== 'busy') throw cause;
		const message = `STATE_DIR ${directory} is in use by another running service: stop it, or set another STATE_DIR.`;
		throw new ConfigError(message, { cause });
	}
}

/** Builds the state on an open database. When it throws, it has closed the database, but not the lock. */
function stateOf(database: DatabaseSync, seriesFile: string, lock?: DatabaseSync): State {
	const close = (): void => {
		database.close();
		lock?.close();
	};
	try {
		return { database, seriesFile, keyValues: createKeyValueStore(database), close };
	} catch (error) {
		database.close();
		throw error;
	}
}

function createKeyValueStore(database: DatabaseSync): KeyValueStore {
	database.exec('CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
	const select = database.prepare('SELECT value FROM note WHERE name = ?');
	const replace = database.prepare('INSERT OR REPLACE INTO note VALUES (?, ?)');
	return withFileFaults<KeyValueStore>({
		get: async (name) => {
			const row = select.get(name);
			return row === undefined ? undefined : JSON.parse(v.parse(valueSchema, row).value);
		},
		set: async (name, value) => {
			replace.run(name, JSON.stringify(value));
		},
	});
}
