import { describe, expect, test } from 'vitest';
import {
	countingNumbers,
	type EnteredNumber,
	type EnteredState,
	enteredValue,
	foldEntered,
	mergeEntered,
	numbersIn,
} from '#domain/totals/fold-entered.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { randomFrom } from '#test/support/fakes/scheduler.ts';
import { enteredByDays } from '#test/support/totals/entered-oracle.ts';

/** The rules of what is entered. Times are days here. */
const rules = { countingNumbers, foldEntered, mergeEntered, enteredValue };

type Rules = typeof rules;

/** Returns whether the rules give what the oracle gives, in random cases: of windows that were counted now, and of windows whose days were sealed before. */
function agrees(tried: Rules, cases: number): boolean {
	const random = randomFrom(firstSeed);
	const whole = (most: number) => Math.floor(random() * most);
	for (let index = 0; index < cases; index += 1) {
		const number = (id: number): EnteredNumber => {
			const from = whole(10);
			const value = whole(9);
			return { id, from, to: from + 1 + whole(4), value, low: value - whole(2), high: value + whole(2) };
		};
		const sealed = Array.from({ length: whole(6) }, (_, id) => number(id));
		// Each number stays, changes or goes, and others come.
		const changed = sealed.flatMap((each) => (whole(2) === 0 ? [each] : whole(2) === 0 ? [number(each.id)] : []));
		const present = [...changed, ...Array.from({ length: whole(3) }, (_, id) => number(10 + id))];
		const from = whole(8);
		const bounds = Array.from({ length: 2 + whole(6) }, (_, day) => from + day);
		const to = bounds.at(-1) ?? from;
		/** Each day was counted before or after the change. */
		const late = bounds.map(() => whole(4) === 0);
		const [before, after] = [sealed, present].map((numbers) => tried.foldEntered(tried.countingNumbers(numbers), bounds));
		const days = bounds.slice(1).flatMap((_, day) => (late[day] ? after?.[day] : before?.[day]) ?? []);
		const state = days.reduce((a, b) => tried.mergeEntered(a, b));
		const { value, low, high } = tried.enteredValue(state, tried.countingNumbers(present));
		// A number is held where each of its days was counted with it.
		const [counted, now] = [countingNumbers(sealed), countingNumbers(present)];
		const isOf = (numbers: readonly EnteredNumber[], each: EnteredNumber) =>
			numbers.some((other) => JSON.stringify(other) === JSON.stringify(each));
		const held = [...new Map([...counted, ...now].map((each) => [JSON.stringify(each), each])).values()].filter(
			(each) =>
				each.from >= from &&
				each.to <= to &&
				late.slice(each.from - from, each.to - from).every((isLate) => isOf(isLate ? now : counted, each)),
		);
		const expected = enteredByDays(present, { from, to }, held);
		if (JSON.stringify([value, low, high]) !== JSON.stringify(expected ?? [null, null, null])) return false;
	}
	return true;
}

describe('what is entered', () => {
	test('is what the oracle says day by day, also over days that were sealed before', () => {
		expect(agrees(rules, casesOf(20_000))).toBe(true);
	});

	const without = (field: 'low' | 'high') => (state: EnteredState, present: readonly EnteredNumber[]) => {
		const found = enteredValue(state, present);
		return { ...found, [field]: found.value };
	};
	const sum = (numbers: readonly EnteredNumber[]) => numbers.reduce((total, { value }) => total + value, 0);
	test.each<[string, Partial<Rules>]>([
		['the lowest id counts', { countingNumbers: (all) => countingNumbers(all.map((each) => ({ ...each, id: -each.id }))) }],
		['all of one day count', { countingNumbers: (all) => all }],
		[
			'the rest of a number counts',
			{
				countingNumbers: (all) =>
					all
						.toSorted((a, b) => b.id - a.id)
						.filter((each, i, sorted) => !sorted.slice(0, i).some(({ from, to }) => from <= each.from && each.from < to)),
			},
		],
		[
			'a part of a window is enough',
			{
				enteredValue: (state, present) => ({ ...enteredValue(state, present), value: sum(numbersIn(state, present)), known: 1 }),
			},
		],
		[
			'a number is divided',
			{
				enteredValue: (state, present) =>
					enteredValue(
						state,
						present.map((each) => ({ ...each, from: Math.max(each.from, state.start), to: Math.min(each.to, state.stop) })),
					),
			},
		],
		['sealed numbers do not stay', { enteredValue: (state, present) => enteredValue({ ...state, numbers: [] }, present) }],
		[
			'a number stays that one day was sealed with',
			{
				enteredValue: (state, present) =>
					enteredValue({ ...state, numbers: state.numbers.map((each) => ({ ...each, covered: each.to - each.from })) }, present),
			},
		],
		['present numbers do not count', { enteredValue: (state) => enteredValue(state, []) }],
		[
			'merging forgets the earlier window',
			{ mergeEntered: (earlier, later) => ({ ...mergeEntered(earlier, later), numbers: later.numbers }) },
		],
		[
			'merging keeps the beginning of the later window',
			{ mergeEntered: (earlier, later) => ({ ...mergeEntered(earlier, later), start: later.start }) },
		],
		['bounds below are left out', { enteredValue: without('low') }],
		['bounds above are left out', { enteredValue: without('high') }],
	])('%s: a copy of the rules that is broken so is found', (_, broken) => {
		expect(agrees({ ...rules, ...broken }, 5000)).toBe(false);
	});
});
