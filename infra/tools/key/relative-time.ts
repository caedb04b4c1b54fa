import { minuteMs } from '#domain/milliseconds.ts';

const hourMinutes = 60;
const dayHours = 24;
const dayMinutes = dayHours * hourMinutes;

/** Writes a local time as `2026-11-21 14:32`: Sweden's format is the one of ISO 8601. */
const clock = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/**
 * Formats a future time on the local clock with the time left: `2026-11-21 14:32 (in 2 h 15 min)`. Both are rounded up, so that the
 * time has come when the clock shows it.
 */
export function formatFuture(at: number, now: number): string {
	const minutes = Math.max(1, Math.ceil((at - now) / minuteMs));
	return `${clock.format(Math.ceil(at / minuteMs) * minuteMs)} (in ${formatMinutes(minutes, Math.ceil)})`;
}

/** Formats a past time on the local clock with the time passed, rounded: `2026-11-21 14:32 (3 min ago)`. */
export function formatPast(at: number, now: number): string {
	const minutes = Math.round((now - at) / minuteMs);
	return `${clock.format(at)} (${minutes < 1 ? 'just now' : `${formatMinutes(minutes, Math.round)} ago`})`;
}

/**
 * Formats minutes, at least 1, in the two largest units: `2 h 15 min`, `3 d 1 h`. A unit of which there is none is left out.
 * @param round how minutes become hours above a day, where minutes are not shown
 */
function formatMinutes(minutes: number, round: (hours: number) => number): string {
	const hours = round(minutes / hourMinutes);
	const counts =
		minutes < dayMinutes
			? { h: Math.floor(minutes / hourMinutes), min: minutes % hourMinutes }
			: { d: Math.floor(hours / dayHours), h: hours % dayHours };
	return Object.entries(counts)
		.flatMap(([unit, count]) => (count > 0 ? `${count} ${unit}` : []))
		.join(' ');
}
