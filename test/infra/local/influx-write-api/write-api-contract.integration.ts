import { randomUUID } from 'node:crypto';
import { writeApiContract } from '#test/contract/write-api.ts';
import { describeInflux, influxd, openInflux } from '#test/support/servers/influx.ts';
import { createBucket, deleteBucket } from '#test/support/servers/influxd.ts';

describeInflux('influxd 2.7', () => {
	writeApiContract('its write API', async () => {
		const access = influxd();
		const reads = openInflux();
		const buckets: string[] = [];
		return {
			token: access.token,
			send: async ({ method, target, headers, body }) => {
				const response = await fetch(`${access.url}${target}`, { method, headers, body: new Uint8Array(Buffer.from(body)) });
				return { status: response.status, text: await response.text() };
			},
			newBucket: async (retentionMs) => {
				const name = `write-${randomUUID()}`;
				buckets.push(name);
				await createBucket(access, name, retentionMs);
				return name;
			},
			now: () => Date.now() + 1000,
			reads,
			close: async () => {
				reads.close();
				for (const name of buckets) await deleteBucket(access, name);
			},
		};
	});
});
