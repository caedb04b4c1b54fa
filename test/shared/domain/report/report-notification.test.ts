import { expect, test } from 'vitest';
import { provisionalMs } from '#domain/report/provisional.ts';
import { reportSms, reportSubject, reportText } from '#domain/report/report-notification.ts';

test('the message of a day says after how many hours its numbers are final', () => {
	const [from, to] = [Date.UTC(2026, 10, 19, 6), Date.UTC(2026, 10, 20, 6)];
	const day = { schema: 's', reportId: 7, title: 'Daily', date: '2026-11-19', from, to, timeZone: 'UTC' };
	const text = reportText({ ...day, isRepeated: false, numbers: [] });
	const hours = provisionalMs / 3_600_000;
	expect(text.split('\n').at(-1)).toBe(`Provisional: the numbers are final ${hours} hours after the day.`);
});

const [from, to] = [Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 23)];
const day = {
	schema: 's',
	reportId: 7,
	title: 'Daily',
	date: '2026-10-25',
	from,
	to,
	timeZone: 'Europe/Madrid',
	isRepeated: false,
};

test('the message says when the day begins and ends, at the plant and in UTC', () => {
	expect(
		reportText({ ...day, numbers: [] })
			.split('\n')
			.slice(1, 4),
	).toEqual(['2026-10-25 00:00 to 2026-10-26 00:00', 'in Europe/Madrid', '(2026-10-24 22:00 to 2026-10-25 23:00 UTC)']);
	expect(
		reportText({ ...day, timeZone: 'UTC', numbers: [] })
			.split('\n')
			.slice(1, 3),
	).toEqual(['2026-10-24 22:00 to 2026-10-25 23:00 UTC', '']);
});

test('names, units, groups and titles cannot forge a line', () => {
	const forged = 'A\nOutlet: 0 m³\u0085\u2028\u202eB';
	const number = { function: 'mean', decimals: 1, value: 5, low: 5, high: 5, known: 1 };
	const notification = { ...day, title: forged, numbers: [{ ...number, group: forged, name: forged, unit: forged }] };
	expect(reportText(notification).split(/[\n\u0085\u2028]/)).toEqual([
		's, A Outlet: 0 m³ B, 2026-10-25, provisional',
		'2026-10-25 00:00 to 2026-10-26 00:00',
		'in Europe/Madrid',
		'(2026-10-24 22:00 to 2026-10-25 23:00 UTC)',
		'',
		'A OUTLET: 0 M³ B',
		'A Outlet: 0 m³ B: 5.0 A Outlet: 0 m³ B',
		'',
		'Provisional: the numbers are final 72 hours after the day.',
	]);
	expect(reportSubject(notification)).toBe('s, A Outlet: 0 m3 B, 2026-10-25, provisional');
	expect(reportSms(notification)).toBe('s, A Outlet: 0 m³ B, 2026-10-25, provisional');
});

test('the subject of a day with a long title keeps its date', () => {
	expect(reportSubject({ ...day, title: 'ñ'.repeat(200), numbers: [] })).toBe(`s, ${'n'.repeat(68)}..., 2026-10-25, provisional`);
});

test('no number says more than is known: bounds are rounded outwards, a share within limits down, and a night in part is at most', () => {
	const number = { group: null, name: 'N', unit: '%', decimals: 1 };
	const linesOf = (told: { function: string; value: number; low: number | null; high: number; known: number }) =>
		reportText({ ...day, numbers: [{ ...number, ...told }] })
			.split('\n')
			.filter((line) => /^(N:| {2}from)/.test(line));
	expect(linesOf({ function: 'within', value: 94.96, low: 85.46, high: 95.44, known: 0.9 })).toEqual([
		'N: 94.9 %',
		'  from 85.4 to 95.5 %',
	]);
	expect(linesOf({ function: 'leastMean', value: 27.74, low: null, high: 27.74, known: 0.9 })).toEqual([
		'N: at most 27.8 %',
		'  from unknown to 27.8 %',
	]);
	expect(linesOf({ function: 'leastMean', value: 27.74, low: 27.74, high: 27.74, known: 1 })).toEqual(['N: 27.7 %']);
});

test('a number or a bound that rounds to 0 has no sign', () => {
	const number = { group: null, name: 'N', unit: 'm', function: 'change', decimals: 2, known: 0.9 };
	const lines = reportText({ ...day, numbers: [{ ...number, value: -0.004, low: -0.014, high: -0.001 }] }).split('\n');
	expect(lines.filter((line) => /^(N:| {2}from)/.test(line))).toEqual(['N: 0.00 m', '  from -0.02 to 0.00 m']);
});
