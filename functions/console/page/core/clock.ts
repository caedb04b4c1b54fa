import { computed, signal } from '@preact/signals';

/**
 * The difference between the clocks of browser and service that is not corrected. The header `Date` has whole seconds, and requests take
 * time.
 */
const toleranceMs = 2500;

/** What is added to the browser's time to get the service's time. */
let offsetMs = 0;

/** How often `now` is renewed. */
const tickMs = 1000;

/** The service's time in epoch milliseconds, renewed every second. Ages on the screen are counted from it. */
export const now = signal(Date.now());

/** Returns the service's time in epoch milliseconds: the browser's time, by default of now, corrected if its clock is wrong. */
export function currentTime(browserMs = Date.now()): number {
	return browserMs + offsetMs;
}

/** Returns the milliseconds since the page was opened. Waits are measured by it: nobody sets this clock, and no answer corrects it. */
export function currentUptime(): number {
	return performance.now();
}

/** The milliseconds since the page was opened, renewed with every tick of `now`. */
export const uptime = computed(() => now.value && currentUptime());

/** Renews `now` every second. Everything on the screen that depends on the time follows this one timer. Returns a function that stops it. */
export function startClock(): () => void {
	const tick = (): void => {
		now.value = currentTime();
	};
	const timer = setInterval(tick, tickMs);
	document.addEventListener('visibilitychange', tick);
	return () => {
		clearInterval(timer);
		document.removeEventListener('visibilitychange', tick);
	};
}

/**
 * Reads the service's time from an answer (header `Date`), so that ages are right even if the browser's clock is wrong.
 * @param receivedAt when it was received, by the browser's clock
 */
export function noteServerTime(date: string | null, receivedAt: number): void {
	const serverMs = date === null ? Number.NaN : Date.parse(date);
	if (Number.isNaN(serverMs)) return;
	const differenceMs = serverMs - receivedAt;
	const isCorrected = Math.abs(differenceMs - offsetMs) <= toleranceMs;
	if (isCorrected) return;
	const isBrowserRight = Math.abs(differenceMs) <= toleranceMs;
	offsetMs = isBrowserRight ? 0 : differenceMs;
}
