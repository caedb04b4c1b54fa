import { DatabaseSync } from 'node:sqlite';

/** How long a statement waits for another process's write, in milliseconds. */
const busyTimeoutMs = 5000;

/**
 * Opens (or makes) a database file in which an answered write survives a kill at any moment, and a power cut too.
 * @param file a path, or `:memory:`
 */
export function openDatabase(file: string): DatabaseSync {
	const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
	return database;
}

/** Runs `work` in one transaction that holds the write lock from its start; rolled back where `work` throws. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	database.exec('BEGIN IMMEDIATE');
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		database.exec('ROLLBACK');
		throw error;
	}
}
