import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { keepEarlierState } from '#infra/local/wiring/earlier-state.ts';
import { stateFiles } from '#infra/local/wiring/state.ts';
import { startLocal } from '#test/support/servers/local.ts';

/** A state directory that an earlier release wrote. */
const makeEarlierState = () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-earlier-'));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	for (const name of stateFiles.databases) copyFileSync(join('test/data/state-909af96', name), join(directory, name));
	const database = new DatabaseSync(join(directory, 'caudal.db'));
	database.exec('CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID');
	database.close();
	return directory;
};

const copiesIn = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('before-'));

test('a start that fails again and again makes one copy', async () => {
	const directory = makeEarlierState();
	const first = await keepEarlierState(directory, stateFiles.databases);
	expect(copiesIn(directory).map((name) => join(directory, name))).toEqual([first]);
	expect(await keepEarlierState(directory, stateFiles.databases)).toBe(null);
	expect(copiesIn(directory)).toHaveLength(1);
});

test('what was written after a copy is copied, too', async () => {
	const directory = makeEarlierState();
	await keepEarlierState(directory, stateFiles.databases);
	// Longer than the clock of files needs to move.
	await setTimeout(50);
	const database = new DatabaseSync(join(directory, 'caudal.db'));
	database.exec("INSERT INTO note VALUES ('written', '1')");
	database.close();
	expect(await keepEarlierState(directory, stateFiles.databases)).not.toBe(null);
	expect(copiesIn(directory)).toHaveLength(2);
});

test('what an interrupted copy left is deleted', async () => {
	const directory = makeEarlierState();
	mkdirSync(join(directory, 'before-0.1.0-2026-01-01T00-00-00.000Z.partial'));
	await keepEarlierState(directory, stateFiles.databases);
	expect(copiesIn(directory)).toEqual([expect.stringMatching(/Z$/)]);
});

test('a start that fails after it opened the state makes no second copy', async () => {
	const directory = makeEarlierState();
	const failing = { STATE_DIR: directory, DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };
	await expect(startLocal(failing)).rejects.toThrow();
	await expect(startLocal(failing)).rejects.toThrow();
	expect(copiesIn(directory)).toHaveLength(1);
});
