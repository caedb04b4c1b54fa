import { afterEach, expect, test } from 'vitest';
import { isLanguage, languageChoices } from '#page/core/languages.ts';
import { language } from '#page/core/preferences.ts';
import { chosenZone } from '#page/core/time-zone.ts';
import { csvText, localIso } from '#page/format/csv.ts';
import { reportScreenText } from '#page/screens/report/texts.ts';
import { trendCsv } from '#page/screens/trend/trend-csv.ts';
import { trendModel } from '#page/screens/trend/trend-model.ts';
import { replayed } from '#test/support/replayed.ts';

const start = Date.parse('2026-10-25T00:00:00Z');
const bounds = [0, 1, 2, 3].map((index) => start + index * 3_600_000);
const values = [4.25, null, 1_234_567.5];
const samples = [
	['2026-10-25T00:00Z', 4.25],
	['2026-10-25T02:00Z', 1_234_567.5],
];
const tags = languageChoices.map(({ value }) => value).filter(isLanguage);

afterEach(() => {
	language.value = 'en';
	chosenZone.value = '';
});

test.each(tags)('replay reads the CSV of a trend in %s without options, by both of its columns of times', async (tag) => {
	language.value = tag;
	chosenZone.value = 'Europe/Madrid';
	const variable = { quality: 'good', period: { count: 5, unit: 's' }, aggregate: 'last', values: { own: values } } as const;
	const variables = [
		{ ...variable, id: 13, name: 'Flow; "in", out', unit: 'm³/h' },
		{ ...variable, id: 14, name: 'Presión', unit: '' },
	];
	const history = { bounds, period: { count: 1, unit: 'h' }, timeZone: 'UTC', dayStart: '00:00', variables } as const;
	const model = trendModel({ ...history, variables }, { variables: new Map(), alarms: [], labels: new Map(), compared: null });
	const words = { utc: 'Hora (UTC)', local: 'Hora (local, Europe/Madrid)', min: 'min', max: 'max', compared: '' };
	for (const timeColumn of [words.utc, words.local])
		expect((await replayed(trendCsv(model, words), { timeColumn })).samples).toEqual({
			'Flow; "in", out [m³/h]': samples,
			Presión: samples,
		});
});

test.each(tags)('replay reads the CSV of a report in %s, line by line, whatever columns stand beside', async (tag) => {
	language.value = tag;
	const heads = reportScreenText().csvHeads.split(' ');
	const [line = '', begin = '', , , value = ''] = heads;
	const rows = ['Water', 'Energy'].flatMap((name) =>
		values.map((each, index) => {
			const times = [bounds[index] ?? 0, bounds[index + 1] ?? 0].map((time) => localIso(time));
			return [name, ...times, 'm³', each, each, each, 0.9, ...heads.slice(8).map(() => 'sealed'), 'note'];
		}),
	);
	const csv = csvText([[...heads, 'more'], ...rows]);
	const options = { timeColumn: begin, seriesColumn: line, valueColumn: value };
	expect((await replayed(csv, options)).samples).toEqual({ Water: samples, Energy: samples });
});
