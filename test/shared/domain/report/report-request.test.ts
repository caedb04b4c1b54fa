import { describe, expect, test } from 'vitest';
import { parseReportRequest } from '#domain/report/report-request.ts';
import { sealRequestSchema } from '#domain/use-cases/seal-report-days.ts';
import { parse } from '#domain/validation/parse.ts';

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
