import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
	comparisonsOf,
	ignoresParams,
	parseReportView,
	type ReportView,
	reportViewParams,
	viewLengths,
} from '#page/screens/report/report-view.ts';

const parsed = (query: string) => parseReportView(new URLSearchParams(query));

test('an address without parameters shows the present month beside the one before', () => {
	expect(parsed('')).toEqual({ length: 'month', date: null, comparison: 'before' });
});

test('a day is compared with the same day of the week before unless another is chosen', () => {
	expect(parsed('view=day&date=2026-11-09')).toEqual({ length: 'day', date: '2026-11-09', comparison: 'weekday' });
	expect(parsed('view=day&compare=before').comparison).toBe('before');
});

test('what cannot be read, or does not fit the length, is left out', () => {
	expect(parsed('view=decade&date=2026-02-30&compare=weekday')).toEqual(parsed(''));
	expect(parsed('view=year&compare=year').comparison).toBe('before');
});

test.each([
	['', false],
	['view=day&date=2026-11-09&compare=weekday', false],
	['view=day&date=2026-02-29', true],
	['view=decade', true],
	['date=', true],
	['view=year&compare=year', true],
	['view=week&compare=year', false],
])('the address %s asks for another view than the shown one: %s', (query, isOther) => {
	expect(ignoresParams(new URLSearchParams(query), parsed(query))).toBe(isOther);
});

test('an address that was written is read as what was shown', () => {
	const view: fc.Arbitrary<ReportView> = fc.constantFrom(...viewLengths).chain((length) =>
		fc.record({
			length: fc.constant(length),
			date: fc.constantFrom(null, '2024-02-29', '2026-11-24'),
			comparison: fc.constantFrom(...comparisonsOf[length]),
		}),
	);
	fc.assert(
		fc.property(view, (shown) => {
			const params = new URLSearchParams(reportViewParams(shown));
			expect(parseReportView(params)).toEqual(shown);
			expect(ignoresParams(params, shown)).toBe(false);
		}),
	);
});
