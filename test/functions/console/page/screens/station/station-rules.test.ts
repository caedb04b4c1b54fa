import { describe, expect, test } from 'vitest';
import type { Variable } from '#page/core/definitions.ts';
import type { Reading } from '#page/core/readings.ts';
import { valuesBeside } from '#page/screens/station/beside.ts';
import { itemViewOf } from '#page/screens/station/item-view.ts';
import { stateKindOf } from '#page/screens/station/state-kind.ts';
import { makeBody } from '#test/support/builders/builders.ts';

const reading = (value: number | null, quality: string): Reading =>
	({ id: 1, name: 'Status', unit: '', quality, value, time: '2026-11-21T10:00:00Z' }) as unknown as Reading;

describe('an item of the panel', () => {
	test('is on for any number but 0, or by its bit', () => {
		expect([0, 1, -2, 0.5].map((value) => itemViewOf(reading(value, 'good'), null).on)).toEqual([false, true, true, true]);
		expect([0, 1].map((bit) => itemViewOf(reading(2, 'good'), bit).on)).toEqual([false, true]);
	});

	test('is unknown while its value is stale, with the state that it had', () => {
		expect(itemViewOf(reading(1, 'stale'), null)).toMatchObject({ on: null, last: true });
		expect(itemViewOf(reading(1, 'good'), null)).toMatchObject({ on: true, last: true });
	});

	test.each(['bad', 'no_data', 'missing_reference', 'skipped'])(
		'is unknown, and has no last state, while its value is %s',
		(quality) => {
			expect(itemViewOf(reading(1, quality), null)).toMatchObject({ on: null, last: null });
		},
	);

	test('is not known before it was read', () => {
		expect(itemViewOf(undefined, null)).toEqual({ on: null, last: null, shown: null });
	});

	test('is a valve where its name says so, and otherwise a state, even with the name of a pump', () => {
		expect(['Bypass valve', 'Válvula de entrada', 'Backwash', 'Pump fault'].map((name) => stateKindOf(name, undefined))).toEqual([
			'valve',
			'valve',
			'state',
			'state',
		]);
	});
});

test('beside the panel stand the measured numbers of its processes, without what it shows itself', () => {
	const listed = [
		makeBody({ id: 1, process: 'pumping', unit: 'boolean' }),
		makeBody({ id: 2, process: 'pumping' }),
		makeBody({ id: 3, process: 'pumping', unit: 'boolean' }),
		makeBody({ id: 4, process: 'intake' }),
		makeBody({ id: 5, process: 'pumping', type: 'history' }),
	].map((body): [number, Variable] => [Number(body.id), { ...body, version: 1 } as unknown as Variable]);
	const panel = {
		title: 'Station',
		version: 1,
		pumps: [{ id: 1, name: 'Pump', varId: 1, type: 'pump', bit: null }],
		states: [],
	} as const;
	expect(valuesBeside({ ...panel, pumps: [...panel.pumps], states: [] }, new Map(listed)).map(({ id }) => id)).toEqual([2]);
});
