import { computed, signal } from '@preact/signals';
import { api, type Failure, resultOf, type Schemas } from './api.ts';
import { addPollTask } from './poll.ts';
import { sessionCheck } from './session.ts';
import { severityNumbers } from './severity.ts';

/** An alarm with its state, as listed. */
export type ListedAlarm = Schemas['AlarmState'];

/** All alarms in ascending order of ids; undefined until they were read. Every poll renews them. */
export const alarms = signal<readonly ListedAlarm[] | undefined>(undefined);

let newest = 0;

/** The active alarms, worst first. */
export const activeAlarms = computed(() =>
	(alarms.value ?? [])
		.filter(({ active }) => active === true)
		.toSorted((a, b) => severityNumbers[a.severity] - severityNumbers[b.severity] || a.id - b.id),
);

/** Returns the worst active alarm of a variable, or null. */
export function worstAlarmOf(varId: number): ListedAlarm | null {
	return activeAlarms.value.find((alarm) => alarm.varId === varId) ?? null;
}

/** Takes part in every poll: lists the alarms with their states. */
export function startAlarms(): () => void {
	return addPollTask(readAlarms);
}

/** Reads the alarms now, as after a save. Returns why that failed, or null. Of two readings at once the one that began later counts. */
export async function readAlarms(): Promise<Failure | null> {
	newest += 1;
	const started = newest;
	const isSameSession = sessionCheck();
	const result = await resultOf(api.GET('/getAlarms'));
	if (!result.ok) return result.failure;
	if (started === newest && isSameSession()) alarms.value = result.data.data;
	return null;
}

/** Forgets the alarms: another tenant has signed in. */
export function forgetAlarms(): void {
	newest += 1;
	alarms.value = undefined;
}
