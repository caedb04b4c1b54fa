import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareAlarms, markedStateOf } from '#page/core/alarm-state.ts';
import type { Variable } from '#page/core/definitions.ts';
import { countedAlarms, linesOf, matches, orderOf, processesOf } from '#page/screens/overview/model.ts';
import { makeBody } from '#test/support/builders/builders.ts';
import { makeListedAlarm } from '#test/support/builders/listed-alarm.ts';

const variable = (overrides: Readonly<Record<string, unknown>>): Variable =>
	({ ...makeBody(overrides), version: 1 }) as unknown as Variable;

test('processes stand in the order of their first ids, whatever is wrong in them', () => {
	const listed = [
		variable({ id: 1, process: 'intake' }),
		variable({ id: 2, process: 'tanks' }),
		variable({ id: 3, process: 'intake' }),
	];
	expect(processesOf(listed)).toEqual([
		{ name: 'intake', ids: [1, 3] },
		{ name: 'tanks', ids: [2] },
	]);
});

describe('the order in a process', () => {
	test('is the same for the same ranks, and by id among equals', () => {
		const rank = (id: number) => (id === 3 ? 0 : 1);
		expect(orderOf([1, 2, 3, 4], rank, { previous: [4, 3, 2, 1], isHeld: false })).toEqual([3, 1, 2, 4]);
	});

	test('stays under pointer or focus: nothing moves, what is gone goes, what is new comes last', () => {
		const ids = fc.uniqueArray(fc.nat(20));
		fc.assert(
			fc.property(ids, ids, fc.func(fc.nat(3)), (previous, next, rank) => {
				const held = orderOf(next, rank, { previous, isHeld: true });
				expect(held.toSorted((a, b) => a - b)).toEqual(next.toSorted((a, b) => a - b));
				const stayed = previous.filter((id) => next.includes(id));
				expect(held.slice(0, stayed.length)).toEqual(stayed);
			}),
		);
	});
});

test('a search finds every word in name, process and unit, without case and accents', () => {
	const level = variable({ name: 'Nivel del depósito', process: 'distribución', unit: 'm³' });
	for (const search of ['', 'DEPOSITO', 'nivel distribucion', 'm³']) expect(matches(level, search)).toBe(true);
	for (const search of ['caudal', 'nivel captacion']) expect(matches(level, search)).toBe(false);
});

test('lines hold every variable once, in order, below its process', () => {
	const processes = [
		{ name: 'a', ids: [1, 2, 3] },
		{ name: 'b', ids: [4] },
	];
	expect(linesOf(processes, 2)).toEqual([
		{ kind: 'process', process: processes[0] },
		{ kind: 'cells', ids: [1, 2] },
		{ kind: 'cells', ids: [3] },
		{ kind: 'process', process: processes[1] },
		{ kind: 'cells', ids: [4] },
	]);
});

test('a heading marks the alarms of each severity with their most urgent state', () => {
	const alarms = [
		null,
		{ severity: 'info', state: 'active_acknowledged' },
		{ severity: 'critical', state: 'active_acknowledged' },
		{ severity: 'critical', state: 'returned_unacknowledged' },
		{ severity: 'info', state: 'unknown' },
	] as const;
	expect(countedAlarms(alarms)).toEqual([
		{ severity: 'critical', state: 'returned_unacknowledged', count: 2 },
		{ severity: 'info', state: 'unknown', count: 2 },
	]);
	expect(countedAlarms([null, { severity: 'warning', state: 'active_acknowledged' }])).toEqual([
		{ severity: 'warning', state: 'active_acknowledged', count: 1 },
	]);
	expect(countedAlarms([])).toEqual([]);
});

test('a heading marks the state that stands first in the list of alarms, as the line above it does', () => {
	const open = [
		makeListedAlarm({ id: 1, state: 'active_acknowledged' }),
		makeListedAlarm({ id: 2, state: 'returned_unacknowledged', active: false }),
		makeListedAlarm({ id: 3, state: null, active: true }),
		makeListedAlarm({ id: 4, state: 'active_unacknowledged' }),
	];
	for (let count = 1; count <= open.length; count += 1) {
		const some = open.slice(0, count);
		const [worst] = some.toSorted(compareAlarms);
		const [counted] = countedAlarms(some.map(({ severity, ...alarm }) => ({ severity, state: markedStateOf(alarm) })));
		expect(counted?.state).toBe(worst === undefined ? undefined : markedStateOf(worst));
	}
});
