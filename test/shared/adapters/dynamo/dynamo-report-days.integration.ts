import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createDynamoReportDays } from '#adapters/dynamo/dynamo-report-days.ts';
import { serializeDay } from '#adapters/stored-report-day.ts';
import { damagedClosing } from '#domain/ports/report-closings.ts';
import type { ReportKey } from '#domain/ports/report-days.ts';
import { reportClosingsContract } from '#test/contract/report-closings.ts';
import { reportDaysContract } from '#test/contract/report-days.ts';
import { reportCrashSuite } from '#test/support/reports/crash-suite.ts';
import { listRead, makeStoredDay } from '#test/support/reports/report-days.ts';
import { fortyLines, openReportPlant, tenant, writePlant } from '#test/support/reports/report-plant.ts';
import { consumedBy } from '#test/support/servers/consumed-capacity.ts';
import { describeDynamo, openAdapters, patient } from '#test/support/servers/dynamo.ts';

const dayMs = 86_400_000;

describeDynamo('days of reports on DynamoDB Local', () => {
	const open = async () => {
		const { reportDays: days, dynamo, names } = await openAdapters({ limits: patient });
		const keptText = async ({ schema, reportId }: ReportKey, date: string, revision: number) => {
			const Key = { schema, key: `revision#${reportId}#${date}#${String(revision).padStart(6, '0')}` };
			const { Item } = await dynamo.client.send(new GetCommand({ TableName: names.reportDays, Key }));
			return inflateRawSync(Item?.['body']).toString();
		};
		return { days, keptText };
	};
	reportDaysContract('DynamoDB', open, 20);
	reportClosingsContract('DynamoDB', async () => (await openAdapters({ limits: patient })).closings, 20);
	reportCrashSuite('DynamoDB', 100, async () => (await openAdapters({ limits: patient })).reportDays);

	test('a month of 40 lines is one request for its days and one for the counts of their samples', {
		timeout: 120_000,
	}, async () => {
		const { dynamo, reportDays: days } = await openAdapters({ limits: patient });
		const start = Date.UTC(2026, 9, 1);
		const plant = await openReportPlant(start, { lines: fortyLines }, () => days);
		writePlant(plant.series, start - dayMs, start + 32 * dayMs, 600_000);
		plant.clock.now = start + 40 * dayMs;
		await plant.seal('2026-10-01', '2026-10-31');
		const before = { ...plant.series.calls };
		const consumed = await consumedBy(dynamo, () => plant.read(start, start + 31 * dayMs, 'month'));
		expect(plant.series.calls).toEqual({ ...before, readSpans: before.readSpans + 1 });
		const bytes = (await listRead(days, { schema: tenant.schema, reportId: plant.id }, '2026-10-01', '2026-10-31')).map(
			(day) => deflateRawSync(serializeDay(day)).length,
		);
		console.table({ ...consumed, 'most bytes of a day': Math.max(...bytes) });
		expect(consumed.requests).toBe(1);
		// 4 KB a unit.
		expect(consumed.units).toBeLessThanOrEqual(31);
		expect(Math.max(...bytes)).toBeLessThan(4000);
	});

	test('whose closing cannot be read counts as failing, hides no other, and is mended by the next run', async () => {
		const { dynamo, names, closings } = await openAdapters();
		const Item = { schema: 's', key: 'closing', dueAt: 'soon' };
		await dynamo.client.send(new PutCommand({ TableName: names.reportDays, Item }));
		await closings.end('t', { dueAt: 5, failed: false });
		expect(await closings.find(['s', 't'])).toEqual(
			new Map([
				['s', damagedClosing],
				['t', { dueAt: 5, failingSince: null, isStopped: false }],
			]),
		);
		expect([await closings.begin('s', 10, 20), await closings.begin('s', 10, 20)]).toEqual([true, false]);
		await closings.end('s', { dueAt: 20, failed: false });
		expect((await closings.find(['s'])).get('s')).toEqual({ dueAt: 20, failingSince: null, isStopped: false });
	});

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
