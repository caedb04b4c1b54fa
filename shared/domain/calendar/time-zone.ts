import { createLruCache } from '../lru-cache.ts';
import { dayMs, secondMs } from '../milliseconds.ts';

/** A time zone of the IANA database. */
export interface TimeZone {
	/** Intl's canonical name, such as `Europe/Madrid`. */
	readonly name: string;
	/**
	 * Returns how far local time is ahead of UTC at an instant (epoch milliseconds), in milliseconds. It is right from the year 100 on:
	 * `Date.UTC` takes a smaller number for a year of the 20th century.
	 */
	offsetAt(ms: number): number;
}

// Clocks in Recife went forward on 8 October 2000 and back 167 hours later, the shortest time from 1900 to 2100 in any zone.
// Samples 6 days apart therefore have at most one change between them.
const sampleMs = 6 * dayMs;
/** The time of which all changes are found at once: 60 days. */
const spanMs = 10 * sampleMs;
/** Most spans of a zone that are kept: enough for the years from 1970 to 2100. */
const maxSpans = 840;
/** Most zones that are kept. */
const maxZones = 50;

const utc: TimeZone = { name: 'UTC', offsetAt: () => 0 };
const zones = createLruCache<string, TimeZone>(maxZones);

/**
 * Returns the time zone with a name of the IANA database, in any case (shared/domain/calendar/README.md#time-zones). Its offsets are found
 * with Intl when they are first needed, two months at a time, and kept while the zone is among the 50 used last.
 * @returns null for an unknown name, and for an offset such as `+05:30`
 */
export function openTimeZone(name: string): TimeZone | null {
	if (name === utc.name) return utc;
	const kept = zones.get(name);
	if (kept !== undefined) return kept;
	const format = formatIn(name);
	const canonical = format?.resolvedOptions().timeZone ?? '';
	if (format === null || /^[+-]/.test(canonical)) return null;
	const zone = canonical === utc.name ? utc : createTimeZone(canonical, format);
	zones.set(name, zone);
	return zone;
}

/** Returns the format that shows the local time of a zone; null: Intl knows no such zone. */
function formatIn(timeZone: string): Intl.DateTimeFormat | null {
	try {
		return new Intl.DateTimeFormat('en-US', {
			timeZone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
	} catch {
		return null;
	}
}

/** The offset (in milliseconds) that holds from `at` (epoch milliseconds) on. */
interface OffsetChange {
	readonly at: number;
	readonly offset: number;
}

/** Creates a time zone that finds its offsets span by span, when they are first needed. */
function createTimeZone(name: string, format: Intl.DateTimeFormat): TimeZone {
	const spans = createLruCache<number, readonly OffsetChange[]>(maxSpans);
	/** The span that was used last: consecutive times are mostly in one span. */
	let newest: { readonly index: number; readonly changes: readonly OffsetChange[] } | undefined;
	const changesIn = (index: number): readonly OffsetChange[] => {
		if (newest?.index === index) return newest.changes;
		const changes = spans.get(index) ?? findChanges(format, index * spanMs);
		spans.set(index, changes);
		newest = { index, changes };
		return changes;
	};
	return {
		name,
		offsetAt: (ms) => {
			let result = 0;
			for (const { at, offset } of changesIn(Math.floor(ms / spanMs))) {
				if (at > ms) break;
				result = offset;
			}
			return result;
		},
	};
}

/** Returns the offset at `start`, and every change of it in the span that begins there. */
function findChanges(format: Intl.DateTimeFormat, start: number): readonly OffsetChange[] {
	let offset = readOffset(format, start);
	const changes = [{ at: start, offset }];
	for (let low = start; low < start + spanMs; low += sampleMs) {
		const next = readOffset(format, low + sampleMs);
		if (next !== offset) changes.push({ at: findChange(format, low, low + sampleMs), offset: next });
		offset = next;
	}
	return changes;
}

/** Returns the second in (low, high] from which the offset of `high` holds. Both are whole seconds in milliseconds. */
function findChange(format: Intl.DateTimeFormat, low: number, high: number): number {
	const after = readOffset(format, high);
	let before = low;
	let found = high;
	while (found - before > secondMs) {
		const middle = Math.floor((before + found) / 2 / secondMs) * secondMs;
		if (readOffset(format, middle) === after) found = middle;
		else before = middle;
	}
	return found;
}

/** Reads the offset at a whole second (epoch milliseconds) from the local time that Intl shows. */
function readOffset(format: Intl.DateTimeFormat, ms: number): number {
	const parts = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
	for (const { type, value } of format.formatToParts(ms)) if (type in parts) Object.assign(parts, { [type]: Number(value) });
	return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - ms;
}
