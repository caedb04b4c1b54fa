import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { openDatabase } from '../adapters/sqlite/sqlite-database.ts';
import { memoryState } from './settings.ts';

/** Stores small JSON values by name, beside the rows and the series. */
export interface KeyValueStore {
	/** Returns undefined when nothing is stored under the name. */
	get(name: string): unknown;
	set(name: string, value: unknown): void;
}

/** The open state directory (DESIGN.md section 8.2). */
export interface State {
	readonly database: DatabaseSync;
	/** The database file of the time series, or `:memory:`. */
	readonly seriesFile: string;
	readonly keyValues: KeyValueStore;
	close(): void;
}

const valueSchema = v.object({ value: v.string() });

/**
 * Opens the state directory and creates it if needed; `memory` keeps everything in memory.
 * @param exclusive refuses a directory that another exclusive process uses, which is a running service
 * @throws ConfigError when the directory cannot be written or is in use
 */
export function openState(directory: string, exclusive: boolean): State {
	if (directory === memoryState) return stateOf(openDatabase(':memory:'), ':memory:');
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const lock = exclusive ? lockDirectory(directory) : undefined;
		return stateOf(openDatabase(join(directory, 'caudal.db')), join(directory, 'series.db'), lock);
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		throw new ConfigError(`STATE_DIR ${directory} cannot be written: ${messageOf(error)}`, { cause: error });
	}
}

/** Holds a lock on the directory. The operating system releases it when the process ends, even after a crash. */
function lockDirectory(directory: string): DatabaseSync {
	const lock = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
	try {
		lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
		return lock;
	} catch (cause) {
		lock.close();
		const message = `STATE_DIR ${directory} is in use by another running service: stop it, or set another STATE_DIR.`;
		throw new ConfigError(message, { cause });
	}
}

function stateOf(database: DatabaseSync, seriesFile: string, lock?: DatabaseSync): State {
	const close = (): void => {
		database.close();
		lock?.close();
	};
	return { database, seriesFile, keyValues: createKeyValueStore(database), close };
}

function createKeyValueStore(database: DatabaseSync): KeyValueStore {
	database.exec('CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
	const select = database.prepare('SELECT value FROM note WHERE name = ?');
	const replace = database.prepare('INSERT OR REPLACE INTO note VALUES (?, ?)');
	return {
		get: (name) => {
			const row = select.get(name);
			return row === undefined ? undefined : JSON.parse(v.parse(valueSchema, row).value);
		},
		set: (name, value) => {
			replace.run(name, JSON.stringify(value));
		},
	};
}
