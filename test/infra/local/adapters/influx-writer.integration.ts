import { expect, test } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import { createInfluxBuckets, createInfluxWriter } from '#infra/local/adapters/influx-writer.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';

describeInflux('createInfluxWriter', () => {
	test('stores field keys that begin with a tab or NUL unchanged', async () => {
		const { url, org, token } = influxd();
		const bucket = await newBucket();
		const { write } = createInfluxWriter({ url, org, token: staticSecret(token), timeoutMs: 5000 });
		const text = 'm,site=x a=1,\tb=2i,\0c="t" 12\n\0 m \0\td=4,\te=5 13';
		await write(bucket, parseLineProtocol(text, { precision: 's', nowNs: 0n }).points);
		const response = await fetch(`${url}/api/v2/query?${new URLSearchParams({ org })}`, {
			method: 'POST',
			headers: { authorization: `Token ${token}`, 'content-type': 'application/vnd.flux' },
			body: `from(bucket: "${bucket}") |> range(start: 0) |> keep(columns: ["_field"]) |> group() |> distinct(column: "_field")`,
		});
		const fields = (await response.text()).split('\r\n').flatMap((row) => row.split(',')[3] ?? []);
		expect(fields.map((field) => field.replaceAll('"', '')).sort()).toEqual(['\0c', '\tb', '\te', '_value', 'a', 'd']);
	});
});

describeInflux('writeLines of createInfluxWriter', () => {
	test('returns what InfluxDB refused, line by line, and throws where the whole request fails', async () => {
		const { url, org, token } = influxd();
		const bucket = await newBucket();
		const { writeLines, write } = createInfluxWriter({ url, org, token: staticSecret(token), timeoutMs: 5000 });
		const { points, lines } = parseLineProtocol('m f=1,g=2 1\nm f=1i,h=3 2\nm f=2,h=4 3\nm time=1 4', {
			precision: 's',
			nowNs: 0n,
		});
		const reason = 'field type conflict: input field "f" on measurement "m" is type integer, already exists as type float';
		const conflict = { reason, dropped: 1, lines: [] };
		expect(await writeLines(bucket, points.slice(0, -1), lines.slice(0, -1))).toEqual([conflict]);
		expect(await writeLines(bucket, points.slice(-1), lines.slice(-1))).toEqual([
			{ reason: 'invalid field name: input field "time" on measurement "m" is invalid', dropped: 1, lines: [] },
		]);
		const series = openInflux();
		const samples = await series.readSamples(
			bucket,
			['f', 'g', 'h'].map((field) => ({ topic: 'm', field, from: 0, to: 10_000 })),
		);
		expect(samples.map((result) => ('fault' in result ? result : result.flatMap(({ values }) => [...values])))).toEqual([
			[1, 2],
			[2],
			[4],
		]);
		series.close();
		await expect(write(bucket, points.slice(2, 3))).rejects.toMatchObject({ code: 'dependency_failed' });
		await expect(writeLines('none', points, lines)).rejects.toMatchObject({ code: 'dependency_failed' });
	});
});

describeInflux('createInfluxBuckets', () => {
	test('finds and creates buckets of the organisation', async () => {
		const { url, org, token } = influxd();
		const buckets = createInfluxBuckets({ url, org, token: staticSecret(token), timeoutMs: 5000 });
		const name = `created-${Date.now()}`;
		expect(await buckets.has(name)).toBe(false);
		expect([await buckets.create(name), await buckets.create(name)]).toEqual([true, false]);
		expect(await buckets.has(name)).toBe(true);
		expect(await buckets.has(await newBucket())).toBe(true);
	});
});
