import { expect, test } from 'vitest';
import type { ReadReport } from '#domain/report/assemble-report.ts';
import { reportTable } from '#http/table/counted-table.ts';

test('a day that cannot be read has its state and its fault in place of a number', () => {
	const none = { value: null, known: 0, low: null, high: null, counterFaults: [], fault: 'stored_row_invalid' };
	const line = { key: 'a', values: { windows: [none], total: none }, faults: [{ code: 'stored_row_invalid' }], corrections: [] };
	const report = { id: 7, timeZone: 'UTC', dayStart: '00:00', lines: [{ key: 'a', name: 'a', unit: 'x', function: 'total' }] };
	const read = { report, period: 'day', bounds: [0, 86_400_000], states: ['unreadable'], lines: [line] };
	const { columns, rows } = reportTable(read as unknown as ReadReport, { columns: 'all' });
	const cellOf = (key: string) => rows[0]?.[columns.findIndex((column) => column.key === key)];
	expect(['state', 'a', 'a.fault'].map(cellOf)).toEqual(['unreadable', null, 'stored_row_invalid']);
});

test('a workbook rounds no share within limits and no bound: 99.96 % would be 100.0, and at most 27.74 would be 27.7', () => {
	const lineOf = (key: string, functionName: string) => ({ key, name: key, unit: 'x', decimals: 1, function: functionName });
	const counted = (key: string, value: number) => {
		const number = { value, known: 1, low: value, high: value, counterFaults: [] };
		return { key, values: { windows: [number], total: number }, faults: [], corrections: [] };
	};
	const report = { id: 7, timeZone: 'UTC', dayStart: '00:00', lines: [lineOf('share', 'within'), lineOf('night', 'leastMean')] };
	const read = {
		report,
		period: 'day',
		bounds: [0, 86_400_000],
		states: ['sealed'],
		lines: [counted('share', 99.96), counted('night', 27.74)],
	};
	const { columns, rows } = reportTable(read as unknown as ReadReport, { columns: 'all' });
	const shown = columns.flatMap(({ key, decimals }, index) =>
		/^(share|night)(.low|.high)?$/.test(key) ? [[key, decimals, rows[0]?.[index]]] : [],
	);
	expect(shown).toEqual([
		['share', undefined, 99.96],
		['share.low', undefined, 99.96],
		['share.high', undefined, 99.96],
		['night', 1, 27.74],
		['night.low', undefined, 27.74],
		['night.high', undefined, 27.74],
	]);
});
