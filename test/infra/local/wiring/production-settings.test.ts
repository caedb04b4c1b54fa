import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readProductionSettings, writeTokenPlace } from '#infra/local/wiring/production-settings.ts';
import { ConfigError } from '#shared/config.ts';

const makeDirectory = () => {
	const directory = mkdtempSync(join(tmpdir(), 'caudal-token-'));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	return directory;
};

test('makes a write token once, in a file of its owner', async () => {
	const STATE_DIR = makeDirectory();
	const { WRITE_TOKEN } = await readProductionSettings({ STATE_DIR });
	expect(WRITE_TOKEN).toMatch(/^[\w-]{43}$/);
	expect((await readProductionSettings({ STATE_DIR })).WRITE_TOKEN).toBe(WRITE_TOKEN);
	expect(statSync(join(STATE_DIR, 'write-token')).mode & 0o777).toBe(0o600);
	expect(readdirSync(STATE_DIR).filter((name) => name.startsWith('write-token'))).toEqual(['write-token']);
});

test.each([
	['nothing', ''],
	['a line end', '\n'],
	['a part', 'Zm9vYmFy'],
	['zeros', '\0'.repeat(44)],
])('refuses a file of the write token that holds %s', async (_, text) => {
	const STATE_DIR = makeDirectory();
	writeFileSync(join(STATE_DIR, 'write-token'), text);
	await expect(readProductionSettings({ STATE_DIR })).rejects.toThrow(ConfigError);
	await expect(readProductionSettings({ STATE_DIR })).rejects.toThrow(/write-token holds no token of 20/);
});

test('says where the write token is', () => {
	expect(writeTokenPlace({ STATE_DIR: '/state' })).toBe('/state/write-token');
	expect(writeTokenPlace({ STATE_DIR: '/state', WRITE_TOKEN: 'a-token-of-20-characters' })).toBe('WRITE_TOKEN');
});
