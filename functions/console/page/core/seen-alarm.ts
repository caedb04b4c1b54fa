import { isUnacknowledged } from './alarm-state.ts';
import type { ListedAlarm } from './alarms.ts';

/** An alarm that stands on the alarm line, and since when this occurrence of it does, in epoch milliseconds. */
export interface SeenAlarm {
	readonly alarm: ListedAlarm;
	readonly sinceMs: number;
}

/** How long an occurrence stands on the line before it can be acknowledged, in milliseconds: a hand that is already on its way meant another one. */
const leastSeenMs = 1000;

/**
 * Returns what the alarm line shows after a poll. While a person is at the line (`isHeld`), it keeps the occurrence that it shows
 * until that is acknowledged. Otherwise it shows the worst alarm.
 * @param open the open alarms, worst first
 */
export function nextSeen(seen: SeenAlarm | null, open: readonly ListedAlarm[], isHeld: boolean, nowMs: number): SeenAlarm | null {
	const same = open.find((alarm) => isSameOccurrence(alarm, seen));
	const isKept = isHeld && seen !== null && isUnacknowledged(seen.alarm);
	// A newer occurrence of the alarm was not seen, so the line keeps the one that was.
	if (isKept && same === undefined && open.some(({ id }) => id === seen.alarm.id)) return seen;
	if (isKept && same !== undefined && isUnacknowledged(same)) return { alarm: same, sinceMs: seen.sinceMs };
	const [worst] = open;
	if (worst === undefined) return null;
	return { alarm: worst, sinceMs: isSameOccurrence(worst, seen) && seen !== null ? seen.sinceMs : nowMs };
}

/** Whether a press acknowledges what the line shows: it asks for it, and has stood there long enough to be read. */
export function canAcknowledgeSeen(seen: SeenAlarm | null, nowMs: number): seen is SeenAlarm {
	return seen !== null && isUnacknowledged(seen.alarm) && nowMs - seen.sinceMs >= leastSeenMs;
}

function isSameOccurrence({ id, occurrence }: ListedAlarm, seen: SeenAlarm | null): boolean {
	return seen !== null && seen.alarm.id === id && seen.alarm.occurrence === occurrence;
}
