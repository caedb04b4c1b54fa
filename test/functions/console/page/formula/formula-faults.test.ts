import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkEquation } from '#domain/equation/check.ts';
import { formatFormula } from '#domain/equation/format-formula.ts';
import { parseVariable } from '#domain/variable/variable.ts';
import { numberStyle } from '#page/core/preferences.ts';
import { checkFormula, columnOf } from '#page/formula/formula-faults.ts';
import { emptyDraft, emptyQuery, problemsOf, variableBodyOf } from '#page/screens/variable-editor/draft.ts';
import { formulas, treeNames } from '#test/support/builders/equations.ts';

const inputs = ['Filtered flow', 'Backwash flow', 'Intake flow'];
const faultsIn = (text: string, names: readonly string[] = inputs) =>
	checkFormula(text, new Set(names)).faults.map(({ code, column, text: at, suggestion }) => ({ code, column, at, suggestion }));

describe('checkFormula', () => {
	test('finds nothing in the formula of the specification', () => {
		expect(faultsIn('({Flow A} + {Flow B}) * 0.5', ['Flow A', 'Flow B'])).toEqual([]);
	});

	test('says where a name is unknown and which one may be meant, and where a value is missing', () => {
		expect(faultsIn('({Filtered flow} - {Backwsh flow}) / {Intake flow} * * 100')).toEqual([
			{ code: 'unknown_name', column: 20, at: '{Backwsh flow}', suggestion: '{Backwash flow}' },
			{ code: 'missing_operand', column: 54, at: '*', suggestion: null },
		]);
	});

	test('suggests nothing where no name is near', () => {
		expect(faultsIn('{Pressure}')).toEqual([{ code: 'unknown_name', column: 1, at: '{Pressure}', suggestion: null }]);
	});

	test('says once that a brace is not closed, or that a name has none', () => {
		expect(faultsIn('3 * {intake flo')).toEqual([
			{ code: 'brace_not_closed', column: 5, at: '{intake flo', suggestion: '{Intake flow}' },
		]);
		expect(faultsIn('Intake flow * 2')).toEqual([
			{ code: 'name_without_braces', column: 1, at: 'Intake flow', suggestion: '{Intake flow}' },
		]);
		expect(faultsIn('Pressure + {Pressure}')).toEqual([
			{ code: 'name_without_braces', column: 1, at: 'Pressure', suggestion: '{Pressure}' },
			{ code: 'unknown_name', column: 12, at: '{Pressure}', suggestion: null },
		]);
		expect(faultsIn('{')).toEqual([{ code: 'brace_not_closed', column: 1, at: '{', suggestion: null }]);
	});

	test('a comma that may be between thousands is no decimal sign, unless numbers have a decimal comma', () => {
		const suggestionOf = (text: string) => faultsIn(text)[0]?.suggestion;
		numberStyle.value = '.';
		expect(['1,5', '1,50', '1,500', '1,5000'].map(suggestionOf)).toEqual(['.', '.', null, '.']);
		numberStyle.value = ',';
		expect(suggestionOf('1,500')).toBe('.');
		numberStyle.value = 'region';
	});

	test('offers the point for a decimal comma, and the operators for signs that people type', () => {
		expect(faultsIn('0,5 × 2')).toEqual([
			{ code: 'comma_outside_function', column: 2, at: ',', suggestion: '.' },
			{ code: 'unknown_operator', column: 5, at: '×', suggestion: '*' },
		]);
		expect(faultsIn('1,234.5')).toMatchObject([{ code: 'comma_outside_function', suggestion: null }]);
		expect(faultsIn('2 % 2')).toMatchObject([{ code: 'unknown_operator', suggestion: null }]);
	});

	test('reports an empty formula, and one that is too long, as a whole', () => {
		expect(faultsIn('  ')).toMatchObject([{ code: 'equation_empty', column: 1, at: '  ' }]);
		expect(faultsIn(Array(129).fill('1').join('+'))).toMatchObject([{ code: 'too_many_items', column: 1 }]);
		expect(faultsIn(Array(128).fill('1').join('+'))).toEqual([]);
	});

	test('names each reference once, in the order of the text, without those that are wrong', () => {
		expect(checkFormula('{b} + {a} * {b} - {c', new Set('ab')).references).toEqual(['b', 'a']);
	});

	test('gives every fault a column, and a place in the text', () => {
		const parts = fc.constantFrom('{', '}', '{a}', '{zz}', 'Flow A', '1', '1,5', '-', '*', '(', ')', ' ', '×', '🌊');
		let faults = 0;
		fc.assert(
			fc.property(
				fc.array(parts).map((each) => each.join('')),
				(text) => {
					for (const fault of checkFormula(text, new Set('a')).faults) {
						faults += 1;
						expect(fault.column).toBeGreaterThanOrEqual(1);
						expect(fault.text).toBe(text.slice(fault.start, fault.end));
						expect(fault.column).toBe(columnOf(text, fault.start));
					}
				},
			),
		);
		expect(faults).toBeGreaterThan(100);
	});
});

test('columns count what a person sees as one character', () => {
	expect(columnOf('{e\u0301🌊}*', 6)).toBe(5);
});

describe('the page and the service', () => {
	const accepts = (text: string, names: readonly string[]): boolean => checkFormula(text, new Set(names)).faults.length === 0;
	const draftWith = (formula: string, names: readonly string[]) => ({
		...emptyDraft,
		...{ name: 'x', process: 'p', kind: 'formula' as const, formula },
		inputs: names.map((name) => ({ name, query: { ...emptyQuery, topic: 't' } })),
	});
	const serviceAccepts = (body: unknown): boolean => {
		try {
			parseVariable(JSON.parse(JSON.stringify(body)));
			return true;
		} catch {
			return false;
		}
	};

	test('accept the same equations: the text of each one that the service takes is right', () => {
		fc.assert(
			fc.property(formulas, ({ tokens }) => {
				expect('tokens' in checkEquation(tokens, new Set(treeNames))).toBe(true);
				const text = formatFormula(tokens);
				expect(accepts(text, treeNames)).toBe(true);
				expect(variableBodyOf(draftWith(text, treeNames))).toMatchObject({ equation: tokens });
			}),
		);
	});

	test('agree about any text: it is right on the page exactly where the service takes what would be sent', () => {
		const parts = fc.constantFrom('{a}', '{b}', '{a}', '1', '-2', '0,5', '-', '*', '+', '(', ')', ' ', '{zz}', '×', '{');
		const counts = { right: 0, wrong: 0 };
		fc.assert(
			fc.property(
				fc.array(parts, { maxLength: 7 }).map((each) => each.join('')),
				(text) => {
					const draft = draftWith(text, ['a', 'b']);
					const isRight = accepts(text, ['a', 'b']);
					const hasFlaw = checkFormula(text, new Set('ab')).faults.some(({ code }) => code === 'brace_not_closed');
					counts[isRight ? 'right' : 'wrong'] += 1;
					// Text that is no formula has no tokens that could be sent.
					if (!hasFlaw) expect(serviceAccepts(variableBodyOf(draft))).toBe(isRight);
					expect(isRight && problemsOf(variableBodyOf(draft)).size > 0).toBe(false);
				},
			),
			{ numRuns: 3000 },
		);
		expect(Math.min(counts.right, counts.wrong)).toBeGreaterThan(50);
	});
});
