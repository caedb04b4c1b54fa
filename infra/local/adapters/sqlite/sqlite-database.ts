import { DatabaseSync } from 'node:sqlite';

/** How long a statement waits for another process's write. */
const busyTimeoutMs = 5000;

/**
 * Opens a database file, or creates it. A committed write survives a kill at any moment, and a power cut.
 * @param file a path, or `:memory:`
 */
export function openDatabase(file: string): DatabaseSync {
	const database = new DatabaseSync(file, { timeout: busyTimeoutMs });
	database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
	return database;
}

/** Runs `work` in one transaction that holds the write lock from its start. When `work` throws, the transaction is rolled back. */
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
