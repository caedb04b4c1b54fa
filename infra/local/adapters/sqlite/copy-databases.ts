import { backup, DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { ConfigError } from '#shared/config.ts';
import { keepPrivate } from './sqlite-database.ts';
import { whileBusy } from './sqlite-fault.ts';

/** A database file, and the file that its copy becomes. */
export interface DatabaseCopy {
	readonly from: string;
	/** No file may be there yet. */
	readonly to: string;
}

/** Pages of one step, between which other work runs: 4 MB. */
const pagesPerStep = 1000;

/** For how long no writer is let in is tried again, in milliseconds: a busy service commits all the time. */
const patienceMs = 10_000;

const checkSchema = v.object({ integrity_check: v.string() });

/**
 * Copies database files of a running service as they are at one moment. Nobody writes for the instant in which the moment is taken; then
 * writers and readers go on, and the copies do not see them. Each copy is one file, on the disk, and checked.
 * @throws ConfigError when a copy is damaged, and SQLite's error when a file cannot be read or written
 */
export async function copyDatabases(copies: readonly DatabaseCopy[]): Promise<void> {
	const sources = copies.map(({ from }) => new DatabaseSync(from, { timeout: 0 }));
	try {
		await takeMoment(copies, sources);
		for (const [index, { to }] of copies.entries()) {
			const source = sources[index];
			if (source === undefined) continue;
			keepPrivate(to);
			await backup(source, to, { rate: pagesPerStep });
			finish(to);
		}
	} finally {
		for (const source of sources) source.close();
	}
}

/** Begins a read transaction on each source, all on the state of one moment: whoever writes is kept out until the last one has begun. */
async function takeMoment(copies: readonly DatabaseCopy[], sources: readonly DatabaseSync[]): Promise<void> {
	const deadline = performance.now() + patienceMs;
	const keepers: DatabaseSync[] = [];
	try {
		for (const { from } of copies) {
			const keeper = new DatabaseSync(from, { timeout: 0 });
			keepers.push(keeper);
			await lock(keeper, deadline);
		}
		// A read transaction begins with its first read.
		for (const source of sources) source.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
	} finally {
		// Closing rolls back.
		for (const keeper of keepers) keeper.close();
	}
}

/** Takes the write lock of a database, between two commits of a writer. */
async function lock(keeper: DatabaseSync, deadline: number): Promise<void> {
	try {
		await whileBusy(() => keeper.exec('BEGIN IMMEDIATE'));
	} catch (error) {
		if (performance.now() >= deadline) throw error;
		await lock(keeper, deadline);
	}
}

/**
 * Makes a database one file, which needs no file beside it, and reads all of it.
 * @throws ConfigError when it is damaged
 */
export function finish(file: string): void {
	const database = new DatabaseSync(file);
	try {
		database.exec('PRAGMA journal_mode = DELETE');
		const { integrity_check: result } = v.parse(checkSchema, database.prepare('PRAGMA integrity_check(1)').get());
		if (result !== 'ok') throw new ConfigError(`${file} is damaged: ${result.replaceAll('\n', ' ')}`);
	} finally {
		database.close();
	}
}
