import { svgProblem } from '#domain/background/svg-problem.ts';
import { cleanSvg } from '#page/screens/diagram/clean-svg.ts';
import { largeSvgs } from '#test/support/backgrounds/large-svg.ts';
import type { BenchRow } from './row.ts';

/** The bytes of a background: the most, and half of them. */
const bytes = { half: 100_000, whole: 200_000 } as const;

/** The CPU that the check and the cleaning of a background may take, in milliseconds, and against one of half its size (test/bench/README.md#budgets). */
const maxMs = { check: 50, clean: 100 } as const;
const maxGrowth = 3;

/** How often each shape is measured, and those again that are over a limit: the first rounds also compile. */
const rounds = { first: 3, again: 20 } as const;

/** Returns the least CPU that a check takes, in milliseconds: other rounds also collect the garbage of rounds before. */
function cpuOf(check: (text: string) => unknown, text: string, rounds: number): number {
	const times = Array.from({ length: rounds }, () => {
		const before = process.cpuUsage();
		check(text);
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}

/** Measures the check of the service and the cleaning of the page: the shape that takes longest, and the one that grows most. */
export const benchBackgrounds = async (): Promise<readonly BenchRow[]> =>
	(['check', 'clean'] as const).flatMap((name): readonly BenchRow[] => {
		const work = { check: svgProblem, clean: cleanSvg }[name];
		const measure = (of: (bytes: number) => string, rounds: number) => {
			const [half, whole] = [cpuOf(work, of(bytes.half), rounds), cpuOf(work, of(bytes.whole), rounds)];
			// Below a millisecond, the clock decides.
			return { half, whole, growth: whole / Math.max(half, 1) };
		};
		const results = Object.entries(largeSvgs).map(([shape, of]) => {
			const first = measure(of, rounds.first);
			const isWithin = first.whole <= maxMs[name] && first.growth <= maxGrowth;
			return { shape, ...(isWithin ? first : measure(of, rounds.again)) };
		});
		const [slowest] = results.toSorted((one, other) => other.whole - one.whole);
		const [steepest] = results.toSorted((one, other) => other.growth - one.growth);
		if (slowest === undefined || steepest === undefined) throw new RangeError('There are no shapes.');
		return [
			{
				name: `${name} a background of 200 KB: ${slowest.shape}`,
				baseline: 'none',
				measured: `${slowest.whole.toFixed(1)} ms`,
				ratio: null,
				budget: `at most ${maxMs[name]} ms`,
				met: slowest.whole <= maxMs[name],
			},
			{
				name: `${name} a background of 200 KB: ${steepest.shape}`,
				baseline: '100 KB of the same',
				measured: `${steepest.whole.toFixed(1)} against ${steepest.half.toFixed(1)} ms`,
				ratio: steepest.growth,
				budget: `at most ${maxGrowth}x`,
				met: steepest.growth <= maxGrowth,
			},
		];
	});
