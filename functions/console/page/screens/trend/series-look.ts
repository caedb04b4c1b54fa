/** The dash patterns of curves, in pixels. An empty one is a solid line. */
const dashes = [[], [6, 3], [9, 2, 2, 2], [2, 2], [12, 3], [5, 2, 1, 2, 1, 2]] as const;

/** The colour and the dashes of a curve. */
export interface SeriesLook {
	/** The custom property of the colour. */
	readonly colour: `--s${number}`;
	readonly dash: readonly number[];
}

/**
 * Returns the look of the nth curve. Colour and dashes both change from curve to curve. Every six curves they are combined in a new way,
 * so that 36 looks differ.
 */
export function seriesLook(index: number): SeriesLook {
	// There are as many colours as patterns of dashes. The colours are one further ahead in each round through the patterns.
	const count = dashes.length;
	const round = Math.floor(index / count);
	const colour = (index + round) % count;
	return { colour: `--s${colour + 1}`, dash: dashes[index % count] ?? [] };
}
