import type { Gap } from '#page/core/past/windows.ts';
import type { Curve } from './trend-model.ts';

/** The words that a pane shows about one gap. */
export interface GapWord {
	readonly gap: Gap;
	/** The names of the curves with this gap; empty if all curves of the pane have it. */
	readonly names: readonly string[];
	/** The row above the lower edge, from 0. Words that would cover each other are in different rows. */
	readonly row: number;
}

/** Returns the words for the gaps that are long enough to show them. Curves with the same gap share its words. */
export function gapWords(curves: readonly Curve[], isLong: (gap: Gap) => boolean): readonly GapWord[] {
	const words: GapWord[] = [];
	for (const { gaps } of curves)
		for (const gap of gaps.filter(isLong)) {
			if (words.some((word) => isSame(word.gap, gap))) continue;
			const names = curves.filter((curve) => curve.gaps.some((other) => isSame(other, gap))).map(({ name }) => name);
			const covered = words.filter((word) => word.gap.from < gap.to && gap.from < word.gap.to);
			const takenRows = new Set(covered.map(({ row }) => row));
			let row = 0;
			while (takenRows.has(row)) row += 1;
			words.push({ gap, names: names.length === curves.length ? [] : names, row });
		}
	return words;
}

function isSame(a: Gap, b: Gap): boolean {
	return a.kind === b.kind && a.from === b.from && a.to === b.to;
}
