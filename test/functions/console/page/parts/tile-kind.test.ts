import { describe, expect, test } from 'vitest';
import { shapeOf, tileKindOf } from '#page/parts/tile-kind.ts';
import { makeBitsBody, makeBody } from '#test/support/builders/builders.ts';

type Listed = Parameters<typeof tileKindOf>[0];

const variable = (overrides: Readonly<Record<string, unknown>>): Listed =>
	({ ...makeBody(overrides), version: 1 }) as unknown as Listed;

describe('a variable is shown', () => {
	test('as a number, a state or a byte', () => {
		expect(tileKindOf(variable({ unit: 'm' }))).toBe('number');
		expect(tileKindOf(variable({ unit: '' }))).toBe('number');
		expect(tileKindOf(variable({ unit: 'boolean' }))).toBe('state');
		expect(tileKindOf(variable({ unit: 'Bool' }))).toBe('state');
		expect(tileKindOf({ ...(makeBitsBody({ unit: 'boolean' }) as unknown as Listed) })).toBe('byte');
	});

	test('with the shape that its name says, in both languages', () => {
		expect(['Intake pump 1', 'Bomba de captación'].map(shapeOf)).toEqual(['pump', 'pump']);
		expect(['Inlet valve', 'Válvula de entrada', 'VÁLVULA 2'].map(shapeOf)).toEqual(['valve', 'valve', 'valve']);
		expect(['Valve2', 'VALVE_2', 'Pump valve', 'Pump2', 'Pump_2'].map(shapeOf)).toEqual([
			'valve',
			'valve',
			'pump',
			'state',
			'state',
		]);
		expect(['Backwash', 'Pumping station alarm', 'Valves open'].map(shapeOf)).toEqual(['state', 'state', 'state']);
	});
});
