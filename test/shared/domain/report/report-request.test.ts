import { describe, expect, test } from 'vitest';
import { parseReportRequest } from '#domain/report/report-request.ts';
import { sealRequestSchema } from '#domain/use-cases/seal-report-days.ts';
import { parse } from '#domain/validation/parse.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';

const now = Date.UTC(2026, 10, 21, 12);

describe.each<[string, (id: unknown) => unknown]>([
	['readReport', (id) => parseReportRequest({ id, start: now - 86_400_000, period: 'day' }, now)],
	['sealReportDays', (id) => parse(sealRequestSchema, { id, from: '2026-11-19', to: '2026-11-20', reason: 'Meter read late.' })],
])('the id of %s', (_, requestWith) => {
	test.each([0, -1, 1.5, 2 ** 53])('%d is refused as no whole number from 1', (id) => {
		expect(() => requestWith(id)).toThrow(
			expect.objectContaining({
				code: 'invalid',
				payload: { issues: [expect.objectContaining({ path: 'id', code: 'whole_number_out_of_range' })] },
			}),
		);
	});

	test('is any whole number from 1', () => {
		for (const id of [1, Number.MAX_SAFE_INTEGER]) expect(requestWith(id)).toMatchObject({ id });
	});
});

describe('the range of readReport', () => {
	const rangeOf = (fields: object, calendar = makeCalendar('Europe/Madrid', '06:00')) =>
		parseReportRequest({ id: 1, period: 'day', ...fields }, now).rangeIn(calendar);

	test('is of plain dates, which are the beginnings of days of the report', () => {
		expect(rangeOf({ start: '2026-11-18', end: '2026-11-20' })).toEqual({
			start: Date.parse('2026-11-18T06:00:00+01:00'),
			stop: Date.parse('2026-11-20T06:00:00+01:00'),
		});
	});

	test('ends now, where no end is sent or it is later', () => {
		const start = Date.parse('2026-11-20T06:00:00+01:00');
		for (const end of [undefined, null, '2026-11-25', now + 1])
			expect(rangeOf({ start: '2026-11-20', end })).toEqual({ start, stop: now });
	});

	test.each([
		[{ start: '2026-11-20', end: '2026-11-20' }, 'start_not_before_end'],
		[{ start: '2026-11-25' }, 'start_not_past'],
		[{ start: '2020-01-01' }, 'range_too_long'],
		[{ start: '2026-02-30' }, 'not_a_time'],
	])('is refused: %j', (fields, code) => {
		expect(() => rangeOf(fields)).toThrow(expect.objectContaining({ payload: { issues: [expect.objectContaining({ code })] } }));
	});
});
