import { expect, test } from 'vitest';
import type { Reading } from '#domain/reading/reading.ts';
import { readingsTable } from '#http/table/read-table.ts';

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
