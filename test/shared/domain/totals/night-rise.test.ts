import { describe, expect, test } from 'vitest';
import { raisedWatch, type WatchedNight } from '#domain/report/night-watch.ts';
import type { Night } from '#domain/totals/fold-nights.ts';
import { referenceOf, riseOf } from '#domain/totals/night-rise.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';
import { randomFrom } from '#test/support/fakes/scheduler.ts';

const night = (value: number | null, low: number | null = value, high: number | null = value): Night => ({
	...{ value, low, high, at: null, known: 1 },
});
const stateOf = (nights: readonly Night[]) => ({ span: nights.length, known: nights.length, nights });

test('B14 N5: a reference that may be 0 has no bounds in per cent', () => {
	const rise = riseOf(night(9), referenceOf(stateOf([night(5, 0, 5)])));
	expect(rise).toEqual({ value: 4, low: 4, high: 9, percent: { value: expect.closeTo(80, 10), low: null, high: null } });
});

test('N5: the spread is 1.4826 times the median distance of the nights from their median', () => {
	const nights = [10, 12, 11, 13, 30, null].map((value) => night(value));
	expect(referenceOf(stateOf(nights))).toMatchObject({ value: 12, spread: expect.closeTo(1.4826, 10), taken: 5 });
	expect(referenceOf(stateOf([night(null, 0, 9)]))).toMatchObject({ value: null, spread: null, taken: 0 });
});

const median = (numbers: readonly number[]): number => {
	const sorted = numbers.toSorted((a, b) => a - b);
	return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};

/**
 * Returns whether each completion of random nights lies within the bounds of the rise, and whether the bounds are reached: with each night at its
 * lowest and the references at their highest, and the other way round.
 */
function holds(rise: typeof riseOf, cases: number): boolean {
	const random = randomFrom(firstSeed);
	const close = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
	for (let index = 0; index < cases; index += 1) {
		const interval = (lowest: number) => {
			const low = lowest + 20 * random();
			const high = low + 10 * random();
			return night(high, low, high);
		};
		const least = [1, 0, -15][index % 3] ?? 0;
		const nights = Array.from({ length: 1 + (index % 6) }, () => interval(least));
		const tonight = interval(-25);
		const found = rise(tonight, referenceOf(stateOf(nights)));
		const within = ({ low, high }: Night): number => (low ?? 0) + random() * ((high ?? 0) - (low ?? 0));
		const ends = [nights.map(({ low }) => low ?? 0), nights.map(({ high }) => high ?? 0)].map(median);
		const truths = [
			...Array.from({ length: 5 }, () => [within(tonight), median(nights.map(within))] as const),
			...[tonight.low ?? 0, tonight.high ?? 0].flatMap((number) => ends.map((usual) => [number, usual] as const)),
		];
		const differences = truths.map(([number, usual]) => number - usual);
		if (!close(Math.min(...differences), found.low ?? Number.NaN) || !close(Math.max(...differences), found.high ?? Number.NaN))
			return false;
		const [leastUsual = 0] = ends;
		const { low, high } = found.percent;
		if (leastUsual <= 0) {
			if (low !== null || high !== null) return false;
			continue;
		}
		const percents = truths.map(([number, usual]) => 100 * (number / usual - 1));
		if (!close(Math.min(...percents), low ?? Number.NaN) || !close(Math.max(...percents), high ?? Number.NaN)) return false;
	}
	return true;
}

describe('a rise above reference nights', () => {
	test('holds every completion of the nights, and no more', () => {
		expect(holds(riseOf, casesOf(20_000))).toBe(true);
	});

	test.each<[string, typeof riseOf]>([
		[
			'bounds are compared with those of the same side',
			(number, { low, high, ...rest }) => riseOf(number, { ...rest, low: high, high: low }),
		],
		['the reference is exact', (number, { value }) => riseOf(number, { value, low: value, high: value })],
		['the night is exact', ({ value }, reference) => riseOf({ value, low: value, high: value }, reference)],
		[
			'per cent divides by the greatest reference, also below 0',
			(number, reference) => {
				const rise = riseOf(number, reference);
				const low = rise.percent.low === null ? null : 100 * ((number.low ?? 0) / (reference.high ?? 1) - 1);
				return { ...rise, percent: { ...rise.percent, low } };
			},
		],
		[
			'per cent has bounds over a reference that may be 0',
			(number, reference) => {
				const rise = riseOf(number, reference);
				const high = 100 * ((number.high ?? 0) / (reference.low ?? 1) - 1);
				return { ...rise, percent: { ...rise.percent, high } };
			},
		],
	])('%s: a copy of the rule that is broken so is found', (_, broken) => {
		expect(holds(broken, 5000)).toBe(false);
	});
});

/** Cases of the watch `{rise: 2, nights: 3}` over a reference of 10, 9 to 11: nights as value and low, and since when and how certain it is raised. */
const watchCases: readonly (readonly [
	name: string,
	nights: readonly (readonly [number | null, number | null])[],
	expected: unknown,
])[] = [
	[
		'three nights',
		[
			[13, 13.5],
			[13, 13.5],
			[13, 13.5],
		],
		{ since: 0, nights: 3, certain: true },
	],
	[
		'two nights',
		[
			[13, 13],
			[13, 13],
		],
		null,
	],
	[
		'a night without a value neither counts nor breaks',
		[
			[13, 13],
			[null, null],
			[13, 13],
			[null, null],
			[13, 13],
		],
		{ since: 0, nights: 3, certain: false },
	],
	[
		'a night without a value does not count',
		[
			[13, 13],
			[null, 13],
			[13, 13],
		],
		null,
	],
	[
		'a rise of exactly 2 breaks',
		[
			[13, 13],
			[12, 12],
			[13, 13],
		],
		null,
	],
	[
		'a night that is as usual ends it',
		[
			[13, 13],
			[13, 13],
			[13, 13],
			[11, 11],
		],
		null,
	],
	[
		'nights before one that is as usual do not count',
		[
			[13, 13],
			[10, 10],
			[13, 13],
			[13, 13],
		],
		null,
	],
	[
		'only the last three nights must be certain',
		[
			[13, 0],
			[14, 14],
			[14, 14],
			[14, 14],
		],
		{ since: 0, nights: 4, certain: true },
	],
	[
		'one without a lower bound is not certain',
		[
			[14, 14],
			[14, null],
			[14, 14],
		],
		{ since: 0, nights: 3, certain: false },
	],
	[
		'a lower bound above the value of the reference alone is not certain',
		[
			[14, 12.5],
			[14, 14],
			[14, 14],
		],
		{ since: 0, nights: 3, certain: false },
	],
];

type Watch = typeof raisedWatch;

/** Returns the names of the cases that a watch gets wrong. */
const wrongOf = (watch: Watch): readonly string[] =>
	watchCases.flatMap(([name, nights, expected]) => {
		const asked = nights.map(([value, low], index) => ({ date: String(index), value, low }));
		const found = watch(asked, { value: 10, high: 11 }, { rise: 2, nights: 3 });
		const told = found === null ? null : { ...found, since: Number(found.since) };
		return JSON.stringify(told) === JSON.stringify(expected) ? [] : [name];
	});

describe('a watch', () => {
	test('is raised by as many nights as it says, one after another', () => {
		expect(wrongOf(raisedWatch)).toEqual([]);
		expect(raisedWatch([{ date: '0', value: 9, low: 9 }], { value: null, high: 1 }, { rise: 2, nights: 1 })).toBeNull();
	});

	const mapped =
		(change: (night: WatchedNight) => WatchedNight): Watch =>
		(nights, ...rest) =>
			raisedWatch(nights.map(change), ...rest);
	test.each<[string, Watch]>([
		['a night without a value breaks', mapped((each) => ({ ...each, value: each.value ?? 0 }))],
		['a night without a value counts', mapped((each) => ({ ...each, value: each.value ?? 99 }))],
		[
			'a rise that is as great counts',
			(nights, reference, watch) => raisedWatch(nights, reference, { ...watch, rise: watch.rise - 1e-9 }),
		],
		[
			'nights need not follow each other',
			(nights, reference, watch) =>
				raisedWatch(
					nights.filter(({ value }) => value === null || value > 12),
					reference,
					watch,
				),
		],
		['the value decides what is certain', mapped((each) => ({ ...each, low: each.value }))],
		[
			'the value of the reference decides what is certain',
			(nights, { value }, watch) => raisedWatch(nights, { value, high: value }, watch),
		],
		[
			'all nights must be certain',
			(nights, reference, watch) => {
				const found = raisedWatch(nights, reference, watch);
				return found && { ...found, certain: found.certain && nights.every(({ low }) => low === null || low > 13) };
			},
		],
		[
			'one night less is enough',
			(nights, reference, watch) => raisedWatch(nights, reference, { ...watch, nights: watch.nights - 1 }),
		],
	])('%s: a copy of the rule that is broken so is found', (_, broken) => {
		expect(wrongOf(broken)).not.toEqual([]);
	});
});
