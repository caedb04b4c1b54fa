import { statusBits } from './sensors.ts';
import { tanks } from './tank.ts';
import { bitCompressed, calculated, type Operand, type Reading, simple, type Wire } from './wire.ts';

const newest = {
	calc_time: 10,
	unit: 'm',
	calc_period: 5,
	calc_unit_period: 's',
	calc_type_period: 'last',
} as const satisfies Reading;

const lastHour = {
	calc_time: 1,
	unit: 'h',
	calc_period: 1,
	calc_unit_period: 'h',
	calc_type_period: 'mean',
} as const satisfies Reading;

const halfDay = { ...lastHour, calc_time: 12, calc_period: 12 } as const satisfies Reading;

const dayByMinutes = { ...lastHour, calc_time: 24, calc_period: 10, calc_unit_period: 'm' } as const satisfies Reading;

const intakeFlow: Operand = { name: 'Intake flow', series: 'intakeFlow' };

const filteredFlow: Operand = { name: 'Filtered flow', series: 'filteredFlow' };

const washFlow: Operand = { name: 'Backwash flow', series: 'washFlow' };

const distributionFlow: Operand = { name: 'Distribution flow', series: 'distributionFlow' };

const distributionPower: Operand = { name: 'Distribution power', series: 'distributionPower' };

const networkDemand: Operand = { name: 'Network demand', series: 'networkDemand' };

const rawLevel: Operand = { name: 'Raw tank level', series: 'rawLevel' };

const treatedLevel: Operand = { name: 'Treated tank level', series: 'treatedLevel' };

const networkLevel: Operand = { name: 'Network tank level', series: 'networkLevel' };

const intakePump1: Operand = { name: 'Intake pump 1', series: 'intakePump1' };

const intakePump2: Operand = { name: 'Intake pump 2', series: 'intakePump2' };

const distributionPump1: Operand = { name: 'Distribution pump 1', series: 'distributionPump1' };

const distributionPump2: Operand = { name: 'Distribution pump 2', series: 'distributionPump2' };

/** The name of the status byte. */
export const statusName = 'Plant status';

/** What each bit of the status byte says. */
const statusNames = {
	'Intake pump 1 running': statusBits.intakePump1,
	'Intake pump 2 running': statusBits.intakePump2,
	'Distribution pump running': statusBits.distributionPump,
	'Filter inlet valve open': statusBits.inletValve,
	'Backwash in progress': statusBits.backwash,
	'Chlorine dosing on': statusBits.chlorineDosing,
	'Network tank high level': statusBits.tankHigh,
	'General alarm': statusBits.alarm,
};

const flowOf = { unit: 'm³/h', process: 'pumping' } as const;

const pumpOf = { unit: 'boolean', process: 'pumping' } as const;

const definitions: readonly Wire[] = [
	simple({ name: intakeFlow.name, unit: 'm³/h', process: 'intake' }, 'intakeFlow', newest),
	simple({ name: intakePump1.name, unit: 'boolean', process: 'intake' }, 'intakePump1', newest),
	simple({ name: intakePump2.name, unit: 'boolean', process: 'intake' }, 'intakePump2', newest),
	simple({ name: rawLevel.name, unit: 'm', process: 'intake' }, 'rawLevel', newest),
	simple({ name: 'Raw water turbidity', unit: 'NTU', process: 'intake' }, 'rawTurbidity', newest),
	simple({ name: filteredFlow.name, unit: 'm³/h', process: 'filtration' }, 'filteredFlow', newest),
	simple({ name: 'Filter head loss', unit: 'm', process: 'filtration' }, 'filterHeadLoss', newest),
	simple({ name: 'Filtered water turbidity', unit: 'NTU', process: 'filtration' }, 'filteredTurbidity', newest),
	simple({ name: 'Free chlorine', unit: 'mg/L', process: 'disinfection' }, 'chlorine', newest),
	simple({ name: treatedLevel.name, unit: 'm', process: 'disinfection' }, 'treatedLevel', newest),
	simple({ name: distributionPump1.name, ...pumpOf }, 'distributionPump1', newest),
	simple({ name: distributionPump2.name, ...pumpOf }, 'distributionPump2', newest),
	simple({ name: distributionFlow.name, ...flowOf }, 'distributionFlow', newest),
	simple({ name: 'Discharge pressure', unit: 'bar', process: 'pumping' }, 'distributionPressure', newest),
	simple({ name: distributionPower.name, unit: 'kW', process: 'pumping' }, 'distributionPower', newest),
	simple({ name: networkLevel.name, unit: 'm', process: 'distribution' }, 'networkLevel', newest),
	simple({ name: 'Network pressure', unit: 'bar', process: 'distribution' }, 'networkPressure', newest),
	bitCompressed({ name: statusName, unit: 'boolean', process: 'control' }, 'status', newest, statusNames),

	simple({ name: 'Network demand, mean of 1 h', unit: 'm³/h', process: 'distribution' }, 'networkDemand', lastHour),
	simple({ name: 'Raw tank level, 24 h', unit: 'm', process: 'intake', type: 'history' }, 'rawLevel', dayByMinutes),
	simple({ name: 'Network tank level, 24 h', unit: 'm', process: 'distribution', type: 'history' }, 'networkLevel', dayByMinutes),
	simple({ name: 'Distribution flow, 24 h', ...flowOf, type: 'history' }, 'distributionFlow', dayByMinutes),

	calculated({ name: 'Treatment efficiency', unit: '%', process: 'filtration' }, halfDay, [
		'(',
		filteredFlow,
		'-',
		washFlow,
		')',
		'/',
		intakeFlow,
		'*',
		'100',
	]),
	calculated({ name: 'Stored volume', unit: 'm³', process: 'distribution' }, newest, [
		rawLevel,
		'*',
		`${tanks.raw.areaM2}`,
		'+',
		treatedLevel,
		'*',
		`${tanks.treated.areaM2}`,
		'+',
		networkLevel,
		'*',
		`${tanks.network.areaM2}`,
	]),
	calculated({ name: 'Pumps running', unit: 'pumps', process: 'pumping' }, newest, [
		intakePump1,
		'+',
		intakePump2,
		'+',
		distributionPump1,
		'+',
		distributionPump2,
	]),
	calculated({ name: 'Specific flow per pump', unit: 'm³/h', process: 'pumping' }, halfDay, [
		distributionFlow,
		'/',
		'(',
		distributionPump1,
		'+',
		distributionPump2,
		')',
	]),
	calculated({ name: 'Specific energy', unit: 'kWh/m³', process: 'pumping' }, halfDay, [
		distributionPower,
		'/',
		distributionFlow,
	]),
	calculated({ name: 'Network tank net inflow, 24 h', unit: 'm³/h', process: 'distribution', type: 'history' }, dayByMinutes, [
		distributionFlow,
		'-',
		networkDemand,
	]),
];

/** The demo tenant's variables as a client would send them, with their ids from 1 in this order (specification section 2.1). */
export const demoVariables: readonly Wire[] = definitions.map((variable, index) => ({ id: index + 1, ...variable }));

/** The id of a demo variable. Throws RangeError where there is none of that name. */
export function idOf(name: string): number {
	const index = definitions.findIndex((variable) => variable['name'] === name);
	if (index < 0) throw new RangeError(`There is no demo variable ${name}.`);
	return index + 1;
}

const statusId = idOf(statusName);

const state = (id: number, name: string, bit: number) => ({ id, name, varId: statusId, type: 'status', bit });

/** The demo tenant's panel over `demoVariables`, as a client would send it (specification section 2.5). */
export const demoPanel: Wire = {
	title: 'Pump station',
	pumps: [
		{ id: 1, name: 'Intake pump 1', varId: statusId, type: 'pump', bit: statusBits.intakePump1 },
		{ id: 2, name: 'Intake pump 2', varId: statusId, type: 'pump', bit: statusBits.intakePump2 },
		{ id: 3, name: 'Distribution pump 1', varId: idOf(distributionPump1.name), type: 'pump' },
		{ id: 4, name: 'Distribution pump 2', varId: idOf(distributionPump2.name), type: 'pump' },
	],
	states: [
		state(1, 'Filter inlet valve', statusBits.inletValve),
		state(2, 'Backwash', statusBits.backwash),
		state(3, 'Chlorine dosing', statusBits.chlorineDosing),
		state(4, 'Network tank high level', statusBits.tankHigh),
		state(5, 'General alarm', statusBits.alarm),
	],
};
