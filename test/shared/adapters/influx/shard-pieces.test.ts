import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noSamples, type Samples } from '#adapters/influx/samples.ts';
import { joinedWindows, pieceBounds, shardPiecesOf } from '#adapters/influx/shard-pieces.ts';
import { windowAt } from '#adapters/influx-common/window-at.ts';
import { casesOf, firstSeed } from '#test/support/cases.ts';

const cases = casesOf(500);
const parameters = { numRuns: cases, seed: firstSeed };
const ascending = (minLength: number) =>
	fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength, maxLength: 15 }).map((times) => times.sort((a, b) => a - b));

describe('windowAt', () => {
	test(`finds what a look at every bound finds: ${cases} cases`, () => {
		fc.assert(
			fc.property(ascending(0), fc.integer({ min: -1, max: 61 }), (bounds, time) => {
				expect(windowAt(bounds, time)).toBe(bounds.findLastIndex((bound) => bound <= time));
			}),
			parameters,
		);
	});
});

describe('pieceBounds', () => {
	const hourMs = 3_600_000;

	test(`has the bounds that lie within each piece: ${cases} cases`, () => {
		let between = 0;
		fc.assert(
			fc.property(ascending(2), fc.constantFrom(hourMs, 20 * hourMs, 24 * hourMs, 400 * hourMs), (steps, stepMs) => {
				const bounds = steps.map((step) => step * stepMs);
				const expected = shardPiecesOf({ start: bounds[0] ?? 0, stop: bounds.at(-1) ?? 0 }).map(({ start, stop }) => {
					const within = bounds.filter((bound) => start < bound && bound < stop);
					between += within.length;
					return [start, ...within, stop];
				});
				expect(pieceBounds(bounds)).toEqual(expected);
			}),
			parameters,
		);
		expect(between).toBeGreaterThan(cases);
	});

	test('reads the hours of 400 days a few times, not once for each day', () => {
		let reads = 0;
		const hours = Array.from({ length: 400 * 24 + 1 }, (_, index) => index * hourMs);
		const counted = new Proxy(hours, {
			get: (target, name) => {
				reads += 1;
				return Reflect.get(target, name);
			},
		});
		expect(pieceBounds(counted)).toHaveLength(400);
		expect(reads).toBeLessThan(5 * hours.length);
	});
});

describe('joinedWindows', () => {
	const orders = [
		[
			['host', 'a'],
			['site', 'x'],
		],
		[
			['site', 'x'],
			['host', 'a'],
		],
		[['host', 'b']],
	] as const;
	const nameAt = (order: number) => (order === 2 ? 'b' : 'a');

	test.each(['count', 'slots', 'last'] as const)(
		`joins the %s of each source and window, in any order of rows: ${cases} cases`,
		(aggregate) => {
			const rowsOf = (bounds: readonly number[]) => {
				const [low, high] = [bounds[0] ?? 0, bounds.at(-1) ?? 0];
				const time = aggregate === 'slots' ? fc.integer({ min: low, max: high - 1 }) : fc.integer({ min: low + 1, max: high });
				return fc.uniqueArray(fc.record({ time, order: fc.nat(2), value: fc.nat(9) }), {
					selector: ({ time: at, order }) => `${at} ${nameAt(order)}`,
					maxLength: 30,
				});
			};
			const inputs = ascending(2).chain((bounds) => fc.tuple(fc.constant(bounds), rowsOf(bounds)));
			let severalParts = 0;
			fc.assert(
				fc.property(inputs, ([bounds, rows]) => {
					const samples: Samples = noSamples();
					for (const [from, { time, order, value }] of rows.entries()) {
						samples.times.push(time);
						samples.values.push(value);
						samples.runs.push({ tags: orders[order] ?? [], type: 1, from });
					}
					const names = [...new Set(rows.map(({ order }) => nameAt(order)))];
					const expected = names.flatMap((name) => {
						const own = rows.filter(({ order }) => nameAt(order) === name);
						const tags = orders[own[0]?.order ?? 0];
						return bounds.slice(1).flatMap((stop, index) => {
							const start = bounds[index] ?? stop;
							const parts = own
								.filter(({ time }) => (aggregate === 'slots' ? start <= time && time < stop : start < time && time <= stop))
								.sort((a, b) => a.time - b.time);
							if (parts.length > 1) severalParts += 1;
							const sum = parts.reduce((total, { value }) => total + value, 0);
							const value = aggregate === 'last' ? parts.at(-1)?.value : sum;
							return parts.length === 0 ? [] : [{ tags, time: aggregate === 'slots' ? start : stop, value }];
						});
					});
					const joined = joinedWindows(bounds, aggregate, samples, undefined);
					const read = joined?.times.map((time, row) => ({
						tags: joined.runs.findLast(({ from }) => from <= row)?.tags,
						time,
						value: joined.values[row],
					}));
					expect(read).toEqual(expected);
				}),
				parameters,
			);
			expect(severalParts).toBeGreaterThan(cases / 4);
		},
	);

	test.each([
		['last', 7],
		['first', 'precision'],
		['max', 'precision'],
	] as const)('takes the fault of the piece that the %s comes from', (aggregate, told) => {
		const rows = { ...noSamples(), times: [10, 20], values: [0, 7], faults: new Map([[0, 'precision' as const]]), types: 2 };
		const samples = { ...rows, runs: [{ tags: [], type: 2, from: 0 }] };
		const joined = joinedWindows([0, 20], aggregate, samples, undefined);
		expect(joined?.faults.get(0) ?? joined?.values[0]).toBe(told);
	});
});
