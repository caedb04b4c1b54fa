/** Lets at most some acts run at the same time. The others wait their turn. */
export interface Gate {
	/** Runs an act once there is room. */
	pass<Answer>(act: () => Promise<Answer>): Promise<Answer>;
}

/** Creates a gate for `most` acts at once. */
export function createGate(most: number): Gate {
	let running = 0;
	const waiting: (() => void)[] = [];
	const leave = (): void => {
		running -= 1;
		waiting.shift()?.();
	};
	return {
		pass: async (act) => {
			// The count is checked again after waiting, because a later act may have taken the free place first.
			while (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
			running += 1;
			try {
				return await act();
			} finally {
				leave();
			}
		},
	};
}
