import { expect, test } from 'vitest';
import type { Gap } from '#page/core/past/windows.ts';
import { gapWords } from '#page/screens/trend/gap-words.ts';
import type { Curve } from '#page/screens/trend/trend-model.ts';

const gap = (from: number, to: number, kind: Gap['kind'] = 'no_data'): Gap => ({ kind, from, to });
const curve = (name: string, ...gaps: Gap[]): Curve => ({
	key: name,
	varId: 1,
	name,
	values: [],
	gaps,
	missingMs: 0,
	quality: 'good',
	reason: null,
	compared: null,
	unit: 'm',
	look: 0,
	band: null,
	summary: null,
});
const wordsOf = (...curves: Curve[]) =>
	gapWords(curves, ({ from, to }) => to - from >= 5).map(({ gap: { kind, from }, names, row }) => [kind, from, names, row]);

test('a gap of every curve is said once, without names', () => {
	expect(wordsOf(curve('Flow', gap(0, 9)), curve('Demand', gap(0, 9)))).toEqual([['no_data', 0, [], 0]]);
});

test('a gap of some curves names them', () => {
	expect(wordsOf(curve('Flow', gap(0, 9)), curve('Demand'), curve('Inflow', gap(0, 9)))).toEqual([
		['no_data', 0, ['Flow', 'Inflow'], 0],
	]);
});

test('words of gaps at the same time stand above one another, others side by side', () => {
	expect(wordsOf(curve('Flow', gap(0, 9), gap(20, 30)), curve('Demand', gap(4, 12), gap(9, 15, 'bad')))).toEqual([
		['no_data', 0, ['Flow'], 0],
		['no_data', 20, ['Flow'], 0],
		['no_data', 4, ['Demand'], 1],
		['bad', 9, ['Demand'], 0],
	]);
});

test('short gaps have no words', () => {
	expect(wordsOf(curve('Flow', gap(0, 4)))).toEqual([]);
	expect(wordsOf(curve('Flow', gap(0, 5)))).toHaveLength(1);
});
