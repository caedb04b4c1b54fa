import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJsonRows } from '#adapters/influxql/json-rows.ts';

const rows = (text: string) => [...readJsonRows(text)].map((row) => [...row]);

describe('readJsonRows', () => {
	test.each([
		['3', 3n],
		['3.0', 3],
		['-0.0', -0],
		['1e300', 1e300],
		['1.5E-7', 1.5e-7],
		['9007199254740993', 9007199254740993n],
		['-9223372036854775808', -9223372036854775808n],
		['18446744073709551615', 18446744073709551615n],
		['true', true],
		['false', false],
		['null', null],
		['"29"', '29'],
		['"a\\"]},\\\\{\\u00e9"', 'a"]},\\{é'],
	])('reads the cell %s', (written, cell) => {
		expect(rows(`[{"a":${written}}]`)).toEqual([[['a', cell]]]);
		expect(rows(` [ { "a" : ${written} , "b":1 } ,{ "c":2}]\n`)).toEqual([
			[
				['a', cell],
				['b', 1n],
			],
			[['c', 2n]],
		]);
	});

	test('reads no rows, and names that are names of objects', () => {
		expect(rows('[]')).toEqual([]);
		expect(rows('[{"__proto__":1,"1":"x","":2.0}]')).toEqual([
			[
				['__proto__', 1n],
				['1', 'x'],
				['', 2],
			],
		]);
	});

	test('reads any text and any number exactly', () => {
		const cell = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
			fc.double({ noDefaultInfinity: true, noNaN: true }),
			fc.boolean(),
		);
		const written = (value: string | bigint | number | boolean): string => {
			if (typeof value !== 'number') return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
			return /[.e]/.test(String(value)) ? String(value) : `${Object.is(value, -0) ? '-0' : value}.0`;
		};
		fc.assert(
			fc.property(fc.array(fc.dictionary(fc.string(), cell, { minKeys: 1 })), (values) => {
				const texts = values.map(
					(row) => `{${Object.entries(row).map(([name, value]) => `${JSON.stringify(name)}:${written(value)}`)}}`,
				);
				expect(rows(`[${texts}]`)).toEqual(values.map((row) => Object.entries(row)));
			}),
		);
	});

	test.each([
		'',
		'[',
		'[{"a":1}',
		'[{"a":1},',
		'[{"a":1},]',
		'[{"a":1',
		'[{"a":"]',
		'[{"a":1}]]',
		'[{"a":1}] [{"a":1}]',
		'{"a":1}',
		'{"a":1}\n{"a":2}',
		'[{"a":[1]}]',
		'[{"a":{}}]',
		'[{"a":01}]',
		'[{"a":1.}]',
		'[{"a":NaN}]',
		'[{a:1}]',
		'[1]',
		'<html>',
	])('refuses %s', (text) => {
		expect(() => rows(text)).toThrow(RangeError);
	});

	test('refuses every part of an answer, wherever it is cut, and two columns of one name', () => {
		const whole = '[{"iox::measurement":"a","time":"2024-03-15T11:59:00","v":-1.5e3},{"v":"]"},{"v":null}]';
		expect(rows(whole)).toHaveLength(3);
		for (let length = 0; length < whole.length; length += 1) expect(() => rows(whole.slice(0, length))).toThrow(RangeError);
		expect(() => rows('[{"a":1,"a":2}]')).toThrow('Two columns have the name a.');
	});
});
