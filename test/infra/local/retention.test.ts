import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { openSqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import { startRetention } from '#infra/local/retention.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2024, 2, 15, 12);

const makeLog = () => {
	const lines: string[] = [];
	return {
		lines,
		info: (message: string) => lines.push(`info ${message}`),
		error: (message: string) => lines.push(`error ${message}`),
		request: () => undefined,
	};
};

describe('startRetention', () => {
	test('deletes samples beyond the retention at the start, and waits for that in stop', async () => {
		const series = await openSqliteTimeSeries({ file: ':memory:', topicColumn: '_measurement' });
		const text = `old f=1 ${now - dayMs - 1}\nkept f=2 ${now - dayMs}`;
		await series.write('d', parseLineProtocol(text, { precision: 'ms', nowNs: 0n }).points);
		const log = makeLog();
		await startRetention({ series, retentionMs: dayMs, now: () => now, log }).stop();
		const keys = ['old', 'kept'].map((topic): SeriesKey => ({ read: 'newest', topic, field: 'f', lookback: { ms: 10 * dayMs } }));
		expect(await series.read('d', keys, now)).toMatchObject([{ values: [] }, { values: [2] }]);
		expect(log.lines).toEqual(['info Samples beyond the retention were deleted.']);
		await series.close();
	});

	test('logs a sweep that fails, and does not reject', async () => {
		const log = makeLog();
		const sweep = async () => {
			await pause(1);
			throw new Error('disk full');
		};
		await startRetention({ series: { sweep }, retentionMs: dayMs, now: () => now, log }).stop();
		expect(log.lines).toEqual(['error Samples beyond the retention could not be deleted.']);
	});
});
