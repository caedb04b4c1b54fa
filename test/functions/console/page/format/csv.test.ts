import { parse } from 'csv-parse/sync';
import { afterEach, expect, test } from 'vitest';
import { language, numberStyle } from '#page/core/preferences.ts';
import { chosenZone } from '#page/core/time-zone.ts';
import { csvFileName, csvText, journalFileName, localIso } from '#page/format/csv.ts';

const time = Date.parse('2026-11-21T15:12:00Z');

afterEach(() => {
	language.value = 'en';
	numberStyle.value = 'region';
	chosenZone.value = '';
});

test.each([
	['en', ',', ['1.5', '-0.25', '1e-7', '', 'a, b; "c"', "'=1+1"]],
	['es', ';', ['1,5', '-0,25', '1e-7', '', 'a, b; "c"', "'=1+1"]],
] as const)('a spreadsheet of a region as in %s reads every cell as it was', (tag, delimiter, cells) => {
	language.value = tag;
	numberStyle.value = tag === 'es' ? ',' : '.';
	const text = csvText([[1.5, -0.25, 1e-7, null, 'a, b; "c"', '=1+1']]);
	expect(text.startsWith('\ufeff')).toBe(true);
	expect(parse(text, { bom: true, delimiter })).toEqual([cells]);
});

test('a spreadsheet that separates at tabs too finds no formula in a text', () => {
	expect(csvText([['Flow\t=1+1', 'a']])).toBe('\ufeff"Flow\t=1+1",a\r\n');
});

test('a file is named after what it tells and its range, in characters that every system takes', () => {
	chosenZone.value = 'UTC';
	expect(csvFileName(['Flow', 'a/b: "c"?'], time - 86_400_000, time)).toBe(
		'Flow, a-b- -c- 2026-11-20 1512 - 2026-11-21 1512.csv',
	);
	const many = csvFileName(
		Array.from({ length: 40 }, (_, index) => `Distribution pump ${index}`),
		time,
		time,
	);
	expect(many.length).toBeLessThan(160);
	expect(many).toMatch(/^Distribution pump 0, .* \+3\d 2026-11-21/);
	expect(csvFileName(['😀'.repeat(300)], time, time).isWellFormed()).toBe(true);
});

test('a journal is named after its oldest and its newest entry, and one without entries is not saved', () => {
	chosenZone.value = 'UTC';
	const times = ['2026-11-21T15:12:00Z', '2026-11-21T12:00:00Z', '2026-11-20T15:12:00Z'];
	expect(journalFileName('Alarms', times)).toBe('Alarms 2026-11-20 1512 - 2026-11-21 1512.csv');
	expect(journalFileName('Alarms', [])).toBeNull();
});

test('a local time has the offset of the chosen zone', () => {
	chosenZone.value = 'America/Bogota';
	expect(localIso(time)).toBe('2026-11-21T10:12:00-05:00');
	chosenZone.value = 'Asia/Kathmandu';
	expect(localIso(time)).toBe('2026-11-21T20:57:00+05:45');
});
