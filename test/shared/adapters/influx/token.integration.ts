import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { InfluxTimeSeries } from '#adapters/influx/influx-time-series.ts';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { createInfluxWriter } from '#infra/local/adapters/influx-writer.ts';
import type { Point } from '#infra/local/adapters/line-protocol/point.ts';
import { newest, noon, ns } from '#test/contract/time-series/feed.ts';
import { fault } from '#test/support/servers/faulty-proxy.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
import { honest, type InfluxProxy, openInfluxProxy } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';
import { openStoredSecret, type StoredSecret } from '#test/support/servers/stored-secret.ts';

/** A token that InfluxDB accepts, until it is deleted or put out of use. */
interface Authorization {
	readonly id: string;
	readonly token: string;
}
const authorizationSchema = v.object({ id: v.string(), token: v.string() });

const asked = async (method: string, path: string, body?: object): Promise<Response> => {
	const { url, token } = influxd();
	const response = await fetch(`${url}/api/v2/authorizations${path}`, {
		method,
		headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	if (!response.ok) throw new Error(`${method} of an authorization: ${response.status} ${await response.text()}`);
	return response;
};
const authorize = async (): Promise<Authorization> => {
	const { orgId: orgID } = influxd();
	const permissions = ['read', 'write'].map((action) => ({ action, resource: { type: 'buckets', orgID } }));
	return v.parse(authorizationSchema, await (await asked('POST', '', { orgID, permissions })).json());
};
const remove = ({ id }: Authorization): Promise<unknown> => asked('DELETE', `/${id}`);
const endings: readonly [string, (of: Authorization) => Promise<unknown>][] = [
	['deleted', remove],
	['put out of use', ({ id }) => asked('PATCH', `/${id}`, { status: 'inactive' })],
];

const keys: readonly SeriesKey[] = [newest('a')];

describeInflux('a token that is changed', () => {
	let bucket: string;
	let proxy: InfluxProxy;
	let first: Authorization;
	let stored: StoredSecret;
	let series: InfluxTimeSeries;

	beforeAll(async () => {
		bucket = await newBucket();
		await writeLines(influxd(), bucket, `a value=5 ${ns(noon - 1000)}`);
		proxy = await openInfluxProxy(influxd().url);
	});
	afterAll(() => proxy.close());
	afterEach(() => {
		series.close();
		stored.close();
		proxy.meet(honest);
	});

	/** The adapter, which has read with its first token. */
	const open = async (deadlineMs = 5000): Promise<void> => {
		first = await authorize();
		stored = await openStoredSecret(first.token);
		series = openInflux({ url: proxy.url, token: stored.secret, deadlineMs });
		await reads();
		proxy.count();
	};
	const reads = async (): Promise<void> => {
		expect(await series.read(bucket, keys, noon)).toMatchObject([{ values: [5] }]);
	};
	const fails = async (code: string, cause: RegExp): Promise<void> => {
		const error: unknown = await series.read(bucket, keys, noon).catch((caught: unknown) => caught);
		expect(error).toMatchObject({ code, payload: { dependency: 'tsdb', cause: expect.stringMatching(cause) } });
		expect(String(error)).not.toContain(first.token);
	};

	test.each(endings)(
		'is read once and kept while it is accepted; once it is %s, the new one is shown at once',
		async (_, end) => {
			await open();
			await reads();
			expect([proxy.count(), stored.readings()]).toEqual([1, 1]);
			stored.put((await authorize()).token);
			await reads();
			expect([proxy.count(), stored.readings()]).toEqual([1, 1]);
			await end(first);
			await reads();
			expect([proxy.count(), stored.readings()]).toEqual([2, 2]);
			await reads();
			expect([proxy.count(), stored.readings()]).toEqual([1, 2]);
		},
	);

	test('is read once for twenty reads at once', async () => {
		await open();
		stored.put((await authorize()).token);
		await remove(first);
		await Promise.all(Array.from({ length: 20 }, reads));
		expect([proxy.count(), stored.readings()]).toEqual([40, 2]);
	});

	test('refused and the same still: one fault of one request, and one reading for many', async () => {
		await open();
		await remove(first);
		for (const readings of [2, 2, 2]) {
			await fails('dependency_failed', /^HTTP 401: /);
			expect([proxy.count(), stored.readings()]).toEqual([1, readings]);
		}
	});

	test('kept where a bucket is not there: one fault of one request, and one reading for many', async () => {
		await open();
		for (const database of ['absent', 'absent', 'missing']) {
			await expect(series.read(database, keys, noon)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: expect.stringMatching(/^HTTP 404: .*could not find bucket/) },
			});
			expect([proxy.count(), stored.readings()]).toEqual([1, 2]);
		}
		await reads();
	});

	test('refused, and the new one too: one fault of two requests', async () => {
		await open();
		await remove(first);
		stored.put('never-accepted');
		await fails('dependency_failed', /^HTTP 401: /);
		expect([proxy.count(), stored.readings()]).toEqual([2, 2]);
	});

	test('whose first request finds the connection closed', async () => {
		await open();
		stored.put((await authorize()).token);
		await remove(first);
		let isFirst = true;
		proxy.meet((response, forward) => {
			if (!isFirst) return honest(response, forward);
			isFirst = false;
			response.socket?.destroy();
		});
		await reads();
		expect([proxy.count(), stored.readings()]).toEqual([3, 2]);
	});

	test('and cannot be read: a fault that says why; slow, where it takes longer than the read has', async () => {
		await open(300);
		await remove(first);
		stored.meet(() => fault('AccessDeniedException'));
		await fails('dependency_failed', /^HTTP 401: unauthorized access; Secret .* cannot be read: AccessDeniedException/);
		series.close();
		stored.close();
		stored = await openStoredSecret('any');
		stored.meet(() => 'silence');
		series = openInflux({ url: proxy.url, token: stored.secret, deadlineMs: 300 });
		proxy.count();
		const from = performance.now();
		await fails('dependency_slow', /^the token was not read in time$/);
		expect(performance.now() - from).toBeLessThan(2000);
		expect(proxy.count()).toBe(0);
	});

	test.each(endings)('is shown by a writer too, once it is %s; where that is refused, it is a fault', async (_, end) => {
		await open();
		const write = createInfluxWriter({ url: proxy.url, org: influxd().org, token: stored.secret, timeoutMs: 5000 });
		const points: readonly Point[] = [
			{ measurement: 'written', tags: '[]', field: 'value', value: { kind: 'float', value: 7 }, timeNs: ns(noon - 1000) },
		];
		const second = await authorize();
		stored.put(second.token);
		await end(first);
		await write(bucket, points);
		expect([proxy.count(), stored.readings()]).toEqual([2, 2]);
		expect(await series.read(bucket, [newest('written')], noon)).toMatchObject([{ values: [7] }]);
		await end(second);
		proxy.count();
		await expect(write(bucket, points)).rejects.toMatchObject({
			code: 'dependency_failed',
			payload: { cause: expect.stringMatching(/^HTTP 40[13]: /) },
		});
		expect([proxy.count(), stored.readings()]).toEqual([1, 3]);
	});
});
