import fc from 'fast-check';
import { expect, test } from 'vitest';
import { language, numberStyle } from '#page/core/preferences.ts';
import {
	boundsAlone,
	boundsSentence,
	type CountedNumber,
	cellWords,
	changeWords,
	type LineLook,
	shareText,
} from '#page/screens/report/report-cells.ts';

const sum: LineLook = { function: 'total', decimals: 0 };
const starts: LineLook = { function: 'starts', decimals: 0 };
const whole = (value: number): CountedNumber => ({ value, known: 1, low: value, high: value });
const part = (value: number | null, known: number, low: number | null, high: number | null): CountedNumber => ({
	value,
	known,
	low,
	high,
});

test('a number that is known whole stands alone, and zero is a number', () => {
	expect(cellWords(whole(5155), sum)).toEqual({ kind: 'exact', number: '5\u202f155', bounds: null });
	expect(cellWords(whole(0), sum).number).toBe('0');
});

test('a number that is not known for all of the time has its bounds', () => {
	expect(cellWords(part(4859, 0.93, 4519, 5276), sum)).toEqual({
		kind: 'part',
		number: '4\u202f859',
		bounds: '4\u202f519–5\u202f276',
	});
});

test('bounds that round to the number are left out', () => {
	expect(cellWords(part(0.921, 0.95, 0.918, 0.924), { function: 'mean', decimals: 2 })).toEqual({
		kind: 'exact',
		number: '0.92',
		bounds: null,
	});
	expect(cellWords(part(0.921, 0.95, 0.914, 0.924), { function: 'mean', decimals: 2 }).bounds).toBe('0.91–0.93');
});

test('under half of the time the bounds alone are told, at half the number, too', () => {
	expect(cellWords(part(88, 0.49, 88, 448), sum)).toEqual({ kind: 'bounds', number: null, bounds: '88–448' });
	expect(cellWords(part(88, 0.5, 88, 448), sum).number).toBe('88');
});

test('without a range an incomplete number is none', () => {
	expect(cellWords(part(4859, 0.99, null, null), sum)).toEqual({ kind: 'none', number: null, bounds: null });
	expect(cellWords(part(null, 0, null, null), sum).kind).toBe('none');
});

test('outside of the hours that count there is nothing to tell', () => {
	expect(cellWords({ value: null, known: null, low: null, high: null }, sum).kind).toBe('empty');
});

test('counts are at least what was counted; least and greatest values are or less and or more', () => {
	expect(cellWords(part(4, 0.93, 4, null), starts).bounds).toBe('at least');
	expect(cellWords(part(4, 0.93, 3, null), starts).bounds).toBe('at least 3');
	expect(cellWords(part(4, 0.2, 4, null), starts)).toEqual({ kind: 'bounds', number: null, bounds: 'at least 4' });
	expect(cellWords(part(null, 0, 0, null), starts).kind).toBe('none');
	expect(cellWords(part(0.85, 0.93, 0, 0.85), { function: 'min', decimals: 2 }).bounds).toBe('or less');
	expect(cellWords(part(1.01, 0.93, 1.01, 2), { function: 'max', decimals: 2 }).bounds).toBe('or more');
	expect(cellWords(part(1, 0.12, 1, 2), { function: 'max', decimals: 2 }).bounds).toBe('1.00 or more');
});

test.each([
	['en', 'min', '3.2', 'or less', '3.2 m or less'],
	['en', 'max', '3.2', 'or more', '3.2 m or more'],
	['es', 'min', '3,2', 'o menos', '3,2 m o menos'],
	['es', 'max', '3,2', 'o más', '3,2 m o más'],
] as const)(
	'in %s, the %s of a day that is 99.9 %% known has the side that is not known',
	(tag, extreme, number, bounds, alone) => {
		language.value = tag;
		numberStyle.value = tag === 'es' ? ',' : '.';
		try {
			const look: LineLook = { function: extreme, decimals: 1 };
			const [low, high] = extreme === 'min' ? [null, 3.2] : [3.2, null];
			expect(cellWords(part(3.2, 0.999, low, high), look)).toEqual({ kind: 'part', number, bounds });
			// Where the number stands elsewhere or nowhere, it is in the bounds, before the words.
			expect(boundsAlone(part(3.2, 0.999, low, high), look, 'm')).toBe(alone);
			expect(cellWords(part(3.2, 0.4, low, high), look)).toEqual({ kind: 'bounds', number: null, bounds: `${number} ${bounds}` });
			expect(boundsAlone(part(3.2, 0.4, low, high), look, 'm')).toBe(alone);
		} finally {
			language.value = 'en';
			numberStyle.value = 'region';
		}
	},
);

test('a quotient whose divisor may be 0 has one bound', () => {
	const look: LineLook = { function: 'formula', decimals: 3 };
	const energyPerVolume = part(0.5, 0.75, 0.287, null);
	expect(cellWords(energyPerVolume, look)).toEqual({ kind: 'part', number: '0.500', bounds: 'at least 0.287' });
	expect(boundsAlone(energyPerVolume, look, 'kWh/m³')).toBe('at least 0.287 kWh/m³');
	expect(boundsAlone(part(0.5, 0.75, null, 0.664), look, '')).toBe('0.664 or less');
	expect(boundsAlone(part(0.5, 0.75, 0.287, 0.664), look, 'kWh/m³')).toBe('0.287–0.664 kWh/m³');
	expect(boundsAlone(whole(0.5), look, 'kWh/m³')).toBeNull();
	expect(boundsAlone(part(0.5, 0.75, null, null), look, 'kWh/m³')).toBeNull();
	expect(changeWords(energyPerVolume, whole(0.25), look).bounds).toBe('+14\u202f% or more');
});

test('sums change in percent, counts and levels by a difference', () => {
	expect(changeWords(whole(109_806), whole(110_052), sum)).toEqual({ kind: 'exact', bounds: '−0.2\u202f%' });
	expect(changeWords(whole(86), whole(78), starts).bounds).toBe('+8');
	for (const each of ['within', 'longest', 'readings', 'excursions', 'leastMean', 'change'] as const)
		expect(changeWords(whole(86), whole(78), { function: each, decimals: 0 }).bounds).toBe('+8');
	expect(changeWords(whole(0.8), whole(0.81), { function: 'min', decimals: 2 }).bounds).toBe('−0.01');
	expect(changeWords(whole(5), whole(5), sum).bounds).toBe('0\u202f%');
	expect(changeWords(whole(5), whole(0), sum).bounds).toBe('+5');
});

test('the change of what is not exact is told by its bounds, rounded outwards', () => {
	expect(changeWords(part(4859, 0.93, 4519, 5276), whole(5092), sum)).toEqual({ kind: 'part', bounds: '−12 to +4\u202f%' });
	expect(changeWords(part(4, 0.93, 4, null), whole(4), starts).bounds).toBe('0 or more');
	expect(changeWords(part(0.85, 0.93, null, 0.85), whole(0.82), { function: 'min', decimals: 2 }).bounds).toBe('+0.03 or less');
	expect(changeWords(part(4, 0.9, null, null), whole(4), sum)).toEqual({ kind: 'none', bounds: '– –' });
});

test('what is almost all of the time is not all of it', () => {
	expect([1, 0.99999, 0.951, 0.0004, 0, null].map(shareText)).toEqual(['100', '99.9', '95.1', '0.0', '0', '']);
});

test('the change between any truths within the bounds lies within the bounds of the change', () => {
	const number = fc.double({ min: 0.01, max: 1e6, noNaN: true });
	const counted = fc.tuple(number, number, number).map((numbers) => {
		const [low = 0, value = 0, high = 0] = numbers.toSorted((a, b) => a - b);
		return part(value, 0.9, low, high);
	});
	let compared = 0;
	fc.assert(
		fc.property(counted, counted, (now, then) => {
			const { kind, bounds } = changeWords(now, then, { function: 'mean', decimals: 3 });
			if (kind !== 'part') return;
			compared += 1;
			const [low = Number.NaN, high = Number.NaN] = (bounds ?? '')
				.split(' to ')
				.map((words) => Number(words.replaceAll('\u202f', '').replace('−', '-')));
			const change = (now.value ?? 0) - (then.value ?? 0);
			expect(low).toBeLessThanOrEqual(change + 1e-6);
			expect(high).toBeGreaterThanOrEqual(change - 1e-6);
		}),
	);
	expect(compared).toBeGreaterThan(50);
});

test('in Spanish the words and the decimal sign are those of Spanish', () => {
	language.value = 'es';
	numberStyle.value = ',';
	try {
		expect(cellWords(part(0.93, 0.9, 0.86, 1), { function: 'mean', decimals: 2 }).bounds).toBe('0,86–1,00');
		expect(cellWords(part(4, 0.9, 4, null), starts).bounds).toBe('al menos');
	} finally {
		language.value = 'en';
		numberStyle.value = 'region';
	}
});

test('a sentence names the bounds with their unit, and nothing is said of a number without bounds', () => {
	expect(boundsSentence(part(4859, 0.93, 4519, 5276), sum, 'm³')).toBe('Between 4\u202f519 and 5\u202f276 m³');
	expect(boundsSentence(part(null, 0.2, 4519, null), sum, 'm³')).toBe('at least 4\u202f519 m³');
	expect(boundsSentence(part(null, 0.2, null, 0), sum, 'm³')).toBe('0 m³ or less');
	expect(boundsSentence(part(3, 0.9, 3, null), sum, '')).toBe('at least 3');
	expect(boundsSentence(part(3, 0.9, null, 3), sum, '')).toBe('3 or less');
	expect(boundsSentence({ value: null, known: null, low: null, high: null }, sum, 'm³')).toBeNull();
});

const within: LineLook = { function: 'within', decimals: 1 };

test('a share within limits is rounded down, and its bounds outwards', () => {
	expect(cellWords(whole(94.96), within)).toEqual({ kind: 'exact', number: '94.9', bounds: null });
	expect(cellWords(whole(100), within).number).toBe('100.0');
	expect(cellWords(whole(0), within).number).toBe('0.0');
	expect(cellWords(part(86.3636, 0.9167, 79.1667, 87.5), within)).toEqual({ kind: 'part', number: '86.3', bounds: '79.1–87.5' });
	expect(boundsSentence(part(86.3636, 0.9167, 79.1667, 87.51), within, '%')).toBe('Between 79.1 and 87.6 %');
	fc.assert(
		fc.property(fc.double({ min: 0, max: 100, noNaN: true }), fc.double({ min: 0, max: 100, noNaN: true }), (a, b) => {
			const [low, high] = [Math.min(a, b), Math.max(a, b)];
			const { number, bounds } = cellWords(part(low, 0.9, low, high), within);
			expect(Number(number)).toBeLessThanOrEqual(low + 1e-9);
			const most = Number(bounds?.split('–').at(-1) ?? number);
			if (bounds !== null) expect(most).toBeGreaterThanOrEqual(high - 1e-9);
		}),
	);
});

test('a stretch that touches an end of the window says so', () => {
	const longest: LineLook = { function: 'longest', decimals: 1 };
	expect(cellWords({ ...whole(2), cut: [false, true] }, longest).number).toBe('2.0\u202f→');
	expect(cellWords({ ...whole(3), cut: [true, false] }, longest).number).toBe('←\u202f3.0');
	expect(cellWords({ ...whole(0), cut: [false, false] }, longest).number).toBe('0.0');
	expect(cellWords({ ...whole(24), cut: [true, true] }, longest).number).toBe('←\u202f24.0\u202f→');
	expect(cellWords({ ...whole(5), cut: null }, longest).number).toBe('5.0');
});

test('readings tell how many were taken of those that were due, whatever their share', () => {
	const readings: LineLook = { function: 'readings', decimals: 0 };
	expect(cellWords({ ...part(81, 0.875, 81, 93), taken: 84, expected: 96 }, readings)).toEqual({
		kind: 'part',
		number: '81 of 84 · 96 due',
		bounds: '81–93',
	});
	expect(cellWords({ ...part(1, 0.1, 1, 10), taken: 1, expected: 10 }, readings).number).toBe('1 of 1 · 10 due');
	expect(cellWords({ ...whole(6), taken: 6, expected: 6 }, readings).number).toBe('6 of 6');
	expect(cellWords({ ...whole(0), taken: 6, expected: 6 }, readings).number).toBe('0 of 6');
});

test('a night in part is at most its least mean, and one with a range has bounds', () => {
	const night: LineLook = { function: 'leastMean', decimals: 1 };
	expect(cellWords(part(27.75, 0.8, null, 27.75), night)).toEqual({ kind: 'bounds', number: null, bounds: '≤\u202f27.8' });
	expect(cellWords(whole(17.5), night)).toEqual({ kind: 'exact', number: '17.5', bounds: null });
	expect(cellWords(part(27.75, 0.8, 4.75, 27.75), night)).toEqual({
		...{ kind: 'part', number: '≤\u202f27.8', bounds: '4.7–27.8' },
	});
	// The error of the instrument is beyond the value.
	expect(cellWords({ ...part(27.7, 0.8, 4.7, 28.26), expected: 1 }, night).number).toBe('≤\u202f28.3');
	// The median of many nights is none of them, unless it meets its bound.
	expect(cellWords({ ...part(17.5, 0.99, 17.1, 17.9), expected: 30 }, night)).toMatchObject({
		number: '17.5',
		bounds: '17.1–17.9',
	});
});

test('the error of an instrument leaves both bounds of a greatest and a least value', () => {
	const two = { decimals: 2 } as const;
	expect(cellWords(part(1.06, 1, 1.01, 1.11), { function: 'max', ...two }).bounds).toBe('1.01–1.11');
	expect(cellWords(part(4, 1, 3.5, 4.5), { function: 'min', ...two }).bounds).toBe('3.50–4.50');
	expect(cellWords(part(1.06, 0.9, 1.06, 5), { function: 'max', ...two }).bounds).toBe('or more');
});

test('a day without a reading tells how many were due', () => {
	const none = { ...part(null, 0, 0, 6), taken: 0, expected: 6 };
	expect(cellWords(none, { function: 'readings', decimals: 0 })).toEqual({
		kind: 'part',
		number: '0 of 0 · 6 due',
		bounds: '0–6',
	});
});

test('whatever a line counts, the written bounds hold the truth, and so does a night that is at most something', () => {
	expect(cellWords(part(27.74, 0.8, null, 27.74), { function: 'leastMean', decimals: 1 }).bounds).toBe('≤\u202f27.8');
	expect(boundsAlone(part(-52, 0.9, -183, 43), sum, 'm³')).toBe('-183 to 43 m³');
	const functions = [...(['total', 'mean', 'change', 'leastMean', 'within', 'longest', 'onTime', 'formula'] as const)];
	const number = fc.double({ min: -1e5, max: 1e5, noNaN: true });
	const written = (words: string) => Number(words.replaceAll('\u202f', '').replace('−', '-'));
	let looked = 0;
	fc.assert(
		fc.property(fc.constantFrom(...functions), fc.nat(3), number, number, (lineFunction, decimals, a, b) => {
			const [low, high] = [Math.min(a, b), Math.max(a, b)];
			const words = boundsAlone(part(low, 0.9, low, high), { function: lineFunction, decimals }, '');
			if (words === null) return;
			looked += 1;
			const [least = '', most = ''] = words.split(/–| to /);
			expect(written(least)).toBeLessThanOrEqual(low + 1e-9);
			expect(written(most)).toBeGreaterThanOrEqual(high - 1e-9);
		}),
		{ numRuns: 400 },
	);
	expect(looked).toBeGreaterThan(50);
});
