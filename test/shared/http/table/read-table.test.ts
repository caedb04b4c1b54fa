import { expect, test } from 'vitest';
import type { VariableHistory } from '#domain/history/history.ts';
import type { Reading } from '#domain/reading/reading.ts';
import { historyTable, readingsTable } from '#http/table/read-table.ts';

const reading = (id: number, value: number | null, bits: Reading['bits']): Reading => ({
	...{ id, name: `Byte ${id}`, unit: '', type: 'last', quality: 'good', reason: null, bits, inputTimes: null },
	content: { type: 'last', value, time: Date.UTC(2026, 10, 29) },
});
const bitsOf = (...values: readonly (0 | 1 | null)[]) =>
	values.map((value, bit) => ({ id: bit + 1, name: `Pump ${bit + 1}`, bit, value }));

test('readings with all columns say which bits are on; nothing where the byte is unknown or there are no bits', () => {
	const readings = [
		reading(1, 5, bitsOf(1, 0, 1)),
		reading(2, 0, bitsOf(0, 0)),
		reading(3, null, bitsOf(null, null)),
		reading(4, 7, null),
	];
	const table = readingsTable(readings, { columns: 'all', timeZone: 'UTC' });
	const at = table.columns.findIndex(({ key }) => key === 'on');
	expect(table.rows.map((row) => row[at])).toEqual(['Pump 1, Pump 3', 'none', null, null]);
	expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
	expect(readingsTable(readings, { columns: 'value', timeZone: 'UTC' }).columns).toHaveLength(6);
});

test('histories with all columns say why a window has no value: no data where it has no fault of its own', () => {
	const variable = (id: number, quality: VariableHistory['quality']): VariableHistory => ({
		...{ id, name: 'Flow', unit: 'm³/h', quality, reason: null, period: null, aggregate: 'last', unavailable: [] },
		columns: new Map([
			['own', { values: [1, null, null], faults: new Map([[2, 'precision']]) }],
			['count', { values: [1, 0, 3], faults: new Map() }],
		]),
	});
	const day = { bounds: [0, 1, 2, 3], period: { count: 1, unit: 'ms' }, timeZone: 'UTC', dayStart: '00:00' } as const;
	const table = historyTable(
		{ ...day, variables: [variable(1, 'good'), variable(2, 'bad')] },
		{ aggregates: ['own', 'count'], columns: 'all' },
	);
	const cellsOf = (key: string) => {
		const at = table.columns.findIndex((column) => column.key === key);
		return table.rows.map((row) => row[at]);
	};
	expect(cellsOf('1.own.quality')).toEqual(['good', 'no_data', 'precision']);
	expect(cellsOf('1.count.quality')).toEqual(['good', 'good', 'good']);
	expect(cellsOf('2.own.quality')).toEqual(['bad', 'bad', 'precision']);
});

test('a history has an empty column for an aggregate that the variable cannot have, in the order of the request', () => {
	const variable: VariableHistory = {
		...{ id: 7, name: 'Sum', unit: 'm', quality: 'good', reason: null, period: null, aggregate: null, unavailable: ['mean'] },
		columns: new Map([['own', { values: [1], faults: new Map() }]]),
	};
	const day = { bounds: [0, 1], period: { count: 1, unit: 'ms' }, timeZone: 'UTC', dayStart: '00:00' } as const;
	const { columns, rows } = historyTable({ ...day, variables: [variable] }, { aggregates: ['mean', 'own'], columns: 'all' });
	expect(columns.map(({ name }) => name)).toEqual(['Start', 'End', 'Sum mean', 'Sum mean quality', 'Sum', 'Sum quality']);
	expect(rows).toEqual([[0, 1, null, null, 1, 'good']]);
});
