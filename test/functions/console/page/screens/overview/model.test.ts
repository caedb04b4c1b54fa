import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linesOf, matches, orderOf, processesOf, rankOf, shapeOf, tileKindOf } from '#page/screens/overview/model.ts';
import { makeBitsBody, makeBody } from '#test/support/builders/builders.ts';

type Listed = Parameters<typeof tileKindOf>[0];

const variable = (overrides: Readonly<Record<string, unknown>>): Listed =>
	({ ...makeBody(overrides), version: 1 }) as unknown as Listed;

describe('a variable is shown', () => {
	test('as a number, a state or a byte', () => {
		expect(tileKindOf(variable({ unit: 'm' }))).toBe('number');
		expect(tileKindOf(variable({ unit: '' }))).toBe('number');
		expect(tileKindOf(variable({ unit: 'boolean' }))).toBe('state');
		expect(tileKindOf(variable({ unit: 'Bool' }))).toBe('state');
		expect(tileKindOf({ ...(makeBitsBody({ unit: 'boolean' }) as unknown as Listed) })).toBe('byte');
	});

	test('with the shape that its name says, in both languages', () => {
		expect(['Intake pump 1', 'Bomba de captación'].map(shapeOf)).toEqual(['pump', 'pump']);
		expect(['Inlet valve', 'Válvula de entrada', 'VÁLVULA 2'].map(shapeOf)).toEqual(['valve', 'valve', 'valve']);
		expect(['Backwash', 'Pumping station alarm', 'Valves open'].map(shapeOf)).toEqual(['state', 'state', 'state']);
	});
});

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
	const fresh = 'active_unacknowledged';
	const seen = 'active_acknowledged';

	test('is by rank: new alarms of severity 1 and 2, seen ones, faults of the data, info, good', () => {
		const ranked = [
			rankOf('good', { severity: 'critical', state: fresh }),
			rankOf('good', { severity: 'warning', state: fresh }),
			rankOf('good', { severity: 'critical', state: seen }),
			rankOf('good', { severity: 'warning', state: seen }),
			rankOf('bad', null),
			rankOf('missing_reference', null),
			rankOf('no_data', null),
			rankOf('stale', null),
			rankOf('skipped', null),
			rankOf('good', { severity: 'info', state: seen }),
			rankOf('good', null),
		];
		expect(ranked).toEqual(ranked.toSorted((a, b) => a - b));
		expect(new Set(ranked).size).toBe(ranked.length);
	});

	test('counts the worse of an alarm and a fault, and nothing where nothing was read', () => {
		expect(rankOf('bad', { severity: 'info', state: seen })).toBe(rankOf('bad', null));
		expect(rankOf('stale', { severity: 'warning', state: seen })).toBe(rankOf('good', { severity: 'warning', state: seen }));
		expect(rankOf(undefined, null)).toBe(rankOf('good', null));
	});

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
