import { describe, expect, test } from 'vitest';
import type { Variable } from '#page/core/definitions.ts';
import { countUses, isFound, keepOrder, type ListRow, listRows, sortRows } from '#page/screens/variables/list-model.ts';

const query = {
	...{ calc_topic: 'plant/flow', calc_field: 'value', calc_time: 1, calc_unit: 'h' as const },
	...{ calc_period: 1, calc_unit_period: 'm' as const, calc_type_period: 'last' as const },
};
const simple = (id: number, name: string, process = 'intake'): Variable => ({
	...{ id, name, process, version: 1, unit: 'm³/h', type: 'last', calc: false, binary_compressed: false },
	varsTsdb: { [name]: query },
});
const ratio: Variable = {
	...{ ...simple(5, 'Ratio', 'pumping'), calc: true, binary_compressed: false, unit: '%' },
	equation: [
		{ type: 'variable', value: 'Flow' },
		{ type: 'operator', value: '/' },
		{ type: 'number', value: '2' },
	],
	varsTsdb: { Flow: { ...query, calc_topic: 'Caudal/Río' } },
};
const rows = (variables: readonly Variable[] = [simple(1, 'Flow 10'), simple(2, 'Flow 9'), ratio]) =>
	listRows(variables, new Map([[2, 3]]));
const ids = (list: readonly ListRow[]) => list.map(({ variable: { id } }) => id);
const found = (search: string) => ids(rows().filter((row) => isFound(row, search)));

describe('the list of variables', () => {
	test('shows the topic, or the formula', () => {
		expect(rows().map(({ kind, source, uses }) => [kind, source, uses])).toEqual([
			['simple', 'plant/flow', 0],
			['simple', 'plant/flow', 3],
			['formula', '{Flow} / 2', 0],
		]);
	});

	test.each([
		['flow 9', [2]],
		['rio', [5]],
		['INTAKE m³', [1, 2]],
		['{flow} /', [5]],
		['', [1, 2, 5]],
		['flow pump', [5]],
		['nothing', []],
	])('finds by name, topic, unit, process and formula: %j', (search, expected) => {
		expect(found(search)).toEqual(expected);
	});

	test('sorts by a column, in both directions; equal rows by id', () => {
		const sorted = (column: string, direction: 'ascending' | 'descending' = 'ascending') =>
			ids(sortRows(rows(), { column, direction }, (id) => (id === 2 ? 0 : 1)));
		expect(sorted('name')).toEqual([2, 1, 5]);
		expect(sorted('name', 'descending')).toEqual([5, 1, 2]);
		expect(sorted('process')).toEqual([1, 2, 5]);
		expect(sorted('process', 'descending')).toEqual([5, 1, 2]);
		expect(sorted('uses')).toEqual([2, 1, 5]);
		expect(sorted('quality')).toEqual([2, 1, 5]);
	});

	test('keeps the order of what is there, and adds what is new at the end', () => {
		expect(ids(keepOrder(rows(), [5, 2]))).toEqual([5, 2, 1]);
	});
});

test('uses are counted by chart, report, alarm or correction, not by each item in one', () => {
	const item = { varId: 1, bit: null, x: 0, y: 0 };
	const charts = [{ id: 1, title: 'a', version: 1, series: [{ varId: 1 }, { varId: 1 }, { varId: 2 }] }];
	const diagrams = [{ id: 2, title: 'b', version: 1, items: [item] }];
	const panel = { title: 'p', version: 1, pumps: [{ id: 1, name: 'x', varId: 2, type: 'pump' as const, bit: null }], states: [] };
	const formula = { key: 'b', name: 'b', unit: '', function: 'formula' as const, equation: [] };
	const reports = [{ lines: [{ key: 'a', name: 'a', unit: '', function: 'mean' as const, varId: 3 }, formula] }];
	const alarms = [{ varId: 1 }, { varId: 1 }];
	const counts = countUses({ charts, diagrams, reports, alarms, corrections: [{ varId: 3 }, { varId: 3 }], panel });
	expect([...counts].toSorted(([a], [b]) => a - b)).toEqual([
		[1, 4],
		[2, 2],
		[3, 3],
	]);
	expect(countUses({ charts: [], diagrams: [], reports: [], alarms: [], corrections: [], panel: null }).size).toBe(0);
});
