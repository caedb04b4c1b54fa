const minuteMs = 60_000;

const units = [
	['d', 24 * 60],
	['h', 60],
	['min', 1],
] as const;

const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/**
 * A moment to come, on the clock of this machine, and how far it is: `2026-11-21 14:32 (in 2 h 15 min)`. Either is rounded up, so
 * that the moment has come by then.
 */
export function momentToCome(at: number, now: number): string {
	const shown = clock.format(Math.ceil(at / minuteMs) * minuteMs);
	return `${shown} (in ${durationWords(upToShown(Math.max(1, Math.ceil((at - now) / minuteMs))))})`;
}

/** A moment that was, on the clock of this machine, and how far it is: `2026-11-21 14:32 (3 min ago)`. */
export function momentPast(at: number, now: number): string {
	const minutes = Math.floor((now - at) / minuteMs);
	return `${clock.format(at)} (${minutes < 1 ? 'just now' : `${durationWords(minutes)} ago`})`;
}

/** `2 h 15 min`: minutes in the two largest units; what is left over is dropped. */
function durationWords(minutes: number): string {
	const parts: string[] = [];
	let left = minutes;
	for (const [unit, size] of units) {
		const whole = Math.floor(left / size);
		left -= whole * size;
		if (whole > 0) parts.push(`${whole} ${unit}`);
	}
	return parts.slice(0, 2).join(' ');
}

/** Beyond a day only whole hours are shown. */
const upToShown = (minutes: number): number => (minutes <= 24 * 60 ? minutes : Math.ceil(minutes / 60) * 60);
