import { svgProblem } from '#domain/background/svg-problem.ts';
import { cleanSvg } from '#page/screens/diagram/clean-svg.ts';
import { largeSvgs } from '#test/support/backgrounds/large-svg.ts';
import { type BenchRow, sizeOf } from './row.ts';

/** The bytes of a background: the most, and half of them. */
const bytes = { half: sizeOf(100_000, 1000), whole: sizeOf(200_000, 2000) } as const;

/** The CPU that the check and the cleaning of a background may take, in milliseconds, and against one of half its size (test/bench/README.md#budgets). */
const maxMs = { check: 50, clean: 100 } as const;
const maxGrowth = 3;

/** How often each shape is measured: at least twice, because the first round also compiles, and more often while it is over a limit. */
const rounds = { least: sizeOf(2, 1), most: sizeOf(20, 1) } as const;

/** Returns the CPU that a check takes, in milliseconds. */
function cpuOf(check: (text: string) => unknown, text: string): number {
	const before = process.cpuUsage();
	check(text);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Measures the check of the service and the cleaning of the page: the shape that takes longest, and the one that grows most. */
export const benchBackgrounds = async (): Promise<readonly BenchRow[]> =>
	(['check', 'clean'] as const).flatMap((name): readonly BenchRow[] => {
		const work = { check: svgProblem, clean: cleanSvg }[name];
		const results = Object.entries(largeSvgs).map(([shape, of]) => {
			const [halfText, wholeText] = [of(bytes.half), of(bytes.whole)];
			// The least of all rounds: others also collect garbage of rounds before. Below a millisecond, the clock decides.
			let [half, whole, growth] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
			for (let round = 1; round <= rounds.most; round += 1) {
				[half, whole] = [Math.min(half, cpuOf(work, halfText)), Math.min(whole, cpuOf(work, wholeText))];
				growth = whole / Math.max(half, 1);
				if (round >= rounds.least && whole <= maxMs[name] && growth <= maxGrowth) break;
			}
			return { shape, half, whole, growth };
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
