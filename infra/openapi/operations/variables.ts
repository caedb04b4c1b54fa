import { usages } from '../examples/boards.ts';
import { flowReading } from '../examples/readings.ts';
import type { ApiOperation } from '../operation.ts';
import { writeHeaders } from '../parameters.ts';

/** A simple variable to save. */
const level = {
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

/** A variable to save of one of the devices that write to one topic. */
const wellLevel = {
	...level,
	name: 'Well level',
	varsTsdb: {
		'Well level': { ...level.varsTsdb.Level, calc_topic: 'modbus', calc_field: 'level', calc_tags: { slave_id: '1' } },
	},
} as const;

/** A calculated variable to save: the mean flow of the last hour in litres per second. */
const outflow = {
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
const pumpStatus = {
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

/** The three variables as stored. */
const savedLevel = { ...level, id: 35, binary_compressed: false, version: 1 } as const;
const savedOutflow = { ...outflow, id: 36, binary_compressed: false, version: 1 } as const;
const savedPumpStatus = { ...pumpStatus, id: 37, version: 1 } as const;

/** The operations on variables. */
export const variableOperations = {
	getVarsTsdb: {
		id: 'listVariables',
		tag: 'Variables',
		summary: 'List the variables',
		description: 'Lists the variables: all of them by ascending id, a page in the same order, or those of `ids`.',
		parameters: ['Limit', 'After', 'Ids'],
		answer: {
			description: 'The variables.',
			schema: 'VariableListing',
			examples: {
				all: { summary: 'All variables', value: { data: [savedLevel, savedOutflow, savedPumpStatus] } },
				page: { summary: 'A page', value: { data: [savedLevel], next: 35 } },
			},
		},
	},
	saveVariable: {
		id: 'saveVariable',
		tag: 'Variables',
		summary: 'Create or replace a variable',
		description:
			'Id 0 creates a variable, any other id replaces that one. With `dryRun=1` the variable is checked and read, and nothing is stored; with `start` and `period` the answer also has the history of the variable before and after the save. Beyond the schema, names, units of time, windows and the grammar of equations are checked; the answer names every wrong field.',
		parameters: ['DryRun', 'DraftStart', 'DraftEnd', 'DraftPeriod', ...writeHeaders],
		request: {
			schema: 'VariableInput',
			required: true,
			examples: {
				simple: { summary: 'A level, read from one topic', value: level },
				tagged: { summary: 'A level of one device, chosen by a tag', value: wellLevel },
				calculated: { summary: 'The mean flow of the last hour in litres per second', value: outflow },
				bitCompressed: { summary: 'A byte whose bits are states', value: pumpStatus },
			},
		},
		answer: {
			description: 'The variable as stored. With `dryRun=1`: as it would be stored, with its reading.',
			schema: 'SavedOrPreviewedVariable',
			headers: ['ETag'],
			links: ['ReadVariable', 'ListUsages', 'DeleteVariable'],
			examples: {
				saved: { summary: 'A saved variable', value: { data: savedLevel } },
				preview: {
					summary: 'A dry run',
					value: {
						data: {
							variable: { ...savedLevel, id: 0 },
							reading: { ...flowReading, id: 0, name: 'Level', unit: 'm', value: 3.2 },
						},
					},
				},
			},
		},
		others: { 404: 'NotFound' },
	},
	deleteVar: {
		id: 'deleteVariable',
		tag: 'Variables',
		summary: 'Delete a variable',
		description:
			'Deletes a variable with its alarms and corrections, and removes it from every chart, diagram and report. The panel keeps its items, which then show nothing. With `dryRun=1` nothing is deleted, and `usages` names what would change: its alarms and corrections are those that would be deleted. An id that is not stored is no error.',
		parameters: ['DryRun', ...writeHeaders],
		answer: {
			description: 'Whether there was such a variable.',
			schema: 'VariableDeletion',
			examples: {
				deleted: { summary: 'It was deleted', value: { data: { tsdbVar: true } } },
				dryRun: { summary: 'A dry run', value: { data: { tsdbVar: true, usages } } },
			},
		},
	},
	usages: {
		id: 'listUsages',
		tag: 'Variables',
		summary: 'List what refers to a variable',
		description:
			'Lists the charts, diagrams, alarms, corrections, reports and the panel that refer to a variable; none where there is no such variable.',
		answer: {
			description: 'What refers to the variable.',
			schema: 'UsagesAnswer',
			examples: { usages: { summary: 'An alarm, a diagram and the panel', value: { data: usages } } },
		},
	},
} as const satisfies Readonly<Record<string, ApiOperation>>;
