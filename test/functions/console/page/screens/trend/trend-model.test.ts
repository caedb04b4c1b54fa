import { describe, expect, test } from 'vitest';
import type { ListedAlarm } from '#page/core/alarms.ts';
import type { Variable } from '#page/core/definitions.ts';
import { isCurve, linesIn, plottedWindowAt, trendModel } from '#page/screens/trend/trend-model.ts';
import { bounds, historyOf, minute, type HistoryRow as Row, row, start } from './histories.ts';

const status = {
	id: 18,
	binary_compressed: true,
	bits: [
		{ id: 1, name: 'Backwash', bit: 4 },
		{ id: 2, name: 'Dosing', bit: 5 },
	],
} as unknown as Variable;
const limit = (over: Partial<ListedAlarm>): ListedAlarm =>
	({
		id: 32,
		name: 'Tank low',
		varId: 4,
		condition: '<',
		threshold: 2,
		severity: 'critical',
		message: '',
		version: 1,
		active: false,
		value: 3,
		quality: 'good',
		...over,
	}) as ListedAlarm;
const nothing = { variables: new Map<number, Variable>(), alarms: [], labels: new Map<number, string>(), compared: null };

const flow = row(13, 'Flow', 'm³/h', { own: [9, 9, 9], mean: [1, 0, 3], min: [0, 0, 2], max: [4, 0, 5] });
const level = row(4, 'Level', 'm', { own: [2, null, 4], mean: [2, null, 4], min: [2, null, 4], max: [2, null, 4] });

test('each unit has a pane of its own, in the order of the variables', () => {
	const demand = row(19, 'Demand', 'm³/h', { own: [1, 1, 1] });
	const { panes } = trendModel(historyOf(flow, level, demand), nothing);
	expect(panes.map(({ unit, curves }) => [unit, curves.map(({ name, look }) => `${name} ${look}`)])).toEqual([
		['m³/h', ['Flow 0', 'Demand 2']],
		['m', ['Level 1']],
	]);
});

test('a curve shows means with the band of least and greatest values', () => {
	const [curve] = linesIn(trendModel(historyOf(flow), nothing));
	expect(curve).toMatchObject({
		values: [1, 0, 3],
		band: { low: [0, 0, 2], high: [4, 0, 5] },
		summary: { min: 0, mean: 4 / 3, max: 5 },
	});
});

test('a calculated variable shows its own values, without a band', () => {
	const calculated = row(
		23,
		'Efficiency',
		'%',
		{ own: [80, null, 90] },
		{ aggregate: null, unavailable: ['mean', 'min', 'max'] },
	);
	const [curve] = linesIn(trendModel(historyOf(calculated), nothing));
	expect(curve).toMatchObject({ values: [80, null, 90], band: null, summary: { min: 80, mean: 85, max: 90 } });
});

test('the mean counts a window by its length', () => {
	const history = {
		...historyOf(row(4, 'Level', 'm', { own: [1, 4], mean: [1, 4] })),
		bounds: [start, start + 3 * minute, start + 4 * minute],
	};
	expect(linesIn(trendModel(history, nothing))[0]?.summary).toMatchObject({ mean: 1.75 });
});

test('labels of the board stand in place of names', () => {
	const { panes } = trendModel(historyOf(flow), { ...nothing, labels: new Map([[13, 'To the network']]) });
	expect(panes[0]?.curves[0]?.name).toBe('To the network');
});

describe('states', () => {
	test('a boolean is a strip with the share of each window', () => {
		const pump = row(11, 'Pump 1', 'boolean', { own: [0, 1, 1], mean: [0, 0.5, 1] });
		const { panes, strips } = trendModel(historyOf(pump), nothing);
		expect(panes).toEqual([]);
		expect(strips).toMatchObject([
			{ key: '11', name: 'Pump 1', bit: null, values: [0, 0.5, 1], summary: { share: 0.5, starts: 1 } },
		]);
	});

	test('a byte has a strip for each of its bits', () => {
		const byte = row(18, 'Status', 'boolean', { own: [16, 32, null] }, { unavailable: ['mean', 'min', 'max'] });
		const { strips } = trendModel(historyOf(byte), { ...nothing, variables: new Map([[18, status]]) });
		expect(strips.map(({ key, name, values }) => [key, name, values])).toEqual([
			['18.4', 'Backwash', [1, 0, null]],
			['18.5', 'Dosing', [0, 1, null]],
		]);
	});

	test.each([256, -1, 0.5])('%s is no byte: its bits are not known', (value) => {
		const byte = row(18, 'Status', '', { own: [value, 0, 0] });
		const { strips } = trendModel(historyOf(byte), { ...nothing, variables: new Map([[18, status]]) });
		expect(strips.map(({ values }) => values[0])).toEqual([null, null]);
	});
});

describe('what is missing', () => {
	test('windows without samples', () => {
		const [curve] = linesIn(trendModel(historyOf(level), nothing));
		expect(curve).toMatchObject({ gaps: [{ kind: 'no_data', from: 1, to: 2 }], missingMs: minute });
	});

	test('windows with a fault', () => {
		const faulty = row(4, 'Level', 'm', { own: [1, null, null] }, { faults: { division_by_zero: [1] } });
		const [curve] = linesIn(trendModel(historyOf(faulty), nothing));
		expect(curve?.gaps.map(({ kind }) => kind)).toEqual(['bad', 'no_data']);
	});

	test('everything of a variable that is gone', () => {
		const reason = { code: 'missing_reference', message: 'There is no variable 99.', inputs: [] } as const;
		const gone: Row = {
			id: 99,
			name: null,
			unit: null,
			quality: 'missing_reference',
			reason: { ...reason, inputs: [] },
			period: null,
			aggregate: null,
			values: { own: [null, null, null] },
		};
		const [curve] = linesIn(trendModel(historyOf(gone), nothing));
		expect(curve).toMatchObject({ name: '#99', summary: null, missingMs: 3 * minute, quality: 'missing_reference' });
	});
});

describe('thresholds', () => {
	const limitsOf = (over: Partial<ListedAlarm>) =>
		trendModel(historyOf(level), { ...nothing, alarms: [limit(over)] }).panes[0]?.limits;

	test('stand in the pane of their variable', () => {
		expect(limitsOf({})).toMatchObject([{ place: 'inside', alarm: { id: 32 } }]);
		expect(limitsOf({ varId: 5 })).toEqual([]);
	});

	test('say where they are beyond the scale', () => {
		expect(limitsOf({ condition: '>', threshold: 400 })).toMatchObject([{ place: 'above' }]);
		expect(limitsOf({ threshold: -400 })).toMatchObject([{ place: 'below' }]);
	});

	test('of a bit, or of equality, are no lines', () => {
		expect(limitsOf({ bit: 4 })).toEqual([]);
		expect(limitsOf({ condition: '==' })).toEqual([]);
	});
});

test('a time is in the window that begins at or before it', () => {
	expect([start, start + minute - 1, start + minute, start + 3 * minute].map((time) => plottedWindowAt(bounds, time))).toEqual([
		0, 0, 1, 2,
	]);
	expect([start - 1, start + 3 * minute + 1].map((time) => plottedWindowAt(bounds, time))).toEqual([null, null]);
});

test('the legend knows curves from strips', () => {
	const lines = linesIn(trendModel(historyOf(flow, row(11, 'Pump', 'Boolean', { own: [0, 1, 1] })), nothing));
	expect(lines.map(isCurve)).toEqual([true, false]);
});
