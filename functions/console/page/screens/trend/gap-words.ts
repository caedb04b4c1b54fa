import type { Gap } from '#page/core/past/windows.ts';
import type { Curve } from './trend-model.ts';

/** The words in a pane about one gap. */
export interface GapWord {
	readonly gap: Gap;
	/** The curves that have it; empty where all of the pane have. */
	readonly names: readonly string[];
	/** The row above the lower edge, from 0: words that would cover each other stand in different ones. */
	readonly row: number;
}

/** Returns the words of the gaps that are long enough for them. Curves with the same gap share its words. */
export function gapWords(curves: readonly Curve[], isLong: (gap: Gap) => boolean): readonly GapWord[] {
	const words: GapWord[] = [];
	for (const { gaps } of curves)
		for (const gap of gaps.filter(isLong)) {
			if (words.some((word) => isSame(word.gap, gap))) continue;
			const names = curves.filter((curve) => curve.gaps.some((other) => isSame(other, gap))).map(({ name }) => name);
			const taken = new Set(words.filter((word) => word.gap.from < gap.to && gap.from < word.gap.to).map(({ row }) => row));
			let row = 0;
			while (taken.has(row)) row += 1;
			words.push({ gap, names: names.length === curves.length ? [] : names, row });
		}
	return words;
}

function isSame(a: Gap, b: Gap): boolean {
	return a.kind === b.kind && a.from === b.from && a.to === b.to;
}
