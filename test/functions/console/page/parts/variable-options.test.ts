import { expect, test } from 'vitest';
import type { Variable } from '#page/core/definitions.ts';
import { matchingOptions } from '#page/parts/matching-options.ts';
import { shapeOf } from '#page/parts/tile-kind.ts';
import { variableOptions } from '#page/parts/variable-options.ts';
import { stateKindOf } from '#page/screens/station/state-kind.ts';

const variable = (id: number, name: string, topic: string, unit = 'm'): Variable => ({
	id,
	name,
	unit,
	type: 'last',
	process: 'Intake',
	calc: false,
	binary_compressed: false,
	version: 1,
	varsTsdb: {
		[name]: {
			calc_topic: topic,
			calc_field: 'value',
			calc_time: 1,
			calc_unit: 'h',
			calc_period: 1,
			calc_unit_period: 'm',
			calc_type_period: 'last',
		},
	},
});

test('equal names are told apart by id and topic, others are as they are', () => {
	const options = variableOptions([
		variable(4, 'Level', 'plant/a'),
		variable(7, 'Level', 'plant/b'),
		variable(9, 'Flow', 'plant/c'),
	]);
	expect(options.map(({ value, label, detail, trailing }) => [value, label, detail, trailing])).toEqual([
		['4', 'Level (4)', 'Intake · plant/a', 'm'],
		['7', 'Level (7)', 'Intake · plant/b', 'm'],
		['9', 'Flow', 'Intake', 'm'],
	]);
	expect(matchingOptions(options, 'plant/b', 5).map(({ value }) => value)).toEqual(['7']);
	expect(matchingOptions([...options, ...variableOptions([variable(1, 'Head', 'x', 'bar')])], 'bar', 5)).toHaveLength(1);
});

test('what is measured is neither open nor closed, whatever its name says', () => {
	const name = 'Inlet valve';
	expect(shapeOf(name)).toBe('valve');
	expect(stateKindOf(name, variable(1, name, 'level', 'm'))).toBe('state');
	expect(stateKindOf(name, variable(1, name, 'state', 'boolean'))).toBe('valve');
	expect(stateKindOf(name, { ...variable(1, name, 'status', ''), calc: false, binary_compressed: true, bits: [] })).toBe('valve');
	expect(stateKindOf(name, undefined)).toBe('valve');
});
