/** Runs only the last of several calls, after no further call has come for a while. */
export interface Delay {
	/** Runs `act` after the wait, in place of any act that is still waiting. */
	start(act: () => void): void;
	/** Drops the act that is still waiting. */
	cancel(): void;
}

/** Creates a delay, so that screens need no timers of their own. */
export function createDelay(waitMs: number): Delay {
	let timer: ReturnType<typeof setTimeout> | undefined;
	return {
		start: (act) => {
			clearTimeout(timer);
			timer = setTimeout(act, waitMs);
		},
		cancel: () => clearTimeout(timer),
	};
}
