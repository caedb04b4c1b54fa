import { occursTwice } from '#domain/calendar/local-time.ts';
import type { ErrorParam } from '#domain/validation/problem.ts';
import { currentTime } from '#page/core/clock.ts';
import { languages } from '#page/core/languages.ts';
import { language } from '#page/core/preferences.ts';
import { viewZone } from '#page/core/time-zone.ts';

/** The formats that were created, by language, time zone and name. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats the time of day: `16:13`, with seconds `16:13:05`. A time that occurs twice, as clocks go back, has its zone: `02:13 CET`. */
export function formatClock(timeMs: number, { seconds = false }: { readonly seconds?: boolean } = {}): string {
	const clock = formatOf(seconds ? 'clock-s' : 'clock', {
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
		...(seconds ? { second: '2-digit' } : {}),
	}).format(timeMs);
	const zone = viewZone();
	return occursTwice(timeMs, zone) ? `${clock} ${zoneAbbreviation(timeMs, zone.name)}` : clock;
}

/** Formats day and time, with the year unless it is the present one: `21 Nov 16:12`, `21 Nov 2025 16:12`. */
export function formatDateTime(timeMs: number): string {
	return `${formatDate(timeMs)} ${formatClock(timeMs)}`;
}

/** Formats day and time with the year: `21 Nov 2026 16:12`. */
export function formatDated(timeMs: number): string {
	return `${formatDay(timeMs)} ${formatYear(timeMs)} ${formatClock(timeMs)}`;
}

/** Formats an instant that the service names in an error, with its year. Any other text stays as it is. */
export function formatSent(sent: ErrorParam | undefined): string {
	const timeMs = Date.parse(String(sent));
	return Number.isNaN(timeMs) ? String(sent) : formatDated(timeMs);
}

/** Formats the day, with its year unless that is the present one: `21 Nov`, `21 Nov 2025`. A report has a time zone of its own. */
export function formatDate(timeMs: number, timeZone?: string): string {
	return `${formatDay(timeMs, timeZone)}${otherYear(timeMs, timeZone)}`;
}

/** Formats the day without its year: `21 Nov`. */
export function formatDay(timeMs: number, timeZone?: string): string {
	return formatOf('day', { day: 'numeric', month: 'short' }, timeZone).format(timeMs);
}

/** Formats the year. */
export function formatYear(timeMs: number, timeZone?: string): string {
	return formatOf('year', { year: 'numeric' }, timeZone).format(timeMs);
}

/** Formats the month with its year: `Nov 2026`. */
export function formatMonth(timeMs: number): string {
	return formatOf('month', { month: 'short', year: 'numeric' }).format(timeMs);
}

/** Formats the day with its weekday, with the year unless it is the present one: `Sat 21 Nov`. A report has a time zone of its own. */
export function formatWeekday(timeMs: number, timeZone?: string): string {
	const day = formatOf('weekday', { weekday: 'short', day: 'numeric', month: 'short' }, timeZone).format(timeMs);
	return `${day}${otherYear(timeMs, timeZone)}`;
}

/** Formats the instant in UTC, for tooltips: `2026-11-21 15:13:05 UTC`. */
export function formatUtc(timeMs: number): string {
	return `${new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Returns the time zone of the view as people name it, with its offset: `CET (UTC+1)`. */
export function zoneName(timeMs: number): string {
	const zone = viewZone().name;
	const [name, offset] = [zoneAbbreviation(timeMs, zone), zoneAbbreviation(timeMs, zone, 'shortOffset')];
	return name === offset || name === 'UTC' ? name : `${name} (${offset})`;
}

/** Returns the abbreviation of a time zone at an instant: `CET`. If it has none in the language, its offset: `UTC-5`. */
export function zoneAbbreviation(timeMs: number, zone: string, style: 'short' | 'shortOffset' = 'short'): string {
	const parts = formatOf(`zone-${style}`, { timeZoneName: style }, zone).formatToParts(timeMs);
	const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
	// Intl writes an offset as `GMT+1`. London's `GMT` is an abbreviation.
	return name.replace(/^GMT(?=.)/, 'UTC');
}

/**
 * Returns the format with a name, in the language of the view, and in its time zone unless another one is given. Formats are kept by
 * name, because creating one costs far more than using it. So a name must always come with the same options.
 */
export function formatOf(
	name: string,
	options: Intl.DateTimeFormatOptions,
	timeZone: string = viewZone().name,
): Intl.DateTimeFormat {
	const key = `${language.value} ${timeZone} ${name}`;
	let format = formats.get(key);
	if (format === undefined) {
		format = new Intl.DateTimeFormat(languages[language.value].locale, { timeZone, ...options });
		formats.set(key, format);
	}
	return format;
}

/**
 * Formats a duration in its largest unit, hours and days with the next smaller one: `2 s`, `4 min`, `1 h 31 min`, `3 d 22 h`. The smallest
 * unit is rounded. The text is the same in every language.
 */
export function formatAge(ms: number): string {
	const seconds = Math.max(0, Math.round(ms / 1000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.round(ms / 60_000);
	if (minutes < 60) return `${minutes} min`;
	return minutes < 1440 ? inTwoUnits(minutes, 60, 'h', 'min') : inTwoUnits(Math.round(ms / 3_600_000), 24, 'd', 'h');
}

/** Returns the year of a time after a space; '' for the present year, which times leave out. */
export function otherYear(timeMs: number, timeZone?: string): string {
	const year = formatYear(timeMs, timeZone);
	return year === formatYear(currentTime(), timeZone) ? '' : ` ${year}`;
}

function inTwoUnits(count: number, size: number, large: string, small: string): string {
	const rest = count % size;
	return `${Math.floor(count / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
