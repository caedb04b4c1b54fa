import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseStoredDay, serializeDay } from '#adapters/stored-report-day.ts';
import { calendarOf } from '#domain/calendar/days.ts';
import { createEvaluator } from '#domain/totals/evaluate-lines.ts';
import { totalsLineOf } from '#domain/totals/totals-request.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';

/** A sealed day as release 0.1 stored it, with a line of each function and a correction. The file never changes. */
const stored = readFileSync(new URL('../../data/sealed-day-0.1.json', import.meta.url), 'utf8').trim();

describe('a sealed day that release 0.1 stored', () => {
	test('is read and written to the last bit', () => {
		const day = parseStoredDay(stored);
		expect(day).toMatchObject({ date: '2026-10-25', revision: 1, seal: { by: 'Ana', reason: 'First' }, corrections: [{}] });
		expect(JSON.parse(serializeDay(day))).toEqual(JSON.parse(stored));
	});

	test('has states that give the numbers with which it was sealed, so that months of it stay what they were', () => {
		const day = parseStoredDay(stored);
		const values = createEvaluator(day.lines.map(({ line }) => totalsLineOf(line, calendarOf(day))))(
			new Map(day.lines.map(({ line, state }) => [line.key, state])),
		);
		expect(day.lines.length).toBeGreaterThanOrEqual(9);
		for (const { line, value } of day.lines) {
			expect(value.value, line.key).not.toBeNull();
			// Since then, the least value that was seen is an upper bound, and the greatest a lower one.
			const sinceSeen =
				line.function === 'min'
					? { high: value.high ?? value.value }
					: line.function === 'max'
						? { low: value.low ?? value.value }
						: {};
			expect(JSON.parse(JSON.stringify(values.get(line.key))), line.key).toEqual({ ...value, ...sinceSeen });
		}
	});
});

test('a sum that no number holds is read as it was', () => {
	const day = makeStoredDay('2026-11-20');
	expect(parseStoredDay(serializeDay(day))).toEqual(day);
});

test('a damaged day is a fault', () => {
	for (const text of ['', '{', 'null', '{}', stored.replace('"known"', '"kept"')])
		expect(() => parseStoredDay(text)).toThrow('A stored day of a report is invalid.');
});
