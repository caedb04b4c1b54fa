import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalService } from '../../../infra/local/local-service.ts';
import { endpoints } from '../../../shared/contract.ts';
import { startLocal } from '../../support/local.ts';
import { run } from '../../support/process.ts';

describe('tools beside a running service', () => {
	let directory: string;
	let local: LocalService;
	let environment: Record<string, string>;
	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-'));
		const STATE_DIR = join(directory, 'state');
		local = await startLocal({ STATE_DIR, DEMO_PLANT: 'on' });
		environment = { STATE_DIR, PORT: new URL(local.baseUrl).port };
	});
	afterAll(async () => {
		await local.close();
		rmSync(directory, { recursive: true, force: true });
	});

	const tool = async (file: string, ...args: string[]) => {
		const program = run(`infra/local/${file}.ts`, args, environment);
		return { code: await program.ended, text: program.printed() };
	};

	test.each(endpoints)('invoke runs $name on its event', async ({ name }) => {
		const { code, text } = await tool('invoke', name);
		expect(code, text).toBe(0);
		const answer = JSON.parse(text);
		expect(answer.statusCode, text).toBe(200);
		expect(Object.keys(answer.body).length).toBeGreaterThan(0);
	});

	test('invoke says which endpoints there are', async () => {
		const { code, text } = await tool('invoke', 'nothing');
		expect(code).toBe(1);
		expect(text.trim().split('\n')).toEqual([expect.stringContaining('getVarsTsdb')]);
	});

	const user = ['--first-name', 'A', '--last-name', 'B', '--client-id', '2'];
	test('user adds whom the identity provider confirms, lists and removes', async () => {
		const removed = await tool('user', 'remove', 'Operator@Plant-B.example');
		expect([removed.code, removed.text]).toEqual([0, expect.stringContaining('removed')]);
		expect((await tool('user', 'remove', 'operator@plant-b.example')).code).toBe(1);
		const added = await tool('user', 'add', '--email', 'operator@plant-b.example', '--id', '2', ...user);
		expect([added.code, added.text]).toEqual([0, expect.stringContaining('added')]);
		const { text } = await tool('user', 'list');
		expect(text).toContain('operator@plant-b.example');
		expect(text).toContain('2 users');
	});

	test.each([
		['an unknown id', ['--email', 'a@b.example', '--id', '9', ...user], /knows no user 9/],
		['another e-mail', ['--email', 'a@b.example', '--id', '2', ...user], /has another e-mail/],
		[
			'a provider that cannot be asked',
			['--email', 'a@b.example', '--id', '2', '--auth-url', 'http://127.0.0.1:9', ...user],
			/cannot be asked/,
		],
		['an id that is none', ['--email', 'a@b.example', '--id', '1.5', ...user], /positive whole number/],
	])('user refuses to add %s, in words', async (_, args, expected) => {
		const { code, text } = await tool('user', 'add', ...args);
		expect(code).toBe(1);
		expect(text).toMatch(expected);
		expect((await tool('user', 'list')).text).not.toContain('a@b.example');
	});
});
