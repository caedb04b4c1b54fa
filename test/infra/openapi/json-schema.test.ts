import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { chartSchema } from '#domain/board/chart.ts';
import { diagramSchema } from '#domain/board/diagram.ts';
import { diagramItemSchema } from '#domain/board/symbol.ts';
import { panelSchema } from '#domain/panel/panel.ts';
import { bitPositionSchema, idSchema, text, variableIdSchema } from '#domain/validation/field.ts';
import { querySchema } from '#domain/variable/query.ts';
import { described } from '#infra/openapi/component.ts';
import { components } from '#infra/openapi/components.ts';
import { toComponentSchemas } from '#infra/openapi/json-schema.ts';
import { makeQuery } from '#test/support/builders/builders.ts';
import { faultOf } from '#test/support/openapi/api-description.ts';

const convert = (schema: v.GenericSchema) => toComponentSchemas({ Only: described(schema, 'One schema.') })['Only'] ?? {};

/** Whether the JSON Schema of a schema accepts a value. */
const accepts = (schema: v.GenericSchema, value: unknown): boolean => faultOf('request', convert(schema), value) === null;

const numbers = fc.oneof(
	fc.double({ noNaN: true, noDefaultInfinity: true }),
	fc.integer({ min: -2, max: 10 }),
	fc.constantFrom(0, 7, 8, 1, Number.MAX_SAFE_INTEGER, 2 ** 53, Number.MIN_VALUE, '1', null, true),
);

describe('the JSON Schema of a field accepts what its parser accepts', () => {
	test.each([
		['an id', idSchema],
		['the id of a variable', variableIdSchema],
		['the position of a bit', bitPositionSchema],
		['a position on a diagram', diagramItemSchema.entries.x],
		['the count of a duration', querySchema.entries.calc_time],
	])('%s', (_, schema) => {
		const outcomes = new Set<boolean>();
		fc.assert(
			fc.property(numbers, (value) => {
				// JSON has no -0.
				fc.pre(!Object.is(value, -0));
				outcomes.add(v.is(schema, value));
				expect(accepts(schema, value)).toBe(v.is(schema, value));
			}),
		);
		expect(outcomes.size).toBe(2);
	});

	test('text, whose length is counted in characters', () => {
		const short = text(3);
		for (const value of ['', 'a', 'abc', 'abcd', '😀😀😀', '😀😀😀😀', 5, null])
			expect(accepts(short, value)).toBe(v.is(short, value));
	});
});

const item = { varId: 1, x: 0, y: 1 };
const series = { varId: 1 };
const pump = { id: 1, name: 'P', varId: 1, type: 'pump' };
const many = (count: number, value: object) => Array.from({ length: count }, (_, id) => ({ ...value, id }));

describe('the JSON Schema of a body accepts what its parser accepts, just enough and just too much', () => {
	const cases: [string, v.GenericSchema, unknown][] = [
		['500 series', chartSchema, { id: 0, title: 'C', series: many(500, series) }],
		['501 series', chartSchema, { id: 0, title: 'C', series: many(501, series) }],
		['a series without a variable', chartSchema, { id: 0, title: 'C', series: [{ label: 'L' }] }],
		['no title', chartSchema, { id: 0, title: '', series: [] }],
		['an item in the corner', diagramSchema, { id: 0, title: 'D', items: [item] }],
		['an item outside', diagramSchema, { id: 0, title: 'D', items: [{ ...item, x: 1.01 }] }],
		['bit 7', diagramSchema, { id: 0, title: 'D', items: [{ ...item, bit: 7 }] }],
		['bit 8', diagramSchema, { id: 0, title: 'D', items: [{ ...item, bit: 8 }] }],
		['1000 pumps', panelSchema, { title: 'P', pumps: many(1000, pump) }],
		['1001 pumps', panelSchema, { title: 'P', pumps: many(1001, pump) }],
		['a state among the pumps', panelSchema, { title: 'P', pumps: [{ ...pump, type: 'status' }] }],
		['a query', querySchema, makeQuery()],
		['a query of no time', querySchema, { ...makeQuery(), calc_time: 0 }],
		['a query with an unknown unit', querySchema, { ...makeQuery(), calc_unit_period: 'w' }],
	];
	const named = Object.entries(components).map(([name, { schema }]) => [schema, name] as const);
	test.each(cases)('%s', (_, schema, body) => {
		const name = new Map<v.GenericSchema, string>(named).get(schema) ?? '';
		expect(faultOf('request', { $ref: `#/components/schemas/${name}` }, body) === null).toBe(v.is(schema, body));
	});
});

describe('toComponentSchemas', () => {
	test('refers to a component inside another one, in lists of the domain too', () => {
		const inner = v.object({ a: v.string() });
		const schemas = toComponentSchemas({
			Inner: described(inner, 'I.'),
			Outer: described(v.object({ list: v.array(inner) }), 'O.'),
		});
		expect(schemas['Outer']?.properties).toEqual({ list: { type: 'array', items: { $ref: '#/components/schemas/Inner' } } });
		expect(toComponentSchemas(components)['ChartInput']?.properties?.['series']).toMatchObject({
			type: 'array',
			maxItems: 500,
			items: { $ref: '#/components/schemas/ChartSeries' },
		});
	});

	test('writes null as a type, and a tuple with the number of its items', () => {
		expect(convert(v.nullable(v.number()))).toMatchObject({ type: ['number', 'null'] });
		expect(convert(v.strictTuple([v.string(), v.number()]))).toMatchObject({ minItems: 2, maxItems: 2 });
	});

	test('refuses what JSON Schema cannot say', () => {
		expect(() => convert(v.date())).toThrow('date');
		expect(() => convert(v.pipe(v.string(), v.toUpperCase()))).toThrow('to_upper_case');
	});
});
