import { existsSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openState } from '#infra/local/wiring/state.ts';
import { makeBackup, restoreBackup } from '#infra/tools/backup/backups.ts';

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
