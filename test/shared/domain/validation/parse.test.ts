import * as v from 'valibot';
import { expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import {
	checkStartBeforeEnd,
	checkStartIsPast,
	parse,
	plainObject,
	shorten,
	ValidationIssues,
} from '#domain/validation/parse.ts';
import { type Problem, problem } from '#domain/validation/problem.ts';
import { issuesOf } from '#test/support/validation-issues.ts';

const schema = v.object({
	name: v.string(),
	count: v.number(),
	on: v.boolean(),
	kind: v.picklist(['last', 'history']),
	list: v.array(v.object({ id: v.number() })),
});
const moreIssues = 'More fields are wrong and not listed: correct the listed ones first.';
const problemSaying = (message: string): Problem => problem('invalid_value', message);
const valid = { name: 'a', count: 1, on: true, kind: 'last', list: [{ id: 1 }] };

test('returns the output of the schema', () => {
	expect(parse(schema, { ...valid, other: 1 })).toStrictEqual(valid);
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
])('names the field and the expected value: %j', (change, path, message) => {
	expect(issuesOf(() => parse(schema, { ...valid, ...change }))).toStrictEqual({ [path]: message });
});

test('reports an issue of the whole body as `request`', () => {
	expect(issuesOf(() => parse(schema, 'text'))).toStrictEqual({ request: 'Expected an object, received "text".' });
});

test('reports a list in place of an object once, not every missing field', () => {
	expect(issuesOf(() => parse(schema, [valid]))).toStrictEqual({ request: 'Expected an object, received a list.' });
	expect(issuesOf(() => parse(schema, { ...valid, list: [{ id: 1 }, [], [{ id: 1 }]] }))).toStrictEqual({
		'list.1': 'Expected an object, received a list.',
		'list.2': 'Expected an object, received a list.',
	});
});

test('reports every issue at once', () => {
	expect(Object.keys(issuesOf(() => parse(schema, {})))).toStrictEqual(['name', 'count', 'on', 'kind', 'list']);
});

test('shortens long input in messages', () => {
	const { kind } = issuesOf(() => parse(schema, { ...valid, kind: '😀'.repeat(500_000) }));
	expect(kind?.length).toBeLessThan(200);
	expect(kind?.isWellFormed()).toBe(true);
	expect([shorten('abc', 3), shorten('abcd', 3)]).toStrictEqual(['abc', 'abc…']);
});

test('keeps the first of several issues at one path', () => {
	const issues = new ValidationIssues();
	issues.add('a', problemSaying('first'));
	issues.add('b', problemSaying('other'));
	issues.add('a', problemSaying('second'));
	expect(issuesOf(() => issues.throwIfAny())).toStrictEqual({ a: 'first', b: 'other' });
});

test('lists 100 issues and says that there are more', () => {
	const parseInvalid = (count: number) => () => parse(v.array(v.number()), Array(count).fill('x'));
	expect(Object.keys(issuesOf(parseInvalid(100)))).toHaveLength(100);
	const issues = issuesOf(parseInvalid(101));
	expect(Object.keys(issues)).toHaveLength(101);
	expect(issues).toMatchObject({ '99': expect.any(String), request: moreIssues });
});

test('keeps an issue of the whole body beside the note that there are more', () => {
	const issues = new ValidationIssues();
	issues.add('request', problemSaying('first'));
	for (let index = 1; index < 100; index += 1) issues.add(`field${index}`, problemSaying('wrong'));
	issues.add('field1', problemSaying('again'));
	expect(issues.isFull).toBe(false);
	issues.add('field100', problemSaying('wrong'));
	issues.add('field101', problemSaying('wrong'));
	expect(issues.isFull).toBe(true);
	const messages = issuesOf(() => issues.throwIfAny());
	expect(Object.keys(messages)).toHaveLength(100);
	expect(messages['request']).toBe(`first ${moreIssues}`);
});

test('adds the issues of a field under its path', () => {
	const issues = new ValidationIssues();
	expect(issues.parseField(v.number(), 5, 'varsTsdb.a')).toBe(5);
	expect(issues.parseField(v.object({ id: v.number() }), {}, 'varsTsdb.a')).toBeUndefined();
	expect(issues.parseField(v.number(), '5', '__proto__')).toBeUndefined();
	expect(() => issues.throwIfAny()).toThrow(
		new DomainError('invalid', {
			issues: [
				{ path: 'varsTsdb.a.id', ...problem('required', 'Is required.') },
				{
					path: '__proto__',
					...problem('wrong_type', 'Expected a number, received "5".', { expected: 'number', received: '5' }),
				},
			],
		}),
	);
});

test('does not throw without issues', () => {
	expect(() => new ValidationIssues().throwIfAny()).not.toThrow();
});

test.each([
	[{ start: 5, stop: 6 }, undefined, true],
	[{ start: 5, stop: 5 }, undefined, false],
	[{ start: 5, stop: 1005 }, 1000, true],
	[{ start: 5, stop: 1004 }, 1000, false],
])('judges the order of %j, at least %s ms long', (range, minMs, isBefore) => {
	const issues = new ValidationIssues();
	expect(checkStartBeforeEnd(issues, 'from', range, minMs)).toBe(isBefore);
	expect(issuesOf(() => issues.throwIfAny())).toEqual(isBefore ? {} : { from: 'Must be before the end.' });
});

test.each([
	[-1, {}],
	[0, { from: 'Must be before now, and 2026-11-22T12:00:00.000Z is not.' }],
	[86_400_000, { from: 'Must be before now, and 2026-11-23T12:00:00.000Z is not.' }],
])('a start %i ms after now is refused by its own time, unless it is past', (afterMs, expected) => {
	const issues = new ValidationIssues();
	const now = Date.parse('2026-11-22T12:00:00Z');
	checkStartIsPast(issues, 'from', now + afterMs, now);
	expect(issuesOf(() => issues.throwIfAny())).toEqual(expected);
});

test('accepts an object as a plain object', () => {
	const object = JSON.parse('{"a":1,"__proto__":{"c":1}}');
	expect(parse(plainObject, object)).toBe(object);
});

test.each([[null], [undefined], [5], ['text'], [[]], [[{}]], [true]])('rejects %j as a plain object', (input) => {
	expect(issuesOf(() => parse(plainObject, input))).toStrictEqual({ request: 'Expected an object.' });
});
