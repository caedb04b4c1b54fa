import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSentVariable } from '#domain/variable/sent-variable.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';
import { issuesOf } from '#test/support/validation-issues.ts';

const parsed = (body: unknown) => {
	const { name, varsTsdb } = parseSentVariable(body).variable;
	return { name, keys: [...varsTsdb.keys()] };
};

describe('parseSentVariable', () => {
	test.each([
		['both', ' Flow\t', ' Flow\t'],
		['the name only', '\u00a0Flow', 'Flow'],
		['the key only', 'Flow', 'Flow\n'],
		['neither', 'Flow', 'Flow'],
	])('trims the outer blanks of the name and of the key of the only query: %s', (_, name, key) => {
		const body = { name, varsTsdb: { [key]: makeQuery() } };
		expect(parsed(makeBody(body))).toEqual({ name: 'Flow', keys: ['Flow'] });
		expect(parsed(makeBitsBody(body))).toEqual({ name: 'Flow', keys: ['Flow'] });
	});

	test('keeps inner blanks, and the names in a formula, even where one equals the name of the variable', () => {
		expect(parsed(makeBody({ name: ' Raw  flow ' }))).toEqual({ name: 'Raw  flow', keys: ['Raw  flow'] });
		const equation = [{ value: ' a ', type: 'variable' }];
		const body = makeCalculatedBody('1', { name: ' a ', equation, varsTsdb: { ' a ': makeQuery() } });
		expect(parsed(body)).toEqual({ name: 'a', keys: [' a '] });
	});

	test('keeps the blanks of topics, fields, unit and process', () => {
		const query = makeQuery({ calc_topic: ' t ', calc_field: ' f ' });
		const body = makeBody({ name: ' Flow', unit: ' m ', process: ' p ', varsTsdb: { ' Flow': query } });
		const { variable } = parseSentVariable(body);
		expect(variable).toMatchObject({ unit: ' m ', process: ' p ' });
		expect(variable.varsTsdb.get('Flow')).toMatchObject({ calc_topic: ' t ', calc_field: ' f ' });
	});

	test.each([' ', '\t\n', '\u00a0'])('refuses the name %j', (name) => {
		expect(issuesOf(() => parseSentVariable(makeBody({ name })))).toEqual({ name: 'Must not be empty.' });
	});

	test('counts the characters of a name without its outer blanks', () => {
		expect(parsed(makeBody({ name: ` ${'n'.repeat(200)} ` })).name).toHaveLength(200);
		expect(Object.keys(issuesOf(() => parseSentVariable(makeBody({ name: ` ${'n'.repeat(201)}` }))))).toEqual(['name']);
	});

	test.each([
		['a key that names nothing', { name: 'Flow', varsTsdb: { ' Level ': makeQuery() } }],
		['two queries', { name: ' Flow', varsTsdb: { ' Flow': makeQuery(), 'Flow ': makeQuery() } }],
		['queries that are a list', { name: ' Flow', varsTsdb: [] }],
		['no queries', { name: ' Flow', varsTsdb: null }],
	])('reports %s at varsTsdb', (_, fields) => {
		expect(Object.keys(issuesOf(() => parseSentVariable(makeBody(fields))))).toEqual(['varsTsdb']);
	});

	test.each([null, [], 5, 'text', undefined])('reports the body %j as parseVariable does', (body) => {
		expect(issuesOf(() => parseSentVariable(body))).toEqual(issuesOf(() => parseVariable(body)));
	});

	test('does not change what was sent, nor the prototype of objects', () => {
		const body = JSON.parse(JSON.stringify(makeBody({ name: ' __proto__ ' })));
		const before = JSON.stringify(body);
		expect(parsed(body)).toEqual({ name: '__proto__', keys: ['__proto__'] });
		expect(JSON.stringify(body)).toBe(before);
	});

	test('parses any name without outer blanks as parseVariable does', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
				const body = makeBody({ name: `x${text}x` });
				expect(parseSentVariable(body).variable).toEqual(parseVariable(body));
			}),
		);
	});

	test.each([
		[{ binary_compressed: undefined }, true],
		[{ binary_compressed: null }, true],
		[{ binary_compressed: false }, false],
		[{ binary_compressed: true }, false],
		[{ binary_compressed: undefined, bits: null }, false],
		[{ binary_compressed: undefined, bits: undefined }, false],
	])('says of %j whether bits were sent without binary_compressed: %j', (fields, expected) => {
		expect(parseSentVariable(makeBitsBody(fields)).hasStrayBits).toBe(expected);
	});
});
