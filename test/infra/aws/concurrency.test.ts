import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minReservableConcurrency, minUnreservedConcurrency, reservedConcurrencyOf } from '#infra/aws/concurrency.ts';

const fixed = (evaluateAlarms: number, closeReportDays: number) => ({
	...{ loginSso: 5, renewToken: 5, token: 5, openidConfiguration: 5, jwks: 5 },
	...{ tableReport: 2, tableTotals: 2, tableHistory: 2, tableReadings: 2, prometheus: 2 },
	...{ evaluateAlarms, dispatchAlarms: 1, closeReportDays, packDefinitions: 1 },
});
/** Functions that read series: polls, alarms and the panel, what people look at, and the others, which have `each`. */
const reading = (
	polls: number,
	shown: number,
	[history, totals, readReport]: readonly [number, number, number],
	each: number,
) => ({
	...{ multipleDataTsdb: polls, getBombs: shown, getAlarms: shown, history, totals, readReport },
	...{ saveVariable: each, saveReport: each, sealReportDays: each, getTopics: each, describeTopics: each },
	...{ saveCorrection: each, saveAlarm: each, shelveAlarm: each, unshelveAlarm: each },
});
const reserved = (accountConcurrency: number, reservedConcurrency: Readonly<Record<string, number>> = {}) =>
	reservedConcurrencyOf({
		accountConcurrency,
		reservedConcurrency,
		publicDocs: true,
		authUrl: 'https://identity.utility.test',
		openIdProviders: [],
	});

describe('reservedConcurrencyOf', () => {
	test.each([1, 10, 199])('reserves nothing by itself below 200: %i', (quota) => {
		expect(reserved(quota)).toEqual({});
		expect(reserved(quota, { health: 3 })).toEqual({ health: 3 });
	});

	test.each([
		[200, [24, 4], 7, 2, [2, 2, 2], 2],
		[248, [24, 4], 31, 11, [5, 4, 3], 2],
		[1000, [100, 20], 155, 73, [25, 19, 13], 7],
	] as const)(
		'reserves 5 for each function of sign-in, so much for tasks that 5 schemas for each of the quota are served, and half of the rest for readings, by their requests: %i',
		(quota, tasks, polls, shown, looks, each) => {
			expect(reserved(quota)).toEqual({ ...fixed(tasks[0], tasks[1]), ...reading(polls, shown, looks, each) });
		},
	);

	test('leaves polls the most where a quota is too small for two of each', () => {
		const openIdProviders = [{ name: 'entra' }];
		const { multipleDataTsdb, history, saveReport } = reservedConcurrencyOf({
			...{ accountConcurrency: 200, reservedConcurrency: {}, publicDocs: true, authUrl: 'https://identity.utility.test' },
			openIdProviders: openIdProviders as unknown as Parameters<typeof reservedConcurrencyOf>[0]['openIdProviders'],
		});
		expect([multipleDataTsdb, history, saveReport]).toEqual([9, 1, 1]);
	});

	test('prefers the reservations of the settings', () => {
		expect(reserved(1000, { multipleDataTsdb: 300, health: 1 })).toEqual({
			...{ ...fixed(100, 20), ...reading(155, 73, [25, 19, 13], 7) },
			...{ multipleDataTsdb: 300, health: 1 },
		});
	});

	test('leaves as much as AWS demands, caps readings at half of the rest, and reserves at least 1, for any quota', () => {
		fc.assert(
			fc.property(fc.integer({ min: minReservableConcurrency, max: 100_000 }), (quota) => {
				const all = Object.values(reserved(quota)).map((each) => each ?? 0);
				const sum = all.reduce((total, each) => total + each, 0);
				expect(quota - sum).toBeGreaterThanOrEqual(minUnreservedConcurrency);
				const fixedSum = 37 + Math.max(24, Math.floor(quota / 10)) + Math.max(4, Math.floor(quota / 50));
				expect(sum - fixedSum).toBeLessThanOrEqual((quota - fixedSum) / 2);
				expect(Math.min(...all)).toBeGreaterThanOrEqual(1);
			}),
		);
	});
});
