import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { claimNamesOf, compareGrants, grantSchema, grantText, meetsGrant, whereSchema } from '#domain/identity/grants.ts';
import { makeGrant } from '#test/support/builders/identity.ts';

const isWhere = (json: string): boolean => v.is(whereSchema, JSON.parse(json));
const claimsOf = (count: number): string => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, 'x'])));

describe('the claims of a grant', () => {
	test.each([
		['one claim', '{"groups":"a"}', true],
		['four claims', claimsOf(4), true],
		['five claims', claimsOf(5), false],
		['no claim, which would let in everybody', '{}', false],
		['an empty value', '{"groups":""}', false],
		['an empty name', '{"":"a"}', false],
		['a number', '{"groups":7}', false],
		['a value of 1,000 characters', JSON.stringify({ a: 'x'.repeat(1000) }), true],
		['a value of 1,001 characters', JSON.stringify({ a: 'x'.repeat(1001) }), false],
		['a text', '"a"', false],
		['null', 'null', false],
		['the name __proto__, which would be left out beside another one', '{"a":"b","__proto__":"c"}', false],
		['the name constructor, likewise', '{"a":"b","constructor":"c"}', false],
		['the name prototype, likewise', '{"a":"b","prototype":"c"}', false],
	])('%s', (_, json, accepted) => {
		expect(isWhere(json)).toBe(accepted);
	});

	test('are never fewer after parsing', () => {
		fc.assert(
			fc.property(
				fc.dictionary(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), { minKeys: 1, maxKeys: 4 }),
				(where) => {
					const isUsable = !['__proto__', 'constructor', 'prototype'].some((name) => Object.hasOwn(where, name));
					const { success, output } = v.safeParse(whereSchema, where);
					expect([success, Object.entries(isUsable ? where : {})]).toEqual([
						isUsable,
						isUsable ? Object.entries(output ?? {}) : [],
					]);
				},
			),
		);
	});

	test('must all hold, exactly', () => {
		const grant = { where: { groups: 'ops', hd: 'plant.example' } };
		expect(meetsGrant(grant, { groups: ['a', 'ops'], hd: 'plant.example' })).toBe(true);
		expect(meetsGrant(grant, { groups: ['a', 'ops'] })).toBe(false);
		for (const groups of ['OPS', 'ops ', 'op', 'ops*', ['ops2'], null, ['ops', 1].join()])
			expect(meetsGrant(grant, { groups, hd: 'plant.example' })).toBe(false);
		expect(meetsGrant({ where: { id: '7' } }, { id: 7 })).toBe(true);
		expect(meetsGrant({ where: { a: '.*' } }, { a: 'x' })).toBe(false);
		expect(meetsGrant({ where: { email: 'ada@x.example' } }, { email: 'ada@x.example' })).toBe(false);
	});

	test('have one text in whatever order they are written, and another text for anything else', () => {
		const texts = [
			makeGrant(),
			makeGrant({ schema: 's2' }),
			makeGrant({ database: 'd2' }),
			makeGrant({ where: { groups: 'b' } }),
			makeGrant({ where: { b: 'groups' } }),
			makeGrant({ where: { 'a","b': 'c' } }),
			makeGrant({ where: { a: 'b","c' } }),
			makeGrant({ schema: 's"', database: 'd' }),
			makeGrant({ schema: 's', database: '"d' }),
		].map(grantText);
		expect(new Set(texts).size).toBe(texts.length);
		expect(grantText(makeGrant({ where: { a: '1', b: '2' } }))).toBe(grantText(makeGrant({ where: { b: '2', a: '1' } })));
		expect(grantText(makeGrant({ role: 'viewer', owner: 9 }))).toBe(grantText(makeGrant()));
	});
});

test('a grant needs an owner and a role that exists', () => {
	for (const wrong of [{ owner: 0 }, { owner: 1.5 }, { role: 'boss' }, { schema: '' }])
		expect(v.is(grantSchema, { ...makeGrant(), ...wrong })).toBe(false);
	expect(v.is(grantSchema, makeGrant())).toBe(true);
});

test('names the claims that grants look at once, in order', () => {
	expect(claimNamesOf([makeGrant({ where: { b: '1', a: '2' } }), makeGrant({ where: { b: '3' } })])).toEqual(['a', 'b']);
});

test('sorts grants by schema, database and claims', () => {
	const sorted = [makeGrant({ schema: 'a b' }), makeGrant({ schema: 'a' }), makeGrant({ schema: 'a', database: 'c' })].sort(
		compareGrants,
	);
	expect(sorted.map(({ schema, database }) => `${schema}/${database}`)).toEqual(['a/c', 'a/d', 'a b/d']);
});
