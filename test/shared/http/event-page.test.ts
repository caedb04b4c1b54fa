import { describe, expect, test } from 'vitest';
import { eventPageRequestOf, eventPageResponse } from '#http/event-page.ts';
import { makeAlarmEvent } from '#test/support/builders/alarm-rows.ts';
import { makeEvent } from '#test/support/builders/events.ts';

const now = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;

const requestOf = (query: Readonly<Record<string, string>>, at = now) =>
	eventPageRequestOf(makeEvent('GET /alarmEvents', { query }), at);
const codesOf = (query: Readonly<Record<string, string>>) => {
	try {
		return requestOf(query);
	} catch (error) {
		const { payload, code, field } = error as {
			payload?: { issues: { path: string; code: string }[] };
			code: string;
			field: string;
		};
		return payload === undefined ? [[field, code]] : payload.issues.map((issue) => [issue.path, issue.code]);
	}
};
/** The `next` that a response gives for a page of a request. */
const nextOf = (query: Readonly<Record<string, string>>, at = now): string => {
	const { body } = eventPageResponse(requestOf(query, at), { events: [], next: '1764000000000#0000000000000007#p0000000012' });
	return (body as { next: string }).next;
};

describe('the query of the journal', () => {
	test('asks for the last 24 hours with this moment, 100 entries of all alarms', () => {
		expect(requestOf({})).toEqual({ start: now + 1 - dayMs, end: now + 1, alarmId: null, limit: 100, after: null });
	});

	test('takes times as text and as epoch milliseconds', () => {
		const query = { start: '2026-11-20T13:00:00+01:00', end: String(now), alarmId: '7', limit: '500' };
		expect(requestOf(query)).toEqual({ start: now - dayMs, end: now, alarmId: 7, limit: 500, after: null });
		expect(requestOf({ end: String(now) })).toMatchObject({ start: now - dayMs, end: now });
	});

	test.each([
		[{ start: String(now - 31 * dayMs), end: String(now) }, null],
		[{ start: String(now - 31 * dayMs - 1), end: String(now) }, [['start', 'range_too_long']]],
		[{ start: String(now - 1), end: String(now) }, null],
		[{ start: String(now), end: String(now) }, [['start', 'start_not_before_end']]],
		[{ start: '' }, [['start', 'not_a_time']]],
		[{ limit: '1' }, null],
		[{ limit: '0' }, [['limit', 'whole_number_out_of_range']]],
		[{ limit: '501' }, [['limit', 'whole_number_out_of_range']]],
		[{ alarmId: '1' }, null],
		[{ alarmId: '0' }, [['alarmId', 'whole_number_out_of_range']]],
		[{ alarmId: '-1' }, [['alarmId', 'whole_number_out_of_range']]],
		[{ alarmId: '7x' }, [['alarmId', 'not_whole_number']]],
	])('has limits: %o', (query, codes) => {
		if (codes === null) expect(requestOf(query)).toMatchObject({ after: null });
		else expect(codesOf(query)).toEqual(codes);
	});
});

describe('the next page', () => {
	const key = '1764000000000#0000000000000007#p0000000012';

	test('has the range of the first page, although time goes on', () => {
		const after = nextOf({});
		const later = { after, limit: '7' };
		expect(requestOf(later, now + 60_000)).toEqual({ ...requestOf({}), limit: 7, after: key });
	});

	test.each([
		[{}, {}],
		[{ alarmId: '7' }, { alarmId: '7' }],
		[{ start: '2026-11-20T12:00:00Z' }, { start: String(now - dayMs) }],
		[{ end: String(now) }, {}],
		[{ limit: '3' }, { limit: '4' }],
	])('belongs to the question of the first: %o then %o', (first, second) => {
		expect(requestOf({ ...second, after: nextOf(first) }, now + 1000)).toMatchObject({ after: key });
	});

	test.each([
		[{}, { alarmId: '7' }],
		[{ alarmId: '7' }, {}],
		[{ alarmId: '7' }, { alarmId: '8' }],
		[{}, { start: String(now - dayMs) }],
		[{}, { end: String(now) }],
		[{ start: String(now - dayMs) }, { start: String(now - dayMs + 1) }],
	])('belongs to no other question: %o then %o', (first, second) => {
		expect(codesOf({ ...second, after: nextOf(first) })).toEqual([['after', 'bad_after']]);
	});

	test.each([
		'',
		'x',
		Buffer.from('[]').toString('base64url'),
		Buffer.from(JSON.stringify([0, now, null, key])).toString('base64url'),
		Buffer.from(JSON.stringify([now, now - 1, null, key])).toString('base64url'),
		Buffer.from(JSON.stringify([now - 1, now, null, 'plant_b#1'])).toString('base64url'),
		Buffer.from(JSON.stringify([now - 1, now, null, key, 1])).toString('base64url'),
	])('is refused where no page gave it: %s', (after) => {
		expect(codesOf({ after })).toEqual([['after', 'bad_after']]);
	});

	test('is null on the last page', () => {
		const { body } = eventPageResponse(requestOf({}), { events: [makeAlarmEvent()], next: null });
		expect(body).toEqual({
			data: [expect.objectContaining({ id: expect.stringMatching(/#p0000000001$/), time: '2100-01-01T00:00:00.000Z' })],
			next: null,
		});
		expect(JSON.stringify(body)).not.toContain('origin');
	});
});
