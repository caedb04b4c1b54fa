import { describe, expect, test } from 'vitest';
import type { Variable } from '#page/core/definitions.ts';
import { type LineDraft, newLineDraft } from '#page/reports/line-draft.ts';
import type { ReportDraft } from '#page/reports/report-draft.ts';
import {
	boundLine,
	countingLine,
	namedLine,
	rateOffer,
	withLine,
	withLineMoved,
	withNewLine,
	withoutLine,
} from '#page/screens/report-editor/line-edits.ts';
import { makeBody } from '#test/support/builders/builders.ts';

const known: ReadonlyMap<number, Variable> = new Map(
	['m³/h', 'kW', 'm', 'L/s', 'boolean', 'm³/week', '', 'm³/hr', 'm³ / día', 'l/seg', 'mol/m³/min', 'm/hs', '/h'].map(
		(unit, index) => [
			index + 1,
			{ ...makeBody({ id: index + 1, name: `Variable ${index + 1}`, unit }), version: 1 } as unknown as Variable,
		],
	),
);
const line = (id: number, part: Partial<LineDraft> = {}): LineDraft => ({ ...newLineDraft, id, ...part });
const draft = (...lines: readonly LineDraft[]): ReportDraft => ({
	...{ id: 0, title: '', timeZone: 'UTC', dayStart: '00:00', send: false, lines },
});
const none: ReadonlySet<string> = new Set();
const idsOf = ({ lines }: ReportDraft) => lines.map(({ id }) => id);

describe('the lines of a report', () => {
	test('are added behind the chosen one, in its group, and at the end without one', () => {
		const three = draft(line(1, { group: 'Water' }), line(2), line(7));
		const [behind, added] = withNewLine(three, 1);
		expect(idsOf(behind)).toEqual([1, 8, 2, 7]);
		expect(added).toMatchObject({ group: 'Water', function: 'total', per: null, unit: '' });
		expect(idsOf(withNewLine(three, null)[0])).toEqual([1, 2, 7, 8]);
		expect(idsOf(withNewLine(draft(), null)[0])).toEqual([1]);
	});

	test('move by one place, and not past an end', () => {
		const two = draft(line(1), line(2));
		expect(idsOf(withLineMoved(two, 2, -1))).toEqual([2, 1]);
		expect(withLineMoved(two, 1, -1)).toBe(two);
		expect(withLineMoved(two, 2, 1)).toBe(two);
		expect(idsOf(withoutLine(two, 1))).toEqual([2]);
	});

	test('keep their formulas when the key of a line changes', () => {
		const formulas = draft(
			line(1, { key: 'flow' }),
			line(2, { key: 'x', formula: '{flow} / {x y}' }),
			line(3, { formula: '{flow} + {flow}' }),
		);
		expect(withLine(formulas, 1, { key: 'in' }).lines.map(({ formula }) => formula)).toEqual(['', '{in} / {x y}', '{in} + {in}']);
		// A key that two lines have says of no line which one is meant.
		const twice = draft(line(1, { key: 'a' }), line(2, { key: 'a' }), line(3, { formula: '{a}' }));
		expect(withLine(twice, 2, { key: 'b' }).lines[2]?.formula).toBe('{a}');
	});
});

describe('the key of a line', () => {
	test('follows its name, with a number where another line has it', () => {
		const other = line(1, { key: 'Run', name: 'Run' });
		const fresh = line(2, { key: '', name: '' });
		expect(namedLine(draft(other, fresh), fresh, 'Run', none)).toEqual({ name: 'Run', key: 'Run 2' });
		const named = line(2, { key: 'Run 2', name: 'Run' });
		expect(namedLine(draft(other, named), named, 'Running', none)).toEqual({ name: 'Running', key: 'Running' });
	});

	test('stays once it was typed, and once it is stored', () => {
		const typed = line(1, { key: 'q', name: 'Flow' });
		expect(namedLine(draft(typed), typed, 'Volume', none)).toEqual({ name: 'Volume' });
		const stored = line(1, { key: 'Flow', name: 'Flow' });
		expect(namedLine(draft(stored), stored, 'Volume', new Set(['Flow']))).toEqual({ name: 'Volume' });
	});
});

describe('what is filled in', () => {
	const bound = (part: Partial<LineDraft>, varId: number) => {
		const before = line(1, part);
		return boundLine(draft(before), before, { varId, bit: null }, { variables: known, storedKeys: none });
	};

	test('is the unit of a variable where the number has it, and its name where none was typed', () => {
		expect(bound({ function: 'mean' }, 3)).toEqual({ varId: 3, bit: null, name: 'Variable 3', key: 'Variable 3', unit: 'm' });
		expect(bound({ function: 'mean', name: 'Level', varId: 3, unit: 'm' }, 1)).toEqual({ varId: 1, bit: null, unit: 'm³/h' });
		// What somebody typed stays.
		expect(bound({ function: 'mean', name: 'Level', varId: 3, unit: 'cm' }, 1)).toEqual({ varId: 1, bit: null });
	});

	test('is no unit of a sum, and no unit of time', () => {
		expect(bound({ function: 'total', name: 'Volume' }, 1)).toEqual({ varId: 1, bit: null, unit: '' });
	});

	test('follows the function: hours, and counts without decimals', () => {
		const level = line(1, { function: 'mean', varId: 3, unit: 'm' });
		expect(countingLine(level, 'onTime', known)).toEqual({ function: 'onTime', decimals: null, unit: 'h' });
		expect(countingLine(level, 'starts', known)).toEqual({ function: 'starts', decimals: 0, unit: '' });
		expect(countingLine(level, 'excursions', known)).toMatchObject({ decimals: 0, unit: '' });
		expect(countingLine(level, 'within', known)).toMatchObject({ unit: '%' });
		expect(countingLine(level, 'longest', known)).toMatchObject({ unit: 'h' });
		expect(countingLine({ ...level, decimals: 3 }, 'starts', known)).toMatchObject({ decimals: 3 });
		expect(countingLine({ ...level, function: 'starts', decimals: 0 }, 'raised', known)).toMatchObject({ decimals: 0 });
		expect(countingLine({ ...level, function: 'starts', decimals: 0, unit: '' }, 'max', known)).toMatchObject({
			decimals: null,
			unit: 'm',
		});
	});
});

test.each([
	[1, { unit: 'm³/h', per: 'h', sum: 'm³' }],
	[2, { unit: 'kW', per: 'h', sum: 'kWh' }],
	[4, { unit: 'L/s', per: 's', sum: 'L' }],
	[3, null],
	[5, null],
	[6, null],
	[7, null],
	[8, { unit: 'm³/hr', per: 'h', sum: 'm³' }],
	[9, { unit: 'm³ / día', per: 'd', sum: 'm³' }],
	[10, { unit: 'l/seg', per: 's', sum: 'l' }],
	[11, { unit: 'mol/m³/min', per: 'min', sum: 'mol/m³' }],
	[12, null],
	[13, null],
])('the unit of variable %i offers %o for a sum, and takes nothing by itself', (varId, offer) => {
	expect(rateOffer(line(1, { varId }), known)).toEqual(offer);
	expect(rateOffer(line(1, { varId, function: 'mean' }), known)).toBeNull();
	if (offer !== null)
		expect(rateOffer(line(1, { varId, per: 'h', unit: 'm³' }), known)).toEqual(
			offer.per === 'h' && offer.sum === 'm³' ? null : offer,
		);
});
