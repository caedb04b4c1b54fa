import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Schemas } from '#page/core/api.ts';
import { createCheckedRows } from '#page/screens/variable-editor/add/checked-rows.ts';
import { type GridRow, takenText } from '#page/screens/variable-editor/add/grid-row.ts';
import { createGridState } from '#page/screens/variable-editor/add/grid-state.ts';
import type { SendVariableTrial } from '#page/screens/variable-editor/variable-trial.ts';

const rowOf = (topic: string, part: Partial<GridRow> = {}): GridRow => ({
	...{ key: topic, topic, field: 'value', tags: {}, queryTags: {}, type: 'float', interval: 10, typed: {}, bits: [] },
	...part,
});

/** A service whose answers the test gives. */
function openService() {
	const calls: { readonly name: string; readonly answer: (quality: Schemas['Quality']) => void }[] = [];
	let running = 0;
	let most = 0;
	const send: SendVariableTrial = ({ name }) => {
		running += 1;
		most = Math.max(most, running);
		return new Promise((resolve) => {
			const answer = (quality: Schemas['Quality']): void => {
				running -= 1;
				const reading = { id: 0, name, unit: '', type: 'last', quality, value: 1, time: null } as const;
				resolve({ ok: true, etag: null, data: { storedVersion: 0, reading: reading as Schemas['Reading'] } });
			};
			calls.push({ name, answer });
		});
	};
	return { send, calls, most: () => most };
}

const describeRows = (send: SendVariableTrial, rows: readonly GridRow[]) => {
	const checkedRows = createCheckedRows(
		{ pattern: '{1} {2} {3}', process: '', lookback: '' },
		{
			send,
			now: () => 0,
			unitSources: () => [{ topic: 'raw/level', field: 'value', unit: 'm' }],
			lengthText: ({ count, unit }) => `${count} ${unit}`,
		},
	);
	checkedRows.rows.value = rows;
	return checkedRows;
};

describe('rows that become variables', () => {
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	test('follow the pattern, the proposals and what is said of all, but for what was typed', () => {
		const { send } = openService();
		const rows = [rowOf('wells/1/flow'), rowOf('wells/2/flow'), rowOf('wells/2/level'), rowOf('wells/2/on', { type: 'boolean' })];
		const checkedRows = describeRows(send, rows);
		const column = (name: 'name' | 'unit' | 'process' | 'period' | 'lookback') =>
			checkedRows.checked.value.map(({ cells }) => cells[name]);
		expect(column('unit')).toEqual(['', '', 'm', 'boolean']);
		expect([column('name')[0], column('process')[0], column('period')[0], column('lookback')[0]]).toEqual([
			...['wells 1 flow', 'wells', '10 s', '1 h'],
		]);
		checkedRows.type([
			{ key: 'wells/1/flow', column: 'unit', text: 'm³/h' },
			{ key: 'wells/1/flow', column: 'name', text: 'Mine' },
		]);
		checkedRows.sharedFields.value = { pattern: 'Well {2} {3}', process: 'field', lookback: '2 h' };
		expect(column('unit')).toEqual(['m³/h', 'm³/h', 'm', 'boolean']);
		expect(column('name')).toEqual(['Mine', 'Well 2 flow', 'Well 2 level', 'Well 2 on']);
		expect([column('process')[0], column('lookback')[0]]).toEqual(['field', '2 h']);
		checkedRows.fillAll();
		expect([column('name')[0], column('unit')[0]]).toEqual(['Well 1 flow', 'm³/h']);
		checkedRows.stop();
	});

	test('are tried 400 ms after a change, four at once, and an old answer never overwrites', async () => {
		const { send, calls, most } = openService();
		const checkedRows = describeRows(
			send,
			Array.from({ length: 9 }, (_, index) => rowOf(`a/${index}/flow`)),
		);
		const states = () => checkedRows.checked.value.map(({ state }) => state);
		await vi.advanceTimersByTimeAsync(399);
		expect(calls).toEqual([]);
		await vi.advanceTimersByTimeAsync(1);
		expect(calls).toHaveLength(4);
		calls[0]?.answer('good');
		await vi.advanceTimersByTimeAsync(0);
		expect([states()[0], calls.length]).toEqual(['ready', 5]);
		// The first row changes while nobody has answered the others; the last one before it was sent.
		checkedRows.type([
			{ key: 'a/1/flow', column: 'name', text: 'New' },
			{ key: 'a/8/flow', column: 'name', text: 'Last' },
		]);
		calls[1]?.answer('no_data');
		await vi.advanceTimersByTimeAsync(400);
		expect(states()[1]).toBe('trying');
		for (let index = 2; index < 40; index += 1) {
			calls[index]?.answer('good');
			await vi.advanceTimersByTimeAsync(0);
		}
		expect(new Set(states())).toEqual(new Set(['ready']));
		expect(calls.filter(({ name }) => name === 'a 8 flow')).toEqual([]);
		expect(calls.filter(({ name }) => name === 'New')).toHaveLength(1);
		expect(most()).toBe(4);
		checkedRows.stop();
	});

	test('are at fault by cell, and not tried then; no data is none', async () => {
		const { send, calls } = openService();
		const checkedRows = describeRows(send, [
			rowOf('a/b', { typed: { name: '', period: 'soon' } }),
			rowOf('a/c', { typed: { kind: 'byte' } }),
			rowOf('a/d'),
			rowOf('a/e', { interval: undefined }),
		]);
		await vi.advanceTimersByTimeAsync(400);
		expect(calls.map(({ name }) => name)).toEqual(['a d']);
		calls[0]?.answer('no_data');
		await vi.advanceTimersByTimeAsync(0);
		const { checked } = checkedRows;
		expect(checked.value.map(({ state }) => state)).toEqual(['wrong', 'wrong', 'no_data', 'trying']);
		expect([...(checked.value[0]?.faults.keys() ?? [])].toSorted()).toEqual(['name', 'period']);
		expect([...(checked.value[1]?.faults.keys() ?? [])]).toEqual(['kind']);
		checkedRows.nameBits('a/c', [{ id: 1, name: 'On', bit: 0 }]);
		expect(checked.value[1]?.faults.size).toBe(0);
		checkedRows.stop();
	});

	test('are typed, filled, pasted and cleared in the grid; what is no choice is counted', () => {
		const { send } = openService();
		const checkedRows = describeRows(
			send,
			['a/b', 'a/c', 'a/d'].map((topic) => rowOf(topic)),
		);
		const choices = { kind: [{ value: 'byte', label: 'Byte with bits' }] };
		const grid = createGridState(checkedRows, () => choices);
		const units = () => checkedRows.checked.value.map(({ cells }) => cells.unit);
		const none = { control: false, shift: false };
		grid.press('ArrowRight', none);
		expect(grid.press('k', none)).toBe(true);
		expect(grid.typing.value).toEqual({ text: 'k', isWhole: false });
		grid.commit('kPa', [1, 0]);
		expect([units(), grid.focus.value]).toEqual([['kPa', '', ''], { row: 1, column: 1 }]);
		grid.press('d', { control: true, shift: false });
		grid.press('ArrowDown', { control: false, shift: true });
		grid.paste('bar');
		expect(units()).toEqual(['kPa', 'bar', 'bar']);
		grid.press('Delete', none);
		expect(units()).toEqual(['kPa', '', '']);
		grid.moveTo({ row: 0, column: 2 });
		grid.paste('West\tbyte with BITS\nEast\tnonsense');
		expect(checkedRows.checked.value.map(({ cells: { process, kind } }) => [process, kind])).toEqual([
			['West', 'byte'],
			['East', 'simple'],
			['a', 'simple'],
		]);
		expect([grid.notTaken.value, takenText('kind', 'x', choices), takenText('unit', 'x', choices)]).toEqual([1, null, 'x']);
		grid.moveTo({ row: 2, column: 0 });
		grid.toNextFault();
		expect(grid.focus.value).toEqual({ row: 0, column: 3 });
		expect(grid.press('F8', none)).toBe(false);
		checkedRows.stop();
	});
});
