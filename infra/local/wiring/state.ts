import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { ConfigError } from '#shared/config.ts';
import { openDatabase } from '../adapters/sqlite/sqlite-database.ts';
import { memoryState } from './settings.ts';

/** What one machine remembers beside rows and series: small values by name. */
export interface KeyValueStore {
	get(name: string): unknown;
	set(name: string, value: unknown): void;
}

/** The state directory, opened. */
export interface State {
	readonly database: DatabaseSync;
	/** Where the series are kept: a file, or `:memory:`. */
	readonly seriesFile: string;
	readonly notes: KeyValueStore;
	close(): void;
}

const noteSchema = v.object({ value: v.string() });

/**
 * Opens (or makes) the state directory; `memory` keeps nothing.
 * @param exclusive whether no other process may hold it so: the service does, the tools do not
 * Throws ConfigError where it cannot be written or is held.
 */
export function openState(directory: string, exclusive: boolean): State {
	if (directory === memoryState) {
		const database = openDatabase(':memory:');
		return { database, seriesFile: ':memory:', notes: createNotes(database), close: () => database.close() };
	}
	try {
		mkdirSync(directory, { recursive: true, mode: 0o700 });
		const held = exclusive ? lock(directory) : undefined;
		const database = openDatabase(join(directory, 'caudal.db'));
		return {
			database,
			seriesFile: join(directory, 'series.db'),
			notes: createNotes(database),
			close: () => {
				database.close();
				held?.close();
			},
		};
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		throw new ConfigError(`STATE_DIR ${directory} cannot be written: ${reasonOf(error)}`, { cause: error });
	}
}

function createNotes(database: DatabaseSync): KeyValueStore {
	database.exec('CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
	const get = database.prepare('SELECT value FROM note WHERE name = ?');
	const set = database.prepare('INSERT OR REPLACE INTO note VALUES (?, ?)');
	return {
		get: (name) => {
			const stored = get.get(name);
			return stored === undefined ? undefined : JSON.parse(v.parse(noteSchema, stored).value);
		},
		set: (name, value) => {
			set.run(name, JSON.stringify(value));
		},
	};
}

/** Holds the directory for this process alone; the system lets go of it however the process ends. */
function lock(directory: string): DatabaseSync {
	const held = new DatabaseSync(join(directory, 'lock.db'), { timeout: 0 });
	try {
		held.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
		return held;
	} catch (cause) {
		held.close();
		throw new ConfigError(`STATE_DIR ${directory} is in use by another running service: stop it, or set another STATE_DIR.`, {
			cause,
		});
	}
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
