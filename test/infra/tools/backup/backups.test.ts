import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createSqliteAccounts } from '#infra/local/adapters/sqlite/sqlite-accounts.ts';
import {
	createSqliteOpenIdSessions,
	createSqliteOpenIdSessionTokens,
} from '#infra/local/adapters/sqlite/sqlite-openid-sessions.ts';
import { openState } from '#infra/local/wiring/state.ts';
import { makeBackup, restoreBackup } from '#infra/tools/backup/backups.ts';
import { ConfigError } from '#shared/config.ts';
import { makeSession } from '#test/support/builders/identity.ts';

const now = Date.parse('2026-11-29T00:00:00Z');

/** A state with a note, and two backups of it, of which one is damaged. */
const makeBackups = async () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-backups-'));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const stateDirectory = join(directory, 'state');
	const state = await openState(stateDirectory, { isExclusive: true });
	await state.keyValues.set('note', 'kept');
	state.close();
	const whole = await makeBackup(stateDirectory, directory, now);
	const damaged = await makeBackup(stateDirectory, directory, now + 1);
	truncateSync(join(damaged, 'caudal.db'), 4096);
	return { stateDirectory, partial: join(stateDirectory, 'restored.partial'), whole, damaged };
};

test('a restore that is refused leaves no folder', async () => {
	const { stateDirectory, partial, damaged } = await makeBackups();
	await expect(restoreBackup(damaged, stateDirectory, now)).rejects.toThrow(/damaged|malformed/);
	expect(existsSync(partial)).toBe(false);
	(await openState(stateDirectory, { isExclusive: true })).close();
});

test('a service does not start on a state whose restore was interrupted, until it is run again', async () => {
	const { stateDirectory, partial, whole, damaged } = await makeBackups();
	mkdirSync(partial);
	writeFileSync(join(partial, 'series.db'), '');
	rmSync(join(stateDirectory, 'caudal.db'));
	const open = () => openState(stateDirectory, { isExclusive: true });
	await expect(open()).rejects.toThrow(/A restore into STATE_DIR \S+ was interrupted: run it again\./);
	await expect(restoreBackup(damaged, stateDirectory, now)).rejects.toThrow(/damaged|malformed/);
	await expect(open()).rejects.toThrow('was interrupted');
	await restoreBackup(whole, stateDirectory, now);
	const state = await open();
	expect(await state.keyValues.get('note')).toBe('kept');
	state.close();
});

test('a restore brings back no session and no link, which may have been ended or used since', async () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-backups-'));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const stateDirectory = join(directory, 'state');
	const [email, link, session] = ['ada@plant.example', 'hash of a link', makeSession()];
	const open = async () => {
		const state = await openState(stateDirectory, { isExclusive: true });
		const { database } = state;
		return {
			accounts: createSqliteAccounts(database),
			sessions: createSqliteOpenIdSessions(database),
			tokens: createSqliteOpenIdSessionTokens(database, () => now),
			close: state.close,
		};
	};
	const before = await open();
	await before.accounts.put({ email, name: 'Ada', groups: ['ops'] });
	await before.accounts.setLink(email, link, 1000, now);
	await before.sessions.create(session);
	await before.tokens.put('sid of ada', { refreshToken: 'r', idToken: null }, session.endsAt);
	before.close();
	await restoreBackup(await makeBackup(stateDirectory, directory, now), stateDirectory, now);
	const after = await open();
	expect(await after.accounts.find(email)).toMatchObject({ name: 'Ada', groups: ['ops'], linkUntil: null });
	expect(await after.accounts.findByLink(link, now)).toBeNull();
	expect(await after.sessions.list()).toEqual([]);
	expect(await after.tokens.find('sid of ada')).toBeNull();
	after.close();
});

test('a restore of definitions alone, as an upgrade copies them, leaves samples and token', async () => {
	const { stateDirectory, whole } = await makeBackups();
	for (const name of ['series.db', 'write-token']) writeFileSync(join(stateDirectory, name), name);
	const replaced = await restoreBackup(whole, stateDirectory, now);
	for (const name of ['series.db', 'write-token']) expect(readFileSync(join(stateDirectory, name), 'utf8')).toBe(name);
	expect(existsSync(join(replaced ?? '', 'caudal.db'))).toBe(true);
});

test('a restore leaves the version of the tables, so that the earlier release opens the copy that an upgrade left', async () => {
	const { stateDirectory, whole } = await makeBackups();
	const versionIn = (folder: string, change = ''): unknown => {
		const database = new DatabaseSync(join(folder, 'caudal.db'));
		database.exec(change);
		const stored = database.prepare('PRAGMA user_version').get();
		database.close();
		return stored;
	};
	versionIn(whole, 'PRAGMA user_version = 0');
	await restoreBackup(whole, stateDirectory, now);
	expect(versionIn(stateDirectory)).toEqual({ user_version: 0 });
});

test('says why a folder of backups cannot be used', async () => {
	const { stateDirectory } = await makeBackups();
	const made = makeBackup(stateDirectory, join(stateDirectory, 'x'.repeat(300)), now);
	await expect(made).rejects.toThrow(ConfigError);
	await expect(made).rejects.toThrow('No backup was made: ENAMETOOLONG');
});
