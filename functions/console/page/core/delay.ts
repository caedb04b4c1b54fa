/** Runs the last of several calls, once no further call has come for a while. */
export interface Delay {
	/** Runs `act` after the wait, and forgets what was to run before. */
	start(act: () => void): void;
	cancel(): void;
}

/** Creates a delay. Screens have no timers of their own. */
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
