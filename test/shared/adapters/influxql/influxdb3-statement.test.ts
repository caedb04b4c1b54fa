import { describe, expect, test } from 'vitest';
import { answerRowsOf } from '#adapters/influxql/influxdb3-rows.ts';
import { influxdb3StatementOf } from '#adapters/influxql/influxdb3-statement.ts';
import { readJsonRows } from '#adapters/influxql/json-rows.ts';

const range = 'time >= 0ms AND time < 9ms';

describe('influxdb3StatementOf', () => {
	test.each([
		[
			`SELECT last("f"::float) FROM "a","b" WHERE ${range} GROUP BY *`,
			`SELECT last("f"::float) AS "caudal=0" FROM "a","b" WHERE ${range} GROUP BY *`,
		],
		[
			`SELECT "x, FROM \\" (y)"::field FROM "a" WHERE ${range} GROUP BY * ORDER BY time DESC LIMIT 1`,
			`SELECT "x, FROM \\" (y)"::field AS "caudal=0" FROM "a" WHERE ${range} GROUP BY * ORDER BY time DESC LIMIT 1`,
		],
		[
			`SELECT mean("f"::float),max("f"::float) FROM "a" WHERE ${range} GROUP BY time(5ms, 0ms), * fill(none) ORDER BY time DESC LIMIT 1`,
			`SELECT mean("f"::float) AS "caudal=0",max("f"::float) AS "caudal=1" FROM "a" WHERE ${range} GROUP BY time(5ms, 0ms), * fill(none)`,
		],
		[
			`SELECT count("n") FROM (SELECT count("f"::float) AS "n" FROM ") WHERE time " WHERE ${range} GROUP BY time(1ms, 0ms), * fill(none)) WHERE ${range} GROUP BY time(5ms, 0ms), * fill(none)`,
			`SELECT count("n") AS "caudal=0" FROM (SELECT count("f"::float) AS "n" FROM ") WHERE time " WHERE ${range} GROUP BY time(1ms, 0ms), * fill(none)) WHERE "n" > 0 AND ${range} GROUP BY time(5ms, 0ms), * fill(none)`,
		],
		['SHOW MEASUREMENTS', 'SHOW MEASUREMENTS'],
		['SHOW FIELD KEYS FROM "m"', 'SHOW FIELD KEYS FROM "m"'],
		['SHOW TAG VALUES FROM "m" WITH KEY = "k"', 'SHOW TAG VALUES FROM "m" WITH KEY = "k" WHERE time >= 0ms'],
	])('rewrites %s', (text, expected) => {
		expect(influxdb3StatementOf(text).text).toBe(expected);
	});

	test('refuses what it does not know', () => {
		for (const text of ['DROP DATABASE "a"', 'SELECT * FROM "a"', ' SELECT "a" FROM "b"', ''])
			expect(() => influxdb3StatementOf(text), text).toThrow(RangeError);
	});
});

describe('answerRowsOf', () => {
	const rowsOf = (text: string, rows: string) => answerRowsOf(readJsonRows(rows), influxdb3StatementOf(text));

	test('tells series apart by measurement and tags, whatever the names of the tags are', () => {
		const statement = 'SELECT mean("f"::float),count("f"::float) FROM "a" WHERE time < 9ms GROUP BY time(5ms, 0ms), *';
		const rows = [
			'{"iox::measurement":"a","time":"2024-03-15T11:59:00","mean":"x","b":"1","caudal=0":1.5,"caudal=1":2}',
			'{"iox::measurement":"a","time":"1969-12-31T23:59:59.123456789","b":"1","mean":"x","caudal=0":2.0,"caudal=1":1}',
			'{"iox::measurement":"a","time":"2024-03-15T11:59:00Z","b":"","caudal=0":null,"caudal=1":1}',
		];
		expect(rowsOf(statement, `[${rows}]`)).toEqual([
			{
				name: 'a',
				tags: [
					['b', '1'],
					['mean', 'x'],
				],
				columns: [
					[1710503940000000000n, -876543211n],
					[1.5, 2],
					[2n, 1n],
				],
			},
			{ name: 'a', tags: [], columns: [[1710503940000000000n], [Number.POSITIVE_INFINITY], [1n]] },
		]);
	});

	test('leaves out rows without a value, and keeps a stored 0', () => {
		const start = '{"iox::measurement":"a","time":"2024-03-15T11:59:00"';
		const counted = 'SELECT last("f"::float),count("f"::float) FROM "a"';
		expect(rowsOf(counted, `[${start}},${start},"caudal=1":0},${start},"caudal=0":null,"caudal=1":0}]`)).toEqual([]);
		expect(rowsOf('SELECT last("f"::field) FROM "a"', `[${start},"caudal=0":0}]`)).toMatchObject([
			{ columns: [[expect.anything()], [0n]] },
		]);
		expect(rowsOf('SELECT "f"::field FROM "a"', `[${start},"caudal=0":0}]`)).toMatchObject([
			{ columns: [[expect.anything()], [0n]] },
		]);
	});

	test('reads names without times', () => {
		const keys =
			'[{"iox::measurement":"m","fieldKey":"f","fieldType":"float"},{"iox::measurement":"m","fieldKey":"g","fieldType":"integer"}]';
		expect(rowsOf('SHOW FIELD KEYS', keys)).toEqual([
			{
				name: 'm',
				tags: [],
				columns: [
					['f', 'g'],
					['float', 'integer'],
				],
			},
		]);
	});

	test.each([
		'{"time":"2024-03-15T11:59:00","caudal=0":1}',
		'{"iox::measurement":"a","caudal=0":1}',
		'{"iox::measurement":"a","time":"yesterday","caudal=0":1}',
		'{"iox::measurement":"a","time":1710503940000,"caudal=0":1}',
	])('refuses the row %s', (row) => {
		expect(() => rowsOf('SELECT last("f"::float) FROM "a"', `[${row}]`)).toThrow(RangeError);
	});
});
