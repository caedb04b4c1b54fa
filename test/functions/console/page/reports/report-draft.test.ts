import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionFields, lineFunctions } from '#domain/board/line.ts';
import { checkedReport, reportSchema } from '#domain/board/report.ts';
import { parse } from '#domain/validation/parse.ts';
import type { Variable } from '#page/core/definitions.ts';
import { type LineDraft, lineBodyOf, lineProblems, newLineDraft } from '#page/reports/line-draft.ts';
import { type ReportDraft, reportBodyOf, reportDraftOf, reportProblems, rightPartOf } from '#page/reports/report-draft.ts';
import { makeBitsBody, makeBody, makeCalculatedBody, makeQuery } from '#test/support/builders/builders.ts';

const stored = (body: object) => ({ ...body, version: 1 }) as unknown as Variable;
const windowed = makeBody({ id: 5, varsTsdb: { a: { ...makeQuery(), calc_type_period: 'mean' } } });
const known: ReadonlyMap<number, Variable> = new Map([
	[3, stored(makeBody({ id: 3 }))],
	[4, stored(makeCalculatedBody('a / b', { id: 4 }))],
	[5, stored(windowed)],
	[8, stored(makeBitsBody({ id: 8, bits: [{ id: 1, name: 'Pump', bit: 0 }] }))],
]);

const line = (part: Partial<LineDraft> = {}): LineDraft => ({
	...newLineDraft,
	id: 1,
	key: 'volume',
	name: 'Volume',
	varId: 3,
	per: 'h',
	unit: 'm³',
	...part,
});
const draft = (...lines: readonly LineDraft[]): ReportDraft => ({
	id: 0,
	title: 'Daily',
	timeZone: 'Europe/Madrid',
	dayStart: '00:00',
	send: false,
	lines: lines.map((each, index) => ({ ...each, id: index + 1 })),
});
const codesOf = (...lines: readonly LineDraft[]) =>
	Object.fromEntries([...reportProblems(draft(...lines), known)].map(([path, { code }]) => [path, code]));

describe('a line', () => {
	/** Everything that a line can have at once, so that each function has to leave out what it does not take. */
	const full = line({
		bit: 0,
		holdSeconds: 60,
		above: 0,
		low: 0,
		high: 500,
		size: 10_000,
		dip: 2,
		from: '22:00',
		to: '04:00',
		formula: '{first} / 2',
		severity: 'warning',
		least: null,
		most: 0.3,
		every: 900,
		forSeconds: 60,
		over: 3600,
		errorPercent: 2,
		errorAbsolute: 0,
		referenceFrom: '2026-09-01',
		referenceNights: 28,
		watchRise: 4.5,
		watchNights: 3,
		decimals: 0,
		group: 'Water',
	});

	test('an absolute error that was typed before a counter was chosen is neither sent nor told of', () => {
		const typed = { ...full, function: 'increase', errorAbsolute: 1.5 } as const;
		expect(lineBodyOf(typed).error).toEqual([2, 0]);
		expect(lineBodyOf({ ...typed, errorPercent: null }).error).toBeNull();
		expect(lineBodyOf({ ...typed, function: 'mean' }).error).toEqual([2, 1.5]);
		const unreadable = { ...typed, errorAbsolute: 'unreadable' } as const;
		expect(lineProblems(unreadable, new Set(), undefined).has('error.1')).toBe(false);
		expect(lineProblems({ ...unreadable, function: 'mean' }, new Set(), undefined).has('error.1')).toBe(true);
	});

	test.each(lineFunctions)('%s sends exactly the fields that its function takes, and comes back as it was typed', (counted) => {
		const { required, optional } = functionFields[counted];
		// Limits stand in place of a single one.
		const typed = { ...full, function: counted, ...(optional.includes('above') ? { most: null } : {}) };
		const body = lineBodyOf(typed);
		const sent = Object.entries(body).flatMap(([field, value]) => (value === null ? [] : field));
		const always = ['key', 'name', 'function', 'unit', 'decimals', 'group'];
		expect(new Set(sent)).toEqual(
			new Set([
				...always,
				...required,
				...optional.filter((field) => field !== 'limits' || typed.most !== null),
				...(counted === 'leastMean' ? ['reference', 'watch'] : []),
			]),
		);
		const first = line({ key: 'first', function: 'raised', varId: null });
		const report = { ...reportBodyOf(draft(first)), dayStart: '12:00', lines: [lineBodyOf(first), body] };
		const parsed = checkedReport(parse(reportSchema, report));
		expect(reportBodyOf(reportDraftOf(parsed) ?? draft())).toEqual(report);
	});

	test('keeps a zero, which is a number', () => {
		expect(lineBodyOf(line({ function: 'onTime', above: 0, decimals: 0 }))).toMatchObject({ above: 0, decimals: 0 });
		expect(lineBodyOf(line({ low: 0, high: 0 }))).toMatchObject({ range: [0, 0] });
	});

	test('names what is no number, and half of a pair', () => {
		expect(codesOf(line({ low: 'unreadable', high: 5, decimals: 'unreadable' }))).toEqual({
			'lines.0.range.0': 'no_number',
			'lines.0.decimals': 'no_number',
		});
		expect(codesOf(line({ low: 3, to: '04:00' }))).toEqual({
			'lines.0.range': 'range_reversed',
			'lines.0.range.1': 'required',
			'lines.0.between.0': 'required',
		});
		// What the function does not take is not sent, so it cannot be wrong.
		expect(codesOf(line({ function: 'starts', low: 'unreadable', to: '04:00' }))).toEqual({});
	});

	test('names what its variable asks for', () => {
		expect(codesOf(line({ varId: null }))).toEqual({ 'lines.0.varId': 'choose_variable' });
		expect(codesOf(line({ varId: 99 }))).toEqual({ 'lines.0.varId': 'no_such_variable' });
		expect(codesOf(line({ varId: 8, bit: 'choose' }))).toEqual({ 'lines.0.bit': 'choose_bit' });
		expect(codesOf(line({ varId: 5 }))).toEqual({ 'lines.0.holdSeconds': 'hold_required' });
		expect(codesOf(line({ varId: 5, holdSeconds: 120 }))).toEqual({});
		expect(codesOf(line({ varId: 4, function: 'increase' }))).toEqual({ 'lines.0.function': 'formula_has_no_counter' });
		expect(codesOf(line({ per: null }))).toEqual({ 'lines.0.per': 'required_by_function' });
	});

	test('may use earlier lines in a formula, and no other', () => {
		const ratio = line({ key: 'ratio', function: 'formula', formula: '{volume} / 2' });
		expect(codesOf(line(), ratio)).toEqual({});
		expect(codesOf(ratio, line())).toEqual({ 'lines.0.equation': 'unknown_name' });
		expect(codesOf({ ...ratio, formula: '{ratio}' })).toEqual({ 'lines.0.equation': 'unknown_name' });
		expect(codesOf(line(), { ...ratio, formula: '{volume' })).toEqual({ 'lines.1.equation': 'brace_not_closed' });
		expect(codesOf(line(), { ...ratio, formula: ' ' })).toEqual({ 'lines.1.equation': 'empty' });
		expect(codesOf(line(), line())).toEqual({ 'lines.1.key': 'repeated_key' });
	});
});

describe('the part of a report in which nothing is wrong', () => {
	const keysOf = (...lines: readonly LineDraft[]) => {
		const whole = draft(...lines);
		return rightPartOf(whole, reportProblems(whole, known))?.lines.map(({ key }) => key) ?? null;
	};
	const formula = (key: string, text: string) => line({ key, function: 'formula', formula: text });

	test('lacks wrong lines, and the formulas that use them, directly or not', () => {
		const wrong = line({ key: 'wrong', varId: null });
		expect(keysOf(line(), wrong, formula('a', '{volume} * 2'), formula('b', '{wrong}'), formula('c', '{b} + {a}'))).toEqual([
			'volume',
			'a',
		]);
	});

	test('is nothing without a right line, and where days cannot be told', () => {
		expect(keysOf()).toBeNull();
		expect(keysOf(line({ varId: null }))).toBeNull();
		const zoneless = { ...draft(line()), timeZone: 'Nowhere' };
		expect(rightPartOf(zoneless, reportProblems(zoneless, known))).toBeNull();
		const untitled = { ...draft(line()), title: '' };
		expect(rightPartOf(untitled, reportProblems(untitled, known))?.lines).toHaveLength(1);
	});

	test('is always what the service takes, whatever is typed', () => {
		const number = fc.constantFrom(null, null, null, null, 60, 60, 'unreadable' as const, -1, 0, 0.5);
		const time = fc.constantFrom('', '', '', '02:00', '04:00', '25:00');
		const lines = fc.array(
			fc.record({
				...{
					key: fc.constantFrom('', 'a', 'b', 'c'),
					name: fc.constantFrom('', 'A', 'B'),
					function: fc.constantFrom(...lineFunctions),
				},
				...{
					varId: fc.constantFrom(null, 3, 3, 3, 4, 5, 8, 99),
					bit: fc.constantFrom(null, null, null, 0, 5, 'choose' as const),
				},
				...{ per: fc.constantFrom(null, 'h' as const), holdSeconds: number, above: number, low: number, high: number },
				...{
					size: number,
					dip: number,
					from: time,
					to: time,
					decimals: number,
					severity: fc.constantFrom(null, 'info' as const),
				},
				...{
					formula: fc.constantFrom('', '{a} / {b}', '{a', '2'),
					unit: fc.constantFrom('', 'm³'),
					group: fc.constantFrom('', 'G'),
				},
			}),
			{ maxLength: 5 },
		);
		let accepted = 0;
		fc.assert(
			fc.property(lines, (typed) => {
				const whole = draft(...typed.map((each) => line(each)));
				const right = rightPartOf(whole, reportProblems(whole, known));
				if (right === null) return;
				accepted += 1;
				checkedReport(parse(reportSchema, reportBodyOf(right)));
			}),
			{ numRuns: 2000 },
		);
		expect(accepted).toBeGreaterThan(50);
	});
});
