import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSavedAlarms } from '#domain/alarm/saved-alarms.ts';
import { createDefinitionCache } from '#domain/reading/definition-cache.ts';
import type { WriteDeps } from '#domain/transaction/run-transaction.ts';
import { createHandler as getAlarms } from '#functions/getAlarms/handler.ts';
import { createHandler as getBombs } from '#functions/getBombs/handler.ts';
import { createHandler as getVarsTsdb } from '#functions/getVarsTsdb/handler.ts';
import { createHandler as multipleDataTsdb } from '#functions/multipleDataTsdb/handler.ts';
import { createHandler as saveVariable } from '#functions/saveVariable/handler.ts';
import type { ApiHandler } from '#http/event.ts';
import type { Log, RequestRecord } from '#http/log.ts';
import { createSqliteAlarmStore } from '#infra/local/adapters/sqlite/sqlite-alarm-store.ts';
import { openDatabase } from '#infra/local/adapters/sqlite/sqlite-database.ts';
import { silentLog } from '#infra/local/console-log.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { makeEvent, type RequestParts } from '#test/support/builders/events.ts';
import { saveSmallSchema } from '#test/support/builders/small-schema.ts';
import { makeSpanReader } from '#test/support/fakes/fake-span-reader.ts';
import { makeSeries, makeTimeSeries, noSamples } from '#test/support/fakes/fake-time-series.ts';

const now = 1_795_262_400_000;
const secondsAgo = (seconds: number): number => now - seconds * 1000;

let records: RequestRecord[];
const log: Log = { ...silentLog, request: (record) => void records.push(record) };

/** The readings in the record that the handler logs. */
const readingsOf = async (handler: ApiHandler, routeKey: string, parts: RequestParts = {}) => {
	const { statusCode, body } = await handler(makeEvent(routeKey, parts));
	expect(statusCode, body).toBe(200);
	return records.at(-1)?.readings;
};

describe('the request record counts readings by quality', () => {
	let writes: WriteDeps;
	beforeAll(async () => {
		writes = await saveSmallSchema();
	});
	beforeEach(() => {
		records = [];
	});

	const depsWith = (sampledAt: number | null) => {
		const points = sampledAt === null ? [] : [[sampledAt, 129] as const];
		const { timeSeries } = makeTimeSeries(new Map([['plant/flow', makeSeries(points)]]));
		const idempotency = { claim: async () => ({ state: 'claimed' }) as const, release: async () => undefined };
		return {
			...writes,
			admit: async () => undefined,
			log,
			now: () => now,
			newId: () => 'id',
			definitions: createDefinitionCache(writes.store),
			timeSeries,
			idempotency,
		};
	};

	test.each([
		['good', { good: 2, missing_reference: 1 }, secondsAgo(30)],
		['stale', { stale: 2, missing_reference: 1 }, secondsAgo(300)],
		['no_data', { no_data: 2, missing_reference: 1 }, null],
	] as const)('counts a batch read: %s', async (_, counts, sampledAt) => {
		const body = { ids: [1, 2, 99] };
		expect(await readingsOf(multipleDataTsdb(depsWith(sampledAt)), 'POST /multipleDataTsdb', { body })).toEqual(counts);
	});

	test('counts the items of the panel', async () => {
		expect(await readingsOf(getBombs(depsWith(secondsAgo(30))), 'GET /bombs')).toEqual({ good: 2 });
	});

	test('counts the alarms', async () => {
		const alarms = createSqliteAlarmStore(openDatabase(':memory:'));
		const deps = { ...depsWith(secondsAgo(300)), alarms, savedAlarms: createSavedAlarms(writes.store), settleMs: 15_000 };
		expect(await readingsOf(getAlarms(deps), 'GET /getAlarms')).toEqual({ stale: 2 });
	});

	test('counts a dry run of a variable', async () => {
		const handler = saveVariable({ ...depsWith(null), ...makeSpanReader(), timeSeries: noSamples });
		const query = { dryRun: '1' };
		expect(await readingsOf(handler, 'POST /saveVariable', { body: makeBody(), query })).toEqual({ no_data: 1 });
	});

	test('has no counts for endpoints that read nothing', async () => {
		expect(
			await readingsOf(saveVariable({ ...depsWith(null), ...makeSpanReader(), timeSeries: noSamples }), 'POST /saveVariable', {
				body: makeBody({ id: 1 }),
			}),
		).toBeUndefined();
		expect(await readingsOf(getVarsTsdb(depsWith(null)), 'GET /getVarsTsdb')).toBeUndefined();
	});
});
