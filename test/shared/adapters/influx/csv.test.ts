import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCsvReader, type Header } from '#adapters/influx/csv.ts';
import { linesOf } from '#infra/local/adapters/influx-writer.ts';
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { canonicalTags } from '#infra/local/adapters/line-protocol/point.ts';

const read = (chunks: readonly string[]) => {
	const headers: Header[] = [];
	const rows: string[][] = [];
	const reader = createCsvReader({ header: (header) => headers.push(header), row: (cells) => rows.push([...cells]) });
	for (const chunk of chunks) reader.push(chunk);
	return { headers, rows, whole: reader.isWhole() };
};

const text = [
	'#datatype,string,long,double,string',
	'#default,first,,,',
	',result,table,_value,topic',
	',,0,1.5,plain',
	',,0,2,"a ""quoted"", one',
	'of two lines"',
	'',
	'#datatype,string,long,string',
	'#default,second,,',
	',result,table,_value',
	',,0,""',
	'',
	'',
].join('\r\n');

describe('createCsvReader', () => {
	test('reads several tables with quoted cells', () => {
		const { headers, rows, whole } = read([text]);
		expect(headers).toEqual([
			{
				result: 'first',
				names: ['', 'result', 'table', '_value', 'topic'],
				types: ['#datatype', 'string', 'long', 'double', 'string'],
			},
			{ result: 'second', names: ['', 'result', 'table', '_value'], types: ['#datatype', 'string', 'long', 'string'] },
		]);
		expect(rows).toEqual([
			['', '', '0', '1.5', 'plain'],
			['', '', '0', '2', 'a "quoted", one\nof two lines'],
			['', '', '0', ''],
		]);
		expect(whole).toBe(true);
	});

	test('reads the same rows from chunks of any size', () => {
		const expected = read([text]);
		fc.assert(
			fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
				const places = [0, ...cuts.sort((a, b) => a - b), text.length];
				const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
				expect(read(pieces)).toEqual(expected);
			}),
		);
	});

	test('reports an unfinished last line as not whole, and not as a row', () => {
		const { rows, whole } = read([text.slice(0, text.indexOf(',,0,2'))]);
		expect([rows.length, whole]).toEqual([1, true]);
		const cut = read([text.slice(0, text.indexOf(',,0,2') + 8)]);
		expect([cut.rows.length, cut.whole]).toEqual([1, false]);
	});

	test.each(['<html>', `${text.slice(0, text.indexOf(',,0,2'))},,0\r\n`, `,a\r\n,"x\r\n${'y'.repeat(1_000_001)}`])(
		'rejects a text that is not annotated CSV',
		(malformed) => {
			expect(() => read([`${malformed}\r\n`])).toThrow(/neither a row|cells|no end/);
		},
	);
});

describe('linesOf', () => {
	test('writes points that parseLineProtocol reads back', () => {
		const name = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'é', ' ', ',', '=', '"', '/', '💧') });
		const value = fc.oneof(
			fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => ({ kind: 'float' as const, value: number })),
			fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((integer) => ({ kind: 'int' as const, value: integer })),
			fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((integer) => ({ kind: 'uint' as const, value: integer })),
			fc.boolean().map((on) => ({ kind: 'bool' as const, value: on })),
			fc.string().map((string) => ({ kind: 'string' as const, value: string })),
		);
		fc.assert(
			fc.property(name, name, name, value, (measurement, tag, field, fieldValue) => {
				const point = { measurement, tags: canonicalTags([['site', tag]]), field, value: fieldValue, timeNs: 12n };
				const { points } = parseLineProtocol([...linesOf([point])].join('\n'), { precision: 'ns', nowNs: 0n });
				expect(points).toEqual([point]);
			}),
		);
	});

	test('writes a field key that begins with a tab or NUL behind another field of its line', () => {
		const text = 'm,site=x a=1,\tb=2i,\0c="t",\t=t 12\nm,site=x a=3 13\nm d=4,\te=5 13';
		const { points } = parseLineProtocol(text, { precision: 'ns', nowNs: 0n });
		expect(points.map(({ field }) => field)).toEqual(['a', '\tb', '\0c', '\t', 'a', 'd', '\te']);
		const lines = [...linesOf(points)];
		expect(lines).toHaveLength(3);
		expect(parseLineProtocol(lines.join('\n'), { precision: 'ns', nowNs: 0n }).points).toEqual(points);
	});
});
