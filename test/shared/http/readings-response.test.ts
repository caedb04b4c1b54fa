import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reading } from '#domain/reading/reading.ts';
import type { ApiResult } from '#http/event.ts';
import { createLambdaHandler } from '#http/lambda-handler.ts';
import type { RequestRecord } from '#http/log.ts';
import { readingsResponse } from '#http/readings-response.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeEvent } from '#test/support/builders/events.ts';

/** Lambda's limit on a result. */
const maxResultBytes = 6 * 1024 * 1024;

const good = { name: 'Flow', unit: 'L/s', quality: 'good', reason: null, bits: null, inputTimes: null } as const;

const newest = (id: number, overrides: Partial<Reading> = {}): Reading => ({
	...good,
	id,
	type: 'last',
	content: { type: 'last', value: id / 3, time: 1_795_262_400_000 },
	...overrides,
});

/** A history with a value of many digits for each minute. */
const history = (id: number, points: number): Reading => ({
	...good,
	id,
	type: 'history',
	content: {
		type: 'history',
		series: Array.from({ length: points }, (_, index) => [1_795_262_400_000 + index * 60_000, -index / 7] as const),
	},
});

let records: RequestRecord[] = [];
const send = async (readings: readonly Reading[], acceptEncoding = 'identity'): Promise<ApiResult> => {
	records = [];
	const log = { ...silentLog, request: (record: RequestRecord) => void records.push(record) };
	const event = makeEvent('POST /multipleDataTsdb', { headers: { 'accept-encoding': acceptEncoding } });
	return createLambdaHandler(log, async () => readingsResponse(readings))(event);
};

const entriesOf = ({ body = '', isBase64Encoded }: ApiResult): Record<string, unknown>[] =>
	JSON.parse(isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body).data;

const bytesOf = (result: ApiResult): number => Buffer.byteLength(JSON.stringify(result));

const skippedOf = (result: ApiResult): unknown[] =>
	entriesOf(result).flatMap(({ id, quality }) => (quality === 'skipped' ? [id] : []));

describe('the response of a batch read', () => {
	test('has all of 100,000 points and 500 newest values within 6 MB, with and without gzip', async () => {
		const readings = [
			...Array.from({ length: 500 }, (_, index) => newest(index + 1)),
			...Array.from({ length: 10 }, (_, index) => history(1001 + index, 10_000)),
		];
		for (const encoding of ['identity', 'gzip']) {
			const result = await send(readings, encoding);
			expect(result.statusCode).toBe(200);
			expect(bytesOf(result)).toBeLessThanOrEqual(maxResultBytes);
			expect(entriesOf(result)).toHaveLength(510);
			expect(skippedOf(result)).toEqual([]);
			expect(records).toMatchObject([{ readings: { good: 510 } }]);
		}
	});

	test('skips histories beyond 5.5 MB without gzip, from the end, and keeps every newest value', async () => {
		const histories = [1001, 1002, 1003].map((id) => history(id, 50_000));
		const readings = [...histories, ...Array.from({ length: 100 }, (_, index) => newest(index + 1))];
		const result = await send(readings);
		expect(result.statusCode).toBe(200);
		expect(skippedOf(result)).toEqual([1003]);
		expect(entriesOf(result)[2]).toEqual({
			...{ id: 1003, kind: 'history', name: 'Flow', unit: 'L/s', type: 'history', quality: 'skipped', series: [] },
			reason: {
				code: 'answer_too_large',
				message: 'The answer would be larger than 6 MB: send Accept-Encoding: gzip, or ask for it in another request.',
				inputs: [],
			},
		});
		expect(bytesOf(result)).toBeLessThanOrEqual(maxResultBytes);
		expect(bytesOf(result)).toBeGreaterThan(4_500_000);
		expect(records).toMatchObject([{ status: 200, readings: { good: 102, skipped: 1 } }]);
		expect(skippedOf(await send(readings, 'gzip'))).toEqual([]);
	});

	test('skips nothing on one side of 6 MB, and one history on the other', async () => {
		const padding = (length: number) => newest(1, { name: 'x'.repeat(length) });
		const readings = [history(2, 100), padding(0)];
		const limit = 6 * 1024 * 1024 - 16_384;
		const rest = limit - bytesOf(await send(readings));
		expect(skippedOf(await send([history(2, 100), padding(rest)]))).toEqual([]);
		expect(bytesOf(await send([history(2, 100), padding(rest)]))).toBe(limit);
		expect(skippedOf(await send([history(2, 100), padding(rest + 1)]))).toContain(2);
	});

	const random = (length: number, seed: number): string =>
		Array.from({ length }, (_, index) =>
			String.fromCodePoint(0x4e00 + ((index * index * 7919 + index * 104_729 * seed) % 20_000)),
		).join('');

	test('skips readings whose names are too large even when compressed, and says so without advice that was followed', async () => {
		const bits = (seed: number) =>
			Array.from({ length: 8 }, (_, bit) => ({ id: bit, name: random(200, seed * 8 + bit), bit, value: 1 as const }));
		const readings = Array.from({ length: 2000 }, (_, index) => newest(index + 1, { bits: bits(index) }));
		const result = await send(readings, 'gzip');
		expect(result.statusCode).toBe(200);
		expect(bytesOf(result)).toBeLessThanOrEqual(maxResultBytes);
		const entries = entriesOf(result);
		expect(entries.map(({ id }) => id)).toEqual(readings.map(({ id }) => id));
		expect(entries[0]).toMatchObject({ quality: 'good', value: 1 / 3 });
		expect(entries.at(-1)).toEqual({
			...{ id: 2000, kind: 'missing', name: null, unit: null, type: null, quality: 'skipped', value: null, time: null },
			reason: {
				code: 'answer_too_large',
				message: 'The answer would be larger than 6 MB: ask for it in another request.',
				inputs: [],
			},
		});
	});

	test('fits with 10,000 readings of the longest names, none of which can be sent', async () => {
		const name = '\u0000'.repeat(200);
		const readings = Array.from({ length: 10_000 }, (_, index) => newest(Number.MAX_SAFE_INTEGER - index, { name, unit: name }));
		const result = await send(readings);
		expect([result.statusCode, entriesOf(result).length]).toEqual([200, 10_000]);
		expect(bytesOf(result)).toBeLessThanOrEqual(maxResultBytes);
	});

	test('fits, keeps the order, and skips newest values only after all histories, whatever it holds', async () => {
		const part = fc.oneof(
			fc.constantFrom(0, 100, 20_000).map((points) => history(0, points)),
			fc.constantFrom(1, 200, 1_500_000).map((length) => newest(0, { name: 'ñ'.repeat(length) })),
		);
		const tooLarge = [history(0, 100), newest(0, { name: 'ñ'.repeat(3_500_000) })];
		let shrunk = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.constantFrom('gzip', 'identity'), async (parts, encoding) => {
				const readings = parts.map((reading, index) => ({ ...reading, id: index + 1 }));
				const result = await send(readings, encoding);
				expect(result.statusCode).toBe(200);
				expect(bytesOf(result)).toBeLessThanOrEqual(maxResultBytes);
				const entries = entriesOf(result);
				expect(entries.map(({ id }) => id)).toEqual(readings.map(({ id }) => id));
				const kept = entries.filter(({ quality }) => quality === 'good');
				const hasSkippedNewest =
					kept.length < entries.length && entries.some(({ type, quality }) => type !== 'history' && quality === 'skipped');
				if (hasSkippedNewest) expect(kept.some(({ series }) => Array.isArray(series) && series.length > 0)).toBe(false);
				if (kept.length < entries.length) shrunk += 1;
			}),
			{ numRuns: 30, examples: [[tooLarge, 'identity']] },
		);
		expect(shrunk).toBeGreaterThan(0);
	}, 60_000);
});
