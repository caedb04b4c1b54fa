import { randomFrom as numbersFrom } from '../fakes/scheduler.ts';

/** Random choices of a seed. */
export interface Random {
	/** A whole number, both limits included. */
	readonly integer: (minimum: number, maximum: number) => number;
	readonly chance: (probability: number) => boolean;
	readonly pick: <Item>(items: readonly Item[]) => Item;
}

/** Returns the random choices of a seed. */
export function randomFrom(seed: number): Random {
	const next = numbersFrom(seed);
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
