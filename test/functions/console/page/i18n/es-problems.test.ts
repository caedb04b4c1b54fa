import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { boardKinds, boardPlurals } from '#domain/board/board-kinds.ts';
import { countedWords } from '#domain/validation/counted.ts';
import { type ErrorParams, problemParams } from '#domain/validation/problem.ts';
import { requestErrorParams } from '#http/request-error.ts';
import { numberStyle } from '#page/core/preferences.ts';
import { problemTexts } from '#page/i18n/es-problems.ts';
import { problemLoaders } from '#page/i18n/i18n.ts';
import { problemInputs } from '#test/support/problem-inputs.ts';
import { allIssuesOf } from '#test/support/validation-issues.ts';

/** Every code that the API's documentation lists, with its params: `too_long` (limit). A test of the service holds that list. */
const documented = new Map(
	[...tableOfCodes().matchAll(/`(\w+)`(?: \(([^)`]*)\))?/g)].map(([, code = '', params = '']): [string, string[]] => [
		code,
		params.split(', ').filter((name) => name !== ''),
	]),
);

/** Some values of a param. Most may be anything; others are words that the service chooses from. */
const choices: Readonly<Record<string, readonly [string, string, ...string[]]>> = {
	place: ['before', 'after'],
	reason: ['running', 'other_request', 'changed_since'],
	dependency: ['tsdb', 'identityProvider'],
	kind: ['chart', 'variable'],
};

test.each(Object.entries(problemLoaders))(
	'the sentences of errors in %s are for every code of the service, and no other',
	async (tag, loadProblems) => {
		expect(documented.size).toBeGreaterThan(90);
		expect(Object.keys({ ...problemParams, ...requestErrorParams }).filter((code) => !documented.has(code))).toEqual([]);
		const codes = [...(await loadProblems()).keys()];
		// Most messages of the service serve people who read English, too.
		if (tag === 'en') expect(codes.filter((code) => !documented.has(code))).toEqual([]);
		else expect(codes.sort()).toEqual([...documented.keys()].sort());
	},
);

/** A name of the API: in snake case, or in camel case. */
const apiName = /\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w*/;

test('no sentence of errors names a field of the API, in any language', async () => {
	const [english, spanish] = await Promise.all([problemLoaders.en(), problemLoaders.es()]);
	const params = (code: string): ErrorParams => Object.fromEntries((documented.get(code) ?? []).map((name) => [name, 'X']));
	for (const texts of [english, spanish]) for (const [code, say] of texts) expect(say(params(code)), code).not.toMatch(apiName);
	for (const [code, run] of Object.entries(problemInputs)) {
		const result = await (async () => run())().catch((error: unknown) => error);
		const issues = allIssuesOf(() => {
			throw result;
		});
		for (const { code: found, message } of issues)
			if (found === code && !english.has(code)) expect(message, code).not.toMatch(apiName);
	}
});

describe('the Spanish sentences of errors', () => {
	test.each([...documented])('%s is a sentence that changes with each of its params', (code, names) => {
		const say = (changed: string | null): string =>
			problemTexts.get(code)?.(
				Object.fromEntries(names.map((name) => [name, (choices[name] ?? ['1111', '2222'])[name === changed ? 1 : 0]])),
			) ?? '';
		expect(say(null)).toMatch(/^\S.*\S$/);
		expect(say(null)).not.toMatch(/undefined|NaN|\[object/);
		for (const name of names) expect(say(name), name).not.toBe(say(null));
	});

	test.each(Object.entries(countedWords))('name what a limit counts in Spanish: %s', (counted, english) => {
		for (const [code, param] of Object.entries({ too_large: 'counted', too_many_items: 'items', no_items: 'items' })) {
			const sentence = problemTexts.get(code)?.({ [param]: counted, limit: 1, actual: 2 }) ?? '';
			expect(sentence).not.toMatch(/_|\b(of|the|in|to)\b/);
			// A few words are the same in both languages.
			if (!/^(bits|ids|series|topics|variables)$/.test(english)) expect(sentence).not.toContain(english);
		}
	});

	test('say words of params in Spanish, numbers in groups, and an unknown word as it is', () => {
		const say = (code: string, params: ErrorParams) => problemTexts.get(code)?.(params);
		expect(say('too_many_items', { items: 'tokens', limit: 256, actual: 12_345 })).toBe(
			'Como máximo 256 elementos de fórmula; hay 12\u202f345.',
		);
		expect(say('too_large', { counted: 'boards_of_variable', variable: 7, limit: 1000, actual: 1001 })).toContain(
			'1\u202f001 usos de la variable 7',
		);
		for (const things of ['variables', ...Object.values(boardPlurals)])
			expect(say('too_large', { counted: `${things}_in_schema`, limit: 10, actual: 11 }), things).toContain('en el esquema');
		expect(say('number_out_of_range', { minimum: 0, maximum: 0.5 })).toContain('entre 0 y 0.5');
		numberStyle.value = ',';
		expect(say('number_out_of_range', { minimum: 0, maximum: 0.5 })).toContain('entre 0 y 0,5');
		expect(say('wrong_type', { expected: 'string', received: 1.5 })).toContain('no 1,5.');
		numberStyle.value = 'region';
		expect(say('wrong_type', { expected: 'number', received: 'abc' })).toBe('Se espera un número, no "abc".');
		// A text that was sent stays as it is, also where it is a word of the service.
		expect(say('wrong_type', { expected: 'number', received: 'alarm' })).toBe('Se espera un número, no "alarm".');
		expect(say('wrong_type', { expected: 'object', received: 'null' })).toBe('Se espera un objeto, no nada.');
		expect(say('wrong_type', { expected: 'string', received: true })).toBe('Se espera texto, no true.');
		expect(say('not_a_choice', { choices: ['last', 'history'], received: 'now' })).toBe('Se espera last o history, no "now".');
		expect(say('no_such_bit', { bit: 3, bits: [0, 4] })).toContain('tiene 0, 4.');
		expect(say('unknown_operator', { value: '%', suggestion: ['+', '-'] })).toBe(
			'Operador "%" desconocido: se espera uno de + -.',
		);
		expect(say('not_found', { kind: 'panel' })).toBe('Ya no existe el panel.');
		for (const kind of ['variable', ...boardKinds])
			expect(say('not_found', { kind }), kind).toMatch(/^Ya no existe (el|la) \S+\.$/);
		expect(say('version_mismatch', {})).toBe('Ya no hay nada guardado.');
	});
});

function tableOfCodes(): string {
	const text = readFileSync(new URL(import.meta.resolve('#functions/README.md')), 'utf8');
	const [, section = ''] = text.split('### Codes');
	const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
	return rows.map((row) => row.split('|')[2]).join();
}
