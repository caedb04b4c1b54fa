import { effect, signal } from '@preact/signals';
import { occurrenceKey, raisedSince } from './alarm-state.ts';
import { alarms, type ListedAlarm, unacknowledgedAlarms } from './alarms.ts';

/** The alarms that began to ask for somebody with the newest reading that had any, worst first. Each such reading sets a new list. */
export const newlyRaised = signal<readonly ListedAlarm[]>([]);

/** Follows the alarms and sets `newlyRaised`. Returns a function that stops it. */
export function startAttention(): () => void {
	let known: ReadonlySet<string> | null = null;
	return effect(() => {
		const current = alarms.value === undefined ? null : unacknowledgedAlarms.value;
		const found = current === null ? [] : raisedSince(known, current);
		known = current === null ? null : new Set(current.map(occurrenceKey));
		// The alarms of one tenant are not told to the next one.
		if (found.length > 0 || current === null) newlyRaised.value = found;
	});
}
