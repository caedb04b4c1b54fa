import { minuteMs } from '#domain/milliseconds.ts';
import { instantAt, localDateAt } from '#page/core/time-zone.ts';

const minutesOfDay = 1440;

/** The length of a month where only the number of ticks is estimated, in minutes. */
const minutesOfMonth = 30 * minutesOfDay;

/** Steps between ticks within a day, in minutes. */
const minuteSteps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720];

/** Steps between ticks at midnights, in days. */
const daySteps = [1, 2, 7, 14];

/** Steps between ticks at firsts of months, in months. The last one is taken for any longer range. */
const monthSteps = [1, 2, 3, 6, 12, 24, 60];
const longestMonthStep = 120;

/** The ticks of a time axis, in epoch milliseconds. `unit` says how a tick is labelled. */
export interface TimeTicks {
	readonly unit: 'minute' | 'day' | 'month';
	readonly times: readonly number[];
}

/**
 * Returns the ticks of a range with the smallest step that fits into it at most `most` times. They are at round local times, midnights or
 * first days of months in the zone of the view.
 * @param start epoch milliseconds, as is `end`
 */
export function timeTicks(start: number, end: number, most: number): TimeTicks {
	const minutes = (end - start) / minuteMs;
	const minuteStep = minuteSteps.find((step) => minutes / step <= most);
	if (minuteStep !== undefined) return { unit: 'minute', times: minuteTicks(start, end, minuteStep) };
	const dayStep = daySteps.find((step) => minutes / minutesOfDay / step <= most);
	if (dayStep !== undefined) return { unit: 'day', times: dayTicks(start, end, dayStep) };
	const monthStep = monthSteps.find((step) => minutes / minutesOfMonth / step <= most) ?? longestMonthStep;
	return { unit: 'month', times: monthTicks(start, end, monthStep) };
}

/**
 * Returns ticks within days. The steps are counted from each midnight, so that ticks are at round times on days on which the clock
 * changes, too. An hour that comes twice has its ticks twice.
 * @param step minutes
 */
function minuteTicks(start: number, end: number, step: number): readonly number[] {
	const times: number[] = [];
	for (const midnight of midnights(start, end)) {
		/** The local day: its fields in UTC are the local ones. */
		const day = localDateAt(midnight);
		for (let minute = 0; minute < minutesOfDay; minute += step) {
			const hour = 0;
			const time = instantAt(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), hour, minute);
			const last = times.at(-1);
			// Two local times are the same instant where the clock goes forward.
			if (last !== undefined && time <= last) continue;
			if (last !== undefined) times.push(...repeatedTicks(last, time, step));
			times.push(time);
		}
	}
	return times.filter((time) => time >= start && time <= end);
}

/** Returns the ticks between two neighbours that are further apart than a step, because the clock was put back between them. `step`: minutes. */
function repeatedTicks(last: number, next: number, step: number): readonly number[] {
	const times: number[] = [];
	for (let time = last + step * minuteMs; time < next; time += step * minuteMs) {
		const minuteOfDay = Math.round(localDateAt(time).getTime() / minuteMs) % minutesOfDay;
		if (minuteOfDay % step === 0) times.push(time);
	}
	return times;
}

/** The first Monday, 1970-01-05, in days since the Unix epoch. */
const firstMonday = 4;

/**
 * Returns ticks at midnights. Days are counted from Monday 1970-01-05, so that weekly ticks are on Mondays and ticks keep their dates
 * while the range moves.
 * @param step days
 */
function dayTicks(start: number, end: number, step: number): readonly number[] {
	return midnights(start, end).filter((time) => {
		const daysSinceEpoch = Math.floor(localDateAt(time).getTime() / (minutesOfDay * minuteMs));
		const daysSinceMonday = daysSinceEpoch - firstMonday;
		return daysSinceMonday % step === 0 && time >= start;
	});
}

/**
 * Returns ticks at firsts of months.
 * @param step months, counted from January of the year 0
 */
function monthTicks(start: number, end: number, step: number): readonly number[] {
	const times: number[] = [];
	const first = localDateAt(start);
	const firstMonth = first.getUTCFullYear() * 12 + first.getUTCMonth();
	for (let month = Math.floor(firstMonth / step) * step; ; month += step) {
		const dayOfMonth = 1;
		const time = instantAt(Math.floor(month / 12), month % 12, dayOfMonth);
		if (time > end) return times;
		if (time >= start) times.push(time);
	}
}

/** Returns the local midnights from that of the day of `start` until `end`. The first one may be before `start`. */
function midnights(start: number, end: number): readonly number[] {
	const times: number[] = [];
	const first = localDateAt(start);
	for (let day = 0; ; day += 1) {
		const time = instantAt(first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate() + day);
		if (time > end) return times;
		times.push(time);
	}
}
