import { isUnacknowledged } from './alarm-state.ts';
import type { ListedAlarm } from './alarms.ts';

/** The alarm that the alarm line shows, and since when it shows this occurrence. Times are milliseconds of `uptime`. */
export interface SeenAlarm {
	readonly alarm: ListedAlarm;
	readonly sinceMs: number;
}

/**
 * How long the line must show an occurrence before it can be acknowledged, in milliseconds. A click in that time was meant for the
 * occurrence before.
 */
const leastSeenMs = 1000;

/** The alarms of a poll, as far as the alarm line depends on them. */
interface PolledAlarms {
	/** The open alarms, worst first. */
	readonly open: readonly ListedAlarm[];
	/** Whether the person uses the line at that moment. */
	readonly isHeld: boolean;
	readonly nowMs: number;
}

/**
 * Returns what the alarm line shows after a poll. While the person uses the line, it keeps its occurrence until that is acknowledged.
 * Otherwise it shows the worst alarm.
 * @param seen what the line has shown so far
 */
export function nextSeen(seen: SeenAlarm | null, { open, isHeld, nowMs }: PolledAlarms): SeenAlarm | null {
	const same = open.find((alarm) => isSameOccurrence(alarm, seen));
	const isKept = isHeld && seen !== null && isUnacknowledged(seen.alarm);
	// The alarm was raised again. The person has not seen that occurrence, so the line keeps the older one.
	if (isKept && same === undefined && open.some(({ id }) => id === seen.alarm.id)) return seen;
	if (isKept && same !== undefined && isUnacknowledged(same)) return { alarm: same, sinceMs: seen.sinceMs };
	const [worst] = open;
	if (worst === undefined) return null;
	return { alarm: worst, sinceMs: isSameOccurrence(worst, seen) && seen !== null ? seen.sinceMs : nowMs };
}

/** Whether a click acknowledges the alarm on the line: it must need that, and must have been there long enough to be read. */
export function canAcknowledgeSeen(seen: SeenAlarm | null, nowMs: number): seen is SeenAlarm {
	return seen !== null && isUnacknowledged(seen.alarm) && nowMs - seen.sinceMs >= leastSeenMs;
}

function isSameOccurrence({ id, occurrence }: ListedAlarm, seen: SeenAlarm | null): boolean {
	return seen !== null && seen.alarm.id === id && seen.alarm.occurrence === occurrence;
}
