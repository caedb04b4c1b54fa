import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openFiles, openState } from '#infra/local/wiring/state.ts';
import { ConfigError } from '#shared/config.ts';

test('closes the database of a directory whose table of notes cannot be read', async () => {
	const directory = join(mkdtempSync(join(tmpdir(), 'caudal-state-')), 'state');
	onTestFinished(() => rmSync(join(directory, '..'), { recursive: true }));
	(await openState(directory, { isExclusive: true })).close();
	const file = join(directory, 'caudal.db');
	const database = new DatabaseSync(file);
	database.exec('DROP TABLE note; CREATE TABLE note (other TEXT)');
	database.close();
	await expect(openState(directory, { isExclusive: true })).rejects.toThrow(ConfigError);
	// SQLite removes this file when the last connection is closed.
	expect(existsSync(`${file}-wal`)).toBe(false);
});

test.each(['EACCES', 'EPERM'])('says what to do about files of another user: %s', async (code) => {
	const opened = openFiles('state', () => {
		throw Object.assign(new Error(`${code}: chmod`), { code });
	});
	await expect(opened).rejects.toThrow(/^STATE_DIR state cannot be used: .* another user: run this as that user.*: E\w+: chmod$/);
});
