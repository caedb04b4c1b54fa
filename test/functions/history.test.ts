import { beforeAll, describe, expect, test } from 'vitest';
import type { SeriesKey, TimeSeries } from '#domain/ports/time-series.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import { nameOfSource } from '#domain/totals/join-sources.ts';
import { createHandler } from '#functions/history/handler.ts';
import type { ApiHandler } from '#http/event.ts';
import type { RequestRecord } from '#http/log.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';
import { errorEntry } from '#test/support/error-entry.ts';
import { makeSpanReader } from '#test/support/fakes/fake-span-reader.ts';
import { makeSeries } from '#test/support/fakes/fake-time-series.ts';

const now = 1_795_262_400_000;
const minuteMs = 60_000;

describe('POST /history', () => {
	let records: RequestRecord[];
	let handler: ApiHandler;
	/** The reads of sources. */
	let reads: (readonly [database: string, keys: readonly SeriesKey[], now: number])[];
	beforeAll(async () => {
		const { store } = await saveSmallSchema();
		const { spans } = makeSpanReader({
			'plant/flow': [
				[now - 3 * minuteMs, 1],
				[now - 2 * minuteMs, 256],
				[now - minuteMs, 7],
				[now - 1, 9, 'other'],
			],
		});
		const log = { ...silentLog, request: (record: RequestRecord) => void records.push(record) };
		const sources = new Map(['1', '2'].map((id) => [nameOfSource({ tags: [['slave_id', id]] }), makeSeries([[now - 1, 1]])]));
		const timeSeries: TimeSeries = {
			read: async (...read) => {
				reads.push(read);
				return read[1].map(() => ({ ...makeSeries([]), sources }));
			},
		};
		handler = createHandler({ log, now: () => now, definitions: createDefinitionCache(store), timeSeries, spans });
	});

	const post = async (body: Readonly<Record<string, unknown>> | undefined) => {
		records = [];
		reads = [];
		const { statusCode, body: text = '' } = await handler(makeEvent('POST /history', { body }));
		return { status: statusCode, body: JSON.parse(text) };
	};
	const windows = { start: now - 4 * minuteMs, period: { count: 1, unit: 'm' } };

	test('answers the windows once, and of each variable its columns, faults and unavailable aggregates', async () => {
		const { status, body } = await post({ ids: [2, 1, 99], ...windows, aggregates: ['max', 'last', 'first', 'count'] });
		expect(status).toBe(200);
		const common = { name: 'Flow', unit: 'L/s', quality: 'good', period: { count: 1, unit: 'm' }, aggregate: 'last' };
		const nulls = [null, null, null, null];
		const values = { last: [null, 1, 256, null], first: [null, 1, 256, null], count: [0, 1, 1, null] };
		const bytes = [null, 1, null, null];
		expect(body).toEqual({
			data: {
				bounds: [4, 3, 2, 1, 0].map((minutes) => now - minutes * minuteMs),
				period: { count: 1, unit: 'm' },
				timeZone: 'UTC',
				dayStart: '00:00',
				variables: [
					{
						...{ id: 2, ...common },
						values: { ...values, last: bytes, first: bytes },
						faults: { not_a_byte: [2], several_series: [3] },
						unavailable: ['max'],
					},
					{ id: 1, ...common, values: { max: [null, 1, 256, null], ...values }, faults: { several_series: [3] } },
					{
						...{ id: 99, name: null, unit: null, quality: 'missing_reference', period: null, aggregate: null },
						reason: { code: 'missing_reference', message: expect.any(String), inputs: [] },
						values: { max: nulls, last: nulls, first: nulls, count: nulls },
					},
				],
			},
		});
	});

	test('names the tags of several sources, with one read of the range where they leave no value', async () => {
		const start = now - minuteMs;
		const { body } = await post({ ids: [1, 99], start, period: { count: 1, unit: 'm' } });
		const tags = [{ name: 'slave_id', values: ['1', '2'] }];
		expect(body.data.variables[0]).toMatchObject({
			quality: 'bad',
			reason: { code: 'several_series', inputs: ['Flow'], tags },
		});
		const key = { read: 'newest', topic: 'plant/flow', field: 'value', lookback: { ms: minuteMs }, bySource: true };
		expect(reads).toEqual([[expect.any(String), [key], now]]);
		await post({ ids: [1, 99], ...windows });
		expect(reads).toEqual([]);
	});

	test('counts the variables by quality in the request record', async () => {
		await post({ ids: [1, 2, 99], ...windows });
		expect(records.map(({ status, readings }) => [status, readings])).toEqual([[200, { good: 2, missing_reference: 1 }]]);
	});

	test('answers 400 with every wrong field, and 413 beyond a limit', async () => {
		const wrong = await post({ start: 'now', dayStart: '6' });
		expect([wrong.status, Object.keys(wrong.body).sort()]).toEqual([400, ['dayStart', 'ids', 'start']]);
		const large = await post({ ids: [1], start: now - 100_001, period: { count: 1, unit: 'ms' } });
		expect(large).toEqual({
			status: 413,
			body: { request: errorEntry('too_large', expect.stringMatching(/ 100001, at most 100000\. Ask/)) },
		});
		expect((await post(undefined)).status).toBe(400);
	});

	test('answers 100,000 values without gzip', async () => {
		const { status, body } = await post({ ids: [1], start: now - 100_000, period: { count: 1, unit: 'ms' } });
		expect(status).toBe(200);
		expect(body.data.variables[0].values.own).toHaveLength(100_000);
	});
});
