import { describe, expect, test } from 'vitest';
import { formatFuture, formatPast } from '#infra/tools/key/relative-time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const now = Date.UTC(2026, 10, 21, 12, 30, 20);
/** Formats a time on the local clock. */
const local = (at: number): string => {
	const two = (number: number) => String(number).padStart(2, '0');
	const date = new Date(at);
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

describe('formatFuture', () => {
	test.each([
		[1, 0, '1 min'],
		[40_000, 0, '1 min'],
		[40_001, 1, '1 min'],
		[minuteMs, 1, '1 min'],
		[minuteMs + 1, 1, '2 min'],
		[hourMs - 1, 60, '1 h'],
		[2 * hourMs + 15 * minuteMs, 135, '2 h 15 min'],
		[24 * hourMs, 24 * 60, '1 d'],
		[25 * hourMs, 25 * 60, '1 d 1 h'],
		[25 * hourMs + 1, 25 * 60, '1 d 2 h'],
		[71 * hourMs + 59 * minuteMs, 71 * 60 + 59, '3 d'],
	])('a time %d ms ahead has come when the clock shows the printed minute', (ms, minutes, left) => {
		const shown = Date.UTC(2026, 10, 21, 12, 31) + minutes * minuteMs;
		expect(shown).toBeGreaterThanOrEqual(now + ms);
		expect(formatFuture(now + ms, now)).toBe(`${local(shown)} (in ${left})`);
	});
});

describe('formatPast', () => {
	test.each([
		[0, 'just now'],
		[-1000, 'just now'],
		[minuteMs / 2 - 1, 'just now'],
		[minuteMs / 2, '1 min ago'],
		[1.5 * minuteMs - 1, '1 min ago'],
		[2 * hourMs + 14.5 * minuteMs, '2 h 15 min ago'],
		[49 * hourMs + 29 * minuteMs, '2 d 1 h ago'],
		[49 * hourMs + 30 * minuteMs, '2 d 2 h ago'],
		[93.6 * hourMs, '3 d 22 h ago'],
	])('formats a time %d ms ago as %s', (ms, passed) => {
		expect(formatPast(now - ms, now)).toBe(`${local(now - ms)} (${passed})`);
	});
});
