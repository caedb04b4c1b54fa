import { expect, test } from 'vitest';
import { itemsOf, parsePanel } from '#domain/panel/panel.ts';
import { parseVariable, toJson } from '#domain/variable/variable.ts';
import { demoPanel, demoVariables } from '#infra/local/demo/plant/definitions.ts';
import { plantSeries } from '#infra/local/demo/plant/series.ts';

const variables = demoVariables.map(parseVariable);

test('numbers the demo variables from 1 and sends nothing that a variable does not have', () => {
	expect(variables.map(({ id }) => id)).toEqual(variables.map((_, index) => index + 1));
	expect(variables.map(toJson)).toEqual(demoVariables);
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

test('reads only series that the plant writes, and every one of them', () => {
	const written = new Set(Object.values(plantSeries).map(({ topic, field }) => `${topic} ${field}`));
	const read = new Set(
		variables.flatMap(({ varsTsdb }) =>
			[...varsTsdb.values()].map(({ calc_topic, calc_field }) => `${calc_topic} ${calc_field}`),
		),
	);
	expect(read).toEqual(written);
});

test('binds every item of the demo panel to a variable, a bit only to the byte', () => {
	for (const { item } of itemsOf(parsePanel(demoPanel))) {
		const variable = variables[item.varId - 1];
		expect(variable?.binary_compressed, item.name).toBe(item.bit !== undefined);
	}
});
