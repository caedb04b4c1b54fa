import { expect, test } from 'vitest';
import { provisionalMs } from '#domain/report/provisional.ts';
import { reportText } from '#domain/report/report-notification.ts';

test('the message of a day says after how many hours its numbers are final', () => {
	const [from, to] = [Date.UTC(2026, 10, 19, 6), Date.UTC(2026, 10, 20, 6)];
	const day = { schema: 's', reportId: 7, title: 'Daily', date: '2026-11-19', from, to, timeZone: 'UTC' };
	const text = reportText({ ...day, isRepeated: false, numbers: [] });
	const hours = provisionalMs / 3_600_000;
	expect(text.split('\n').at(-1)).toBe(`Provisional: the numbers are final ${hours} hours after the day.`);
});
