import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs } from '#domain/milliseconds.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { shardMsOf } from '#infra/local/adapters/sqlite-time-series/field-types.ts';
import { openSqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';

const folder = mkdtempSync(join(tmpdir(), 'caudal-types-'));
afterAll(() => rmSync(folder, { recursive: true }));
let file = '';
beforeEach(({ task }) => {
	file = join(folder, `${task.id}.db`);
});

/** Opens the file, writes line protocol in milliseconds, closes it, and returns the numbers of the lines that were refused. */
const refused = async (text: string, { shardMs = 7 * dayMs, isChecked = true } = {}): Promise<readonly number[]> => {
	const series = await openSqliteTimeSeries({ file, topicColumn: '_measurement', shardMs });
	const { points, lines } = parseLineProtocol(text, { precision: 'ms', nowNs: 0n });
	try {
		if (isChecked) return (await series.writeLines('d', points, lines)).flatMap((refusal) => refusal.lines);
		await series.write('d', points);
		return [];
	} finally {
		await series.close();
	}
};

/** Monday, 18 March 2024. */
const monday = Date.UTC(2024, 2, 18);

test.each([
	[180 * dayMs, 7 * dayMs],
	[180 * dayMs - 1, dayMs],
	[2 * dayMs, dayMs],
	[2 * dayMs - 1, hourMs],
])('a retention of %d ms has shards of %d ms', (retentionMs, shardMs) => {
	expect(shardMsOf(retentionMs)).toBe(shardMs);
});

test.each([
	[hourMs, monday + 5 * hourMs],
	[dayMs, monday + 3 * dayMs],
	[7 * dayMs, monday],
	[7 * dayMs, -3 * dayMs],
	[7 * dayMs, -10 * dayMs],
])('a field may have another type from the start of a shard of %d ms on', async (shardMs, start) => {
	const text = `m f=1 ${start - 1}\nm f=2i ${start}\nm f=3 ${start + shardMs - 1}\nm f=4 ${start + shardMs}`;
	expect(await refused(text, { shardMs })).toEqual([3]);
});

test('the type is found in stored samples after a restart, of any tag set', async () => {
	expect(await refused(`m,k=a f=1 ${monday}`)).toEqual([]);
	expect(await refused(`m,k=b f=1i ${monday + 6 * dayMs}\nm,k=b f=2 ${monday + 1}`)).toEqual([1]);
});

test('a file from before the rule, with two types in a shard, keeps the newest', async () => {
	await refused(`m f=1i ${monday}\nm f=2 ${monday + 1}`, { isChecked: false });
	expect(await refused(`m f=3i ${monday + 2}\nm f=4 ${monday + 3}`)).toEqual([1]);
});

test('a refused line leaves no topic, and a line is not divided between two steps', async () => {
	const fields = Array.from({ length: 7 }, (_, index) => `f${index}=1`).join();
	const lines = Array.from({ length: 6000 }, (_, index) => `m ${fields} ${monday + index}`);
	// The last field of a line of the middle has another type. A step of 20,000 points would end within line 2858.
	lines[2857] = `m ${fields.replace(/1$/, 'true')} ${monday + 2857}`;
	expect(await refused([...lines, `n time=1 ${monday}`].join('\n'))).toEqual([2858, 6001]);
	const series = await openSqliteTimeSeries({ file, topicColumn: '_measurement' });
	expect(await series.topics('d', monday + dayMs)).toEqual(['m']);
	const keys = ['f0', 'f6'].map((field) => ({ topic: 'm', field, from: monday, to: monday + dayMs }));
	expect(await series.countSamples('d', keys)).toEqual([5999, 5999]);
	await series.close();
});

test('times at the ends of what InfluxDB stores have shards', async () => {
	const ends = ['9223372036854775806', '-9223372036854775806'];
	const series = await openSqliteTimeSeries({ file, topicColumn: '_measurement' });
	const { points, lines } = parseLineProtocol(ends.map((end) => `m f=1 ${end}\nm f=1i ${end}`).join('\n'), {
		precision: 'ns',
		nowNs: 0n,
	});
	expect((await series.writeLines('d', points, lines)).flatMap((refusal) => refusal.lines)).toEqual([2, 4]);
	await series.close();
});
