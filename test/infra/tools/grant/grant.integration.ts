import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalServer } from '#infra/local/server.ts';
import { makeSession } from '#test/support/builders/identity.ts';
import { runProgram } from '#test/support/process.ts';
import { startLocal } from '#test/support/servers/local.ts';

const tenant = ['--schema', 's', '--database', 'd'];
const operators = ['--owner', '7', '--role', 'operator'];

describe('npm run grant, beside a running service', () => {
	let directory: string;
	let local: LocalServer;
	beforeAll(async () => {
		directory = mkdtempSync(join(tmpdir(), 'caudal-'));
		local = await startLocal({ STATE_DIR: join(directory, 'state') });
	});
	afterAll(async () => {
		await local.close();
		rmSync(directory, { recursive: true, force: true });
	});

	const grant = async (...args: readonly string[]) => {
		const program = runProgram('infra/tools/grant/grant.ts', args, { STATE_DIR: join(directory, 'state') });
		return { code: await program.ended, text: program.output() };
	};
	const claimsFile = (text: string): string => {
		const file = join(directory, 'claims.json');
		writeFileSync(file, text);
		return file;
	};

	test('adds grants at once, and lists them', async () => {
		const added = await Promise.all([
			grant('add', 'entra', '--where', 'groups=plant-a-ops', 'hd=a=b', ...tenant, ...operators),
			grant('add', 'entra', '--where', 'groups=leads', ...tenant, '--owner', '7', '--role', 'engineer'),
		]);
		expect(added.map(({ code }) => code)).toEqual([0, 0]);
		expect(added[0]?.text).toBe(
			'added entra: groups=plant-a-ops, hd=a=b → operator of s (database d, client 7), from the next sign-in or renewal\n',
		);
		expect((await grant('list', 'entra')).text).toBe(
			'entra: groups=leads → engineer of s (database d, client 7)\nentra: groups=plant-a-ops, hd=a=b → operator of s (database d, client 7)\n2 grants\n',
		);
		const again = await grant('add', 'entra', '--where', 'groups=leads', ...tenant, '--owner', '7', '--role', 'engineer');
		expect([again.code, again.text]).toEqual([0, expect.stringContaining('is stored already')]);
	});

	test('says which grants claims meet, and what nobody who has none is known by', async () => {
		const met = await grant('try', 'entra', claimsFile('{"sub": "8f1", "groups": ["plant-a-ops", "x"], "hd": "a=b"}'));
		expect([met.code, met.text]).toEqual([
			0,
			expect.stringMatching(/^meets entra: groups=plant-a-ops.*\n1 of 2 grants let in, to 1 tenant\n$/),
		]);
		const none = await grant('try', 'entra', claimsFile('{"groups": ["x"], "hasgroups": true}'));
		expect([none.code, none.text]).toEqual([1, '0 of 2 grants let in, to 0 tenants\ngroups: x\nhd: no value\n']);
		const many = await grant('try', 'entra', claimsFile('{"hasgroups": true}'));
		expect(many.text).toContain('groups: the provider left it out, because there are too many values');
	});

	test('changes the role of a grant, and ends the session that has the earlier one', async () => {
		const { openIdSessions } = local.service;
		const session = makeSession();
		await openIdSessions.create(session);
		const changed = await grant('add', 'entra', '--where', 'groups=leads', ...tenant, '--owner', '7', '--role', 'viewer');
		expect([changed.code, changed.text]).toEqual([
			0,
			'changed entra: groups=leads → viewer of s (database d, client 7); ending sessions takes 30 s …\n1 session ended; reads end with their tokens\n',
		]);
		expect(await openIdSessions.find(session.id, session.createdAt)).toBeNull();
	}, 90_000);

	test('removes a grant, and the session that it let in, while the service runs', async () => {
		const { openIdSessions } = local.service;
		const session = makeSession();
		await openIdSessions.create(session);
		const where = ['--where', 'groups=plant-a-ops', '--where', 'hd=a=b'];
		const removed = await grant('remove', 'entra', ...where, ...tenant);
		expect([removed.code, removed.text]).toEqual([
			0,
			'removed entra: groups=plant-a-ops, hd=a=b; ending sessions takes 30 s …\n1 session ended; reads end with their tokens\n',
		]);
		expect(await openIdSessions.find(session.id, session.createdAt)).toBeNull();
		const again = await grant('remove', 'entra', ...where, ...tenant);
		expect([again.code, again.text]).toEqual([
			1,
			expect.stringMatching(/^grant: There is no such grant; npm run grant -- list entra shows them/),
		]);
	}, 90_000);

	test('ends the sessions of one person with a provider, and no other', async () => {
		const { openIdSessions } = local.service;
		const [person, other] = [`person:${'a'.repeat(32)}`, `person:${'b'.repeat(32)}`];
		const sessions = [
			makeSession({ id: 'first', person }),
			makeSession({ id: 'second', person }),
			makeSession({ id: 'google', person, provider: 'google' }),
			makeSession({ id: 'other', person: other }),
		];
		for (const session of sessions) await openIdSessions.create(session);
		const ended = await grant('sign-out', 'entra', person);
		expect([ended.code, ended.text]).toEqual([0, '2 sessions ended; reads end with their tokens\n']);
		expect((await openIdSessions.list()).map(({ id }) => id)).toEqual(['google', 'other']);
		const byName = await grant('sign-out', 'entra', 'ada@plant-a.example');
		expect([byName.code, byName.text]).toEqual([1, expect.stringContaining('person: with 32 hex digits')]);
		for (const { id } of sessions) await openIdSessions.remove(id);
	});

	test.each<[string, readonly string[], RegExp]>([
		['a claim without a value', ['--where', 'groups', ...tenant, ...operators], /such as groups=plant-a-ops/],
		['a claim twice', ['--where', 'groups=a', 'groups=b', ...tenant, ...operators], /add a grant for each value/],
		['five claims', ['--where', 'a=1', 'b=2', 'c=3', 'd=4', 'e=5', ...tenant, ...operators], /at most 4 claims/],
		['no claim', [...tenant, ...operators], /--where/],
		['no owner', ['--where', 'a=b', ...tenant, '--role', 'viewer'], /--owner/],
		['an owner 0', ['--where', 'a=b', ...tenant, '--owner', '0', '--role', 'viewer'], /positive whole number/],
		['a role that does not exist', ['--where', 'a=b', ...tenant, '--owner', '7', '--role', 'boss'], /viewer, operator/],
		[
			'another client’s tenant',
			['--where', 'a=b', ...tenant, '--owner', '8', '--role', 'viewer'],
			/another client than 8: npm run schema/,
		],
	])('refuses to add a grant with %s and explains why', async (_, args, expected) => {
		const { code, text } = await grant('add', 'entra', ...args);
		expect([code, text]).toEqual([1, expect.stringMatching(expected)]);
		expect((await grant('list', 'entra')).text).toMatch(/\n1 grant\n$/);
	});

	test('explains what a name of a provider is, and what a file must hold', async () => {
		const named = await grant('list', 'Entra ID');
		expect([named.code, named.text]).toEqual([1, expect.stringContaining('small letters, digits and dashes')]);
		for (const text of ['["groups"]', 'groups', ''])
			expect((await grant('try', 'entra', claimsFile(text))).text).toMatch(/must hold the claims as one JSON object/);
		expect((await grant('try', 'entra', join(directory, 'none.json'))).text).toMatch(/none\.json cannot be read/);
	});
});
