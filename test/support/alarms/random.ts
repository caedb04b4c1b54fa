/** Random choices of a seed. */
export interface Random {
	/** A whole number, both limits included. */
	readonly integer: (minimum: number, maximum: number) => number;
	readonly chance: (probability: number) => boolean;
	readonly pick: <Item>(items: readonly Item[]) => Item;
}

/** Returns the random choices of a seed: the generator mulberry32. */
export function randomFrom(seed: number): Random {
	let state = seed | 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		integer: (minimum, maximum) => minimum + Math.floor(next() * (maximum - minimum + 1)),
		chance: (probability) => next() < probability,
		pick: (items) => {
			const item = items[Math.floor(next() * items.length)];
			if (item === undefined) throw new RangeError('There is nothing to pick.');
			return item;
		},
	};
}
