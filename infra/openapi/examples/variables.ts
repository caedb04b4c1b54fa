/** A simple variable to save. */
export const level = {
	id: 0,
	name: 'Level',
	unit: 'm',
	type: 'last',
	process: 'intake',
	calc: false,
	varsTsdb: {
		Level: {
			calc_topic: 'plant/tank-1/level',
			calc_field: 'value',
			calc_time: 1,
			calc_unit: 'h',
			calc_period: 1,
			calc_unit_period: 'm',
			calc_type_period: 'last',
		},
	},
} as const;

/** A calculated variable to save: the mean flow of the last hour in litres per second. */
export const outflow = {
	id: 0,
	name: 'Outflow',
	unit: 'L/s',
	type: 'last',
	process: 'pumping',
	calc: true,
	equation: [
		{ type: 'variable', value: 'flow' },
		{ type: 'operator', value: '/' },
		{ type: 'number', value: '3.6' },
	],
	varsTsdb: {
		flow: {
			calc_topic: 'plant/distribution/flow',
			calc_field: 'value',
			calc_time: 1,
			calc_unit_topic: 'h',
			calc_period: 1,
			calc_unit_period: 'h',
			calc_type_period: 'mean',
		},
	},
} as const;

/** A bit-compressed variable to save. */
export const pumpStatus = {
	id: 0,
	name: 'Pump status',
	unit: 'boolean',
	type: 'last',
	process: 'control',
	calc: false,
	binary_compressed: true,
	bits: [
		{ id: 1, name: 'Intake pump 1 running', bit: 0 },
		{ id: 2, name: 'General alarm', bit: 7 },
	],
	varsTsdb: {
		'Pump status': {
			calc_topic: 'plant/status',
			calc_field: 'byte',
			calc_time: 10,
			calc_unit: 'm',
			calc_period: 5,
			calc_unit_period: 's',
			calc_type_period: 'last',
		},
	},
} as const;

/** The variables as stored. */
export const savedLevel = { ...level, id: 35, binary_compressed: false, version: 1 } as const;
export const savedOutflow = { ...outflow, id: 36, binary_compressed: false, version: 1 } as const;
export const savedPumpStatus = { ...pumpStatus, id: 37, version: 1 } as const;
