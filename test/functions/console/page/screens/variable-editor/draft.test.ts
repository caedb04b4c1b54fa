import { describe, expect, test } from 'vitest';
import { parseSentVariable } from '#domain/variable/sent-variable.ts';
import type { Schemas } from '#page/core/api.ts';
import { numberStyle } from '#page/core/preferences.ts';
import {
	draftOf,
	durationMsOf,
	emptyDraft,
	emptyQuery,
	inputProblemsOf,
	probeOf,
	problemsOf,
	storedDraftOf,
	variableBodyOf,
} from '#page/screens/variable-editor/draft.ts';

const query: Schemas['Query'] = {
	...{ calc_topic: 'plant/flow', calc_field: 'value', calc_time: 1.5, calc_unit: 'h' },
	...{ calc_period: 1, calc_unit_period: 'm', calc_type_period: 'mean' },
	calc_tags: { slave_id: '1', name: '' },
};
const shared = {
	id: 7,
	version: 3,
	name: 'Flow',
	unit: 'm³/h',
	process: 'intake',
	type: 'last',
	varsTsdb: { Flow: query },
} as const;
const simple: Schemas['Variable'] = { ...shared, calc: false, binary_compressed: false };
const byte: Schemas['Variable'] = {
	...{ ...shared, calc: false, binary_compressed: true, bits: [{ id: 1, name: 'Door', bit: 4 }] },
	varsTsdb: { Flow: { ...query, calc_type_period: 'last' } },
};
const formula: Schemas['Variable'] = {
	...{ ...shared, calc: true, binary_compressed: false, varsTsdb: { a: query } },
	equation: [
		{ type: 'variable', value: 'a' },
		{ type: 'operator', value: '/' },
		{ type: 'number', value: '3.6' },
	],
};
const { version: _, ...simpleBody } = simple;

describe('a draft', () => {
	test.each([
		['simple', simple],
		['byte', byte],
		['formula', formula],
	])('of a %s variable is saved as it was stored', (kind, variable) => {
		const { version, ...stored } = variable;
		const draft = draftOf(variable);
		expect([draft.kind, storedDraftOf(variable).version]).toEqual([kind, version]);
		expect(variableBodyOf(draft)).toEqual(stored);
		expect(problemsOf(variableBodyOf(draft)).size).toBe(0);
	});

	test('removes the tags that are no longer there, and leaves out rows in which nothing is typed', () => {
		const tagsOf = (tags: typeof emptyQuery.tags) =>
			variableBodyOf({ ...draftOf(simple), query: { ...emptyQuery, topic: 't', tags } }).varsTsdb['Flow']?.calc_tags;
		expect([tagsOf([]), tagsOf([{ key: '', value: '' }])]).toEqual([null, null]);
		expect(
			tagsOf([
				{ key: 'a', value: '1' },
				{ key: '', value: '' },
			]),
		).toEqual({ a: '1' });
		const body = variableBodyOf({
			...draftOf(simple),
			query: { ...emptyQuery, topic: 't', tags: [{ key: '_field', value: 'x' }] },
		});
		expect([...problemsOf(body)].map(([path, { code }]) => [path, code])).toEqual([
			['varsTsdb.Flow.calc_tags._field', 'reserved_tag'],
		]);
	});

	test('keeps the unit of the lookback in the fields that hold it', () => {
		const { calc_unit: _unit, ...rest } = query;
		for (const units of [{ calc_unit_topic: 'h' }, { calc_unit: 'h', calc_unit_topic: 'h' }] as const) {
			const stored = { ...simple, varsTsdb: { Flow: { ...rest, ...units } } };
			expect(variableBodyOf(draftOf(stored)).varsTsdb).toEqual(stored.varsTsdb);
		}
	});

	test('keeps the parts of other kinds, and saves only those of its own', () => {
		const draft = { ...draftOf(formula), kind: 'simple' as const, query: { ...emptyQuery, topic: 't' } };
		expect(variableBodyOf(draft)).not.toHaveProperty('equation');
		expect(Object.keys(variableBodyOf(draft).varsTsdb)).toEqual(['Flow']);
		expect(variableBodyOf({ ...draft, kind: 'formula' })).toMatchObject({ equation: formula.equation });
	});

	test('has the problems of an input by field, whatever its name is', () => {
		for (const name of ['a', ' a ', 'a.b'])
			expect([...inputProblemsOf({ name, query: emptyQuery }).keys()], name).toEqual(['calc_topic']);
		expect([...inputProblemsOf({ name: 'n'.repeat(500), query: emptyQuery }).keys()]).toEqual(['name', 'calc_topic']);
	});

	test('leaves out inputs that the formula does not use', () => {
		const draft = { ...draftOf(formula), inputs: [...draftOf(formula).inputs, { name: 'spare', query: emptyQuery }] };
		expect(Object.keys(variableBodyOf(draft).varsTsdb)).toEqual(['a']);
	});

	test('names the only query as the service trims the name', () => {
		const body = variableBodyOf({ ...draftOf(simple), name: ' Flow ' });
		expect(Object.keys(body.varsTsdb)).toEqual(['Flow']);
		expect(parseSentVariable(body).variable.name).toBe('Flow');
	});
});

describe('problemsOf', () => {
	test('stands at the field, with the code of the service', () => {
		const empty = variableBodyOf(emptyDraft);
		expect([...problemsOf(empty)].map(([path, { code }]) => [path, code])).toEqual(
			expect.arrayContaining([
				['name', 'empty'],
				['process', 'empty'],
				['varsTsdb..calc_topic', 'empty'],
			]),
		);
	});

	test('refuses a length below zero for what it is: no positive number', () => {
		const body = variableBodyOf({ ...draftOf(simple), query: { ...emptyQuery, topic: 't', lookback: '-3' } });
		expect([...problemsOf(body)].map(([field, { code }]) => [field, code])).toEqual([
			['varsTsdb.Flow.calc_time', 'not_positive'],
		]);
	});

	test('refuses a length that is no number', () => {
		const body = variableBodyOf({ ...draftOf(simple), query: { ...emptyQuery, topic: 't', lookback: 'x' } });
		expect([...problemsOf(body).keys()]).toEqual(['varsTsdb.Flow.calc_time']);
	});
});

test('a stored length is shown with the decimal sign of numbers, and stays the number that it is', () => {
	for (const [style, texts] of [
		[',', ['1,5', '0,25']],
		['.', ['1.5', '0.25']],
	] as const) {
		numberStyle.value = style;
		const stored = { ...simple, varsTsdb: { [simple.name]: { ...query, calc_time: 1.5, calc_period: 0.25 } } };
		const draft = draftOf(stored);
		expect([draft.query.lookback, draft.query.period]).toEqual(texts);
		expect(variableBodyOf(draft).varsTsdb).toMatchObject({ [simple.name]: { calc_time: 1.5, calc_period: 0.25 } });
	}
	numberStyle.value = 'region';
});

test('a duration is in milliseconds, or none', () => {
	expect(durationMsOf('1.5', 'h')).toBe(5_400_000);
	expect(durationMsOf(' .5 ', 'h')).toBe(1_800_000);
	// Where numbers have a decimal point, this may be 1500.
	expect(durationMsOf('1,500', 's')).toBeNaN();
	for (const text of ['-', '0x10', '1.2.3', '1,2,3', 'Infinity', '.', '1 h', '-3'])
		expect(durationMsOf(text, 's'), text).toBeNaN();
	expect(durationMsOf('1.5', 'mo')).toBeNaN();
	expect(durationMsOf('', 'h')).toBeNaN();
});

test('the probe of an input is a simple variable that the service takes', () => {
	const body = probeOf({ name: 'Intake flow', query: draftOf(simple).query });
	expect(problemsOf(body).size).toBe(0);
	expect(body.varsTsdb).toEqual({ 'Intake flow': simpleBody.varsTsdb['Flow'] });
});
