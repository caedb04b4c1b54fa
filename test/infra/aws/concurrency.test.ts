import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minReservableConcurrency, minUnreservedConcurrency, reservedConcurrencyOf } from '#infra/aws/concurrency.ts';

const signIn = {
	loginSso: 5,
	renewToken: 5,
	token: 5,
	openidConfiguration: 5,
	jwks: 5,
	...{ tableReport: 5, tableTotals: 5, tableHistory: 5, tableReadings: 5 },
	evaluateAlarms: 24,
	dispatchAlarms: 1,
	closeReportDays: 1,
};
const reading = (each: number) => ({
	...{ saveVariable: each, multipleDataTsdb: each, history: each, totals: each, getBombs: each, getAlarms: each },
	...{ saveReport: each, readReport: each, sealReportDays: each },
	...{ getTopics: each, describeTopics: each },
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
		[200, 1],
		[248, 5],
		[249, 5],
		[1000, 30],
	])(
		'reserves 5 for each function of sign-in and of tables, 26 for the tasks, and half of the rest for readings: %i',
		(quota, each) => {
			expect(reserved(quota)).toEqual({ ...signIn, ...reading(each) });
		},
	);

	test('prefers the reservations of the settings', () => {
		expect(reserved(1000, { multipleDataTsdb: 300, health: 1 })).toEqual({
			...{ ...signIn, ...reading(30) },
			...{ multipleDataTsdb: 300, health: 1 },
		});
	});

	test('leaves as much as AWS demands, caps readings at half of the rest, and reserves at least 1, for any quota', () => {
		fc.assert(
			fc.property(fc.integer({ min: minReservableConcurrency, max: 100_000 }), (quota) => {
				const all = Object.values(reserved(quota)).map((each) => each ?? 0);
				const sum = all.reduce((total, each) => total + each, 0);
				expect(quota - sum).toBeGreaterThanOrEqual(minUnreservedConcurrency);
				expect(sum - 71).toBeLessThanOrEqual((quota - 71) / 2);
				expect(Math.min(...all)).toBeGreaterThanOrEqual(1);
			}),
		);
	});
});
