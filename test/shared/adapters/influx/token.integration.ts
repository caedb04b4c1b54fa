import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { SeriesKey } from '#domain/ports/time-series.ts';
import { createInfluxWriter } from '#infra/local/adapters/influx-writer.ts';
import type { Point } from '#infra/local/adapters/line-protocol/point.ts';
import { newest, noon, ns } from '#test/contract/time-series/feed.ts';
import { awsError } from '#test/support/servers/faulty-proxy.ts';
import { describeInflux, influxd, newBucket, openInflux } from '#test/support/servers/influx.ts';
import { type InfluxProxy, openInfluxProxy, passThrough } from '#test/support/servers/influx-proxy.ts';
import { writeLines } from '#test/support/servers/influxd.ts';
import type { InfluxTimeSeries } from '#test/support/servers/open-influx.ts';
import { openStoredSecret, type StoredSecret } from '#test/support/servers/stored-secret.ts';

/** A token that InfluxDB accepts until it is deleted or made inactive. */
interface Authorization {
	readonly id: string;
	readonly token: string;
}
const authorizationSchema = v.object({ id: v.string(), token: v.string() });

const requestAuthorization = async (method: string, path: string, body?: object): Promise<Response> => {
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
	return v.parse(authorizationSchema, await (await requestAuthorization('POST', '', { orgID, permissions })).json());
};
const remove = ({ id }: Authorization): Promise<unknown> => requestAuthorization('DELETE', `/${id}`);
const invalidations: readonly [string, (authorization: Authorization) => Promise<unknown>][] = [
	['deleted', remove],
	['made inactive', ({ id }) => requestAuthorization('PATCH', `/${id}`, { status: 'inactive' })],
];

const keys: readonly SeriesKey[] = [newest('a')];

describeInflux('InfluxDB token rotation', () => {
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
		proxy.handleWith(passThrough);
	});

	/** Opens the adapter and reads once with its first token. */
	const openAndRead = async (deadlineMs = 5000): Promise<void> => {
		first = await authorize();
		stored = await openStoredSecret(first.token);
		series = openInflux({ url: proxy.url, token: stored.secret, deadlineMs });
		await expectRead();
		proxy.newRequests();
	};
	const expectRead = async (): Promise<void> => {
		expect(await series.read(bucket, keys, noon)).toMatchObject([{ values: [5] }]);
	};
	const expectFailure = async (code: string, cause: RegExp): Promise<void> => {
		const error: unknown = await series.read(bucket, keys, noon).catch((caught: unknown) => caught);
		expect(error).toMatchObject({ code, payload: { dependency: 'tsdb', cause: expect.stringMatching(cause) } });
		expect(String(error)).not.toContain(first.token);
	};

	test.each(invalidations)(
		'reads the secret once while the token is accepted, and once more as soon as it is %s',
		async (_, invalidate) => {
			await openAndRead();
			await expectRead();
			expect([proxy.newRequests(), stored.readCount()]).toEqual([1, 1]);
			stored.put((await authorize()).token);
			await expectRead();
			expect([proxy.newRequests(), stored.readCount()]).toEqual([1, 1]);
			await invalidate(first);
			await expectRead();
			expect([proxy.newRequests(), stored.readCount()]).toEqual([2, 2]);
			await expectRead();
			expect([proxy.newRequests(), stored.readCount()]).toEqual([1, 2]);
		},
	);

	test('reads the secret once for twenty simultaneous reads', async () => {
		await openAndRead();
		stored.put((await authorize()).token);
		await remove(first);
		await Promise.all(Array.from({ length: 20 }, expectRead));
		expect([proxy.newRequests(), stored.readCount()]).toEqual([40, 2]);
	});

	test('fails after one request when the refused token did not change, and reads the secret once for many failures', async () => {
		await openAndRead();
		await remove(first);
		for (const readings of [2, 2, 2]) {
			await expectFailure('dependency_failed', /^HTTP 401: /);
			expect([proxy.newRequests(), stored.readCount()]).toEqual([1, readings]);
		}
	});

	test('keeps the token when a bucket does not exist, and reads the secret once for many failures', async () => {
		await openAndRead();
		for (const database of ['absent', 'absent', 'missing']) {
			await expect(series.read(database, keys, noon)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: expect.stringMatching(/^HTTP 404: .*could not find bucket/) },
			});
			expect([proxy.newRequests(), stored.readCount()]).toEqual([1, 2]);
		}
		await expectRead();
	});

	test('fails after two requests when the new token is refused too', async () => {
		await openAndRead();
		await remove(first);
		stored.put('never-accepted');
		await expectFailure('dependency_failed', /^HTTP 401: /);
		expect([proxy.newRequests(), stored.readCount()]).toEqual([2, 2]);
	});

	test('refreshes the token when the first connection was closed', async () => {
		await openAndRead();
		stored.put((await authorize()).token);
		await remove(first);
		let isFirst = true;
		proxy.handleWith(async (response, forward) => {
			if (!isFirst) return passThrough(response, forward);
			isFirst = false;
			response.socket?.destroy();
		});
		await expectRead();
		expect([proxy.newRequests(), stored.readCount()]).toEqual([3, 2]);
	});

	test('fails with the reason when the secret cannot be read, and as slow when reading it takes longer than the deadline', async () => {
		await openAndRead(300);
		await remove(first);
		stored.respondWith(() => awsError('AccessDeniedException'));
		await expectFailure('dependency_failed', /^HTTP 401: unauthorized access; Secret .* cannot be read: AccessDeniedException/);
		series.close();
		stored.close();
		stored = await openStoredSecret('any');
		stored.respondWith(() => 'silence');
		series = openInflux({ url: proxy.url, token: stored.secret, deadlineMs: 300 });
		proxy.newRequests();
		// The limits of Secrets Manager itself would end it later, and otherwise.
		await expectFailure('dependency_slow', /^the token was not read in time$/);
		expect(proxy.newRequests()).toBe(0);
	});

	test.each(invalidations)(
		'uses the new token for a write once the old one is %s, and fails when the new one is refused',
		async (_, invalidate) => {
			await openAndRead();
			const { write } = createInfluxWriter({ url: proxy.url, org: influxd().org, token: stored.secret, timeoutMs: 5000 });
			const points: readonly Point[] = [
				{ measurement: 'written', tags: '[]', field: 'value', value: { kind: 'float', value: 7 }, timeNs: ns(noon - 1000) },
			];
			const second = await authorize();
			stored.put(second.token);
			await invalidate(first);
			await write(bucket, points);
			expect([proxy.newRequests(), stored.readCount()]).toEqual([2, 2]);
			expect(await series.read(bucket, [newest('written')], noon)).toMatchObject([{ values: [7] }]);
			await invalidate(second);
			proxy.newRequests();
			await expect(write(bucket, points)).rejects.toMatchObject({
				code: 'dependency_failed',
				payload: { cause: expect.stringMatching(/^HTTP 40[13]: /) },
			});
			expect([proxy.newRequests(), stored.readCount()]).toEqual([1, 3]);
		},
	);
});
