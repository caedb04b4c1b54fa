import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBoard } from '#domain/board/board.ts';
import type { Variable } from '#page/core/definitions.ts';
import { differencesOf, mergedDraft } from '#page/core/draft-fields.ts';
import { numberStyle } from '#page/core/preferences.ts';
import { formatExact } from '#page/format/number.ts';
import { parseTyped } from '#page/format/typed-number.ts';
import { type AlarmDraft, alarmBodyOf, alarmDraftOf, alarmProblems, newAlarmDraft } from '#page/screens/alarms/alarm-draft.ts';
import { alarmDraftFields } from '#page/screens/alarms/alarm-draft-fields.ts';
import { makeBitsBody, makeBody } from '#test/support/builders/builders.ts';

const known: ReadonlyMap<number, Variable> = new Map([
	[3, { ...makeBody({ id: 3 }), version: 1 } as unknown as Variable],
	[8, { ...makeBitsBody({ id: 8, bits: [{ id: 1, name: 'Pump', bit: 0 }] }), version: 1 } as unknown as Variable],
]);

const draft: AlarmDraft = {
	id: 7,
	name: 'Tank low',
	varId: 3,
	bit: null,
	condition: '<',
	threshold: 0,
	severity: 'critical',
	message: 'Start a pump.',
	enabled: true,
	...{ deadband: null, onDelaySeconds: null, offDelaySeconds: null, noDataSeconds: null },
};

const codesOf = (part: Partial<AlarmDraft>) =>
	Object.fromEntries([...alarmProblems({ ...draft, ...part }, known)].map(([field, { code }]) => [field, code]));

describe('a draft of an alarm', () => {
	test('is sent as the service takes it, with a threshold of 0', () => {
		expect(parseBoard('alarm', alarmBodyOf(draft))).toMatchObject({ id: 7, threshold: 0, condition: '<' });
		expect(alarmDraftOf({ ...alarmBodyOf({ ...draft, varId: 8, bit: 0 }) })).toEqual({ ...draft, varId: 8, bit: 0 });
		expect(codesOf({})).toEqual({});
	});

	test('restores defaults with null, because what is absent would stay', () => {
		const sent = alarmBodyOf({ ...draft, onDelaySeconds: 0, deadband: 0.5 });
		expect(sent).toMatchObject({ enabled: null, deadband: 0.5, onDelaySeconds: 0, offDelaySeconds: null, noDataSeconds: null });
		expect(alarmBodyOf({ ...draft, enabled: false }).enabled).toBe(false);
		expect(alarmDraftOf({ ...sent, enabled: false })).toEqual({ ...draft, enabled: false, onDelaySeconds: 0, deadband: 0.5 });
	});

	test('names the rules that the service would refuse', () => {
		expect(codesOf({ onDelaySeconds: -1 })).toEqual({ onDelaySeconds: 'whole_number_out_of_range' });
		expect(codesOf({ offDelaySeconds: 9 })).toEqual({ offDelaySeconds: 'whole_number_out_of_range' });
		expect(codesOf({ offDelaySeconds: 10, noDataSeconds: 0 })).toEqual({});
		expect(codesOf({ noDataSeconds: 59 })).toEqual({ noDataSeconds: 'between_zero_and_minimum' });
		expect(codesOf({ deadband: 1, condition: '==' })).toEqual({ deadband: 'deadband_not_possible' });
		expect(codesOf({ deadband: 'unreadable' })).toEqual({ deadband: 'no_number' });
	});

	test('needs a name, a variable, a threshold and a message', () => {
		expect(codesOf(newAlarmDraft)).toEqual({
			name: 'empty',
			varId: 'choose_variable',
			threshold: 'no_number',
			message: 'empty',
		});
	});

	test('names what the service would refuse, at its field', () => {
		expect(codesOf({ name: 'x'.repeat(1001) })).toEqual({ name: 'too_long' });
		expect(codesOf({ name: 'x'.repeat(1000) })).toEqual({});
		expect(codesOf({ varId: 9 })).toEqual({ varId: 'no_such_variable' });
		expect(codesOf({ varId: 8, bit: 'choose' })).toEqual({ bit: 'choose_bit' });
		expect(codesOf({ varId: 8, bit: 3 })).toEqual({ bit: 'no_such_bit' });
		expect(codesOf({ bit: 3 })).toEqual({ bit: 'variable_without_bits' });
	});
});

test('two versions differ by field, and become one by the choices; a threshold goes with its condition', () => {
	const ruleLabels = {
		enabled: 'On',
		deadband: 'D',
		onDelaySeconds: 'On delay',
		offDelaySeconds: 'Off delay',
		noDataSeconds: 'N',
	};
	const words = {
		labels: {
			name: 'Name',
			binding: 'Variable',
			condition: 'Condition',
			severity: 'Severity',
			message: 'Message',
			...ruleLabels,
		},
		binding: ({ varId, bit }: AlarmDraft) => `${varId}/${bit}`,
		condition: ({ condition, threshold }: AlarmDraft) => `${condition} ${threshold}`,
		severity: ({ severity }: AlarmDraft) => severity,
		enabled: ({ enabled }: AlarmDraft) => String(enabled),
		rule: String,
	};
	const theirs: AlarmDraft = { ...draft, condition: '<=', severity: 'info' };
	const mine: AlarmDraft = { ...draft, threshold: 3, name: 'Mine', noDataSeconds: 0 };
	const fields = alarmDraftFields(words);
	const versions = { base: draft, theirs, mine };
	expect(differencesOf(fields, versions).map(({ key, theirs: their, mine: my, isMine }) => [key, their, my, isMine])).toEqual([
		['name', 'Tank low', 'Mine', true],
		['condition', '<= 0', '< 3', true],
		['severity', 'info', 'critical', false],
		['noDataSeconds', 'null', '0', true],
	]);
	expect(mergedDraft(fields, versions, new Set(['condition']))).toEqual({ ...theirs, condition: '<', threshold: 3 });
	expect(mergedDraft(fields, versions, new Set(['noDataSeconds']))).toEqual({ ...theirs, noDataSeconds: 0 });
	expect(mergedDraft(fields, versions, new Set())).toEqual(theirs);
});

describe('a number that is typed', () => {
	test.each([
		['2', 2],
		[' -0.5 ', -0.5],
		['−3', -3],
		['.5', 0.5],
		['1e3', 1000],
		['-0', 0],
	])('%s is a number', (typed, value) => {
		expect(parseTyped(typed)).toBe(value);
	});

	test('has the decimal sign that numbers are shown with, and the other one is refused', () => {
		numberStyle.value = '.';
		expect(['1.5', '1,5', '1,500', '1,500.5', '12,34,567'].map(parseTyped)).toEqual([1.5, null, null, null, null]);
		numberStyle.value = ',';
		expect(['1,5', '1.5', '1.500', '1.500,5', '1’500'].map(parseTyped)).toEqual([1.5, null, null, null, null]);
		numberStyle.value = 'region';
	});

	test.each(['', ' ', '.', '-', '1 000', '1e999', 'NaN', 'Infinity', '0x10', '1.2.3'])('%j is none', (typed) => {
		expect(parseTyped(typed)).toBeNull();
	});

	test('is read back as it is shown, whatever the signs', () => {
		fc.assert(
			fc.property(fc.constantFrom('region', '.', ','), fc.double({ noNaN: true, noDefaultInfinity: true }), (style, value) => {
				numberStyle.value = style;
				expect(parseTyped(formatExact(value))).toBe(value === 0 ? 0 : value);
			}),
		);
		numberStyle.value = 'region';
	});
});
