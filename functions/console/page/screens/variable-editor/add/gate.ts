/** Lets at most some acts run at the same time. The others wait their turn. */
export interface Gate {
	/** Runs an act once there is room. */
	pass<Answer>(act: () => Promise<Answer>): Promise<Answer>;
}

/** Creates a gate. At most `mostAtOnce` acts run at the same time. */
export function createGate(mostAtOnce: number): Gate {
	let running = 0;
	const waiting: (() => void)[] = [];
	const leave = (): void => {
		running -= 1;
		waiting.shift()?.();
	};
	return {
		pass: async (act) => {
			// The count is checked again after waiting, because a later act may have taken the free place first.
			while (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
			running += 1;
			try {
				return await act();
			} finally {
				leave();
			}
		},
	};
}
