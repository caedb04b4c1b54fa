import { describe, expect, test } from 'vitest';
import type { Correction } from '#domain/board/correction.ts';
import type { ReportLine } from '#domain/board/report.ts';
import { compareDays, type DayCause } from '#domain/report/compare-days.ts';
import type { DayBasis, LoadedDays } from '#domain/report/load-report.ts';
import { countingRules, type StoredDay } from '#domain/report/stored-day.ts';
import { momentaryReachMs } from '#domain/totals/momentary-readings.ts';
import { makeCalendar } from '#test/support/builders/calendars.ts';
import { tokensOf } from '#test/support/builders/equations.ts';
import { makeStoredDay } from '#test/support/reports/report-days.ts';

const dayMs = 24 * 3_600_000;
/** A Monday. */
const monday = Date.UTC(2026, 9, 19);
const now = monday + 30 * dayMs;

const sourceOf = (topic: string, field = 'value', aggregate = 'last') =>
	JSON.stringify({ queries: [{ name: '', topic, field, aggregate, periodMs: 1_200_000 }], equation: null });

type Line = DayBasis['lines'][number];

const volume: Line = {
	line: { key: 'volume', name: 'Volume', unit: 'm³', function: 'total', varId: 1, per: 'h' },
	source: sourceOf('flow'),
};
const mean: Line = { line: { key: 'mean', name: 'Mean', unit: 'm', function: 'mean', varId: 2 }, source: sourceOf('level') };
const ratio: Line = {
	line: { key: 'ratio', name: 'Ratio', unit: '', function: 'formula', equation: tokensOf('volume / mean') },
	source: '',
};
const outer: Line = { line: { ...ratio.line, key: 'outer', equation: tokensOf('2 * ratio') }, source: '' };
const lines = [volume, mean, ratio, outer];

const series: DayBasis['series'] = [
	{ topic: 'flow', field: 'value', before: 100, own: 100 },
	{ topic: 'flow', field: 'other', before: 100, own: 100 },
	{ topic: 'level', field: 'value', before: 100, own: null },
];

const correction = (varId: number): Correction => ({
	...{ id: 1, varId, type: 'exclude', from: monday, to: monday + 1000, reason: 'R', author: 'Ana', time: monday },
});

const basisOf = (day: number, overrides: Partial<DayBasis> = {}): DayBasis => {
	const from = monday + day * dayMs;
	const date = new Date(from).toISOString().slice(0, 10);
	const calendar = { timeZone: 'UTC', dayStart: '00:00', database: 'd' };
	return { date, from, to: from + dayMs, ...calendar, lines, series, corrections: [], ...overrides };
};

const seal = { at: monday, by: null, reason: null };
const [{ state, value } = expect.unreachable()] = makeStoredDay('2026-10-19').lines;

/** The row of a day that was stored with a basis. */
const rowOf = (basis: DayBasis, overrides: Partial<StoredDay> = {}): StoredDay => ({
	...{ ...basis, revision: 1, rowVersion: 1, countedAt: now, rules: countingRules, seal, sending: null },
	lines: basis.lines.map((each) => ({ ...each, state, value })),
	...overrides,
});

const compare = (days: LoadedDays['days'], at = now) =>
	compareDays(
		{
			...{ schema: 's', database: 'd', calendar: makeCalendar('UTC'), days },
			report: { id: 1, title: 'R', timeZone: 'UTC', dayStart: '00:00', send: false, lines: [] },
			defined: { lines: [], found: [], corrections: new Map(), uncountable: new Set() },
		},
		at,
	);

const whole = (basis: DayBasis, row: StoredDay | null): LoadedDays['days'][number] => ({
	...{ kind: 'whole', from: basis.from, to: basis.to, basis, row },
});

/** Compares a day that was stored with one basis and has another one now. */
const compared = (before: Partial<DayBasis>, after: Partial<DayBasis>, row: Partial<StoredDay> = {}, at = now) => {
	const [day = expect.unreachable()] = compare([whole(basisOf(0, after), rowOf(basisOf(0, before), row))], at);
	if (!('causes' in day)) expect.unreachable('The day is stored.');
	return { kind: day.kind, causes: Object.fromEntries(day.causes), redefined: [...day.redefined] };
};

const withCount = (topic: string, field: string, count: Partial<DayBasis['series'][number]>) =>
	series.map((each) => (each.topic === topic && each.field === field ? { ...each, ...count } : each));
const withLine = (key: string, line: Partial<ReportLine>, source?: string) =>
	lines.map((each) => (each.line.key === key ? { line: { ...each.line, ...line }, source: source ?? each.source } : each));
const causesIn = (keys: readonly string[], ...causes: readonly DayCause[]) =>
	Object.fromEntries(keys.map((key) => [key, causes]));
const ofFlow = ['volume', 'ratio', 'outer'];
const ofLevel = ['mean', 'ratio', 'outer'];
const all = ['volume', 'mean', 'ratio', 'outer'];

describe('a sealed day', () => {
	test.each<[string, Partial<DayBasis>, Partial<DayBasis>]>([
		['nothing differs', {}, {}],
		['lines are shown in another way', {}, { lines: withLine('volume', { name: 'Other', decimals: 3, group: 'G' }) }],
		['a count is not known any more', {}, { series: withCount('flow', 'value', { own: null }) }],
		['a count that was not known is known', {}, { series: withCount('level', 'value', { own: 7 }) }],
		['the field of a series differs that no line reads', {}, { series: withCount('flow', 'other', { own: 101 }) }],
		[
			'a correction says why in other words',
			{ corrections: [correction(1)] },
			{ corrections: [{ ...correction(1), reason: 'S' }] },
		],
		['a correction is of a variable of no line', {}, { corrections: [correction(9)] }],
		['a line was removed', {}, { lines: lines.slice(0, 3) }],
	])('is sealed where %s', (_, before, after) => {
		expect(compared(before, after)).toEqual({ kind: 'sealed', causes: {}, redefined: [] });
	});

	test.each<[string, Partial<DayBasis>, Partial<DayBasis>, Record<string, readonly DayCause[]>]>([
		['a late sample', {}, { series: withCount('flow', 'value', { own: 101 }) }, causesIn(ofFlow, 'late_samples')],
		[
			'a late sample of the day before',
			{},
			{ series: withCount('level', 'value', { before: 101 }) },
			causesIn(ofLevel, 'late_samples'),
		],
		['a deleted sample', {}, { series: withCount('flow', 'value', { own: 99 }) }, causesIn(ofFlow, 'missing_samples')],
		[
			'both',
			{},
			{ series: withCount('flow', 'value', { before: 99, own: 101 }) },
			causesIn(ofFlow, 'late_samples', 'missing_samples'),
		],
		['a new correction', {}, { corrections: [correction(2)] }, causesIn(ofLevel, 'correction')],
		['a revoked correction', { corrections: [correction(1)] }, {}, causesIn(ofFlow, 'correction')],
	])('is suspected after %s', (_, before, after, causes) => {
		expect(compared(before, after)).toEqual({ kind: 'suspected', causes, redefined: [] });
	});

	test.each<[string, Partial<DayBasis>, Partial<DayBasis>, readonly string[], DayCause]>([
		['counts another unit', {}, { lines: withLine('volume', { unit: 'L' }) }, ofFlow, 'line'],
		['counts another rate', {}, { lines: withLine('volume', { per: 'min' }) }, ofFlow, 'line'],
		['has another formula', {}, { lines: withLine('outer', { equation: tokensOf('3 * ratio') }) }, ['outer'], 'line'],
		['has a new line', { lines: [volume] }, { lines: [volume, mean] }, ['mean'], 'line'],
		[
			'reads a variable in another way',
			{},
			{ lines: withLine('mean', {}, sourceOf('level', 'value', 'max')) },
			ofLevel,
			'variable',
		],
		['is in another zone', {}, { timeZone: 'Africa/Abidjan' }, all, 'calendar'],
		['begins at another time', { from: monday - 1 }, {}, all, 'calendar'],
		['ends at another time', { to: monday + dayMs + 1 }, {}, all, 'calendar'],
	])('is redefined where it %s', (_, before, after, keys, cause) => {
		expect(compared(before, after)).toEqual({ kind: 'redefined', causes: causesIn(keys, cause), redefined: keys });
	});

	test('names no samples of a series that the line did not read when the day was stored', () => {
		const before = { lines: [{ ...volume, source: sourceOf('level') }, mean] };
		const after = { lines: [volume, mean], series: withCount('flow', 'value', { own: 200 }) };
		expect(compared(before, after).causes).toEqual({ volume: ['variable'] });
	});

	test('stays sealed by earlier rules, and where alarms were not evaluated', () => {
		const raised = { kind: 'raised' as const, raised: { span: 1, unknown: 1, count: 0, certain: 0 } };
		expect(compared({}, {}, { rules: countingRules - 1 }).kind).toBe('sealed');
		expect(compared({}, {}, { lines: lines.map((each) => ({ ...each, state: raised, value })) }).kind).toBe('sealed');
	});

	test('takes the causes of the day before over only from a day without samples', () => {
		const changed = { series: withCount('flow', 'value', { own: 101 }) };
		const causesAfter = (own: number | null) => {
			const ofTuesday = { series: [{ topic: 'flow', field: 'value', before: 100, own }] };
			const late = { series: [{ topic: 'flow', field: 'value', before: 101, own }] };
			const days = compare([
				whole(basisOf(0, changed), rowOf(basisOf(0))),
				whole(basisOf(1, late), rowOf(basisOf(1, ofTuesday))),
				whole(basisOf(2), rowOf(basisOf(2))),
			]);
			return days.map((day) => ('causes' in day ? [...day.causes.keys()] : []));
		};
		expect(causesAfter(0)).toEqual([ofFlow, ofFlow, ofFlow]);
		expect(causesAfter(1)).toEqual([ofFlow, ofFlow, []]);
		expect(causesAfter(null)).toEqual([ofFlow, ofFlow, []]);
	});
});

describe('a day that is not sealed', () => {
	const unsealed = { seal: null };
	const stateOf = (kind: 'raised' | 'counter') =>
		makeStoredDay('2026-10-19').lines.find((each) => each.state.kind === kind)?.state ?? expect.unreachable();
	const withState = (other: StoredDay['lines'][number]['state']) => ({
		...unsealed,
		lines: lines.map((each) => ({ ...each, state: other, value })),
	});
	const settledAt = monday + dayMs + momentaryReachMs;

	test('is provisional while nothing differs, and outdated by any cause and by earlier rules', () => {
		expect(compared({}, {}, unsealed)).toEqual({ kind: 'provisional', causes: {}, redefined: [] });
		expect(compared({}, { corrections: [correction(1)] }, unsealed).kind).toBe('outdated');
		expect(compared({}, { lines: withLine('volume', { unit: 'L' }) }, unsealed).kind).toBe('outdated');
		expect(compared({}, {}, { ...unsealed, rules: countingRules - 1 }).kind).toBe('outdated');
	});

	test('is outdated while alarms were not evaluated for all of it', () => {
		const raised = stateOf('raised');
		expect(compared({}, {}, withState(raised)).kind).toBe('provisional');
		const unknown = { kind: 'raised' as const, raised: { span: 1, unknown: 1, count: 2, certain: 1 } };
		expect(compared({}, {}, withState(unknown)).kind).toBe('outdated');
	});

	test('is outdated once when the readings after a counter have come', () => {
		const kindAt = (countedAt: number, at: number) => compared({}, {}, { ...withState(stateOf('counter')), countedAt }, at).kind;
		expect(kindAt(settledAt - 1, settledAt - 1)).toBe('provisional');
		expect(kindAt(settledAt - 1, settledAt)).toBe('outdated');
		expect(kindAt(settledAt, settledAt)).toBe('provisional');
	});

	test('is unstored without a row, and with a row of another database, which a new one replaces', () => {
		const foreign = rowOf(basisOf(0, { database: 'other' }));
		for (const row of [null, foreign])
			expect(compare([whole(basisOf(0), row)])).toEqual([
				{ kind: 'unstored', from: monday, to: monday + dayMs, basis: basisOf(0), row },
			]);
	});
});

test('a cut day is open until it ends', () => {
	const part = { kind: 'cut' as const, from: monday + 1, to: monday + 2 };
	expect(compare([part], monday + dayMs - 1)).toEqual([{ ...part, kind: 'open' }]);
	expect(compare([part], monday + dayMs)).toEqual([part]);
});
