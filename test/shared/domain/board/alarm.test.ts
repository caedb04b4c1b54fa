import { describe, expect, test } from 'vitest';
import { completeAlarm } from '#domain/board/alarm.ts';
import { parseBoard } from '#domain/board/board.ts';
import { clearingThreshold } from '#domain/board/condition.ts';
import { makeAlarmBody } from '#test/support/builders/builders.ts';
import { allIssuesOf } from '#test/support/validation-issues.ts';

const parsed = (fields: Readonly<Record<string, unknown>>) => parseBoard('alarm', makeAlarmBody(fields));
const all = { enabled: false, deadband: 0.5, onDelaySeconds: 30, offDelaySeconds: 90, noDataSeconds: 0 };

/** What goes over the wire: fields that are undefined do not. */
const complete = (sent: Readonly<Record<string, unknown>>, stored: Readonly<Record<string, unknown>> | null = null): unknown =>
	JSON.parse(JSON.stringify(completeAlarm(parsed(sent), stored === null ? null : parsed(stored))));

describe('completeAlarm', () => {
	test('leaves an alarm of today as it is', () => {
		expect(complete({})).toEqual(makeAlarmBody());
		expect(complete({}, {})).toEqual(makeAlarmBody());
	});

	test('keeps what is stored where a field is absent', () => {
		expect(complete({ threshold: 12 }, all)).toEqual(makeAlarmBody({ threshold: 12, ...all }));
	});

	test('takes what is sent, zero and false too', () => {
		const sent = { enabled: true, deadband: 0, onDelaySeconds: 0, offDelaySeconds: 10, noDataSeconds: 60 };
		expect(complete(sent, all)).toEqual(makeAlarmBody(sent));
		expect(complete(all, sent)).toEqual(makeAlarmBody(all));
	});

	test('restores the default where a field is null, and stores no null', () => {
		const nulls = Object.fromEntries(Object.keys(all).map((key) => [key, null]));
		expect(complete(nulls, all)).toEqual(makeAlarmBody());
	});

	const issuesWith = (fields: Readonly<Record<string, unknown>>, stored: Readonly<Record<string, unknown>> | null = null) =>
		allIssuesOf(() => complete(fields, stored)).map(({ path, code }) => [path, code]);

	test.each([
		{ condition: '==', deadband: 1 },
		{ condition: '!=', deadband: 1 },
		{ bit: 0, deadband: 0.1 },
	])('refuses a deadband with %j', (fields) => {
		expect(issuesWith(fields)).toEqual([['deadband', 'deadband_not_possible']]);
		expect(issuesWith({ ...fields, deadband: 0 })).toEqual([]);
	});

	test('refuses a stored deadband with a new condition that has none', () => {
		expect(issuesWith({ condition: '==' }, { deadband: 1 })).toEqual([['deadband', 'deadband_not_possible']]);
		expect(issuesWith({ condition: '==', deadband: null }, { deadband: 1 })).toEqual([]);
	});

	test.each([
		['too small below 1', { condition: '>', threshold: 1, deadband: 2 ** -54 }, { deadband: 2 ** -53 }],
		['too small above 1', { condition: '<', threshold: 1, deadband: 2 ** -53 }, { deadband: 2 ** -52 }],
		['too large', { condition: '<=', threshold: Number.MAX_VALUE, deadband: Number.MAX_VALUE }, { threshold: 1 }],
		['too large downwards', { condition: '>=', threshold: -Number.MAX_VALUE, deadband: Number.MAX_VALUE }, { threshold: 1 }],
	])('refuses a deadband that is %s, and takes the next one', (_, fields, enough) => {
		expect(issuesWith(fields)).toEqual([['deadband', 'deadband_without_effect']]);
		expect(issuesWith({ ...fields, ...enough })).toEqual([]);
	});
});

test('moves the threshold back to where the condition does not hold', () => {
	const moved = (condition: '>' | '>=' | '<' | '<=') => clearingThreshold({ condition, threshold: 10 }, 2);
	expect([moved('>'), moved('>='), moved('<'), moved('<=')]).toEqual([8, 8, 12, 12]);
});
