import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import {
	atMost,
	atMostVariables,
	bitPositionSchema,
	fieldOf,
	finiteNumber,
	idSchema,
	listUpTo,
	text,
	uniqueBy,
	variableIdSchema,
} from '#domain/validation/field.ts';
import { parse } from '#domain/validation/parse.ts';
import { issuesOf } from '#test/support/validation-issues.ts';

test.each([
	[0, true],
	[1, true],
	[Number.MAX_SAFE_INTEGER, true],
	[2 ** 53, false],
	[-1, false],
	[-0, false],
	[1.5, false],
	[Number.POSITIVE_INFINITY, false],
	[Number.NaN, false],
	['1', false],
	[null, false],
	[true, false],
])('accepts %j as an id: %j', (value, accepted) => {
	expect(v.is(idSchema, value)).toBe(accepted);
	expect(v.is(variableIdSchema, value)).toBe(accepted && value !== 0);
});

test.each([
	[0, true],
	[-1.5, true],
	[5e-324, true],
	[Number.MAX_VALUE, true],
	[-0, false],
	[Number.POSITIVE_INFINITY, false],
	[Number.NEGATIVE_INFINITY, false],
	[Number.NaN, false],
	['0', false],
	[null, false],
])('accepts %d as a number: %j', (value, accepted) => {
	expect(v.is(finiteNumber, value)).toBe(accepted);
});

test.each([
	[0, true],
	[7, true],
	[8, false],
	[-1, false],
	[-0, false],
	[3.5, false],
	['3', false],
])('accepts %j as a bit position: %j', (value, accepted) => {
	expect(v.is(bitPositionSchema, value)).toBe(accepted);
});

test.each([
	['a', true],
	['', false],
	[' ', true],
	['é'.repeat(3), true],
	['é'.repeat(4), false],
	['😀😀😀', true],
	['😀😀😀😀', false],
	['\ud83d', false],
	['\ude00\ud83d', false],
	['a\u0000', true],
	['😀'.repeat(500_000), false],
	[5, false],
	[null, false],
])('accepts %j as text of at most 3 characters: %j', (value, accepted) => {
	expect(v.is(text(3), value)).toBe(accepted);
});

test.each([
	[[{ id: 1 }, { id: 2 }], []],
	[[], []],
	[[{ id: 1 }, { id: 1 }], ['1.id']],
	[
		[{ id: 1 }, { id: 2 }, { id: 1 }, { id: 1 }],
		['2.id', '3.id'],
	],
	[
		[{ id: 1 }, { id: '1' }, { id: 1 }, null],
		['1.id', '3', '2.id'],
	],
	['no list', ['']],
])('reports the repeated ids in %j', (value, paths) => {
	const { issues = [] } = v.safeParse(v.pipe(v.array(v.object({ id: v.number() })), uniqueBy<{ id: number }>('id')), value);
	expect(issues.map((issue) => v.getDotPath(issue) ?? '')).toStrictEqual(paths);
});

test.each([
	[[1, 2, 3], []],
	[[1, 2, 3, 4], ['At most 3 items; this has 4.']],
	[[1, null, 'x', 4], ['At most 3 items; this has 4.']],
	[{ length: 4 }, []],
])('counts the items of %j, also invalid ones', (value, messages) => {
	const { issues = [] } = v.safeParse(v.pipe(v.array(v.number()), atMost<number>(3, 'items')), value);
	expect(issues.filter(({ kind }) => kind === 'validation').map(({ message }) => message)).toStrictEqual(messages);
});

describe('listUpTo', () => {
	const schema = v.pipe(...listUpTo(v.number(), 1000, 'items'));

	test('returns the parsed items', () => {
		expect(v.parse(v.pipe(...listUpTo(v.object({ id: v.number() }), 1, 'items')), [{ id: 1, other: 2 }])).toEqual([{ id: 1 }]);
		expect(v.parse(schema, [])).toEqual([]);
	});

	test('reports each invalid item with its path and message', () => {
		expect(issuesOf(() => parse(schema, [1, 'x', 2, null]))).toEqual({
			'1': 'Expected a number, received "x".',
			'3': 'Expected a number, received null.',
		});
		expect(issuesOf(() => parse(schema, { length: 1 }))).toEqual({ request: 'Expected a list, received an object.' });
	});

	test('stops after 101 invalid items', () => {
		let parsed = 0;
		const counted = v.custom<number>(() => {
			parsed += 1;
			return false;
		}, 'Wrong.');
		v.safeParse(v.pipe(...listUpTo(counted, 1000, 'items')), Array(1000).fill(1));
		expect(parsed).toBe(101);
	});

	test('does not look at the items of a list that is too long', () => {
		const unread = v.custom<{ id: number }>(() => {
			throw new Error('An item was read.');
		});
		const limited = v.pipe(...listUpTo(unread, 2, 'items'), uniqueBy<{ id: number }>('id'));
		expect(issuesOf(() => parse(limited, [{ id: 1 }, { id: 1 }, { id: 1 }]))).toEqual({
			request: 'At most 2 items; this has 3.',
		});
	});
});

test('reports at most 101 repeated ids', () => {
	const items = Array.from({ length: 500 }, () => ({ id: 1 }));
	const { issues = [] } = v.safeParse(v.pipe(v.array(v.object({ id: v.number() })), uniqueBy<{ id: number }>('id')), items);
	expect(issues).toHaveLength(101);
});

test('does not count the variables of a list that is too long', () => {
	const schema = v.pipe(v.object({ items: v.unknown() }), atMostVariables(1, 2, 'items'));
	expect(v.is(schema, { items: [{ varId: 1 }, { varId: 2 }] })).toBe(false);
	expect(v.is(schema, { items: [{ varId: 1 }, { varId: 2 }, { varId: 3 }] })).toBe(true);
});

test.each([
	[[{ varId: 3 }, { varId: 3, name: '' }, { varId: 0 }, { varId: '4' }, { varId: 5 }, null, [], 7], 2],
	[[{ varId: 3 }], 1],
	[[], 0],
	[null, 0],
	[{ varId: 3 }, 0],
])('counts the different variables of the items in %j, also of invalid items', (items, count) => {
	const anyList = v.object({ items: v.unknown(), others: v.array(v.object({ varId: v.number() })) });
	const messagesOf = (maxVariables: number, others: readonly unknown[]) => {
		const schema = v.pipe(anyList, atMostVariables(maxVariables, 8, 'items', 'others'));
		return (v.safeParse(schema, { items, others }).issues ?? []).map(({ message }) => message);
	};
	const message = (actual: number) => `At most ${actual - 1} different variables; this refers to ${actual}.`;
	expect(messagesOf(count, [])).toStrictEqual([]);
	expect(messagesOf(count, [{ varId: 99 }])).toStrictEqual([message(count + 1)]);
	if (count > 0) expect(messagesOf(count - 1, [])).toStrictEqual([message(count)]);
});

describe('fieldOf', () => {
	test.each([
		[{ id: 1 }, 1],
		[{ id: null }, null],
		[{}, undefined],
		[[], undefined],
		[null, undefined],
		['text', undefined],
		[undefined, undefined],
	])('of %j is %j', (value, field) => {
		expect(fieldOf(value, 'id')).toBe(field);
	});
});
