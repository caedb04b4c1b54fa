import { beforeEach, describe, expect, test } from 'vitest';
import type { RequestRecord } from '#http/log.ts';
import { printable } from '#infra/cli/print.ts';
import { createConsoleLog, silentLog } from '#infra/local/console-log.ts';

/** Colour codes, which appear only if the test runs in a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters.
const colours = /\u001b\[\d+m/g;

let lines: string[];
const log = createConsoleLog(
	(line) => lines.push(line.split('\n').map(printable).join('\n').replaceAll(colours, '')),
	() => Date.parse('2026-11-21T12:03:11.987Z'),
);

const makeRecord = (overrides: Partial<RequestRecord> = {}): RequestRecord => ({
	requestId: 'r-1',
	routeKey: 'POST /multipleDataTsdb',
	status: 200,
	outcome: 'ok',
	durationMs: 4.4,
	...overrides,
});

beforeEach(() => {
	lines = [];
});

describe('createConsoleLog', () => {
	test.each<[string, Partial<RequestRecord>]>([
		['12:03:11 POST /multipleDataTsdb 200 4 ms', {}],
		['12:03:11 POST /multipleDataTsdb 200 0 ms', { durationMs: 0.4 }],
		['12:03:11 POST /deleteVar/{id} 404 4 ms', { routeKey: 'POST /deleteVar/{id}', status: 404, outcome: 'refused' }],
		['12:03:11 GET /bombs 502 8004 ms', { routeKey: 'GET /bombs', status: 502, outcome: 'fault', durationMs: 8004 }],
		['12:03:11 POST /multipleDataTsdb 200 4 ms  24 readings: 23 good, 1 stale', { readings: { stale: 1, good: 23 } }],
		['12:03:11 POST /multipleDataTsdb 200 4 ms  1 reading: 1 bad', { readings: { bad: 1 } }],
		[
			'12:03:11 POST /multipleDataTsdb 200 4 ms  15 readings: 5 good, 4 stale, 3 no data, 2 missing reference, 1 bad',
			{ readings: { bad: 1, missing_reference: 2, no_data: 3, stale: 4, good: 5 } },
		],
		['12:03:11 POST /multipleDataTsdb 200 4 ms  0 readings', { readings: {} }],
	])('formats a request: %s', (line, overrides) => {
		log.request(makeRecord(overrides));
		expect(lines).toEqual([line]);
	});
});

test('formats other lines with the time, the message and the fields', () => {
	log.info('Samples were deleted.', { deleted: 3 });
	log.error('A request failed.', { requestId: 'r-1', error: 'Error: x\n    at y' });
	expect(lines).toEqual([
		'12:03:11 Samples were deleted. deleted=3',
		'12:03:11 A request failed. requestId=r-1 error=Error: x\n        at y',
	]);
});

test('silentLog drops everything', () => {
	silentLog.info('x', {});
	silentLog.error('x', {});
	silentLog.request(makeRecord());
	expect(lines).toEqual([]);
});
