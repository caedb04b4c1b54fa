import { instantAt, localDateAt } from '#page/core/time-zone.ts';

/** Steps between ticks within a day, in minutes. */
const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720];

/** Steps of days, and of months. */
const daySteps = [1, 2, 7, 14];
const monthSteps = [1, 2, 3, 6, 12, 24, 60];

/** The ticks of a time axis, in epoch milliseconds. `unit` says how a tick is labelled. */
export interface TimeTicks {
	readonly unit: 'minute' | 'day' | 'month';
	readonly times: readonly number[];
}

/**
 * Returns the ticks of a range: the smallest step that fits into it at most `most` times. They are at round local times, midnights or first days of
 * months in the zone of the view.
 */
export function timeTicks(start: number, end: number, most: number): TimeTicks {
	const minutes = (end - start) / 60_000;
	const minuteStep = minuteSteps.find((step) => minutes / step <= most);
	if (minuteStep !== undefined) return { unit: 'minute', times: minuteTicks(start, end, minuteStep) };
	const dayStep = daySteps.find((step) => minutes / 1440 / step <= most);
	if (dayStep !== undefined) return { unit: 'day', times: dayTicks(start, end, dayStep) };
	const monthStep = monthSteps.find((step) => minutes / 43_200 / step <= most) ?? 120;
	return { unit: 'month', times: monthTicks(start, end, monthStep) };
}

/**
 * Returns ticks within days. The steps are counted from each midnight, so that ticks are at round times on days on which the clock
 * changes, too.
 */
function minuteTicks(start: number, end: number, step: number): readonly number[] {
	const times: number[] = [];
	for (const midnight of midnights(start, end)) {
		for (let minute = 0; minute < 1440; minute += step) {
			const day = localDateAt(midnight);
			const time = instantAt(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 0, minute);
			if (time >= start && time <= end && time > (times.at(-1) ?? Number.NEGATIVE_INFINITY)) times.push(time);
		}
	}
	return times;
}

/**
 * Returns ticks at midnights. Days are counted from Monday 1970-01-05, so that weekly ticks are on Mondays and ticks keep their dates
 * while the range moves.
 */
function dayTicks(start: number, end: number, step: number): readonly number[] {
	return midnights(start, end).filter((time) => {
		const number = Math.floor(localDateAt(time).getTime() / 86_400_000) - 4;
		return number % step === 0 && time >= start;
	});
}

function monthTicks(start: number, end: number, step: number): readonly number[] {
	const times: number[] = [];
	const first = localDateAt(start);
	const months = first.getUTCFullYear() * 12 + first.getUTCMonth();
	for (let month = Math.floor(months / step) * step; ; month += step) {
		const time = instantAt(Math.floor(month / 12), month % 12, 1);
		if (time > end) return times;
		if (time >= start) times.push(time);
	}
}

function midnights(start: number, end: number): readonly number[] {
	const times: number[] = [];
	const first = localDateAt(start);
	for (let day = 0; ; day += 1) {
		const time = instantAt(first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate() + day);
		if (time > end) return times;
		times.push(time);
	}
}
