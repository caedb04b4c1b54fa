import { describe, expect, test } from 'vitest';
import { signsOf } from '#page/core/number-signs.ts';

describe('the signs of a region', () => {
	/** Writes the digits of a number in groups, as signs say. */
	const grouped = (locale: string, text: string): string => {
		const { decimal, group, places } = signsOf([locale]);
		const [whole = '', fraction = ''] = text.split('.');
		return `${whole.replaceAll(places, group)}${decimal}${fraction}`.replaceAll('\u202f', '_').replaceAll("'", '’');
	};
	test.each([
		['en-GB', '12_345_678.5'],
		['en-US', '12_345_678.5'],
		['es-ES', '12_345_678,5'],
		['es', '12_345_678,5'],
		['es-MX', '12_345_678.5'],
		['es-PE', '12_345_678.5'],
		['es-419', '12_345_678.5'],
		['es-AR', '12_345_678,5'],
		['es-CL', '12_345_678,5'],
		['es-CO', '12_345_678,5'],
		['pt-BR', '12_345_678,5'],
		['de-DE', '12_345_678,5'],
		['de-CH', '12’345’678.5'],
		['fr-FR', '12_345_678,5'],
		['en-IN', '1_23_45_678.5'],
		['hi-IN', '1_23_45_678.5'],
		['ar-EG', '12_345_678.5'],
		['fa-IR', '12_345_678.5'],
	])('%s: %s', (locale, expected) => {
		expect(grouped(locale, '12345678.5')).toBe(expected);
	});

	test('are those of the first locale, and a tag that is no locale breaks nothing', () => {
		expect(signsOf(['es-MX', 'es', 'en']).decimal).toBe('.');
		expect(signsOf(['es', 'es-MX']).decimal).toBe(',');
		expect(['.', ',']).toContain(signsOf(['en-US@posix']).decimal);
		expect(['.', ',']).toContain(signsOf([]).decimal);
	});

	test('never have a group sign that is a decimal sign somewhere, whatever the locale', () => {
		for (const language of [
			'ar',
			'bn',
			'cs',
			'de',
			'en',
			'es',
			'fa',
			'fr',
			'gu',
			'he',
			'hi',
			'it',
			'mr',
			'nl',
			'pl',
			'pt',
			'sv',
			'tr',
			'zh',
		])
			for (const region of ['', '-AT', '-BO', '-CH', '-EC', '-IN', '-LI', '-NP', '-PE', '-US', '-VE', '-ZA'])
				expect(['\u202f', '’', "'", '٬'], `${language}${region}`).toContain(signsOf([`${language}${region}`]).group);
	});
});
