import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { chooseDecimals, chosenDecimals, setDecimalsSchema } from '#page/core/chosen-decimals.ts';
import { decimalsOf, decimalsOfVariable, forgetValues, noteValues } from '#page/core/decimals.ts';
import { formatValue } from '#page/format/number.ts';

beforeEach(forgetValues);

const measuredUnits = [
	'm',
	'm³/h',
	'm3/h',
	'L/s',
	'bar',
	'kPa',
	'kW',
	'kWh',
	'kWh/m³',
	'Hz',
	'A',
	'%',
	'°C',
	'mg/L',
	'µS/cm',
	'NTU',
];
const countedUnits = ['', 'pumps', 'starts', 'h', 'min', 'days', 'rpm', 'Count', '1'];
const stateUnits = ['boolean', 'Bool'];

describe('the decimals of a variable', () => {
	test('are those of its magnitude', () => {
		noteValues(1, null, [4.5]);
		expect(decimalsOfVariable(1)).toBe(2);
		noteValues(2, null, [258.3, 0]);
		expect(decimalsOfVariable(2)).toBe(1);
		noteValues(3, null, [1663.7123]);
		expect(decimalsOfVariable(3)).toBe(0);
		noteValues(4, null, [0.05]);
		expect(decimalsOfVariable(4)).toBe(4);
		noteValues(5, null, [2, null]);
		expect(decimalsOfVariable(5)).toBe(0);
		noteValues(6, 'm³', [null]);
		expect(decimalsOfVariable(6)).toBe(2);
		noteValues(6, 'm³', [1664]);
		expect(decimalsOfVariable(6)).toBe(0);
		expect(decimalsOfVariable(7)).toBe(2);
	});

	test('are all those that a rounded value has, and never more than are stored', () => {
		noteValues(1, '°C', [-273.15]);
		expect(formatValue(1, -273.15)).toBe('-273.15');
		noteValues(2, 'm³/h', [258.3]);
		expect(formatValue(2, 258.3)).toBe('258.3');
		// They only grow.
		noteValues(2, 'm³/h', [258.31]);
		expect(formatValue(2, 258.3)).toBe('258.30');
		noteValues(3, 'm³/h', [258.314159]);
		expect(formatValue(3, 258.314159)).toBe('258.3');
		expect(decimalsOf([-273.15, 4])).toBe(2);
		expect(decimalsOf([1663.7])).toBe(1);
		expect(decimalsOf([1663.714])).toBe(0);
	});

	test('are those that a person chose for the variable of this plant, until the choice is taken back', () => {
		setDecimalsSchema('plant_a');
		noteValues(1, 'm', [4.25]);
		chooseDecimals(1, 0);
		expect([formatValue(1, 4.25), decimalsOfVariable(1), chosenDecimals(1)]).toEqual(['4', 0, 0]);
		expect(decimalsOfVariable(2)).toBe(2);
		setDecimalsSchema('plant_b');
		expect(chosenDecimals(1)).toBeNull();
		setDecimalsSchema('plant_a');
		chooseDecimals(1, null);
		expect([formatValue(1, 4.25), chosenDecimals(1)]).toEqual(['4.25', null]);
	});

	test.each(measuredUnits)('are there in %s while its values are whole by chance', (unit) => {
		noteValues(1, unit, [4]);
		expect(formatValue(1, 4)).toBe('4.00');
		noteValues(1, unit, [3.96]);
		expect(formatValue(1, 3.96)).toBe('3.96');
	});

	test.each([...countedUnits, ...stateUnits])('are none of whole values in "%s"', (unit) => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: -5000, max: 5000 }), { minLength: 1 }), (values) => {
				forgetValues();
				for (const value of values) {
					noteValues(1, unit, [value]);
					expect(decimalsOfVariable(1)).toBe(0);
				}
			}),
		);
	});

	test.each(stateUnits)('are none of a state (%s) that was on for a part of a window', (unit) => {
		noteValues(1, unit, [0, 0.35, 1]);
		expect(formatValue(1, 1)).toBe('1');
		// Such a share itself is never shown as off.
		expect(formatValue(1, 0.35)).toBe('0.35');
	});

	test('are one of a measured zero, and none of any other, until a magnitude is known', () => {
		noteValues(1, 'm³/h', [0]);
		expect(formatValue(1, 0)).toBe('0.0');
		noteValues(1, 'm³/h', [258.314]);
		expect(formatValue(1, 0)).toBe('0.0');
		noteValues(2, 'm', [0]);
		noteValues(2, 'm', [0.35]);
		expect(formatValue(2, 0)).toBe('0.00');
		noteValues(3, 'pumps', [0]);
		expect(formatValue(3, 0)).toBe('0');
	});

	test('stay when a larger value comes, and after a single spike', () => {
		noteValues(1, 'm', [9.98]);
		noteValues(1, 'm', [10.02]);
		expect(formatValue(1, 10.02)).toBe('10.02');
		noteValues(1, 'm', [1e6]);
		expect(formatValue(1, 9.98)).toBe('9.98');
	});

	test('are two again when the noise of a sensor at rest is followed by its values', () => {
		noteValues(1, 'm³/h', [0.0003]);
		expect(formatValue(1, 0.0003)).toBe('0.000300');
		noteValues(1, 'm³/h', [258.314]);
		expect(formatValue(1, 258.314)).toBe('258.31');
	});

	test('never shrink from poll to poll, and are never fewer than the largest value has', () => {
		const magnitude = fc
			.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 6 }))
			.map(([digits, down]) => digits / 10 ** down);
		const values = fc.array(
			fc.oneof(
				fc.constant(null),
				fc.constant(0),
				magnitude,
				magnitude.map((value) => -value),
				fc.integer({ min: 1, max: 5000 }),
			),
			{ maxLength: 4 },
		);
		let shownDecimals = 0;
		fc.assert(
			fc.property(fc.constantFrom(...measuredUnits, ...countedUnits), fc.array(values, { minLength: 2 }), (unit, polls) => {
				forgetValues();
				const seen: number[] = [];
				let before = 0;
				for (const poll of polls) {
					noteValues(1, unit, poll);
					seen.push(...poll.filter((value) => value !== null));
					if (seen.length === 0) continue;
					const decimals = decimalsOfVariable(1);
					// Above two they follow the largest magnitude, which only grows.
					expect(decimals).toBeGreaterThanOrEqual(Math.min(2, before));
					if (before <= 2) expect(decimals).toBeGreaterThanOrEqual(before);
					if (before > 0) shownDecimals += 1;
					if (seen.some((value) => !Number.isInteger(value))) {
						const size = Math.max(...seen.map(Math.abs));
						expect(decimals).toBeGreaterThanOrEqual(size >= 1000 ? 0 : size >= 10 ? 1 : 2);
					}
					before = decimals;
				}
			}),
		);
		expect(shownDecimals).toBeGreaterThan(50);
	});

	test('do not change while values of one magnitude come and some are whole', () => {
		const value = fc.integer({ min: 100, max: 999 }).map((hundredths) => hundredths / 100);
		fc.assert(
			fc.property(fc.constantFrom(...measuredUnits), fc.array(value, { minLength: 1 }), (unit, polls) => {
				forgetValues();
				for (const each of polls) {
					noteValues(1, unit, [each]);
					expect(formatValue(1, each)).toBe(each.toFixed(2));
				}
			}),
		);
	});
});

test('formats a value that was not noted with the decimals that it needs, and keeps none of them', () => {
	noteValues(1, 'm³/h', [0]);
	expect(formatValue(1, 0.35)).toBe('0.35');
	expect(formatValue(2, 1.87)).toBe('1.87');
	expect(formatValue(1, 0)).toBe('0.0');
});
