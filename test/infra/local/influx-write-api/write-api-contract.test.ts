import { openSqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';
import { parseTarget } from '#infra/local/gateway/http.ts';
import { createWriteApi } from '#infra/local/influx-write-api/write-api.ts';
import { type OpenWriteApi, type WriteRequest, writeApiContract } from '#test/contract/write-api.ts';

const now = Date.UTC(2024, 2, 25, 12);
/** Longer ago than any sample of the suite. */
const noRetentionMs = 400 * 366 * 86_400_000;

writeApiContract('the write API of one machine', async (): Promise<OpenWriteApi> => {
	const series = await openSqliteTimeSeries({ file: ':memory:', topicColumn: '_measurement' });
	const retentions = new Map<string, number>();
	const token = 'write-token';
	return {
		token,
		send: async ({ method, target, headers, body }: WriteRequest) => {
			const { path, query } = parseTarget({ url: target });
			const bucket = query.get('bucket') ?? query.get('db') ?? '';
			const retentionMs = retentions.get(bucket) ?? noRetentionMs;
			const api = createWriteApi({ ...series, token, retentionMs, now: () => now });
			const { status, body: text } = await api({ method, path, query, headers, readBody: async () => Buffer.from(body) });
			return { status, text: String(text) };
		},
		newBucket: async (retentionMs = noRetentionMs) => {
			const name = `bucket-${retentions.size}`;
			retentions.set(name, retentionMs);
			await series.createBucket(name);
			return name;
		},
		now: () => now + 1,
		reads: series,
		close: series.close,
	};
});
