/** Deterministic random numbers in [0, 1) from a seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
};

/** Lets several clients go on one step at a time, in an order that a seed decides. */
export class Turns {
	readonly #random: () => number;
	readonly #waiting: (() => void)[] = [];

	constructor(random: () => number) {
		this.#random = random;
	}

	/** Waits until it is this caller's turn. */
	turn(): Promise<void> {
		return new Promise((resolve) => this.#waiting.push(resolve));
	}

	/** Gives turns until all of `tasks` have ended. */
	async runAll(tasks: readonly Promise<unknown>[]): Promise<void> {
		let running = true;
		const ended = Promise.allSettled(tasks).then(() => {
			running = false;
		});
		while (running) {
			// Everything that can go on without a turn does so first.
			await new Promise((resolve) => setImmediate(resolve));
			const [next] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
			next?.();
		}
		await ended;
	}
}
