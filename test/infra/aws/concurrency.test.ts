import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minReservableConcurrency, minUnreservedConcurrency, reservedConcurrencyOf } from '#infra/aws/concurrency.ts';

const signIn = {
	loginSso: 5,
	renewToken: 5,
	token: 5,
	openidConfiguration: 5,
	jwks: 5,
	...{ tableReport: 2, tableTotals: 2, tableHistory: 2, tableReadings: 2 },
	evaluateAlarms: 24,
	dispatchAlarms: 1,
	closeReportDays: 1,
	packDefinitions: 1,
};
/** Functions that read series: polls, what is looked at often, and the others, which have `each`. */
const reading = (polls: number, [looks, totals, readReport]: readonly [number, number, number], each: number) => ({
	...{ multipleDataTsdb: polls, history: looks, getBombs: looks, getAlarms: looks, totals, readReport },
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
		[200, 6, [2, 2, 2], 2],
		[248, 29, [6, 5, 4], 3],
		[1000, 213, [37, 28, 19], 10],
	] as const)(
		'reserves 5 for each function of sign-in, 27 for the tasks, and half of the rest for readings, by their traffic: %i',
		(quota, polls, looks, each) => {
			expect(reserved(quota)).toEqual({ ...signIn, ...reading(polls, looks, each) });
		},
	);

	test('prefers the reservations of the settings', () => {
		expect(reserved(1000, { multipleDataTsdb: 300, health: 1 })).toEqual({
			...{ ...signIn, ...reading(213, [37, 28, 19], 10) },
			...{ multipleDataTsdb: 300, health: 1 },
		});
	});

	test('leaves as much as AWS demands, caps readings at half of the rest, and reserves at least 1, for any quota', () => {
		fc.assert(
			fc.property(fc.integer({ min: minReservableConcurrency, max: 100_000 }), (quota) => {
				const all = Object.values(reserved(quota)).map((each) => each ?? 0);
				const sum = all.reduce((total, each) => total + each, 0);
				expect(quota - sum).toBeGreaterThanOrEqual(minUnreservedConcurrency);
				expect(sum - 60).toBeLessThanOrEqual((quota - 60) / 2);
				expect(Math.min(...all)).toBeGreaterThanOrEqual(1);
			}),
		);
	});
});
