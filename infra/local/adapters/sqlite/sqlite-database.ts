import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { DomainError, messageOf } from '#domain/errors.ts';
import { ConfigError } from '#shared/config.ts';
import { fileFaultOf } from './sqlite-fault.ts';

/**
 * The version of the tables, stored as `user_version`. Increase it with every change that older code cannot work with. Older code can
 * work with additional columns (`addMissingColumns`).
 */
export const tablesVersion = 1;

/** Some tables of the project's databases, as a list in SQL. A file that has tables, but none of these, belongs to another program. */
const ownTables = "'note', 'head', 'row', 'user', 'series'";

/** The mode of a file that only its owner may read and write. */
const ownerOnly = 0o600;

const versionSchema = v.object({ user_version: v.number() });
const countSchema = v.object({ tables: v.number(), own: v.number() });
const checkSchema = v.object({ quick_check: v.string() });
const nameSchema = v.array(v.object({ name: v.string() }));

/**
 * Opens a database file, or creates it, for its owner only. A committed write survives a kill at any moment, and a power cut. A
 * statement that finds the file locked fails at once: `withFileFaults` repeats it.
 * @param file a path, or `:memory:`
 * @param checksPages reads every page, to find damage at once; 100 MB take some 0.2 s
 * @param keepsVersion does not raise the version of the tables, so that an earlier release still opens the file
 * @throws ConfigError when the file is damaged, of another program or of a later version, and SQLite's error when it is locked
 */
export function openDatabase(file: string, { checksPages = false, keepsVersion = false } = {}): DatabaseSync {
	let database: DatabaseSync | undefined;
	try {
		if (file !== ':memory:') keepPrivate(file);
		database = new DatabaseSync(file, { timeout: 0 });
		checkTables(database, file);
		if (checksPages) checkPages(database, file);
		database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
		if (!keepsVersion && versionOf(database) < tablesVersion) database.exec(`PRAGMA user_version = ${tablesVersion}`);
		return database;
	} catch (error) {
		database?.close();
		throw fileFaultOf(error) === 'damaged' ? notOurs(file, messageOf(error)) : error;
	}
}

/** Runs `work` in one transaction that holds the write lock from its start. When `work` throws, the transaction is rolled back. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	return inTransactionOf(database, 'BEGIN IMMEDIATE', work);
}

/**
 * Runs `work` in one transaction, as `inTransaction` does. @throws DomainError `outcome_unknown` when it is unknown whether its changes
 * are stored
 */
export function inCommit<Result>(database: DatabaseSync, work: () => Result): Result {
	try {
		return inTransaction(database, work);
	} catch (error) {
		// The changes may be on the disk although the commit failed.
		if (fileFaultOf(error) === 'io') throw new DomainError('outcome_unknown', { cause: messageOf(error) }, { cause: error });
		throw error;
	}
}

/** Runs `work`, which only reads, on one state of the database. It takes no write lock, so no writer delays it. */
export function inReadTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
	return inTransactionOf(database, 'BEGIN', work);
}

/**
 * Adds the columns that a table of an older file lacks. Every column needs a default, or may be null.
 * @param columns the definition of each column by its name
 * @example
 * addMissingColumns(database, 'head', { charts: 'INTEGER' });
 */
export function addMissingColumns(database: DatabaseSync, table: string, columns: Readonly<Record<string, string>>): void {
	const missingColumns = () => {
		const present = v.parse(nameSchema, database.prepare('SELECT name FROM pragma_table_info(?)').all(table));
		return Object.entries(columns).filter(([column]) => !present.some(({ name }) => name === column));
	};
	if (missingColumns().length === 0) return;
	// Looked up again with the write lock, because another process may have added them.
	inTransaction(database, () => {
		for (const [column, definition] of missingColumns()) database.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${definition}`);
	});
}

/**
 * Creates a database file for its owner only, or restricts an existing one to its owner. Also restricts the existing files that SQLite
 * keeps beside it. SQLite gives new ones the same mode.
 */
export function keepPrivate(file: string): void {
	// Does not open an existing file: closing it would release the locks that this process holds on it (POSIX).
	if (!existsSync(file)) closeSync(openSync(file, 'a', ownerOnly));
	for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) chmodSync(path, ownerOnly);
}

/** @throws ConfigError when the tables are of a later version, or of another program */
function checkTables(database: DatabaseSync, file: string): void {
	const stored = versionOf(database);
	if (stored > tablesVersion)
		throw new ConfigError(
			`${file} was written by a later version of Caudal (${stored}; this one reads ${tablesVersion}): update Caudal, or set another STATE_DIR.`,
		);
	const countRow = database
		.prepare(`SELECT count(*) AS tables, total(name IN (${ownTables})) AS own FROM sqlite_schema WHERE type = 'table'`)
		.get();
	const { tables, own } = v.parse(countSchema, countRow);
	if (tables > 0 && own === 0) throw notOurs(file, 'it has tables of another program');
}

/** @throws ConfigError when a page is damaged */
function checkPages(database: DatabaseSync, file: string): void {
	const { quick_check: result } = v.parse(checkSchema, database.prepare('PRAGMA quick_check(1)').get());
	if (result !== 'ok') throw notOurs(file, result.replaceAll('\n', ' '));
}

function versionOf(database: DatabaseSync): number {
	return v.parse(versionSchema, database.prepare('PRAGMA user_version').get()).user_version;
}

function notOurs(file: string, reason: string): ConfigError {
	return new ConfigError(
		`${file} is damaged or no database of Caudal (${reason}): put back a copy of it, or move it away to start without it.`,
	);
}

function inTransactionOf<Result>(database: DatabaseSync, begin: string, work: () => Result): Result {
	database.exec(begin);
	try {
		const result = work();
		database.exec('COMMIT');
		return result;
	} catch (error) {
		// SQLite itself rolls back when the disk is full or fails.
		if (database.isTransaction) database.exec('ROLLBACK');
		throw error;
	}
}
