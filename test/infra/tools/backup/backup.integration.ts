import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '#domain/milliseconds.ts';
import { makeBackup, pruneBackups, restoreBackup } from '#infra/tools/backup/backups.ts';
import { call, signIn, type Target } from '#test/e2e/target.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { runProgram, startProgram } from '#test/support/process.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-backup-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const settings = { STATE_DIR: join(directory, 'state'), DEMO_PLANT: 'off', WRITE_TOKEN: 'a-token' };
const targetOf = (baseUrl: string): Target => ({ baseUrl, feed: async () => undefined, close: async () => undefined });

/** The time of the sample with the number 0, in microseconds. */
const firstTime = Date.now() * 1000;

/** Writes a sample whose value is its number. Returns whether that was acknowledged. */
const write = async (baseUrl: string, topic: string, number: number): Promise<boolean> => {
	const response = await fetch(`${baseUrl}/api/v2/write?bucket=plant_b&precision=us`, {
		method: 'POST',
		headers: { authorization: 'Token a-token' },
		body: `${topic} value=${number} ${firstTime + number}`,
	}).catch(() => null);
	return response?.status === 204;
};

/** The numbers that are stored in a backup: of variables, and of the newest sample of each series. */
const contentsOf = (folder: string) => {
	const numberIn = (file: string, sql: string): number => {
		const database = new DatabaseSync(join(folder, file), { readOnly: true });
		const row = database.prepare(sql).get();
		database.close();
		return Number(row?.['n'] ?? 0);
	};
	const newest = (name: string) =>
		numberIn(
			'series.db',
			`SELECT max(value) AS n FROM sample WHERE series = (SELECT id FROM series WHERE measurement = '${name}')`,
		);
	return {
		variables: numberIn('caudal.db', "SELECT count(*) AS n FROM row WHERE kind = 'variable'"),
		paired: newest('paired'),
		load: [0, 1, 2].map((worker) => newest(`load${worker}`)),
	};
};

describe('backups of a service under load', () => {
	/** What was acknowledged so far. A save of a variable is followed by the write of a sample with the number of variables. */
	const acknowledged = { variables: 0, paired: 0, load: [0, 0, 0] };
	let isRunning = true;
	let service: Awaited<ReturnType<typeof startProgram>>;
	let token: string;
	const start = async () => {
		service = await startProgram(settings);
		token = await signIn(targetOf(service.baseUrl), 'b');
		// A save whose answer was lost is counted, too.
		acknowledged.variables = (await call(targetOf(service.baseUrl), 'GET', '/getVarsTsdb', { token })).body.data.length;
	};
	const pairs = async (): Promise<void> => {
		const { baseUrl } = service;
		while (isRunning) {
			const saved = await call(targetOf(baseUrl), 'POST', '/saveVariable', { token, body: makeBody() }).catch(() => null);
			if (saved?.status !== 200) return;
			acknowledged.variables += 1;
			const number = acknowledged.variables;
			while (isRunning && !(await write(baseUrl, 'paired', number))) if (service.program.child.killed) return;
			acknowledged.paired = number;
		}
	};
	const load = async (worker: number): Promise<void> => {
		const { baseUrl } = service;
		for (let number = acknowledged.load[worker] ?? 0; isRunning && !service.program.child.killed; ) {
			if (!(await write(baseUrl, `load${worker}`, number + 1))) continue;
			number += 1;
			acknowledged.load[worker] = number;
		}
	};
	let workers: Promise<unknown>;
	const work = () => {
		workers = Promise.all([pairs(), ...[0, 1, 2].map(load)]);
	};
	beforeAll(start);
	afterAll(() => service.program.child.kill('SIGKILL'));

	test('a hundred, with kill -9 in between: each opens, and nothing acknowledged before its moment is missing', {
		timeout: 240_000,
	}, async () => {
		const target = join(directory, 'backups');
		mkdirSync(target);
		work();
		for (let count = 0; count < 100; count += 1) {
			const before = structuredClone(acknowledged);
			const isKilled = count % 20 === 19;
			const made = makeBackup(settings.STATE_DIR, target, Date.now());
			if (isKilled) service.program.child.kill('SIGKILL');
			// Checks the integrity of the copies.
			const { variables, paired, load: loads } = contentsOf(await made);
			expect(variables).toBeGreaterThanOrEqual(before.variables);
			expect(paired).toBeGreaterThanOrEqual(before.paired);
			for (const [worker, number] of loads.entries()) expect(number).toBeGreaterThanOrEqual(before.load[worker] ?? 0);
			// Both databases are of one moment: the sample of a variable follows its save.
			expect(paired).toBeLessThanOrEqual(variables);
			if (!isKilled) continue;
			await Promise.all([service.program.ended, workers]);
			await start();
			work();
		}
		expect(readdirSync(target)).toHaveLength(100);
		// There was a load, however slow the machine is.
		expect(acknowledged.variables).toBeGreaterThan(20);
	});

	test('one that is killed leaves no backup, and the next one deletes what it left', async () => {
		const target = join(directory, 'killed');
		mkdirSync(target);
		const program = runProgram('infra/tools/backup/backup.ts', [target], settings);
		const watcher = watch(target, () => program.child.kill('SIGKILL'));
		expect(await program.ended).toBe('SIGKILL');
		watcher.close();
		expect(readdirSync(target)).toEqual([expect.stringMatching(/\.partial$/)]);
		const next = runProgram('infra/tools/backup/backup.ts', [target, '--keep-days', '30'], settings);
		expect(await next.ended).toBe(0);
		expect(next.output()).toMatch(/^made \S+\ndeleted \S+\.partial\n$/);
		expect(readdirSync(target)).toEqual([expect.stringMatching(/^caudal-.*Z$/)]);
	});

	test('come back by restore, which a running service refuses', async () => {
		isRunning = false;
		await workers;
		const target = join(directory, 'restored');
		const made = runProgram('infra/tools/backup/backup.ts', [target], settings);
		expect(await made.ended).toBe(0);
		const folder = join(target, readdirSync(target)[0] ?? '');
		expect(statSync(folder).mode & 0o777).toBe(0o700);
		const refused = runProgram('infra/tools/backup/restore.ts', [folder], settings);
		expect(await refused.ended).toBe(1);
		expect(refused.output()).toMatch(/in use by another running service/);
		await call(targetOf(service.baseUrl), 'POST', '/saveVariable', { token, body: makeBody() });
		service.program.child.kill('SIGTERM');
		await service.program.ended;
		const restored = runProgram('infra/tools/backup/restore.ts', [folder], settings);
		expect(await restored.ended).toBe(0);
		expect(restored.output()).toMatch(/^restored .*\nWhat it replaced is in \S+replaced-/);
		await start();
		const { body } = await call(targetOf(service.baseUrl), 'GET', '/getVarsTsdb', { token });
		expect(body.data).toHaveLength(acknowledged.variables);
		service.program.child.kill('SIGTERM');
		expect(await service.program.ended).toBe(0);
	});

	test('that are damaged are refused, and leave the state as it is', async () => {
		const folder = await makeBackup(settings.STATE_DIR, join(directory, 'damaged'), Date.now());
		truncateSync(join(folder, 'series.db'), statSync(join(folder, 'series.db')).size - 4096);
		await expect(restoreBackup(folder, settings.STATE_DIR, Date.now())).rejects.toThrow(/damaged|malformed/);
		expect(contentsOf(settings.STATE_DIR).variables).toBe(acknowledged.variables);
		expect(existsSync(join(settings.STATE_DIR, 'caudal.db'))).toBe(true);
	});
});

test('old backups are deleted by days, but not the newest, and nothing else', () => {
	const folder = join(directory, 'old');
	mkdirSync(folder);
	const now = Date.parse('2026-11-29T00:00:00Z');
	const nameAt = (days: number) => `caudal-${new Date(now - days * dayMs).toISOString().replaceAll(':', '-')}`;
	for (const name of [nameAt(40), nameAt(31), nameAt(30), nameAt(1)]) mkdirSync(join(folder, name));
	writeFileSync(join(folder, 'notes.txt'), '');
	expect(pruneBackups(folder, 30, now)).toEqual([nameAt(40), nameAt(31)]);
	expect(pruneBackups(folder, 1, now + 90 * dayMs)).toEqual([nameAt(30)]);
	expect(readdirSync(folder)).toEqual([nameAt(1), 'notes.txt']);
});
