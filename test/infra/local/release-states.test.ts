import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { call, signIn } from '#test/e2e/target.ts';
import { openLocalTarget } from '#test/support/servers/local.ts';

/** The states of releases, each written by its own code (test/support/make-release-state.ts). */
const releases = readdirSync('test/data').filter((name) => /^state-\d+\.\d+\.\d+$/.test(name));

test('there is the state of the first release', () => expect(releases).toContain('state-0.1.0'));

test.each(releases)('%s is opened, and answers as its release did', async (release) => {
	const folder = join('test/data', release);
	const directory = mkdtempSync(join(tmpdir(), 'caudal-release-'));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(directory, name));
	const { now, answers } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
	const target = await openLocalTarget({ STATE_DIR: directory }, () => now);
	onTestFinished(() => target.close());
	const token = await signIn(target, 'b');
	for (const { path, body, answer } of answers) {
		const ask = async () => {
			const { status, body: answered } = await call(target, body === undefined ? 'GET' : 'POST', path, { token, body });
			return [status, answered];
		};
		// The alarm is evaluated in the background.
		await expect.poll(ask, { timeout: 10_000, message: path }).toMatchObject([200, answer]);
	}
	expect(answers.length).toBeGreaterThan(15);
	const saved = await call(target, 'POST', '/saveChart', { token, body: { id: 0, title: 'Later', series: [{ varId: 1 }] } });
	expect(saved.status).toBe(200);
});
