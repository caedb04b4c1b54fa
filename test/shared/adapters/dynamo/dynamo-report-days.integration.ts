import { deflateRawSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoReportDays } from '#adapters/dynamo/dynamo-report-days.ts';
import { serializeDay } from '#adapters/stored-report-day.ts';
import { reportDaysContract } from '#test/contract/report-days.ts';
import { reportCrashSuite } from '#test/support/reports/crash-suite.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';
import { describeDynamo, openAdapters } from '#test/support/servers/dynamo.ts';

/** DynamoDB Local takes seconds for many parallel requests on a busy machine. */
const patient = { connectTimeoutMs: 60_000, requestTimeoutMs: 60_000, deadlineMs: 60_000 };

describeDynamo('days of reports on DynamoDB Local', () => {
	reportDaysContract('DynamoDB', async () => (await openAdapters({ limits: patient })).reportDays, 20);
	reportCrashSuite('DynamoDB', 100, async () => (await openAdapters({ limits: patient })).reportDays);

	test('are stored compressed: the bytes of 40 lines', async () => {
		const { dynamo, names } = await openAdapters();
		const { lines } = makeStoredDay('2026-11-20');
		const day = makeStoredDay('2026-11-20', { lines: Array.from({ length: 8 }, () => lines).flat() });
		await createDynamoReportDays(dynamo, names.reportDays).put({ schema: 's', reportId: 7 }, day, null);
		const { Items: items = [] } = await dynamo.client.send(new ScanCommand({ TableName: names.reportDays }));
		expect(items).toEqual([
			{ schema: 's', key: 'day#7#2026-11-20', stamp: 1, body: new Uint8Array(deflateRawSync(serializeDay(day))) },
		]);
	});
});
