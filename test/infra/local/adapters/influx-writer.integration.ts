import { expect, test } from 'vitest';
import { staticSecret } from '#adapters/secret.ts';
import { createInfluxBuckets, createInfluxWriter } from '#infra/local/adapters/influx-writer.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { describeInflux, influxd, newBucket } from '#test/support/servers/influx.ts';

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
