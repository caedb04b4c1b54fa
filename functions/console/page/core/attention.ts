import { effect, signal } from '@preact/signals';
import { minuteMs } from '#domain/milliseconds.ts';
import { occurrenceKey, raisedSince } from './alarm-state.ts';
import { alarms, type ListedAlarm, unacknowledgedAlarms } from './alarms.ts';
import { now } from './clock.ts';

/** The alarms that the last reading found newly raised, worst first. A reading without new alarms leaves the list as it is. */
export const newlyRaised = signal<readonly ListedAlarm[]>([]);

/** Why the sound is not played although it is on. `blocked`: the browser waits for a click or a key. `failed`: it cannot play. Null: it plays. */
export const soundFault = signal<'blocked' | 'failed' | null>(null);

/** Until when sounds are muted, in epoch milliseconds; null when they are not muted. */
export const mutedUntil = signal<number | null>(null);

/** How long sounds are muted. */
const mutedMs = 10 * minuteMs;

/** Mutes the sounds for ten minutes, or ends the mute. */
export function toggleMute(): void {
	mutedUntil.value = mutedUntil.value === null ? now.value + mutedMs : null;
}

/** Sets `newlyRaised` after each reading of the alarms, and ends a mute when its time is over. Returns a function that stops both. */
export function startRaisedAlarms(): () => void {
	/** The occurrences that were unacknowledged at the last reading; null before the first one. */
	let lastKeys: ReadonlySet<string> | null = null;
	const stopMute = effect(() => {
		if (mutedUntil.value !== null && now.value >= mutedUntil.value) mutedUntil.value = null;
	});
	const stopRaised = effect(() => {
		if (alarms.value === undefined) {
			// Nothing was read yet, or the tenant has changed. The list is emptied, so that nobody sees the alarms of another tenant.
			lastKeys = null;
			newlyRaised.value = [];
			return;
		}
		const raised = raisedSince(lastKeys, unacknowledgedAlarms.value);
		lastKeys = new Set(unacknowledgedAlarms.value.map(occurrenceKey));
		if (raised.length > 0) newlyRaised.value = raised;
	});
	return () => {
		stopMute();
		stopRaised();
	};
}
