import { describe, expect, test } from 'vitest';
import { parse } from '#domain/validation/parse.ts';
import { bitsSchema } from '#domain/variable/bit.ts';
import { issuesOf } from '#test/support/validation-issues.ts';

const makeBits = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `Bit ${index}`, bit: index }));

describe('bitsSchema', () => {
	test.each<readonly [string, unknown, readonly string[]]>([
		['one', makeBits(1), []],
		['none', [], ['request']],
		['eight', makeBits(8), []],
		['nine', makeBits(9), ['request']],
		['null', null, ['request']],
		['an object', {}, ['request']],
		['items that are not bits', ['Pump 1', null, 7], ['0', '1', '2']],
		['a list in place of a bit', [[]], ['0']],
		['a bit without fields', [{}], ['0.id', '0.name', '0.bit']],
		['position 7', [{ id: 1, name: 'On', bit: 7 }], []],
		['position 8', [{ id: 1, name: 'On', bit: 8 }], ['0.bit']],
		['position 0', [{ id: 1, name: 'On', bit: 0 }], []],
		['position -1', [{ id: 1, name: 'On', bit: -1 }], ['0.bit']],
		['position -0', [{ id: 1, name: 'On', bit: -0 }], ['0.bit']],
		['position 0.5', [{ id: 1, name: 'On', bit: 0.5 }], ['0.bit']],
		['a position as text', [{ id: 1, name: 'On', bit: '0' }], ['0.bit']],
		['an empty name', [{ id: 1, name: '', bit: 0 }], ['0.name']],
		['id 0', [{ id: 0, name: 'On', bit: 0 }], []],
		['a negative id', [{ id: -1, name: 'On', bit: 0 }], ['0.id']],
		['equal names', makeBits(2).map((bit) => ({ ...bit, name: 'On' })), []],
		['equal ids', makeBits(3).map((bit) => ({ ...bit, id: 5 })), ['1.id', '2.id']],
		['equal positions', makeBits(3).map((bit) => ({ ...bit, bit: 5 })), ['1.bit', '2.bit']],
		[
			'equal ids and positions of two otherwise invalid bits',
			makeBits(2).map(() => ({ id: 1, name: '', bit: 1 })),
			['0.name', '1.name', '1.id', '1.bit'],
		],
		['eight, of which one is not a bit', [...makeBits(7), null], ['7']],
	])('reports the paths of all issues: %s', (_, input, paths) => {
		expect(Object.keys(issuesOf(() => parse(bitsSchema, input))).toSorted()).toEqual(paths.toSorted());
	});
});
