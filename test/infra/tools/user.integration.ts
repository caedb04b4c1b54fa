import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { runProgram } from '#test/support/process.ts';
import { startLocal } from '#test/support/servers/local.ts';

const add = ['--first-name', 'A', '--last-name', 'B', '--client-id', '2'];

describe('npm run user, beside a running service', () => {
	let directory: string;
	let local: LocalServer;
	let environment: Record<string, string>;
	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-'));
		const STATE_DIR = join(directory, 'state');
		local = await startLocal({ STATE_DIR });
		environment = { STATE_DIR, PORT: new URL(local.baseUrl).port };
	});
	afterAll(async () => {
		await local.close();
		rmSync(directory, { recursive: true, force: true });
	});

	const user = async (args: readonly string[], more: Record<string, string> = {}) => {
		const program = runProgram('infra/tools/user.ts', args, { ...environment, ...more });
		return { code: await program.ended, text: program.output() };
	};

	test('adds a user whom the identity provider confirms, lists and removes users', async () => {
		const removed = await user(['remove', 'Operator@Plant-B.example']);
		expect([removed.code, removed.text]).toEqual([0, expect.stringContaining('removed')]);
		const again = await user(['remove', 'operator@plant-b.example']);
		expect([again.code, again.text]).toEqual([
			1,
			'user: There is no user operator@plant-b.example; npm run user -- list shows them.\n',
		]);
		const added = await user(['add', '--email', 'operator@plant-b.example', '--id', '2', ...add]);
		expect([added.code, added.text]).toEqual([0, expect.stringContaining('added')]);
		const { text } = await user(['list']);
		expect(text).toContain('operator@plant-b.example');
		expect(text).toContain('5 users');
	});

	test('lets no control character of a name reach the terminal', async () => {
		const names = ['\u001b]0;x\u0007', '\u009b2J', '\u202e', '\n4 users', '\u001b[31m'];
		for (const [index, name] of names.entries()) {
			const email = `${index}${name}@plant.example`;
			await local.service.users.put({ id: 90 + index, email, firstName: name, lastName: name, clientId: 2 });
		}
		const { code, text } = await user(['list']);
		expect([code, text.match(/@plant\.example/g)?.length]).toEqual([0, names.length]);
		expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
		expect(text.split('\n').filter((line) => /^\d+ users/.test(line))).toHaveLength(1);
		for (const [index, name] of names.entries()) await local.service.users.remove(`${index}${name}@plant.example`);
	});

	test('gives a role, also to somebody who never signed in, and refuses one that does not exist', async () => {
		const given = await user(['role', 'ada@plant-b.example', 'administrator', '--schema', 'plant_b']);
		expect([given.code, given.text]).toEqual([
			0,
			'set ada@plant-b.example: administrator of plant_b, from the next request that changes something\n',
		]);
		expect(await local.service.people.find('plant_b', 'Ada@plant-b.example')).toMatchObject({ role: 'administrator' });
		const refused = await user(['role', 'ada@plant-b.example', 'boss', '--schema', 'plant_b']);
		expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('viewer, operator, engineer, administrator')]);
		const unnamed = await user(['role', 'ada@plant-b.example', 'viewer']);
		expect([unnamed.code, unnamed.text]).toEqual([1, expect.stringContaining('--schema')]);
	});

	test.each([
		['an unknown id', ['--email', 'a@b.example', '--id', '9', ...add], /knows no user 9/],
		['another e-mail', ['--email', 'a@b.example', '--id', '2', ...add], /has another e-mail/],
		[
			'a provider that cannot be reached',
			['--email', 'a@b.example', '--id', '2', '--auth-url', 'http://127.0.0.1:9', ...add],
			/cannot be reached/,
		],
		['an id that is not a whole number', ['--email', 'a@b.example', '--id', '1.5', ...add], /positive whole number/],
		[
			'in an environment with a wrong name',
			['--email', 'a@b.example', '--id', '1', '--env', 'No-1', ...add],
			/small letters and digits/,
		],
	])('refuses to add %s and explains why', async (_, args, expected) => {
		const { code, text } = await user(['add', ...args]);
		expect(code).toBe(1);
		expect(text).toMatch(expected);
		expect((await user(['list'])).text).not.toContain('a@b.example');
	});

	test.each<[string, Record<string, string>, RegExp]>([
		['neither', {}, /set AUTH_URL .*, and IDP_TOKEN/],
		['no token', { AUTH_URL: 'http://127.0.0.1:9' }, /set AUTH_URL .*, and IDP_TOKEN/],
		['no address', { IDP_TOKEN: 'token' }, /set AUTH_URL .*, and IDP_TOKEN/],
		['an address that is not http', { IDP_TOKEN: 'token', AUTH_URL: 'idp' }, /AUTH_URL must be an http/],
		['a token with a space', { IDP_TOKEN: 'to ken', AUTH_URL: 'http://127.0.0.1:9' }, /visible ASCII/],
	])('needs the address and the token of an environment’s identity provider: %s', async (_, settings, expected) => {
		const { code, text } = await user(['add', '--env', 'dev', '--email', 'a@b.example', '--id', '1', ...add], settings);
		expect([code, text.trim().split('\n')]).toEqual([1, [expect.stringMatching(expected)]]);
	});
});
