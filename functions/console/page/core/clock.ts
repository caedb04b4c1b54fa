import { signal } from '@preact/signals';

/** By how much the browser's clock may differ from the service's before it is corrected. `Date` has whole seconds, and requests take time. */
const toleranceMs = 2500;

let offsetMs = 0;

/** The service's time in epoch milliseconds, renewed every second. Ages on the screen are counted from it. */
export const now = signal(Date.now());

/** Returns the service's time in epoch milliseconds: the browser's, corrected where that is wrong. */
export function currentTime(): number {
	return Date.now() + offsetMs;
}

/** Renews `now` every second. The only timer of what is shown. Returns a function that stops it. */
export function startClock(): () => void {
	const tick = (): void => {
		now.value = currentTime();
	};
	const timer = setInterval(tick, 1000);
	document.addEventListener('visibilitychange', tick);
	return () => {
		clearInterval(timer);
		document.removeEventListener('visibilitychange', tick);
	};
}

/** Takes the time of an answer (header `Date`), so that a wrong clock of the browser shows no wrong ages. */
export function noteServerTime(date: string | null): void {
	const serverMs = date === null ? Number.NaN : Date.parse(date);
	if (Number.isNaN(serverMs)) return;
	const differenceMs = serverMs - Date.now();
	const isCorrected = Math.abs(differenceMs - offsetMs) <= toleranceMs;
	if (isCorrected) return;
	const isBrowserRight = Math.abs(differenceMs) <= toleranceMs;
	offsetMs = isBrowserRight ? 0 : differenceMs;
}
