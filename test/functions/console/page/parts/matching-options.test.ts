import { describe, expect, test } from 'vitest';
import { matchingOptions } from '#page/parts/matching-options.ts';

const options = [
	{ value: '1', label: 'Caudal de captación', detail: 'planta/captacion/caudal' },
	{ value: '2', label: 'Plant status', detail: 'byte · 8 bits' },
	{ value: '3', label: 'Status of the plant' },
	{ value: '4', label: 'Network status' },
];
const values = (query: string, most = 10) => matchingOptions(options, query, most).map(({ value }) => value);

describe('matchingOptions', () => {
	test('leaves everything for nothing or blanks', () => {
		expect(values('')).toEqual(['1', '2', '3', '4']);
		expect(values('  ')).toEqual(['1', '2', '3', '4']);
	});

	test('ignores case and accents on both sides', () => {
		expect(values('CAPTACION caudal')).toEqual(['1']);
		expect(values('captación')).toEqual(['1']);
	});

	test('finds every word in label or detail, in any order', () => {
		expect(values('status plant')).toEqual(['2', '3']);
		expect(values('bits plant')).toEqual(['2']);
		expect(values('bits network')).toEqual([]);
	});

	test('puts labels that begin with the query first', () => {
		expect(values('status')).toEqual(['3', '2', '4']);
	});

	test('takes characters of patterns as characters', () => {
		expect(values('.*')).toEqual([]);
	});

	test('gives at most as many as asked for', () => {
		expect(values('', 2)).toEqual(['1', '2']);
	});
});
