/** Returns a generator of deterministic random numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Runs several tasks one step at a time, in an order that the random numbers decide. */
export class Scheduler {
	readonly #random: () => number;
	readonly #waiting: (() => void)[] = [];
	/** Wakes `runAll` where it waits. */
	#wake: () => void = () => undefined;

	constructor(random: () => number) {
		this.#random = random;
	}

	/** Waits until the scheduler resumes the caller. */
	turn(): Promise<void> {
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
			this.#wake();
		});
	}

	/** Resumes waiting callers until all of `tasks` have settled. */
	async runAll(tasks: readonly Promise<unknown>[]): Promise<void> {
		let running = true;
		const ended = Promise.allSettled(tasks).then(() => {
			running = false;
			this.#wake();
		});
		while (running) {
			// Let every caller that is not waiting run first.
			await new Promise((resolve) => setImmediate(resolve));
			const [next] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
			next?.();
			// All others wait for a server, which a loop without rest would keep from the CPU.
			if (running && this.#waiting.length === 0)
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
		}
		await ended;
	}
}
