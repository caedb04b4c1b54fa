import { expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { countedWords } from '#domain/validation/counted.ts';
import { tooManyItems } from '#domain/validation/field.ts';
import { type ErrorParams, type ProblemCode, problem, problemParams } from '#domain/validation/problem.ts';
import { formula, history, problemInputs, simple } from '#test/support/problem-inputs.ts';
import { allIssuesOf } from '#test/support/validation-issues.ts';

test.each(Object.entries(problemInputs))('reports the code %s, with its params', async (code, run) => {
	const result = await (async () => run())().catch((error: unknown) => error);
	const codes = allIssuesOf(() => {
		throw result;
	}).map((issue) => issue.code);
	expect(codes).toContain(code);
});

/** What a code tells, as values: numbers and truth values as they are, lists as lists, texts without quotes. */
const values: readonly (readonly [ProblemCode, ErrorParams, () => unknown])[] = [
	['wrong_type', { expected: 'string', received: 5 }, problemInputs.wrong_type],
	['wrong_type', { expected: 'string', received: true }, simple({ unit: true })],
	['wrong_type', { expected: 'string', received: 'null' }, simple({ unit: null })],
	['wrong_type', { expected: 'string', received: 'array' }, simple({ unit: [] })],
	['wrong_type', { expected: 'boolean', received: 'yes' }, simple({ calc: 'yes' })],
	['not_a_choice', { choices: ['last', 'history'], received: 'now' }, problemInputs.not_a_choice],
	['not_a_choice', { choices: ['string', 'number'], received: true }, history({ start: true })],
	['bad_query_name', { name: '', reason: 'empty' }, problemInputs.bad_query_name],
	['query_name_differs', { name: 'Flow' }, problemInputs.query_name_differs],
	[
		'unknown_token_type',
		{ position: 0, value: 'x', suggestion: ['variable', 'operator', 'number'] },
		problemInputs.unknown_token_type,
	],
	['unknown_name', { position: 0, name: 'b' }, problemInputs.unknown_name],
	[
		'unknown_operator',
		{ position: 0, value: '%', suggestion: ['+', '-', '*', '/', '(', ')', '^', ','] },
		problemInputs.unknown_operator,
	],
	['bad_number', { position: 0, value: '1,5' }, problemInputs.bad_number],
	['two_operands', { position: 1, before: 'a' }, problemInputs.two_operands],
	['two_operands', { position: 1, before: '(' }, formula('a ( a )')],
	['no_such_bit', { bit: 3, bits: [0, 7] }, problemInputs.no_such_bit],
];

test.each(values)('the params of %s hold values, not text: %j', async (code, params, run) => {
	const result = await (async () => run())().catch((error: unknown) => error);
	const issues = allIssuesOf(() => {
		throw result;
	});
	expect(issues.find((issue) => issue.code === code)?.params).toEqual(params);
});

test('a text in params is well-formed and has at most 80 characters of what was sent', () => {
	const [issue] = allIssuesOf(simple({ type: `\ud83d${'x'.repeat(1000)}` }));
	expect(issue?.params['received']).toBe(`\ufffd${'x'.repeat(79)}…`);
});

test('codes are in snake case, and params are one word', () => {
	for (const [code, names] of Object.entries(problemParams)) {
		expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
		for (const name of names) expect(name).toMatch(/^[a-z]+$/);
	}
});

test('the thing that a limit counts is a key of countedWords: prose is a type error', () => {
	const limits = { limit: 1, actual: 2 };
	// @ts-expect-error There is no such key.
	expect(tooManyItems('samples in the range', 1, 2).params).toMatchObject(limits);
	// @ts-expect-error There is no such key.
	expect(problem('too_many_items', 'Too many.', { items: 'samples in the range', ...limits }).params).toMatchObject(limits);
	// @ts-expect-error There is no such key.
	expect(new DomainError('too_large', { field: 'to', counted: 'samples in the range', ...limits }).payload).toMatchObject(limits);
	for (const key of Object.keys(countedWords)) expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/);
});
