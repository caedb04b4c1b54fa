import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RowCommit } from '#domain/ports/schema-store.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { addMissingColumns, openDatabase, tablesVersion } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { createSqliteIdempotency } from '#infra/local/adapters/sqlite/sqlite-idempotency.ts';
import { createSqliteOwners } from '#infra/local/adapters/sqlite/sqlite-owners.ts';
import { createSqliteSchemaStore } from '#infra/local/adapters/sqlite/sqlite-schema-store.ts';
import { createSqliteSignInAttempts } from '#infra/local/adapters/sqlite/sqlite-sign-in-attempts.ts';
import { createSqliteUsers } from '#infra/local/adapters/sqlite/sqlite-users.ts';
import { openSqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import { ConfigError } from '#shared/config.ts';
import { makeVariable, makeVariableRow } from '#test/support/builders/builders.ts';

const directory = mkdtempSync(join(tmpdir(), 'caudal-faults-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;
const newFile = (): string => {
	files += 1;
	return join(directory, `${files}.db`);
};
const create = (id: number, unit = 'm'): readonly RowCommit[] => [
	{ key: { kind: 'variable', id }, expected: null, put: makeVariableRow(id, { variable: { ...makeVariable({ unit }), id } }) },
];
const storeFailure = { code: 'store_failed' };

/**
 * Counts the ticks of a timer of 10 ms until the returned function is called, which ends it. A busy machine makes them fewer and never more, so
 * "none" means that something held up the event loop, and 100 that more than a second has passed.
 */
const countTicks = (): (() => number) => {
	let ticks = 0;
	const timer = setInterval(() => (ticks += 1), 10);
	return () => {
		clearInterval(timer);
		return ticks;
	};
};
const ticksOfSecond = 100;

describe('a database that is open', () => {
	let file: string;
	let database: DatabaseSync;
	let other: DatabaseSync;
	beforeEach(() => {
		file = newFile();
		database = openDatabase(file);
		other = new DatabaseSync(file, { timeout: 0 });
	});
	afterEach(() => {
		other.close();
		database.close();
	});

	const openPorts = async () => {
		const ports = {
			store: createSqliteSchemaStore(database),
			idempotency: createSqliteIdempotency(database),
			users: createSqliteUsers(database),
			owners: createSqliteOwners(database),
			attempts: createSqliteSignInAttempts(database),
		};
		expect(await ports.store.commit('s', create(1))).toBe('committed');
		return ports;
	};

	test('refuses writes within a second while another process writes, and reads and timers go on', async () => {
		const { store, idempotency, users, owners, attempts } = await openPorts();
		const scope = { email: 'a@b.example', source: 's' };
		const user = { id: 1, email: 'a@b.example', firstName: 'A', lastName: 'B', clientId: 1 };
		const claim = { key: 'k', token: 't' };
		const writes = [
			() => store.commit('s', create(2)),
			() => store.nextId('s'),
			() => store.correctMetadata('s', { expectedRevision: 1, variables: 1, lastId: 1 }),
			() => idempotency.claim(claim, 'f', 0),
			() => idempotency.release(claim),
			() => users.put(user),
			() => users.remove(user.email),
			() => attempts.count(scope, { id: 'a', at: 1 }, 10),
			() => attempts.withdraw(scope, { id: 'a', at: 1 }),
			() => attempts.remember(scope.email, scope.source, 1),
			() => owners.set({ kind: 'schema', name: 's', clientId: 1 }),
		];
		other.exec('BEGIN IMMEDIATE');
		const ticks = countTicks();
		const outcomes = await Promise.allSettled([
			...writes.map((write) => write()),
			store.snapshot('s', 'all'),
			store.list('s', 'variable'),
			store.get('s', [{ kind: 'variable', id: 1 }]),
			users.list(),
			attempts.isKnown(scope.email, scope.source, 1),
			owners.list(),
		]);
		const passed = ticks();
		expect(passed).toBeGreaterThan(0);
		expect(passed).toBeLessThan(ticksOfSecond);
		for (const outcome of outcomes.slice(0, writes.length)) expect(outcome).toMatchObject({ reason: storeFailure });
		for (const outcome of outcomes.slice(writes.length)) expect(outcome.status).toBe('fulfilled');
		other.exec('ROLLBACK');
		for (const write of writes) await write();
	});

	test('writes once the other process has ended its write', async () => {
		const { store } = await openPorts();
		other.exec('BEGIN IMMEDIATE');
		setTimeout(() => other.exec('ROLLBACK'), 100);
		expect(await store.commit('s', create(2))).toBe('committed');
		expect((await store.snapshot('s', 'all')).variables.size).toBe(2);
	});

	test('a full disk refuses a commit and stores nothing of it, and reads go on', async () => {
		const { store } = await openPorts();
		const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
		database.exec(`PRAGMA max_page_count = ${pages}`);
		const large = Array.from({ length: 50 }, (_, index) => create(index + 2, 'u'.repeat(60))).flat();
		await expect(store.commit('s', large)).rejects.toMatchObject(storeFailure);
		expect((await store.snapshot('s', 'all')).variables.size).toBe(1);
		database.exec('PRAGMA max_page_count = 100000');
		expect(await store.commit('s', large)).toBe('committed');
		expect(await store.schemaMetadata('s')).toMatchObject({ variables: 51 });
	});

	test('a page that is damaged while the service runs refuses what needs it', async () => {
		const { store } = await openPorts();
		for (let id = 2; id < 60; id += 1) await store.commit('s', create(id));
		database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0xee, 4096));
		database.exec('PRAGMA shrink_memory');
		await expect(store.list('s', 'variable')).rejects.toMatchObject(storeFailure);
		await expect(store.commit('s', create(60))).rejects.toMatchObject(storeFailure);
	});
});

describe('opening a file', () => {
	const later = newFile();
	const changed = new DatabaseSync(later);
	changed.exec(`CREATE TABLE row (id); PRAGMA user_version = ${tablesVersion + 1}`);
	changed.close();
	const foreign = newFile();
	const cookies = new DatabaseSync(foreign);
	cookies.exec('CREATE TABLE cookies (name TEXT)');
	cookies.close();
	const text = newFile();
	writeFileSync(text, 'not a database\n'.repeat(1000));
	const damaged = newFile();
	copyFileSync('test/data/state-909af96/caudal.db', damaged);
	writeFileSync(damaged, readFileSync(damaged).fill(0xee, 4096 * 2, 4096 * 4));
	const cut = newFile();
	writeFileSync(cut, readFileSync('test/data/state-909af96/caudal.db').subarray(0, 4096 * 3));

	test.each([
		['of a later version', later, /was written by a later version of Caudal \(2; this one reads 1\): update Caudal/],
		['of another program', foreign, /is damaged or no database of Caudal \(it has tables of another program\)/],
		['that is no database', text, /is damaged or no database of Caudal \(file is not a database\)/],
		['with a damaged page', damaged, /is damaged or no database of Caudal \(/],
		['that was cut', cut, /is damaged or no database of Caudal \(/],
	])('refuses a file %s in one line, and does not change it', (_, file, message) => {
		const before = readFileSync(file);
		const open = () => openDatabase(file, { checksPages: true });
		expect(open).toThrow(ConfigError);
		expect(open).toThrow(message);
		expect(open).not.toThrow(/\n/);
		expect(readFileSync(file).equals(before)).toBe(true);
	});

	test('makes old and new files readable for their owner only', () => {
		const old = newFile();
		const first = openDatabase(old);
		first.exec('CREATE TABLE row (id)');
		const modeOf = (path: string) => statSync(path).mode & 0o777;
		const all = [old, `${old}-wal`, `${old}-shm`];
		expect(all.map(modeOf)).toEqual([0o600, 0o600, 0o600]);
		for (const each of all) chmodSync(each, 0o644);
		const second = openDatabase(old);
		expect(all.filter(existsSync).map(modeOf)).toEqual([0o600, 0o600, 0o600]);
		second.close();
		first.close();
	});

	test('adds the columns that a table lacks, once, and keeps its rows', () => {
		const database = openDatabase(newFile());
		database.exec('CREATE TABLE row (id INTEGER) STRICT; INSERT INTO row VALUES (7)');
		for (let opened = 0; opened < 2; opened += 1)
			addMissingColumns(database, 'row', { id: 'INTEGER', charts: 'INTEGER', kept: "TEXT NOT NULL DEFAULT ''" });
		expect(database.prepare('SELECT * FROM row').all()).toEqual([{ id: 7, charts: null, kept: '' }]);
		database.close();
	});
});

test('samples are refused within a second while another process writes, and are read on', async () => {
	const file = newFile();
	const series = await openSqliteTimeSeries({ file, topicColumn: '_measurement' });
	const { points } = parseLineProtocol('t value=1 1000000', { precision: 'ns', nowNs: 0n });
	await series.write('d', points);
	const other = new DatabaseSync(file, { timeout: 0 });
	other.exec('BEGIN IMMEDIATE');
	const ticks = countTicks();
	const refused = expect(series.write('d', points)).rejects.toMatchObject({ code: 'dependency_failed' });
	const order: string[] = [];
	const read = series.read('d', [{ read: 'newest', topic: 't', field: 'value', lookback: { ms: 10 } }], 5);
	await Promise.all([refused.then(() => order.push('refused')), read.then(() => order.push('read'))]);
	expect(await read).toMatchObject([{ values: [1] }]);
	expect(order).toEqual(['read', 'refused']);
	expect(ticks()).toBeLessThan(ticksOfSecond);
	other.exec('ROLLBACK');
	await series.write('d', points);
	other.close();
	await series.close();
});
