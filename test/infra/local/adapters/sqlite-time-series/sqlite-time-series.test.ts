import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { openSqliteTimeSeries, type SqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import type { SqliteTimeSeriesOptions } from '#infra/local/adapters/sqlite-time-series/statements.ts';
import { prepareStatements } from '#infra/local/adapters/sqlite-time-series/statements.ts';
import { openSeriesTables } from '#infra/local/adapters/sqlite-time-series/tables.ts';
import { type OpenSampleReader, sampleReaderContract } from '#test/contract/sample-reader.ts';
import type { OpenSpanReader } from '#test/contract/span-reader/span-feed.ts';
import { spanReaderContract } from '#test/contract/span-reader.ts';
import { tagsContract } from '#test/contract/tags.ts';
import type { OpenTimeSeries } from '#test/contract/time-series/feed.ts';
import { timeSeriesContract } from '#test/contract/time-series.ts';
import { type OpenTopicCatalog, topicCatalogContract } from '#test/contract/topic-catalog.ts';

const memory: SqliteTimeSeriesOptions = { file: ':memory:', topicColumn: '_measurement' };
const points = (text: string) => parseLineProtocol(text, { precision: 'ns', nowNs: 0n }).points;
type OpenSqlite = OpenTimeSeries & OpenSpanReader & OpenSampleReader & OpenTopicCatalog;
const opener = (options: SqliteTimeSeriesOptions) => async (): Promise<OpenSqlite> => {
	const series = await openSqliteTimeSeries(options);
	return {
		timeSeries: series,
		spanReader: series,
		sampleReader: series,
		topicCatalog: series,
		write: (database, text) => series.write(database, points(text)),
		close: series.close,
	};
};

timeSeriesContract('SQLite with topics in the measurement', opener(memory));
timeSeriesContract(
	'SQLite with topics in a tag',
	opener({ file: ':memory:', topicColumn: 'topic', measurement: 'mqtt_consumer' }),
	{ runs: 80, topicTag: { key: 'topic', measurement: 'mqtt_consumer' } },
);

spanReaderContract('SQLite with topics in the measurement', opener(memory));
spanReaderContract(
	'SQLite with topics in a tag',
	opener({ file: ':memory:', topicColumn: 'topic', measurement: 'mqtt_consumer' }),
	{ runs: 50, topicTag: { key: 'topic', measurement: 'mqtt_consumer' } },
);

sampleReaderContract('SQLite with topics in the measurement', opener(memory));
sampleReaderContract(
	'SQLite with topics in a tag',
	opener({ file: ':memory:', topicColumn: 'topic', measurement: 'mqtt_consumer' }),
	{ topicTag: { key: 'topic', measurement: 'mqtt_consumer' } },
);

topicCatalogContract('SQLite with topics in the measurement', opener(memory));
topicCatalogContract(
	'SQLite with topics in a tag',
	opener({ file: ':memory:', topicColumn: 'topic', measurement: 'mqtt_consumer' }),
	{
		topicTag: { key: 'topic', measurement: 'mqtt_consumer' },
	},
);

tagsContract('SQLite with topics in the measurement', opener(memory), { runs: 60 });
tagsContract('SQLite with topics in a tag', opener({ file: ':memory:', topicColumn: 'topic' }), {
	runs: 30,
	topicTag: { key: 'topic', measurement: 'mqtt_consumer' },
});

const now = Date.UTC(2024, 2, 15, 12);
const hour = { ms: 3_600_000 };
const nsAt = (timeMs: number): bigint => BigInt(timeMs) * 1_000_000n;
const newest = (topic: string): SeriesKey => ({ read: 'newest', topic, field: 'value', lookback: { ms: 500 * 24 * hour.ms } });
const hourly = (topic: string, aggregate: 'last' | 'mean'): SeriesKey => ({
	read: 'history',
	topic,
	field: 'value',
	lookback: { ms: 2 * hour.ms },
	period: hour,
	aggregate,
});

const withSeries = async <Result>(
	options: SqliteTimeSeriesOptions,
	work: (series: SqliteTimeSeries) => Promise<Result>,
): Promise<Result> => {
	const series = await openSqliteTimeSeries(options);
	try {
		return await work(series);
	} finally {
		await series.close();
	}
};

let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'caudal-series-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('cases beyond the contract suite', () => {
	test('reports a type that changed and changed back within the range', () =>
		withSeries(memory, async (series) => {
			const text = ['1', 'true', '3'].map((value, index) => `t value=${value} ${nsAt(now - (index + 1) * 60_000)}`).join('\n');
			await series.write('d', points(text));
			expect(await series.read('d', [hourly('t', 'mean'), hourly('t', 'last')], now)).toEqual([
				{ fault: 'type_changed' },
				{ fault: 'type_changed' },
			]);
		}));

	test('reads a finite mean when the sum is beyond the largest float', () =>
		withSeries(memory, async (series) => {
			const text = [1.5e308, 1.7e308].map((value, index) => `t value=${value} ${nsAt(now - (index + 1) * 60_000)}`).join('\n');
			await series.write('d', points(text));
			const [result] = await series.read('d', [hourly('t', 'mean')], now);
			const value = result !== undefined && 'values' in result ? (result.values[0] ?? 0) : 0;
			expect(value / 1.6e308).toBeCloseTo(1, 9);
		}));

	test.each([
		[-1n, -1],
		[-1_000_000n, -1],
		[-1_000_001n, -2],
		[-9_223_372_036_854_775_806n, -9_223_372_036_855],
	])('puts a sample at %d ns into millisecond %d', (timeNs, expected) =>
		withSeries(memory, async (series) => {
			await series.write('d', points(`t value=1 ${timeNs}`));
			const key: SeriesKey = { ...newest('t'), lookback: { ms: 9_300_000_000_000 } };
			expect(await series.read('d', [key], 1)).toMatchObject([{ times: [expected], newestAt: expected }]);
		}),
	);
});

describe('topics in a tag', () => {
	const lines = ['mqtt_consumer,topic=a,host=x value=1', 'other,topic=a,host=x value=2', 'mqtt_consumer,topic=b,site=a value=3'];
	const write = (series: SqliteTimeSeries) =>
		series.write('d', points(lines.map((line, index) => `${line} ${nsAt(now - 60_000 + index)}`).join('\n')));

	test('reads only the configured measurement', () =>
		withSeries({ file: ':memory:', topicColumn: 'topic', measurement: 'mqtt_consumer' }, async (series) => {
			await write(series);
			expect(await series.read('d', [newest('a'), newest('mqtt_consumer')], now)).toMatchObject([
				{ values: [1] },
				{ values: [] },
			]);
		}));

	test('treats measurements of the same topic as several series when none is configured', () =>
		withSeries({ file: ':memory:', topicColumn: 'topic' }, async (series) => {
			await write(series);
			expect(await series.read('d', [newest('a'), hourly('a', 'last'), newest('b')], now)).toMatchObject([
				{ values: [2] },
				{ values: [null], faults: new Map([[0, 'several_series']]) },
				{ values: [3] },
			]);
		}));

	test('reads topics from another tag of an existing file', async () => {
		const file = join(directory, 'column.sqlite');
		await withSeries({ file, topicColumn: '_measurement' }, write);
		await withSeries({ file, topicColumn: 'site' }, async (series) => {
			expect(await series.read('d', [newest('a')], now)).toMatchObject([{ values: [3] }]);
		});
	});
});

describe('sweep', () => {
	test('deletes older samples to the nanosecond, in steps, and series without samples', () =>
		withSeries(memory, async (series) => {
			const before = now - 1000;
			const old = Array.from({ length: 12_000 }, (_, index) => `long value=${index} ${nsAt(before) - BigInt(index) - 1n}`);
			const deleted = Array.from({ length: 1200 }, (_, index) => `deleted${index} value=1 ${nsAt(before) - 1n}`);
			await series.write(
				'd',
				points([...old, ...deleted, `long value=-1 ${nsAt(before)}`, `new value=5 ${nsAt(before)}`].join('\n')),
			);
			expect(await series.sweep(before)).toBe(13_200);
			expect(await series.sweep(before)).toBe(0);
			expect(await series.read('d', [newest('long'), newest('deleted7'), newest('new')], now)).toMatchObject([
				{ values: [-1] },
				{ values: [] },
				{ values: [5] },
			]);
			// A deleted series can be written again.
			await series.write('d', points(`deleted7 value=8 ${nsAt(before)}`));
			expect(await series.read('d', [newest('deleted7')], now)).toMatchObject([{ values: [8] }]);
		}));
});

describe('query plans', () => {
	test('read the newest value and every window by a seek, without sorting samples', () => {
		const statements: string[] = [];
		const sqlite = openSeriesTables(':memory:');
		const recording = new Proxy(sqlite, {
			get: (target, property) =>
				property === 'prepare'
					? (sql: string) => {
							statements.push(sql);
							return target.prepare(sql);
						}
					: Reflect.get(target, property, target),
		});
		prepareStatements(recording, memory);
		prepareStatements(recording, { file: ':memory:', topicColumn: 'topic', measurement: 'm' });
		const reads = statements.filter((sql) => /FROM (span CROSS JOIN )?(sample|series|tag)/.test(sql));
		expect(reads.length).toBeGreaterThan(8);
		for (const sql of reads) {
			const plan = sqlite
				.prepare(`EXPLAIN QUERY PLAN ${sql}`)
				.all()
				.map(({ detail }) => String(detail));
			const accesses = plan.filter((step) => /^(SCAN|SEARCH)/.test(step) && step !== 'SCAN span');
			expect(accesses.length, sql).toBeGreaterThan(0);
			for (const step of accesses) expect(step, sql).toMatch(/^SEARCH/);
			// Only candidates are sorted, and there are few.
			if (sql.includes('sample')) expect(plan.join(), sql).not.toMatch(/ORDER BY|GROUP BY/);
		}
		sqlite.close();
	});
});

describe('the worker thread and the file', () => {
	test('rejects calls after close, and accepts a second close', async () => {
		const series = await openSqliteTimeSeries(memory);
		await series.close();
		await series.close();
		await expect(series.read('d', [newest('t')], now)).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { dependency: 'tsdb' },
		});
	});

	test('completes calls that were made before close', async () => {
		const series = await openSqliteTimeSeries(memory);
		const [, read] = await Promise.all([
			series.write('d', points(`t value=1 ${nsAt(now) - 1n}`)),
			series.read('d', [newest('t')], now),
			series.close(),
		]);
		expect(read).toMatchObject([{ values: [1] }]);
	});

	test('rejects a file that is not a database, is of a later version or is in a missing directory', async () => {
		const [text, later] = [join(directory, 'text.sqlite'), join(directory, 'later.sqlite')];
		await writeFile(text, 'not a database'.repeat(1000));
		const sqlite = new DatabaseSync(later);
		sqlite.exec('PRAGMA user_version = 99');
		sqlite.close();
		for (const file of [text, later, join(directory, 'none', 'x.sqlite')])
			await expect(openSqliteTimeSeries({ file, topicColumn: '_measurement' })).rejects.toMatchObject({
				code: 'dependency_failed',
			});
	});

	test('reads while many points are written', () =>
		withSeries(memory, async (series) => {
			const many = Array.from({ length: 200_000 }, (_, index) => `t value=${index} ${nsAt(now) - BigInt(index) - 1n}`);
			const order: string[] = [];
			const written = series.write('d', points(many.join('\n'))).then(() => order.push('written'));
			const read = series.read('d', [newest('t')], now).then(() => order.push('read'));
			await Promise.all([written, read]);
			expect(order).toEqual(['read', 'written']);
		}));

	test('keeps completed writes after kill -9, and unfinished writes leave no damage', async () => {
		const file = join(directory, 'killed.sqlite');
		const script = new URL('../../../../support/series-writer.ts', import.meta.url);
		const child = spawn(process.execPath, [script.pathname, file], { stdio: ['ignore', 'pipe', 'inherit'] });
		let completed = 0;
		for await (const line of createInterface({ input: child.stdout })) {
			completed = Number(line);
			if (completed >= 30) child.kill('SIGKILL');
		}
		if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		expect(child.signalCode).toBe('SIGKILL');
		await withSeries({ file, topicColumn: '_measurement' }, async (series) => {
			const [first] = await series.read('d', [{ ...newest('t'), lookback: { ms: 1000 } }], 1000);
			expect(first !== undefined && 'values' in first ? first.values[0] : null).toBeGreaterThanOrEqual(completed);
		});
		const sqlite = new DatabaseSync(file);
		expect(sqlite.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
		// Every write stored all of its hundred points, or none.
		expect(sqlite.prepare('SELECT count(*) % 100 AS rest FROM sample').get()).toEqual({ rest: 0 });
		sqlite.close();
	});
});
