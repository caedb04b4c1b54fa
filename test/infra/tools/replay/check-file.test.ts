import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTimeAt } from '#domain/calendar/local-time.ts';
import { openTimeZone } from '#domain/calendar/time-zone.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { type ReplayedOptions, replayed } from '#test/support/replayed.ts';

const valuesOf = async (cells: readonly string[], options: ReplayedOptions = {}) => {
	const rows = cells.map((cell, index) => `2026-11-20 08:0${index}:00;${cell}`);
	return (await replayed(['time;level', ...rows].join('\n'), options)).points.map(({ value }) => value);
};

describe('rows of another length than the header', () => {
	test.each([
		['a decimal comma', 'time,level\n2026-11-20 08:00:00,4,25\n', 2],
		['decimal commas of two columns', 'time,level,flow\n2026-11-20 08:00:00,4,25,12,5\n', 2],
		['a decimal comma beside an empty cell', 'time,level,flow\n2026-11-20 08:00:00,4,25,\n', 2],
		['a comma before milliseconds', 'time,level\n2026-11-20 08:00:00,250,4.25\n', 2],
		['thousands', 'time,level\n2026-11-20 08:00:00,1,234.5\n', 2],
		['a late row', 'time,level\n2026-11-20 08:00:00,4\n"2026-11-20\n08:05:00",4\n2026-11-20 08:05:00,4,30\n', 5],
	])('are refused with the file when they are longer: %s', async (_, text, line) => {
		await expect(replayed(text)).rejects.toThrow(`a row has more cells than the header. The first ends in line ${line}: "2026`);
	});

	test('name the likely reason', async () => {
		await expect(replayed('time,a\n2026-11-20,4,25\n')).rejects.toThrow('Likely a comma in a number (4,25 or 1,234.5)');
		await expect(replayed('time,a\n2026-11-20,4,\n')).rejects.toThrow(
			'If each row ends in a delimiter, let the header end in one.',
		);
		await expect(replayed('time;a\n2026-11-20;4;x\n')).rejects.toThrow('Likely a text with ";" in it: write it in quotes.');
		expect((await replayed('time,a,\n2026-11-20,4,\n')).points.length).toBe(1);
	});

	test('are skipped when they are shorter, because the last cell may be cut', async () => {
		const { samples, lines } = await replayed('time,a,b\n2026-11-20 08:00,1,2\n2026-11-20 08:01,1\n\n2026-11-20 08:02,,3\n');
		expect(samples).toEqual({
			a: [['2026-11-20T08:00Z', 1]],
			b: [
				['2026-11-20T08:00Z', 2],
				['2026-11-20T08:02Z', 3],
			],
		});
		expect(lines).toContain('  1 row: fewer cells than the header, so the last may be cut');
	});

	test('are not told by a newline in quotes', async () => {
		expect((await replayed('time,"a\r\nb",c\r\n2026-11-20,"1\r\n2",3\r\n')).samples).toEqual({ c: [['2026-11-20T00:00Z', 3]] });
	});
});

test('decimal commas without quotes are refused, or every number is right', async () => {
	let [refused, read] = [0, 0];
	const cell = fc.option(fc.oneof(fc.integer({ min: -99, max: 9999 }), fc.constantFrom(4.25, -0.5, 1234.125)), { freq: 4 });
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), async (table) => {
			const rows = table.map(([a, b], index) => [
				`2026-11-20 08:0${index}:00`,
				...[a, b].map((each) => String(each ?? '').replace('.', ',')),
			]);
			const isWhole = table.flat().every((each) => Number.isInteger(each ?? 0));
			const outcome = await replayed(['time,a,b', ...rows.map((row) => row.join(','))].join('\n')).catch(() => null);
			expect(outcome === null).toBe(!isWhole);
			if (outcome === null) refused += 1;
			else read += 1;
			expect(outcome?.points.map(({ value }) => value) ?? []).toEqual(
				isWhole ? table.flat().filter((each) => each !== null) : [],
			);
		}),
		{ numRuns: casesOf(150), seed: firstSeed },
	);
	expect(Math.min(refused, read)).toBeGreaterThan(5);
});

describe('the delimiter', () => {
	test.each([
		[',', 'time,a\n2026-11-20,1.5\n', []],
		[';', 'time;a\n2026-11-20;1.5\n', ['Cells are separated by ";".']],
		['tab', 'time\ta\n2026-11-20\t1.5\n', ['Cells are separated by "\\t".']],
		['; with quotes', '"a";"time"\n"1.5";"2026-11-20"\n', ['Cells are separated by ";".']],
		['; beside a comma in quotes', 'time;a;"x, y"\n2026-11-20;1.5;\n', ['Cells are separated by ";".']],
	])('is found where the header has the column of times: %s', async (_, text, notes) => {
		const { samples, checked } = await replayed(text);
		expect([samples['a'], checked.notes]).toEqual([[['2026-11-20T00:00Z', 1.5]], notes]);
	});

	test('is named in the error where the header lacks that column', async () => {
		const remedy = 'It is one cell: --delimiter ";" separates it.';
		await expect(replayed('Time;a\n2026-11-20;1,5\n')).rejects.toThrow(`The file has no column time: it has Time;a. ${remedy}`);
		await expect(replayed('time|a\n2026-11-20|1\n')).rejects.toThrow('--delimiter "|" separates it.');
		expect((await replayed('time|a\n2026-11-20|1\n', { delimiter: '|' })).points.length).toBe(1);
	});
});

describe('the decimal sign', () => {
	test.each([
		[
			['1,5', '12', '-0,25', '\u22121,75', '1e-7', '1,5E3'],
			[1.5, 12, -0.25, -1.75, 1e-7, 1500],
		],
		[
			['1.5', '12', '-0.25', '\u22121.75'],
			[1.5, 12, -0.25, -1.75],
		],
		[
			['1', '2'],
			[1, 2],
		],
		[
			['1,234', '0,125'],
			[1.234, 0.125],
		],
		[
			['1.234', '1234.125'],
			[1.234, 1234.125],
		],
	])('of %j is the one that they show', async (cells, values) => expect(await valuesOf(cells)).toEqual(values));

	test.each([[['1,234', '2']], [['1.234', '2']], [['1,5', '1.5']], [['1.234', '5,6']]])(
		'of %j is not certain, and must be given',
		async (cells) => {
			await expect(valuesOf(cells)).rejects.toThrow('is not certain: give --decimal');
		},
	);

	test('is the point where commas separate cells, or it must be given', async () => {
		await expect(replayed('time,a\n2026-11-20,"4,25"\n')).rejects.toThrow('The decimal sign of "4,25" is not certain');
		expect((await replayed('time,a\n2026-11-20,"4,25"\n', { decimal: ',' })).points.map(({ value }) => value)).toEqual([4.25]);
		expect((await replayed('time,a\n2026-11-20,1.234\n')).points.map(({ value }) => value)).toEqual([1.234]);
	});

	test.each([
		[',' as const, ['1,5', '1.5', '1.234', '1.234,5', '1 234,5', '1\u00a0234,5'], [1.5]],
		['.' as const, ['1.5', '1,5', '1,234', '1,234.5', '1 234.5', '1\u202f234.5'], [1.5]],
		['.' as const, ['12 %', '5 m³/h', '0x1F', 'Infinity', '1e999', 'NaN'], []],
		['.' as const, ['\u00a07\u00a0', '+8', '1e2', '-', '--5', '5-'], [7, 8, 100]],
	])('%s reads of %j only %j', async (decimal, cells, values) => {
		expect(await valuesOf(cells, { decimal })).toEqual(values);
	});
});

describe('the encoding', () => {
	const text = 'time;Presión [m³/h]\r\n2026-11-20;4,25\r\n';
	const samples = { 'Presión [m³/h]': [['2026-11-20T00:00Z', 4.25]] };
	const bigEndian = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16();

	test.each([
		['UTF-8', Buffer.from(text), {}],
		['UTF-8 with its mark', Buffer.from(`\ufeff${text}`), {}],
		['UTF-16 with its mark', Buffer.from(`\ufeff${text}`, 'utf16le'), {}],
		['UTF-16 of big-endian order with its mark', bigEndian(Buffer.from(`\ufeff${text}`, 'utf16le')), {}],
		['UTF-16 that is named', Buffer.from(text, 'utf16le'), { encoding: 'utf-16le' }],
		['Latin-1 that is named', Buffer.from(text, 'latin1'), { encoding: 'windows-1252' }],
	])('%s is read', async (_, bytes, options) => expect((await replayed(bytes, options)).samples).toEqual(samples));

	test.each([
		['Latin-1 is told', Buffer.from(text, 'latin1'), {}, 'Name it, such as --encoding windows-1252'],
		['UTF-16 without a mark is told', Buffer.from('time,a\n', 'utf16le'), {}, 'It may be UTF-16: --encoding utf-16le'],
		['another that is named is told', Buffer.from(text, 'latin1'), { encoding: 'utf-8' }, 'its bytes are of another encoding'],
		[
			'Latin-1 far behind the header is told',
			Buffer.concat([Buffer.from(`time,a\n${'2026-11-20,\n'.repeat(20_000)}`), Buffer.from([0xe9])]),
			{},
			'its bytes are of another encoding',
		],
	])('%s', async (_, bytes, options, problem) => {
		await expect(replayed(bytes, options)).rejects.toThrow(problem);
	});
});

describe('times', () => {
	test.each([
		['46320', 'the first is "46320". It may be days of Excel (--time-format excel).'],
		['20261120', 'It fits --time-format "YYYYMMDD".'],
		['202611200800', 'It fits --time-format "YYYYMMDDHHmm".'],
		['3877200000', 'It may be seconds since 1904, as of LabVIEW or seconds since 1900, as of NTP.'],
		['123456', 'Say how it is written with --time-format.'],
	])('that are %s are refused, with what they look like and without --shift-to-now', async (cell, problem) => {
		const error = await replayed(`time,a\n${cell},1\n`).catch((thrown: unknown) => thrown);
		expect(String(error)).toContain(problem);
		expect(String(error)).not.toContain('shift');
	});

	describe('that are both epoch seconds and dates in ten digits', () => {
		const fileOf = (...times: readonly string[]): string =>
			['time;level', ...times.map((time, index) => `${time};${index}`)].join('\n');
		const both = fileOf('1710251230', '1710251235', '1710251240');

		test('are refused when all of them are, with both readings', async () => {
			await expect(replayed(both)).rejects.toThrow(
				'times with two readings in column time: the first is "1710251230". Say which: --time-format X for epoch seconds, or --time-format YYMMDDHHmm for dates.',
			);
			await expect(replayed(fileOf('1710251230', '1710251259'))).rejects.toThrow('two readings');
			// Rows that are not sent tell nothing: a time that cannot be read, and a row that is cut.
			await expect(replayed('level;time\n1;1710251230\n2;1710251259\n3\n')).rejects.toThrow('two readings');
			await expect(replayed(fileOf('1710251230', '', '1710251259'))).rejects.toThrow('two readings');
		});

		test.each([
			['X', '2024-03-12T13:47:10.000Z'],
			['YYMMDDHHmm', '2017-10-25T12:30Z'],
		])('are read with --time-format %s', async (timeFormat, first) => {
			const { samples } = await replayed(both, { timeFormat });
			expect(samples['level']?.[0]).toEqual([first, 0]);
			expect(samples['level']?.length).toBe(3);
		});

		test.each([
			['one of them is no date', ['1710251230', '1710251235', '1710251260']],
			['the first is no date', ['1710251260', '1710251301', '1710251302']],
			['there is one alone', ['1710251230']],
			['they have fractions', ['1710251230.0', '1710251235.0']],
			['they are milliseconds', ['1710251230000', '1710251235000']],
			['no month is one', ['1713251230', '1713251235']],
			['no hour is one', ['1710252430', '1710252435']],
		])('are epoch numbers when %s', async (_, times) => {
			const { points } = await replayed(fileOf(...times));
			expect(points.map(({ timeMs }) => timeMs)).toEqual(
				times.map((time) => (time.length === 13 ? Number(time) : Number(time) * 1000)),
			);
		});
	});

	test('that the clock skips are told, and not moved', async () => {
		const rows = ['01:30', '02:00', '02:30', '03:00'].map((clock) => `2026-03-29 ${clock},1`);
		const { samples, lines } = await replayed(['time,a', ...rows].join('\n'), { timeZone: 'Europe/Madrid' });
		expect(samples).toEqual({
			a: [
				['2026-03-29T00:30Z', 1],
				['2026-03-29T01:00Z', 1],
			],
		});
		expect(lines).toContain('  2 rows: the clock of the zone skips the time (such as "2026-03-29 02:00")');
	});
});

describe('rows with the series and time of an earlier row', () => {
	const overlap =
		'time,a,b\n2026-11-20 08:00,1,\n2026-11-20 08:00,,2\n2026-11-20 08:01,1,1\n2026-11-20 08:00,3,\n2026-11-20 08:01,,4\n';

	test('are refused with the file, and counted with the first', async () => {
		await expect(replayed(overlap)).rejects.toThrow(
			'has 2 rows with the series and time of an earlier row, the first in line 5. Nothing was sent',
		);
	});

	test('are sent with --repeated keep, and counted', async () => {
		const { samples, lines } = await replayed(overlap, { repeated: 'keep' });
		expect(samples['a']?.map(([, value]) => value)).toEqual([1, 1, 3]);
		expect(lines[0]).toBe('2 rows with the series and time of an earlier row, the first in line 5: the last one stays.');
	});

	test('name the options that tell them apart', async () => {
		const tags = 'time,tag,v,q\n2026-11-20,A,1,Good\n2026-11-20,B,2,Bad\n2026-11-20,C,3,GOOD\n';
		await expect(replayed(tags)).rejects.toThrow('has 2 rows');
		await expect(replayed(tags)).rejects.toThrow('name a column of series with --series-column and --value-column');
		const columns = { seriesColumn: 'tag', valueColumn: 'v', qualityColumn: 'q' };
		const { samples, lines } = await replayed(tags, columns);
		expect(samples).toEqual({ A: [['2026-11-20T00:00Z', 1]], C: [['2026-11-20T00:00Z', 3]] });
		expect(lines).toContain('  1 row: the quality is not good (such as "Bad")');
		expect(Object.keys((await replayed(tags, { ...columns, good: ['good', 'bad'] })).samples)).toEqual(['A', 'B', 'C']);
	});
});

/** Zones with a time shortly before one of their clock changes, or before none. */
const anyZoneAndStart = fc.constantFrom(
	['UTC', '2026-06-01T00:00Z'],
	['Asia/Kathmandu', '2026-06-01T00:00Z'],
	['Europe/Madrid', '2026-10-24T23:30Z'],
	['Europe/Madrid', '2026-03-29T00:00Z'],
	['America/New_York', '2026-11-01T04:30Z'],
	['Australia/Lord_Howe', '2026-04-04T14:00Z'],
	['Africa/Casablanca', '2026-02-15T00:30Z'],
);

test('a file of any delimiter, decimal sign, zone, encoding, shape and order is read as it was written', async () => {
	let [repeated, points] = [0, 0];
	await fc.assert(
		fc.asyncProperty(
			fc.record({
				delimiter: fc.constantFrom(',', ';', '\t', '|'),
				decimal: fc.constantFrom('.' as const, ',' as const),
				place: anyZoneAndStart,
				encoding: fc.constantFrom('utf8' as const, 'utf16le' as const, 'latin1' as const),
				newline: fc.constantFrom('\n', '\r\n', '\r'),
				isLong: fc.boolean(),
				isDescending: fc.boolean(),
				hasEpoch: fc.boolean(),
				stepMinutes: fc.constantFrom(1, 5, 10, 15, 30),
				table: fc.array(fc.tuple(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.option(fc.integer())), {
					minLength: 2,
					maxLength: 40,
				}), // prettier-ignore
			}),
			async ({ delimiter, decimal, place, encoding, newline, isLong, isDescending, hasEpoch, stepMinutes, table }) => {
				const [zoneName = 'UTC', start = ''] = place;
				const zone = openTimeZone(zoneName);
				if (zone === null) throw new Error(`no zone ${zoneName}`);
				const quote = (text: string): string => (text.includes(delimiter) ? `"${text}"` : text);
				const number = (value: number | null): string => (value === null ? '' : quote(String(value).replace('.', decimal)));
				const times = table.map((_, index) => Date.parse(start) + index * stepMinutes * 60_000);
				const rows = table.map(([a, b], index) => {
					const timeMs = times[index] ?? 0;
					const time = hasEpoch ? String(timeMs / 1000) : new Date(localTimeAt(timeMs, zone)).toISOString().slice(0, 19);
					const cells = isLong
						? [
								[time, 'Presión', number(a)],
								[time, 'b', number(b)],
							]
						: [[time, number(a), number(b)]];
					return cells.map((row) => row.join(delimiter));
				});
				const head = isLong ? ['time', 'series', 'v'] : ['time', 'Presión', 'b'];
				const lines = [head.join(delimiter), ...(isDescending ? rows.reverse() : rows).flat(), ''];
				const bytes = Buffer.from(lines.join(newline), encoding);
				const named = { utf8: undefined, utf16le: 'utf-16le', latin1: 'windows-1252' }[encoding];
				const { samples, lines: printed } = await replayed(bytes, {
					decimal,
					timeZone: zoneName,
					...(delimiter === '|' ? { delimiter } : {}),
					...(named === undefined ? {} : { encoding: named }),
					...(isLong ? { seriesColumn: 'series', valueColumn: 'v' } : {}),
				});
				const untold = Number(/(\d+) rows?: the time occurs twice/.exec(printed.join('\n'))?.[1] ?? 0);
				for (const [index, topic] of ['Presión', 'b'].entries()) {
					const expected = table.flatMap((row, rowIndex): [string, number][] => {
						const value = row[index] ?? null;
						return value === null ? [] : [[new Date(times[rowIndex] ?? 0).toISOString().replace(':00.000Z', 'Z'), value + 0]];
					});
					const read = (samples[topic] ?? []).map(([time, value]) => [time, value + 0]);
					if (isDescending) read.reverse();
					points += read.length;
					// A file that begins or ends in an hour that occurs twice may not tell it. Nothing else is missing, and nothing is wrong.
					if (untold === 0) expect(read).toEqual(expected);
					else for (const sample of read) expect(expected).toContainEqual(sample);
				}
				repeated += untold === 0 && printed.some((line) => line.includes('told apart')) ? 1 : 0;
			},
		),
		{ numRuns: casesOf(150), seed: firstSeed },
	);
	expect(repeated).toBeGreaterThan(3);
	expect(points).toBeGreaterThan(1000);
});

const field = join(import.meta.dirname, '../../../../../shared/field');
const hasField = existsSync(field);
if (!hasField) console.warn('The files of ../shared/field are not there: their tests are skipped.');

describe.skipIf(!hasField)('the files of ../shared/field', () => {
	const fileOf = (path: string): Promise<Buffer> => readFile(join(field, path));
	const expectedOf = async (path: string) => JSON.parse((await fileOf(`${path}/expected.json`)).toString());

	test('03: the autumn hour', async () => {
		const { points, lines } = await replayed(await fileOf('03-replay-autumn-hour/input.csv'), { timeZone: 'Europe/Madrid' });
		const expected = await expectedOf('03-replay-autumn-hour');
		expect(new Set(points.map(({ timeMs }) => timeMs)).size).toBe(expected.points);
		expect(points.reduce((sum, { value }) => sum + value / 4, 0)).toBe(expected.total_m3);
		expect(lines[0]).toBe('8 rows of an hour that occurs twice in Europe/Madrid: told apart by their order, from line 10.');
	});

	test.each(['a', 'b', 'c', 'd', 'e'])('06: more cells than columns, %s', async (name) => {
		const line = name === 'e' ? 3 : 2;
		expect((await expectedOf('06-replay-more-cells-than-columns')).or).toBe('refused, naming the first row');
		await expect(replayed(await fileOf(`06-replay-more-cells-than-columns/${name}.csv`))).rejects.toThrow(
			`The first ends in line ${line}`,
		);
	});

	test('07: days of Excel', async () => {
		const file = await fileOf('07-replay-excel-serial-dates/input.csv');
		await expect(replayed(file)).rejects.toThrow('It may be days of Excel (--time-format excel).');
		const { points } = await replayed(file, { timeFormat: 'excel' });
		expect([...new Set(points.map(({ timeMs }) => new Date(timeMs).toISOString().replace('.000', '')))]).toEqual(
			(await expectedOf('07-replay-excel-serial-dates')).or,
		);
		await expect(replayed(await fileOf('07-replay-excel-serial-dates/b.csv'))).rejects.toThrow('"YYYYMMDDHHmm"');
	});

	test('12: the CSV of the console in Spanish', async () => {
		const { points } = await replayed(await fileOf('12-own-csv-cannot-be-replayed/input.csv'), { timeColumn: 'Hora (UTC)' });
		const expected = await expectedOf('12-own-csv-cannot-be-replayed');
		expect(points.map(({ value }) => value)).toEqual(expected.values);
		expect(points.length).toBe(expected.points);
	});
});
