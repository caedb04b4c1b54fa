import * as v from 'valibot';
import { expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { fieldsOf, parse, shorten, ValidationIssues } from '#domain/validation/parse.ts';
import { offencesOf } from '#test/support/validation-issues.ts';

const schema = v.object({
	name: v.string(),
	count: v.number(),
	on: v.boolean(),
	kind: v.picklist(['last', 'history']),
	list: v.array(v.object({ id: v.number() })),
});
const right = { name: 'a', count: 1, on: true, kind: 'last', list: [{ id: 1 }] };

test('gives what the schema makes of the input', () => {
	expect(parse(schema, { ...right, other: 1 })).toStrictEqual(right);
});

test.each([
	[{ name: 5 }, 'name', 'Expected text, received 5.'],
	[{ name: null }, 'name', 'Expected text, received null.'],
	[{ count: '5' }, 'count', 'Expected a number, received "5".'],
	[{ on: 'true' }, 'on', 'Expected true or false, received "true".'],
	[{ kind: 'Last' }, 'kind', 'Expected "last" or "history", received "Last".'],
	[{ list: {} }, 'list', 'Expected a list, received an object.'],
	[{ list: [null] }, 'list.0', 'Expected an object, received null.'],
	[{ list: [[]] }, 'list.0', 'Expected an object, received a list.'],
	[{ list: [{ id: [] }] }, 'list.0.id', 'Expected a number, received a list.'],
	[{ list: [{ id: 1 }, {}] }, 'list.1.id', 'Is required.'],
])('names the field and what was expected: %j', (change, path, message) => {
	expect(offencesOf(() => parse(schema, { ...right, ...change }))).toStrictEqual({ [path]: message });
});

test('names what is wrong as a whole `request`', () => {
	expect(offencesOf(() => parse(schema, 'text'))).toStrictEqual({ request: 'Expected an object, received "text".' });
});

test('names a list in place of an object as such, not every field that it lacks', () => {
	expect(offencesOf(() => parse(schema, [right]))).toStrictEqual({ request: 'Expected an object, received a list.' });
	expect(offencesOf(() => parse(schema, { ...right, list: [{ id: 1 }, [], [{ id: 1 }]] }))).toStrictEqual({
		'list.1': 'Expected an object, received a list.',
		'list.2': 'Expected an object, received a list.',
	});
});

test('names every offence at once', () => {
	expect(Object.keys(offencesOf(() => parse(schema, {})))).toStrictEqual(['name', 'count', 'on', 'kind', 'list']);
});

test('does not repeat long input', () => {
	const { kind } = offencesOf(() => parse(schema, { ...right, kind: '😀'.repeat(500_000) }));
	expect(kind?.length).toBeLessThan(200);
	expect(kind?.isWellFormed()).toBe(true);
	expect([shorten('abc', 3), shorten('abcd', 3)]).toStrictEqual(['abc', 'abc…']);
});

test('tells the first of several offences at one path', () => {
	const offences = new ValidationIssues();
	offences.add('a', 'first');
	offences.add('b', 'other');
	offences.add('a', 'second');
	expect(offencesOf(() => offences.refuseIfAny())).toStrictEqual({ a: 'first', b: 'other' });
});

test('lists 1000 offences, and counts more', () => {
	const wrong = (count: number) => () => parse(v.array(v.number()), Array(count).fill('x'));
	expect(Object.keys(offencesOf(wrong(1000)))).toHaveLength(1000);
	const offences = offencesOf(wrong(1003));
	expect(Object.keys(offences)).toHaveLength(1001);
	expect(offences['request']).toBe('3 more fields are wrong and not listed.');
});

test('puts what it parses under a path', () => {
	const offences = new ValidationIssues();
	expect(offences.take(v.number(), 5, 'varsTsdb.a')).toBe(5);
	expect(offences.take(v.object({ id: v.number() }), {}, 'varsTsdb.a')).toBeUndefined();
	expect(offences.take(v.number(), '5', '__proto__')).toBeUndefined();
	expect(() => offences.refuseIfAny()).toThrow(
		new DomainError('invalid', {
			offences: [
				{ path: 'varsTsdb.a.id', message: 'Is required.' },
				{ path: '__proto__', message: 'Expected a number, received "5".' },
			],
		}),
	);
});

test('refuses nothing where nothing is wrong', () => {
	expect(() => new ValidationIssues().refuseIfAny()).not.toThrow();
});

test('takes the fields of an object as they came', () => {
	const fields = fieldsOf(JSON.parse('{"a":1,"b":null,"__proto__":{"c":1},"constructor":2}'));
	expect(fields).toStrictEqual({ a: 1, b: null });
	expect(fields['c']).toBeUndefined();
});

test.each([[null], [undefined], [5], ['text'], [[]], [[{}]], [true]])('has no fields to take from %j', (input) => {
	expect(offencesOf(() => fieldsOf(input))).toStrictEqual({ request: 'Expected an object.' });
});
