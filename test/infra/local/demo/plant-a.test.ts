import { describe, expect, test } from 'vitest';
import { boardOf, parseBoard, referencesOf } from '#domain/board/board.ts';
import { itemsOf, parsePanel } from '#domain/panel/panel.ts';
import { parseVariable, toJson } from '#domain/variable/variable.ts';
import { plantSeries } from '#infra/local/demo/plant/sensors.ts';
import { tanks } from '#infra/local/demo/plant/tank.ts';
import demo from '#infra/local/demo/plant-a.json' with { type: 'json' };
import alarmDemo from '#infra/local/demo/plant-a-alarms.json' with { type: 'json' };
import counterDemo from '#infra/local/demo/plant-a-counters.json' with { type: 'json' };
import diagramDemo from '#infra/local/demo/plant-a-diagram.json' with { type: 'json' };

const variables = demo.variables.map(parseVariable);

describe('plant-a.json', () => {
	test('numbers the variables and then the boards from 1, as saving in this order does', () => {
		const { chart, diagram, alarm } = demo.boards;
		const later = [...alarmDemo.variables, ...alarmDemo.alarms, ...counterDemo.variables];
		const ids = [...variables, ...chart, ...diagram, ...alarm, ...later].map(({ id }) => id);
		expect(ids).toEqual(ids.map((_, index) => index + 1));
	});

	test('holds variables that parse without a change, under different names', () => {
		expect(variables.map(toJson)).toEqual(demo.variables);
		expect(new Set(variables.map(({ name }) => name)).size).toBe(variables.length);
	});

	test('has variables of every kind', () => {
		expect(variables.filter(({ calc, type }) => calc && type === 'last').length).toBeGreaterThanOrEqual(3);
		expect(variables.filter(({ calc, type }) => calc && type === 'history').length).toBeGreaterThanOrEqual(1);
		expect(variables.filter(({ calc, type }) => !calc && type === 'history').length).toBeGreaterThanOrEqual(2);
		const means = variables.filter(({ calc, type, varsTsdb }) => {
			const aggregates = [...varsTsdb.values()].map(({ calc_type_period }) => calc_type_period);
			return !calc && type === 'last' && aggregates.includes('mean');
		});
		expect(means.length).toBeGreaterThanOrEqual(1);
		expect(variables.flatMap((variable) => (variable.binary_compressed ? [variable.bits.length] : []))).toEqual([8]);
	});

	test('reads every series that the plant writes, and no other', () => {
		const written = new Set(Object.values(plantSeries).map(({ topic, field }) => `${topic} ${field}`));
		const later = [...alarmDemo.variables, ...counterDemo.variables];
		const queries = [...variables, ...later.map(parseVariable)].flatMap(({ varsTsdb }) => [...varsTsdb.values()]);
		expect(new Set(queries.map(({ calc_topic, calc_field }) => `${calc_topic} ${calc_field}`))).toEqual(written);
	});

	test('computes the stored volume with the areas of the tanks', () => {
		const [volume] = demo.variables.filter(({ name }) => name === 'Stored volume');
		const factors = volume?.equation?.filter(({ type }) => type === 'number').map(({ value }) => Number(value));
		expect(factors).toEqual([tanks.raw.areaM2, tanks.treated.areaM2, tanks.network.areaM2]);
	});

	test('gives a bit to the panel items of the status byte only', () => {
		for (const { item } of itemsOf(parsePanel(demo.panel))) {
			const variable = variables[item.varId - 1];
			expect(variable?.binary_compressed, item.name).toBe(item.bit !== undefined);
		}
	});
});

describe('plant-a-diagram.json', () => {
	const all = [...variables, ...alarmDemo.variables.map(parseVariable)];
	const nameOf = (id: number, bit?: number) => {
		const variable = all.find((each) => each.id === id);
		const bits = variable?.binary_compressed === true ? variable.bits : [];
		return bit === undefined ? variable?.name : bits.find((each) => each.bit === bit)?.name;
	};

	test('is what is stored of it, in place of the first diagram', () => {
		const diagram = parseBoard('diagram', diagramDemo);
		expect(JSON.parse(JSON.stringify(diagram))).toEqual(diagramDemo);
		expect(diagramDemo.id).toBe(demo.boards.diagram[0]?.id);
		for (const { varId, bit } of referencesOf(boardOf('diagram', diagram))) expect(nameOf(varId, bit)).toBeDefined();
	});

	test('shows the variables that its labels say', () => {
		const names = diagramDemo.items.map(({ label, varId, bit }) => [label, nameOf(varId, bit)]);
		expect(names).toEqual([
			['Raw tank', 'Raw tank level'],
			['Pump 1', 'Intake pump 1'],
			['Pump 2', 'Intake pump 2'],
			['Intake flow', 'Intake flow'],
			['Vibration', 'Pump vibration'],
			['Turbidity', 'Raw water turbidity'],
			['Inlet valve', 'Filter inlet valve open'],
			['Backwash', 'Backwash in progress'],
			['Head loss', 'Filter head loss'],
			['Filtered flow', 'Filtered flow'],
			['Filtered turbidity', 'Filtered water turbidity'],
			['Treatment efficiency', 'Treatment efficiency'],
			['Chlorine stock', 'Chlorine stock'],
			['Dosing', 'Chlorine dosing on'],
			['Treated tank', 'Treated tank level'],
			['Free chlorine', 'Free chlorine'],
			['Pump 1', 'Distribution pump 1'],
			['Pump 2', 'Distribution pump 2'],
			['Distribution flow', 'Distribution flow'],
			['Discharge pressure', 'Discharge pressure'],
			['Power', 'Distribution power'],
			['Specific energy', 'Specific energy'],
			['Network tank', 'Network tank level'],
			['Remote gauge', 'Remote gauge'],
			['Network pressure', 'Network pressure'],
			['Demand, 1 h mean', 'Network demand, mean of 1 h'],
			['Stored volume', 'Stored volume'],
		]);
	});
});
