import { afterEach, describe, expect, test } from 'vitest';
import { qualities, reasonMessages, reasonOf, skipCodes } from '#domain/reading/quality.ts';
import { language } from '#page/core/preferences.ts';
import { qualityWords, reasonText } from '#page/i18n/reasons.ts';

afterEach(() => {
	language.value = 'en';
});

describe.each(['en', 'es'] as const)('in %s', (chosen) => {
	test('every quality has a word of its own', () => {
		language.value = chosen;
		expect(new Set(qualities.map((quality) => qualityWords()[quality])).size).toBe(qualities.length);
	});

	test('every reason has words of its own', () => {
		language.value = chosen;
		const codes = [...Object.keys(reasonMessages), ...skipCodes] as (keyof typeof reasonMessages)[];
		const texts = codes.map((code) => reasonText({ code, message: '', inputs: [] }));
		expect(new Set(texts).size).toBe(codes.length);
		for (const text of texts) expect(text).toMatch(/^\S.*\S$/);
	});
});

describe('reasonText', () => {
	test('names the inputs at fault, and how old the newest sample is', () => {
		expect(reasonText(reasonOf('stale', ['Intake flow']), { ownName: 'Efficiency', age: '4 min' })).toBe(
			'because of Intake flow, 4 min old',
		);
		expect(reasonText(reasonOf('stale', ['Intake flow']), { ownName: 'Efficiency' })).toBe('because of Intake flow');
		expect(reasonText(reasonOf('division_by_zero', ['a', 'b']), { ownName: 'Efficiency' })).toBe(
			'the formula divides by zero: a, b',
		);
	});

	test('names the tags that tell several sources apart', () => {
		const tags = [
			{ name: 'slave_id', values: ['1', '2'] },
			{ name: 'name', values: ['', 'pump'] },
		];
		expect(reasonText({ ...reasonOf('several_series', ['Level']), tags }, { ownName: 'Level' })).toBe(
			'several sources in one window: slave_id = 1 | 2, name = – | pump',
		);
	});

	test('does not name the variable itself', () => {
		expect(reasonText(reasonOf('stale', ['Level']), { ownName: 'Level', age: '4 min' })).toBe('4 min old');
		expect(reasonText(reasonOf('stale', ['Level']), { ownName: 'Level' })).toBe('the newest sample is too old');
		expect(reasonText(reasonOf('no_data', ['Level']), { ownName: 'Level', age: '4 min' })).toBe('no sample within the lookback');
	});

	test('speaks Spanish', () => {
		language.value = 'es';
		expect(reasonText(reasonOf('stale', ['Intake flow']), { age: '4 min' })).toBe('por Intake flow, de hace 4 min');
	});
});
