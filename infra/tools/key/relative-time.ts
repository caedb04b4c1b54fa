const minuteMs = 60_000;
const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/**
 * Formats a future time on the local clock with the time left: `2026-11-21 14:32 (in 2 h 15 min)`. Both are rounded up, so that the
 * time has come when the clock shows it.
 */
export function formatFuture(at: number, now: number): string {
	const minutes = Math.max(1, Math.ceil((at - now) / minuteMs));
	const left = minutes <= dayMinutes ? minutes : Math.ceil(minutes / hourMinutes) * hourMinutes;
	return `${clock.format(Math.ceil(at / minuteMs) * minuteMs)} (in ${formatMinutes(left)})`;
}

/** Formats a past time on the local clock with the time passed: `2026-11-21 14:32 (3 min ago)`. */
export function formatPast(at: number, now: number): string {
	const minutes = Math.floor((now - at) / minuteMs);
	return `${clock.format(at)} (${minutes < 1 ? 'just now' : `${formatMinutes(minutes)} ago`})`;
}

/** Formats minutes in the two largest units: `2 h 15 min`, `3 d 1 h`. */
function formatMinutes(minutes: number): string {
	const [large, small, size, unit] =
		minutes < dayMinutes ? (['h', 'min', hourMinutes, 1] as const) : (['d', 'h', dayMinutes, hourMinutes] as const);
	const parts = [[Math.floor(minutes / size), large] as const, [Math.floor((minutes % size) / unit), small] as const];
	return parts.flatMap(([count, name]) => (count > 0 ? `${count} ${name}` : [])).join(' ');
}
